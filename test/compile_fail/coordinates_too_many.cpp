// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Coordinates takes 2 values, for "dp", "tp", not 3}}
auto x = Mesh::rank_of({1, 2, 3});
#else
auto x = Mesh::rank_of({1, 2});
#endif
