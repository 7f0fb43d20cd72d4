#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The README shows examples/01_hello_mesh, line by line, but for the comments at its head.
set -euo pipefail
cd "$(dirname "$0")/../.."
shown=$(sed -n '/^```cpp$/,/^```$/p' README.md | sed '/^```$/q' | sed '1d;$d')
diff <(echo "$shown") <(sed '/^\/\//d' examples/01_hello_mesh/main.cpp)
