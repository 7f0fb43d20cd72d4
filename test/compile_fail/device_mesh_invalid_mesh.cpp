// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh names dimension "dp" twice; the dimensions are "dp", "dp"}}
// lines: 14
auto f(const axial::CommunicatorView& world) {
  const auto mesh = axial::init_device_mesh<axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"dp", 4>>>(world);
  return mesh.all_reduce<"tp">(1, axial::plus) + mesh.submesh<"pp">().extent();
}
#else
auto f(const axial::CommunicatorView& world) {
  const auto mesh = axial::init_device_mesh<axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>>(world);
  return mesh.all_reduce<"tp">(1, axial::plus) + mesh.submesh<"dp">().extent();
}
#endif
