// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: logical_or does not work on float; it takes integers and bool}}
void f(const DeviceMesh& mesh) {
  float x[2] = {};
  mesh.reduce<"tp">(axial::in_place(x), axial::logical_or, 0);
}
#else
void f(const DeviceMesh& mesh) {
  bool x[2] = {};
  mesh.reduce<"tp">(axial::in_place(x), axial::logical_or, 0);
}
#endif
