// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: concat: dimension "tp" = 4:1 shares ranks with "dp_tp" = 8:1; the second mesh has "tp"}}
auto f(const DeviceMesh& mesh) { return concat(mesh.flatten<"dp", "tp">(), mesh.submesh<"tp">()); }
#else
auto f(const DeviceMesh& mesh) { return concat(mesh.submesh<"dp">(), mesh.submesh<"tp">()); }
#endif
