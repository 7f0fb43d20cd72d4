// SPDX-License-Identifier: BSL-1.0
#include <span>

import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: broadcast cannot take std::span<int>: a view refers to memory of this rank; use in_place(range), or an output range}}
void f(const DeviceMesh& mesh) {
  int x[3] = {};
  mesh.broadcast<"tp">(std::span<int>(x), 0);
}
#else
void f(const DeviceMesh& mesh) {
  int x[3] = {};
  mesh.broadcast<"tp">(axial::in_place(std::span<int>(x)), 0);
}
#endif
