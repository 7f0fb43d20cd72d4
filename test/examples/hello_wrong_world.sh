#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# hello_wrong_world.sh PROGRAM: on 6 ranks each rank reports the same error, and the job fails by itself.
set -euo pipefail
text='Mesh(dp=2, tp=4) needs 2*4 = 8 ranks, and the communicator has 6; tp=3 would fit'
output=$("$(dirname "$0")/../../scripts/mpiexec" -n 6 "$1" 2>&1) && status=0 || status=$?
echo "$output"
case $status in 0 | 124 | 137) echo "wanted: a failure, got status $status" && exit 1 ;; esac
diff <(for rank in {0..5}; do echo "axial: rank $rank: $text"; done) <(grep '^axial: ' <<<"$output" | sort)
