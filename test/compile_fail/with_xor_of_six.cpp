// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"x", 2>, axial::Dim<"y", 3>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: with_xor needs a power of two ranks, and the mesh has 6}}
auto x = Mesh::with_xor<1, 3>();
#else
auto x = Mesh::with_ranks<0, 1, 3, 2, 4, 5>();
#endif
