// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: rename makes a dimension "dp", and the mesh has one of that name; its dimensions are "dp", "tp"}}
auto f(const DeviceMesh& mesh) { return mesh.rename<"tp", "dp">(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.rename<"tp", "t">(); }
#endif
