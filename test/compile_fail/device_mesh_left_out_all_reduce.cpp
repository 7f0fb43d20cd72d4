// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_reduce needs a name, since the mesh has 2 dimensions: "dp", "tp"}}
auto f(const DeviceMesh& mesh) { return mesh.all_reduce(1.0, axial::plus); }
#else
auto f(const DeviceMesh& mesh) { return mesh.all_reduce<"tp">(1.0, axial::plus); }
#endif
