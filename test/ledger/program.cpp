// SPDX-License-Identifier: BSL-1.0
// A program that knows nothing of the ledger; files.sh preloads it.
#include <mpi.h>

namespace {

MPI_Comm comm = MPI_COMM_NULL;

int free_in_finalize(MPI_Comm, int, void*, void*) { return MPI_Comm_free(&comm); }

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_name(comm, "axial:tp");
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_in_finalize, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);

  const double in[5] = {};
  double out[5];
  for (int i = 0; i < 3; ++i) MPI_Allreduce(in, out, 5, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Finalize();
}
