// SPDX-License-Identifier: BSL-1.0
#include <array>

import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_reduce of a range needs an output range, or in_place(range)}}
void f(const DeviceMesh& mesh) { mesh.all_reduce<"tp">(std::array{1, 2}, axial::plus); }
#else
void f(const DeviceMesh& mesh) {
  std::array x{1, 2};
  mesh.all_reduce<"tp">(axial::in_place(x), axial::plus);
}
#endif
