// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"x", 2>, axial::Dim<"y", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: with_ranks takes one rank for each of the mesh's 4 positions, not 3}}
auto x = Mesh::with_ranks<2, 1, 0>();
#else
auto x = Mesh::with_ranks<2, 1, 0, 3>();
#endif
