// SPDX-License-Identifier: BSL-1.0
// MPI for one process that takes itself for rank 0 of two. What would speak to the other rank returns at once, so that
// what a program spends, it spends outside MPI; what is local is MPI's own. A collective that is not here would find
// one rank where the program says two.
#include <mpi.h>

extern "C" {

int MPI_Comm_size(MPI_Comm comm, int* size) { return *size = comm == MPI_COMM_SELF ? 1 : 2, MPI_SUCCESS; }
int MPI_Group_incl(MPI_Group group, int, const int*, MPI_Group* mine) {
  const int myself = 0;
  return PMPI_Group_incl(group, 1, &myself, mine);
}
int MPI_Comm_create_group(MPI_Comm, MPI_Group, int, MPI_Comm* comm) { return PMPI_Comm_dup(MPI_COMM_SELF, comm); }

// The other rank contributes nothing.
int MPI_Allreduce(const void* in, void* out, int, MPI_Datatype type, MPI_Op, MPI_Comm) {
  if (in != MPI_IN_PLACE && type == MPI_DOUBLE) *static_cast<double*>(out) = *static_cast<const double*>(in);
  return MPI_SUCCESS;
}
int MPI_Bcast(void*, int, MPI_Datatype, int, MPI_Comm) { return MPI_SUCCESS; }
int MPI_Barrier(MPI_Comm) { return MPI_SUCCESS; }

}  // extern "C"
