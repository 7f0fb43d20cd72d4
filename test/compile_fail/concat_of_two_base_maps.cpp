// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: concat needs two meshes of one root, and these number their ranks differently}}
auto x = concat(Mesh::submesh<"tp">(), Mesh::with_xor<1, 3, 4>().submesh<"dp">());
#else
auto x = concat(Mesh::with_xor<1, 3, 4>().submesh<"tp">(), Mesh::with_xor<1, 3, 4>().submesh<"dp">());
#endif
