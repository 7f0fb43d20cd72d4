// SPDX-License-Identifier: BSL-1.0
// leaky [leak]: makes one object of each kind and frees them, but on rank 1 with an argument; says when a copy of
// MPI_COMM_WORLD is freed and what fails or takes a second. It calls the ledger only where there is one, as axial does.
#include <mpi.h>

#include <cstdio>

extern "C" [[gnu::weak]] void axial_ledger_site(const char* file, unsigned line);

namespace {

int rank = 0;

void say_site(unsigned line) {
  if (axial_ledger_site != nullptr) axial_ledger_site("train.cpp", line);
}

int say_freed(MPI_Comm comm, int, void*, void*) {
  if (comm != MPI_COMM_WORLD) std::printf("rank %d: a copy is freed\n", rank);
  return MPI_SUCCESS;
}

void add(void*, void*, int*, MPI_Datatype*) {}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static char buffer[BUFSIZ];
  std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer);  // MPICH took it away; all is written at the end of the process
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, say_freed, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, nullptr);

  MPI_Comm named = MPI_COMM_NULL, unnamed = MPI_COMM_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Request receive = MPI_REQUEST_NULL, barrier = MPI_REQUEST_NULL;
  int data = 0;
  say_site(17);
  if (const int code = MPI_Comm_dup(MPI_COMM_WORLD, &named); code != MPI_SUCCESS) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    std::printf("rank %d: no copy: %s\n", rank, text);
    MPI_Finalize();
    return named == MPI_COMM_NULL ? 0 : 3;
  }
  if (const int code = MPI_Comm_set_name(named, "axial:tp"); code != MPI_SUCCESS)
    std::printf("rank %d: no name: %d\n", rank, code);
  say_site(18);
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &unnamed);
  say_site(19);
  MPI_Comm_group(named, &group);
  const double begin = MPI_Wtime();
  MPI_Op_create(add, 1, &op);
  if (MPI_Wtime() - begin >= 1) std::printf("rank %d: slow\n", rank);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_set_name(type, "row");
  say_site(20);
  MPI_Irecv(&data, 1, MPI_INT, rank, 0, named, &receive);
  MPI_Barrier_init(named, MPI_INFO_NULL, &barrier);
  MPI_Barrier(named);

  if (rank != 1 || argc == 1) {
    MPI_Cancel(&receive);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Request_free(&barrier);
    MPI_Type_free(&type);
    MPI_Op_free(&op);
    MPI_Group_free(&group);
    MPI_Comm_free(&unnamed);
    MPI_Comm_free(&named);
  }
  MPI_Finalize();
  std::printf("rank %d: done\n", rank);
}
