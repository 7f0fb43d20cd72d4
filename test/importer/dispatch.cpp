// SPDX-License-Identifier: BSL-1.0
#include "expect.hpp"

import axial;

using axial::Dim;
using A = axial::Mesh<Dim<"dp", 4>, Dim<"tp", 2>>;
using B = axial::Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;

int main() {
  const auto extent = [](auto mesh) { return mesh.extent(axial::axis<"tp">); };
  EXPECT(axial::dispatch<A, B>("dp=2,tp=4", extent) == 4 && axial::dispatch<A, B>("dp=4, tp=2", extent) == 2);
  unsigned calls = 0;
  axial::dispatch<A, B>("dp=2,tp=4", [&](auto) { ++calls; });
  EXPECT(calls == 1);
  try {
    axial::dispatch<A, B>("dp=3", extent);
    return __LINE__;
  } catch (const axial::MeshError& error) {
    printf("%s\n", error.what());
    EXPECT(!error.on_all_ranks());
  }
  try {
    axial::dispatch<A>("", extent);
    return __LINE__;
  } catch (const axial::Error& error) {
    printf("%s\n", error.what());
  }
  return 0;
}
