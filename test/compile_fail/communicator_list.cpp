// SPDX-License-Identifier: BSL-1.0
#include <list>
#include <vector>

import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_reduce cannot take std::list<int>: its elements are not contiguous in memory}}
void f(const DeviceMesh& mesh) {
  std::list<int> x(3), y(3);
  mesh.all_reduce<"tp">(x, y, axial::plus);
}
#else
void f(const DeviceMesh& mesh) {
  std::vector<int> x(3), y(3);
  mesh.all_reduce<"tp">(x, y, axial::plus);
}
#endif
