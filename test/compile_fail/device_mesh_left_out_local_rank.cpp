// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: local_rank needs a name, since the mesh has 2 dimensions: "dp", "tp"}}
auto f(const DeviceMesh& mesh) { return mesh.local_rank(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.local_rank<"tp">(); }
#endif
