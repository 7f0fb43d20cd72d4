// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: view_as takes another factorisation of the same 8 ranks, whose base map is that of this mesh, or none}}
auto f(const DeviceMesh& mesh) { return mesh.view_as<decltype(Mesh::with_ranks<7, 6, 5, 4, 3, 1, 2, 0>())>(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.view_as<axial::Mesh<axial::Dim<"all", 8>>>(); }
#endif
