// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"x", 2>, axial::Dim<"y", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: with_ranks numbers the positions of a whole Mesh: it comes first, before submesh, permute, flatten, slice and other ranks}}
auto x = Mesh::submesh<"y">().with_ranks<1, 0>();
#else
auto x = Mesh::with_ranks<1, 0, 3, 2>().submesh<"y">();
#endif
