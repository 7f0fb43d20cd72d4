// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: concat needs two meshes of one root, and these are of 8 and of 4 ranks}}
auto f(const DeviceMesh& mesh, [[maybe_unused]] const axial::DeviceMesh<axial::Mesh<axial::Dim<"pp", 4>>>& other) {
  return concat(mesh.submesh<"tp">(), other);
}
#else
auto f(const DeviceMesh& mesh, [[maybe_unused]] const axial::DeviceMesh<axial::Mesh<axial::Dim<"pp", 4>>>& other) {
  return concat(mesh.submesh<"tp">(), mesh.submesh<"dp">());
}
#endif
