#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# install.sh CMAKE BUILD PREFIX: installs elsewhere, then moves the whole to PREFIX: no installed file may hold its own
# path, but for debug information.
set -euo pipefail
rm -rf "$3" "$3.first"
"$1" --install "$2" --prefix "$3.first" --strip
mv "$3.first" "$3"
! grep -rF -e "$3.first" -e "$2" "$3" --exclude='*.a'
