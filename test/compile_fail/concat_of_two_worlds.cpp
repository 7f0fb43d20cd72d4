// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: concat needs two meshes of one root, and these are of 8 and of 4 ranks}}
auto x = concat(Mesh::submesh<"tp">(), axial::Mesh<axial::Dim<"pp", 4>>());
#else
auto x = concat(Mesh::submesh<"tp">(), axial::Mesh<axial::Dim<"pp", 2>, axial::Dim<"tp", 4>>::submesh<"pp">());
#endif
