// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"world", 8>>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten of "world" = 8 into 2*3: the product is 6, not 8; b=4 would fit}}
auto x = Mesh::unflatten<"world", Dim<"a", 2>, Dim<"b", 3>>();
#else
auto x = Mesh::unflatten<"world", Dim<"a", 2>, Dim<"b", 4>>();
#endif
