// SPDX-License-Identifier: BSL-1.0
// A timeout is a std::chrono::milliseconds, so this file includes <chrono>.
#include <chrono>

#include "../importer/expect.hpp"

import axial;

using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 2>>;

int main(int argc, char** argv) {
  return axial::run(argc, argv, [](axial::Environment& env) {
    const auto mesh = axial::init_device_mesh<Mesh>(env.world(), {.name = "dense", .timeout = std::chrono::minutes(1)});
    EXPECT(mesh.options().timeout == std::chrono::minutes(1) &&
           mesh.submesh<"tp">().options().timeout.count() == 60000);
    EXPECT(mesh.flatten().all_reduce(1, axial::plus) == 4);
    try {
      axial::init_device_mesh<Mesh>(env.world(), {.timeout = std::chrono::milliseconds(-1)});
    } catch (const axial::MeshError& error) {
      printf("%s\n", error.what());
      return 0;
    }
    return __LINE__;
  });
}
