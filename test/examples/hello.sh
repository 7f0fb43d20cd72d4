#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# hello.sh PROGRAM: what hello_mesh prints on 8 ranks.
set -euo pipefail
diff - <("$(dirname "$0")/../../scripts/mpiexec" -n 8 "$1") <<'END'
Mesh(dp=2, tp=4) has 8 ranks
groups along dp: [[0, 4], [1, 5], [2, 6], [3, 7]]
groups along tp: [[0, 1, 2, 3], [4, 5, 6, 7]]
the coordinates along tp sum to 6
rank 0 is at (0, 0)
rank 1 is at (0, 1)
rank 2 is at (0, 2)
rank 3 is at (0, 3)
rank 4 is at (1, 0)
rank 5 is at (1, 1)
rank 6 is at (1, 2)
rank 7 is at (1, 3)
END
