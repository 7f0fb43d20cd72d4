// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{call to implicitly-deleted copy constructor of}}
void f(const DeviceMesh& mesh) {
  const auto tp = mesh.communicator<"tp">();
  tp.barrier();
}
#else
void f(const DeviceMesh& mesh) {
  const auto& tp = mesh.communicator<"tp">();
  tp.barrier();
}
#endif
