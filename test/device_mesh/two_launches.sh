#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# two_launches.sh MPIEXEC PROGRAM: both ranks of both launches print the same line, of three different numbers.
set -euo pipefail
lines=$(for _ in 1 2; do "$1" -n 2 "$2"; done)
[ "$(wc -l <<<"$lines")" = 4 ] && [ "$(sort -u <<<"$lines" | wc -l)" = 1 ] || { echo "$lines"; exit 1; }
[ "$(head -n 1 <<<"$lines" | tr ' ' '\n' | sort -u | wc -l)" = 3 ] || { echo "$lines"; exit 1; }
