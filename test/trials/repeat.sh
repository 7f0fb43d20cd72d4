#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# repeat.sh TIMES COMMAND...: runs COMMAND so often, and stops at the first failure.
set -euo pipefail
times=$1
shift
for ((i = 1; i <= times; ++i)); do
  "$@" || { status=$? && echo "run $i of $times failed" && exit "$status"; }
done
