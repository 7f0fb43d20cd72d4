// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <vector>

import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_reduce cannot take std::array<int, 2>: only arithmetic types and bool reduce}}
void f(const DeviceMesh& mesh) {
  std::vector<std::array<int, 2>> x(2);
  mesh.all_reduce<"tp">(x, x, axial::plus);
}
#else
void f(const DeviceMesh& mesh) {
  std::vector<std::array<int, 2>> x(2);
  mesh.broadcast<"tp">(x, x, 0);
}
#endif
