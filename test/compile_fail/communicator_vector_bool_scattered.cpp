// SPDX-License-Identifier: BSL-1.0
#include <vector>

import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: reduce_scatter cannot take std::vector<bool>: its elements are bits, not bool; use an array of bool}}
void f(const DeviceMesh& mesh) {
  std::vector<bool> x(4);
  mesh.reduce_scatter<"tp">(x, axial::logical_or);
}
#else
void f(const DeviceMesh& mesh) {
  bool x[4] = {};
  mesh.reduce_scatter<"tp">(x, axial::logical_or);
}
#endif
