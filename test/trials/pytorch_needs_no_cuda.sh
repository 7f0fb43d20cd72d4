#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# pytorch_needs_no_cuda.sh NM READELF LIBRARY PROGRAM: no symbol of CUDA or NCCL is undefined in LIBRARY, and PROGRAM,
# which is linked with it, names no library of theirs.
set -euo pipefail
nm=$1 readelf=$2 library=$3 program=$4
undefined=$("$nm" --undefined-only "$library")
needed=$("$readelf" --dynamic "$program")
grep -q ' MPI_Allreduce$' <<<"$undefined" || { echo "wanted: undefined symbols, and that of MPI among them" && exit 1; }
grep -q 'NEEDED.*mpi' <<<"$needed" || { echo "wanted: libraries that are needed, and MPI among them" && exit 1; }
if grep -E ' U (nccl|cuda|cu)[A-Z]' <<<"$undefined" || grep -Ei 'NEEDED.*(cuda|nccl)' <<<"$needed"; then exit 1; fi
