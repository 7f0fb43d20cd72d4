// SPDX-License-Identifier: BSL-1.0
// overhead LOOP CALLS: one loop of that many calls, over the MPI of stub_mpi.cpp. `run` counts its instructions.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

import axial;

namespace {

using M = axial::Mesh<axial::Dim<"tp", 2>>;
using DeviceMesh = axial::DeviceMesh<M>;
using axial::plus, axial::in_place;

/// Keeps the compiler from leaving out what `pointer` points to.
void use(void* pointer) { asm volatile("" : : "r"(pointer) : "memory"); }

}  // namespace

extern "C" {

// By hand: errors are ignored, as most programs do. Each takes the value on, so that no call can be left out.
[[gnu::noinline]] double raw_all_reduce(const DeviceMesh& mesh, double x, long calls) {
  const MPI_Comm comm = mesh.communicator<"tp">().native_handle<MPI_Comm>();
  for (long i = 0; i < calls; ++i) {
    double sum;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    x = sum;
  }
  return x;
}
[[gnu::noinline]] double mesh_all_reduce(const DeviceMesh& mesh, double x, long calls) {
  for (long i = 0; i < calls; ++i) x = mesh.all_reduce<"tp">(x, plus);
  return x;
}

[[gnu::noinline]] double raw_all_reduce_in_place(const DeviceMesh& mesh, double x, long calls) {
  const MPI_Comm comm = mesh.communicator<"tp">().native_handle<MPI_Comm>();
  double values[4] = {x};
  for (long i = 0; i < calls; ++i) {
    MPI_Allreduce(MPI_IN_PLACE, values, 4, MPI_DOUBLE, MPI_SUM, comm);
    use(values);
  }
  return values[0];
}
[[gnu::noinline]] double mesh_all_reduce_in_place(const DeviceMesh& mesh, double x, long calls) {
  double values[4] = {x};
  for (long i = 0; i < calls; ++i) {
    mesh.all_reduce<"tp">(in_place(values), plus);
    use(values);
  }
  return values[0];
}

[[gnu::noinline]] double raw_broadcast(const DeviceMesh& mesh, double x, long calls) {
  const MPI_Comm comm = mesh.communicator<"tp">().native_handle<MPI_Comm>();
  for (long i = 0; i < calls; ++i) MPI_Bcast(&x, 1, MPI_DOUBLE, 0, comm);
  return x;
}
[[gnu::noinline]] double mesh_broadcast(const DeviceMesh& mesh, double x, long calls) {
  for (long i = 0; i < calls; ++i) x = mesh.broadcast<"tp">(x, 0);
  return x;
}

[[gnu::noinline]] double raw_barrier(const DeviceMesh& mesh, double x, long calls) {
  const MPI_Comm comm = mesh.communicator<"tp">().native_handle<MPI_Comm>();
  for (long i = 0; i < calls; ++i) MPI_Barrier(comm);
  return x;
}
[[gnu::noinline]] double mesh_barrier(const DeviceMesh& mesh, double x, long calls) {
  for (long i = 0; i < calls; ++i) mesh.barrier<"tp">();
  return x;
}

// Shows that `run` sees allocations.
[[gnu::noinline]] double raw_allocation(const DeviceMesh&, double x, long calls) {
  for (long i = 0; i < calls; ++i) {
    double* copy = new double(x);
    use(copy);
    x = *copy;
    delete copy;
  }
  return x;
}

}  // extern "C"

namespace {

struct Loop {
  const char* name;
  double (*run)(const DeviceMesh&, double, long);
};
constexpr Loop loops[] = {{"raw_all_reduce", raw_all_reduce},
                          {"mesh_all_reduce", mesh_all_reduce},
                          {"raw_all_reduce_in_place", raw_all_reduce_in_place},
                          {"mesh_all_reduce_in_place", mesh_all_reduce_in_place},
                          {"raw_broadcast", raw_broadcast},
                          {"mesh_broadcast", mesh_broadcast},
                          {"raw_barrier", raw_barrier},
                          {"mesh_barrier", mesh_barrier},
                          {"raw_allocation", raw_allocation}};

}  // namespace

int main(int argc, char** argv) {
  return axial::run(argc, argv, [&](axial::Environment& env) {
    const auto mesh = axial::init_device_mesh<M>(env.world());
    for (const Loop& loop : loops)
      if (argc == 3 && std::strcmp(argv[1], loop.name) == 0)
        return loop.run(mesh, 1.0, std::atol(argv[2])) == 1.0 ? 0 : 1;
    std::fputs("overhead LOOP CALLS\n", stderr);
    return 2;
  });
}
