// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: concat: dimension "q" is in both meshes; the second has "q"}}
auto x = concat(Mesh::submesh<"dp">().rename<"q">(), Mesh::submesh<"tp">().rename<"q">());
#else
auto x = concat(Mesh::submesh<"dp">().rename<"q">(), Mesh::submesh<"tp">());
#endif
