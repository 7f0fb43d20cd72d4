// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
using Other = axial::DeviceMesh<decltype(Mesh::with_ranks<7, 6, 5, 4, 3, 1, 2, 0>())>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: concat needs two meshes of one root, and these number their ranks differently}}
auto f(const DeviceMesh& mesh, [[maybe_unused]] const Other& other) {
  return concat(mesh.submesh<"tp">(), other.submesh<"dp">());
}
#else
auto f(const DeviceMesh& mesh, [[maybe_unused]] const Other& other) {
  return concat(mesh.submesh<"tp">(), mesh.submesh<"dp">());
}
#endif
