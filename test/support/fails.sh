#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# fails.sh TEXT COMMAND...: COMMAND must fail, not by a time limit, and print TEXT, whatever line breaks are in it. CMake
# must print no second error.
set -uo pipefail
text=$1
shift
output=$("$@" 2>&1) && status=0 || status=$?
echo "$output"
case $status in 0 | 124) echo "wanted: a failure, got status $status" && exit 1 ;; esac
[ "$(grep -c '^CMake Error' <<<"$output")" -le 1 ] || { echo "wanted: one error" && exit 1; }
[[ $(tr -s ' \n' ' ' <<<"$output") == *"$text"* ]] || { echo "wanted: $text" && exit 1; }
