// SPDX-License-Identifier: BSL-1.0
// A mesh as a type, what the type knows, and what each rank learns from it: mpiexec -n 8 hello_mesh
#include <iostream>

import axial;

using M = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;  // 8 ranks; the last dimension varies fastest

int main(int argc, char** argv) {
  return axial::run(argc, argv, [](axial::Environment& env) {
    const auto mesh = axial::init_device_mesh<M>(env.world());  // one communicator for each axis; throws on 6 ranks

    const unsigned sum = mesh.all_reduce<"tp">(mesh.local_rank<"tp">().value(), axial::plus);  // 0 + 1 + 2 + 3
    const auto all = mesh.all_gather<"dp">(mesh.all_gather<"tp">(mesh.coordinates()));         // all[dp][tp]
    if (mesh.rank() != 0) return;

    std::cout << M{} << " has " << M::size() << " ranks\n"  // what the type knows needs no communication
              << "groups along dp: " << M::groups<"dp">() << "\n"
              << "groups along tp: " << M::groups<"tp">() << "\n"
              << "the coordinates along tp sum to " << sum << "\n";
    for (const auto& row : all)
      for (const auto& coordinates : row)
        std::cout << "rank " << M::rank_of(coordinates) << " is at " << coordinates << "\n";
  });
}
