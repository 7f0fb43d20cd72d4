// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_reduce has elements of float in and of double out}}
void f(const DeviceMesh& mesh) {
  float in[2] = {};
  double out[2];
  mesh.all_reduce<"tp">(in, out, axial::plus);
}
#else
void f(const DeviceMesh& mesh) {
  double in[2] = {};
  double out[2];
  mesh.all_reduce<"tp">(in, out, axial::plus);
}
#endif
