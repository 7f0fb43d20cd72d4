// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <vector>

import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_reduce cannot take std::vector<bool>: its elements are bits, not bool; use an array of bool}}
void f(const DeviceMesh& mesh) {
  std::vector<bool> x(3), y(3);
  mesh.all_reduce<"tp">(x, y, axial::logical_or);
}
#else
void f(const DeviceMesh& mesh) {
  std::array<bool, 3> x{}, y{};
  mesh.all_reduce<"tp">(x, y, axial::logical_or);
}
#endif
