#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# leaks.sh MPIEXEC LEDGER PROGRAM: what PROGRAM is said to leak on 2 ranks; it is linked to the ledger, or preloaded
# with it where LEDGER is not empty.
set -euo pipefail
mpiexec=$1 program=$3
export ASAN_OPTIONS=detect_leaks=0  # the program leaks on purpose, and it is for the ledger to tell
export AXIAL_PRELOAD=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
made='made by MPI'
cat >"$folder/leaks" <<END
ledger: rank 1: communicator "axial:tp" ${made}_Comm_dup at train.cpp:17 was never freed
ledger: rank 1: communicator ${made}_Comm_split at train.cpp:18 was never freed
ledger: rank 1: group ${made}_Comm_group at train.cpp:19 was never freed
ledger: rank 1: operator ${made}_Op_create at train.cpp:19 was never freed
ledger: rank 1: datatype "row" ${made}_Type_contiguous at train.cpp:19 was never freed
ledger: rank 1: request on "axial:tp" ${made}_Irecv at train.cpp:20 was never completed
ledger: rank 1: request on "axial:tp" ${made}_Barrier_init at train.cpp:20 was never freed
END
touch "$folder/nothing"

check() {  # STATUS LEAKS ARGUMENT...: the program ends so and leaks what this file says, and its output is complete
  local status=0
  "$mpiexec" -n 2 "$program" "${@:3}" >"$folder/out" 2>"$folder/err" || status=$?
  [ $status = "$1" ] || { echo "wanted: status $1, got $status" && exit 1; }
  diff "$folder/$2" <(grep '^ledger' "$folder/err") || { echo "of: $*" && exit 1; }
  [ "$(grep -c ': done$' "$folder/out")" = 2 ] || { echo "wanted: 2 ranks done" && cat "$folder/out" && exit 1; }
}
check 0 nothing
check 0 leaks leak
AXIAL_LEDGER_LEAKS=0 check 0 nothing leak
AXIAL_LEDGER_LEAKS=fail check 0 nothing
AXIAL_LEDGER_LEAKS=fail check 1 leaks leak
