// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: concat: dimension "tp" is in both meshes; the second has "tp"}}
auto x = concat(Mesh::submesh<"tp">(), Mesh::submesh<"tp">());
#else
auto x = concat(Mesh::submesh<"tp">(), Mesh::submesh<"dp">());
#endif
