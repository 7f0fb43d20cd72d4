// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: from_communicators takes a whole mesh: the axes of a part do not tell all ranks apart}}
auto f(const axial::CommunicatorView& view) { return axial::from_communicators<decltype(Mesh::submesh<"tp">())>(view); }
#else
auto f(const axial::CommunicatorView& view) {
  return axial::from_communicators<decltype(Mesh::permute<"tp", "dp">())>(view, view);
}
#endif
