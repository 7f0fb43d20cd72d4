#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# config_check.sh PROGRAM: what config_check prints, and its exit status, for a mesh that fits and for one that does not.
set -euo pipefail
diff - <("$1" && echo "status $?") <<'END'
Mesh(dp=4, pp=4, tp=4): ok
dp=4 pp=4 tp=4: ok
status 0
END
diff - <("$1" --dp 3 --pp 8 --tp 16 || echo "status $?") <<'END'
Mesh(dp=4, pp=4, tp=4): ok
dp=3 pp=8 tp=16:
1. divides: heads = 28 is not divisible by tp = 16; nearest legal heads: 16 and 32; nearest legal tp: 14 and 28
2. layers: layers = 28 is not divisible by pp = 8; nearest legal layers: 24 and 32; nearest legal pp: 7 and 14
3. batch: global_batch = 1024 is not divisible by micro_batch * dp = 1 * 3 = 3; nearest legal global_batch: 1023 and 1026; nearest legal dp: 2 and 4
4. within: ranks_per_node = 8 does not hold whole blocks of tp * stride = 16 * 1 = 16; nearest legal ranks_per_node: 16; nearest legal tp: 8
status 1
END
