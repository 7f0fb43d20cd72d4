// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: a rank along "dp" and a rank along "tp" do not compare}}
bool f(const DeviceMesh& mesh) { return mesh.local_rank<"dp">() < mesh.local_rank<"tp">(); }
#else
bool f(const DeviceMesh& mesh) { return mesh.local_rank<"dp">() < axial::Rank<"dp">(1); }
#endif
