#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# data_fault.sh PROGRAM DATA EDIT TEXT: with DATA edited by sed, or missing, training on 8 ranks reports one error, the
# file's name followed by TEXT, and fails by itself.
set -euo pipefail
program=$1 data=$2 edit=$3 text=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
file=$scratch/digits.csv
[ "$edit" = "no file" ] || sed "$edit" "$data" >"$file"

mpiexec=$(dirname "$0")/../../scripts/mpiexec
output=$("$mpiexec" -n 8 "$program" --mesh dp=4,tp=2 --data "$file" 2>&1) && status=0 || status=$?
echo "$output"
case $status in 0 | 124 | 137) echo "wanted: a failure, got status $status" && exit 1 ;; esac
diff <(echo "axial: rank 0: $file$text") <(grep '^axial: ' <<<"$output")
