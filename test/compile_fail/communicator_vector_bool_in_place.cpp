// SPDX-License-Identifier: BSL-1.0
#include <vector>

import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: broadcast cannot take std::vector<bool>: its elements are bits, not bool; use an array of bool}}
void f(const DeviceMesh& mesh) {
  std::vector<bool> x(3);
  mesh.broadcast<"tp">(axial::in_place(x), 0);
}
#else
void f(const DeviceMesh& mesh) {
  bool x[3] = {};
  mesh.broadcast<"tp">(axial::in_place(x), 0);
}
#endif
