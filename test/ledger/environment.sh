#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# environment.sh MPIEXEC LEDGER PROGRAM: faults that environment variables order for PROGRAM, preloaded with the ledger
# on 2 ranks, and values that are refused.
set -euo pipefail
mpiexec=$1 program=$3
export AXIAL_PRELOAD=$2
usual='rank 0: a copy is freed
rank 0: done
rank 1: a copy is freed
rank 1: done'

prints() {  # LINES [VARIABLE=VALUE]: in whatever order
  local printed
  printed=$(env "${@:2}" "$mpiexec" -n 2 "$program" 2>&1 | sort)
  diff <(sort <<<"$1") - <<<"$printed" || { echo "of: ${*:2}" && exit 1; }
}
refuses() {  # VARIABLE=VALUE FORM
  local printed status=0
  printed=$(env "$1" "$mpiexec" -n 1 "$program" 2>&1) || status=$?
  case $status in 0 | 124) echo "wanted: a failure, got status $status" && exit 1 ;; esac
  diff - <(grep . <<<"$printed") <<<"ledger: $1 is not $2" || { echo "of: $1" && exit 1; }
}

prints "$usual"
prints "$usual" AXIAL_LEDGER_LIMIT=2
# A communicator that no one got is freed in MPI_Finalize.
prints 'rank 0: a copy is freed
rank 0: no copy: Other MPI error
rank 1: a copy is freed
rank 1: no copy: Other MPI error' AXIAL_LEDGER_FAIL=MPI_Comm_dup:1
prints 'rank 0: a copy is freed
rank 0: no copy: communicator limit of the ledger reached
rank 1: a copy is freed
rank 1: no copy: communicator limit of the ledger reached' AXIAL_LEDGER_LIMIT=0
prints "$usual
rank 1: no name: 5" AXIAL_LEDGER_FAIL=1:MPI_Comm_set_name:1:5
prints "$usual
rank 0: no name: 7" AXIAL_LEDGER_FAIL='0:*:5:7'  # its fifth call
prints "$usual" AXIAL_LEDGER_FAIL=2:MPI_Comm_set_name:1
prints "$usual
rank 1: slow" AXIAL_LEDGER_DELAY=1:MPI_Op_create:1:1000

fail='[rank:]function:k[:code], with a function of MPI or *'
for value in MPI_Barrier :MPI_Barrier:1 MPI_Barrier:0 MPI_Barrier:1:x MPI_Barrier:1x MPI_Barier:1 1:2:3 \
  x:MPI_Barrier:1 1:MPI_Barrier:1:2:3 MPI_Barrier:1:0; do
  refuses AXIAL_LEDGER_FAIL="$value" "$fail"
done
refuses AXIAL_LEDGER_DELAY=MPI_Barrier:1 '[rank:]function:k:milliseconds, with a function of MPI or *'
refuses AXIAL_LEDGER_LIMIT=-1 'a number of communicators'
refuses AXIAL_LEDGER_LEAKS=no '0 or fail'
