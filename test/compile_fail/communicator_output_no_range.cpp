// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_gather cannot take int here: it is no range}}
void f(const DeviceMesh& mesh) {
  int in[1] = {}, out = 0;
  mesh.all_gather<"tp">(in, out);
}
#else
void f(const DeviceMesh& mesh) {
  int in[1] = {}, out[4];
  mesh.all_gather<"tp">(in, out);
}
#endif
