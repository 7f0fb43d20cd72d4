#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# check.sh CMAKE ARGUMENT...: configures project/ outside this tree, builds it, runs its programs on 8 ranks and checks
# what they print; counted.cpp prints what the ledger counted.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/project/* "$work"
"$@" -S "$work" -B "$work/build"
"$1" --build "$work/build" --parallel 2
"$here/../../scripts/mpiexec" -n 8 "$work/build/consumer" | sort >"$work/printed"
for dp in 0 1; do for tp in {0..3}; do echo "($dp, $tp)"; done; done | diff - "$work/printed"
"$here/../../scripts/mpiexec" -n 8 "$work/build/counted" 2>&1 | sort | uniq -c >"$work/counted"
diff -w - "$work/counted" <<<'8 MPI_Allreduce axial:tp 1 8
8 axial:tp'
