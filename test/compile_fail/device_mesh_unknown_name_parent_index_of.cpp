// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tp"; its dimensions are "dp" (did you mean "dp"?)}}
auto f(const DeviceMesh& mesh) { return mesh.submesh<"dp">().parent_index_of<"tp">(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.submesh<"dp">().parent_index_of<"dp">(); }
#endif
