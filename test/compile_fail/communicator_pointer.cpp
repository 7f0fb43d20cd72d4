// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: broadcast cannot take const int *: a pointer means nothing on another rank}}
void f(const DeviceMesh& mesh) {
  const int x = 1;
  mesh.broadcast<"tp">(&x, 0);
}
#else
void f(const DeviceMesh& mesh) {
  const int x = 1;
  mesh.broadcast<"tp">(x, 0);
}
#endif
