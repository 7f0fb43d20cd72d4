// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: from_communicators takes one communicator for each dimension: 2, not 3}}
auto f(const axial::CommunicatorView& view) {
  return axial::from_communicators<Mesh>({.name = "dense"}, view, view, view);
}
#else
auto f(const axial::CommunicatorView& view) { return axial::from_communicators<Mesh>({.name = "dense"}, view, view); }
#endif
