// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"x", 2>, axial::Dim<"y", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: with_xor gives position 2 the rank 4, and the mesh has the ranks 0 to 3}}
auto x = Mesh::with_xor<1, 4>();
#else
auto x = Mesh::with_xor<1, 3>();
#endif
