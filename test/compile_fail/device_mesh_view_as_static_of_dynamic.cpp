// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: view_as takes another factorisation of the same * ranks, not one of 8}}
auto f(const DeviceMesh& mesh) { return mesh.view_as<axial::Mesh<axial::Dim<"ep", 8>>>(); }
#else
auto f(const DeviceMesh& mesh) {
  return mesh.view_as<axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"ep", 8>>>();
}
#endif
