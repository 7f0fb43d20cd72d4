// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"world", 8>>;
using axial::Dim;
constexpr auto world = axial::axis<"world">;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten of "world" = 8 into 2*2: the product is 4, not 8; a=4 or b=4 would fit}}
auto x = Mesh::unflatten(world, Dim<"a", 2>{}, Dim<"b", 2>{});
#else
auto x = Mesh::unflatten(world, Dim<"a", 2>{}, Dim<"b", 4>{});
#endif
