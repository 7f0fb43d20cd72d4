// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: view_as takes another factorisation of the same 8 ranks, not a slice}}
auto f(const DeviceMesh& mesh) { return mesh.view_as<decltype(Mesh::slice<"dp", 1>())>(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.view_as<decltype(Mesh::submesh<"tp">())>(); }
#endif
