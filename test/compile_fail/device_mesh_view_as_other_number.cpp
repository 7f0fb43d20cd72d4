// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: view_as takes another factorisation of the same 8 ranks, not one of 16}}
auto f(const DeviceMesh& mesh) { return mesh.view_as<axial::Mesh<axial::Dim<"ep", 16>>>(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.view_as<axial::Mesh<axial::Dim<"ep", 8>>>(); }
#endif
