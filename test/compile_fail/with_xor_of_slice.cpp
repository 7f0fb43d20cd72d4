// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"x", 2>, axial::Dim<"y", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: with_xor numbers the positions of a whole Mesh: it comes first, before submesh, permute, flatten, slice and other ranks}}
auto x = Mesh::slice<"x", 0>().with_xor<1>();
#else
auto x = Mesh::with_xor<1, 3>().slice<"x", 0>();
#endif
