#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# ends.sh well|badly|STATUS TIMES TEXT COMMAND...: COMMAND ends by itself within its time limit, with status 0, another
# or this one, and prints exactly TIMES lines, or `some`, that match the extended regular expression TEXT.
set -uo pipefail
how=$1 times=$2 text=$3
shift 3
output=$("$@" 2>&1) && status=0 || status=$?
echo "$output"
case $how:$status in
  well:0 | "$status:$status") ;;
  badly:0 | badly:124) false ;;
  badly:*) ;;
  *) false ;;
esac || { echo "wanted: an end that is $how, got status $status" && exit 1; }
found=$(grep -Ec -- "$text" <<<"$output")
[ "$found" = "$times" ] || { [ "$times" = some ] && [ "$found" -gt 0 ]; } || { echo "wanted: $times lines, got $found, that match: $text" && exit 1; }
