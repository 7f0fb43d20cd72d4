// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"cp", 2>, axial::Dim<"tp", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: concat needs two meshes that are sliced alike, and these hold different ranks}}
auto x = concat(Mesh::slice<"cp", 0>().submesh<"dp">(), Mesh::slice<"cp", 1>().submesh<"tp">());
#else
auto x = concat(Mesh::slice<"cp", 1>().submesh<"dp">(), Mesh::slice<"cp", 1>().submesh<"tp">());
#endif
