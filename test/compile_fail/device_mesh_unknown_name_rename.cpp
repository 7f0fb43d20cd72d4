// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tq"; its dimensions are "dp", "tp" (did you mean "tp"?)}}
auto f(const DeviceMesh& mesh) { return mesh.rename<"tq", "tensor">(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.rename<"tp", "tensor">(); }
#endif
