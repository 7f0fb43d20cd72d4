#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# files.sh MPIEXEC LEDGER PROGRAM: the files that PROGRAM, preloaded with the ledger on 2 ranks, leaves behind.
set -euo pipefail
mpiexec=$1 ledger=$2 program=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
AXIAL_PRELOAD=$ledger AXIAL_LEDGER=$folder/counts "$mpiexec" -n 2 "$program"
for rank in 0 1; do
  diff - "$folder/counts.$rank" <<'END'
MPI_Allreduce	axial:tp	3	120
MPI_Comm_create_keyval	-	1	0
MPI_Comm_dup	MPI_COMM_WORLD	1	0
MPI_Comm_free	axial:tp	1	0
MPI_Comm_set_attr	MPI_COMM_SELF	1	0
MPI_Comm_set_name	(unnamed)	1	0
MPI_Finalize	-	1	0
MPI_Init	-	1	0
END
done
[ "$(ls "$folder" | wc -l)" = 2 ]
