// SPDX-License-Identifier: BSL-1.0
#include "../importer/expect.hpp"

import axial;

using axial::Dim, axial::Environment, axial::ThreadLevel;
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"tp", 2>>;
using Wrong = axial::Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;

int train(Environment& env) {
  EXPECT(env.owns_mpi() && env.thread_level() == ThreadLevel::multiple);
  const axial::CommunicatorView world = env.world();
  EXPECT(world.size() == 4 && world.rank() < 4);
  const int handle = world.native_handle<int>();  // an MPI_Comm of MPICH
  EXPECT(axial::borrow(handle).rank() == world.rank());

  const Environment inner;
  EXPECT(!inner.owns_mpi() && inner.world().size() == 4);

  axial::Options options{.name = "dense"};
  EXPECT(axial::init_device_mesh<Mesh>(world, options).rank() == world.rank());
  EXPECT(axial::init_device_mesh<Mesh>(world, {.name = "expert"}).size() == 4);
  try {
    axial::init_device_mesh<Wrong>(world);
    return __LINE__;
  } catch (const axial::MeshError& error) {
    EXPECT(error.on_all_ranks() && error.what()[0] == 'M');
    printf("%s\n", error.what());
  }
  try {
    axial::borrow('x');
    return __LINE__;
  } catch (const axial::Error& error) {
    printf("%s\n", error.what());
  }
  try {
    axial::init_device_mesh<Mesh>(world).broadcast<"tp">(1, axial::Rank<"tp">(2));
    return __LINE__;
  } catch (const axial::MeshError& error) {
    EXPECT(!error.on_all_ranks());
    printf("%s\n", error.what());
  }
  return 0;
}

int main(int argc, char** argv) {
  const int line = axial::run(argc, argv, train, ThreadLevel::multiple);
  if (line) return line;
  try {
    const Environment late(argc, argv, ThreadLevel::single);
    return __LINE__;
  } catch (const axial::Error& error) {
    printf("%s\n", error.what());
  }
  return 0;
}
