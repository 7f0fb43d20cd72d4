// SPDX-License-Identifier: BSL-1.0
#include <vector>

import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_reduce of a range needs an output range, or in_place(range)}}
void f(const DeviceMesh& mesh) {
  std::vector<int> x(2);
  mesh.all_reduce<"tp">(x, axial::plus);
}
#else
void f(const DeviceMesh& mesh) {
  std::vector<int> x(2);
  mesh.all_reduce<"tp">(x, x, axial::plus);
}
#endif
