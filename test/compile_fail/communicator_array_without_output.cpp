// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_reduce cannot take int *: a pointer means nothing on another rank; an array needs an output array, or in_place(array)}}
void f(const DeviceMesh& mesh) {
  int x[2] = {};
  mesh.all_reduce<"tp">(x, axial::plus);
}
#else
void f(const DeviceMesh& mesh) {
  int x[2] = {};
  mesh.all_reduce<"tp">(axial::in_place(x), axial::plus);
}
#endif
