// SPDX-License-Identifier: BSL-1.0
// Prints the fingerprints of some meshes on each rank: two_launches.sh compares those of two launches.
#include <cstdio>

import axial;

using axial::Dim, axial::Mesh;

int main(int argc, char** argv) {
  return axial::run(argc, argv, [](axial::Environment& env) {
    using M = Mesh<Dim<"dp", axial::dynamic>, Dim<"cp", 2>>;
    const auto plain = axial::init_device_mesh<M>(env.world(), {.name = "dense"});
    const auto mapped = axial::init_device_mesh<Mesh<Dim<"tp", 2>>>(env.world(), {.rank_map = {1, 0}});
    std::printf("%llx %llx %llx\n", static_cast<unsigned long long>(plain.fingerprint()),
                static_cast<unsigned long long>(plain.flatten().fingerprint()),
                static_cast<unsigned long long>(mapped.fingerprint()));
  });
}
