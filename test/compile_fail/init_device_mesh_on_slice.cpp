// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: init_device_mesh_on takes a mesh that holds all ranks, not a slice}}
auto f(const axial::CommunicatorView& view) {
  return axial::init_device_mesh_on<decltype(Mesh::slice<"dp", 1>())>(view, {0, 1, 2, 3});
}
#else
auto f(const axial::CommunicatorView& view) {
  return axial::init_device_mesh_on<decltype(Mesh::submesh<"tp">())>(view, {0, 1, 2, 3, 4, 5, 6, 7});
}
#endif
