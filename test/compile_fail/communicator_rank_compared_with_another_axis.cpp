// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: a rank along "tp" and a rank along "dp" do not compare}}
bool f(const DeviceMesh& mesh) { return mesh.local_rank<"tp">() == mesh.local_rank<"dp">(); }
#else
bool f(const DeviceMesh& mesh) { return mesh.local_rank<"tp">() == mesh.local_rank<"dp">().value(); }
#endif
