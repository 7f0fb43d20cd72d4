// SPDX-License-Identifier: BSL-1.0
#include <ranges>

import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_gather cannot take}}
void f(const DeviceMesh& mesh) {
  double all[4];
  mesh.all_gather<"dp">(std::views::iota(0, 2), all);
}
#else
void f(const DeviceMesh& mesh) {
  double in[2] = {}, all[4];
  mesh.all_gather<"dp">(in, all);
}
#endif
