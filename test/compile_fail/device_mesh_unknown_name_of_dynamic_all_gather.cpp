// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "dq"; its dimensions are "dp", "tp" (did you mean "dp"?)}}
auto f(const DeviceMesh& mesh) { return mesh.all_gather<"dq">(1); }
#else
auto f(const DeviceMesh& mesh) { return mesh.all_gather<"dp">(1); }
#endif
