// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"x", axial::dynamic>, axial::Dim<"y", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: with_ranks numbers the positions of a whole Mesh: it comes first, before submesh, permute, flatten, slice and other ranks, and needs every extent}}
auto x = Mesh::with_ranks<1, 0>();
#else
auto x = axial::Mesh<axial::Dim<"x", 1>, axial::Dim<"y", 2>>::with_ranks<1, 0>();
#endif
