// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"world", 8>>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten of "world" = 8 into 3*3: the product is 9, not 8}}
auto x = Mesh::unflatten<"world", Dim<"a", 3>, Dim<"b", 3>>();
#else
auto x = Mesh::unflatten<"world", Dim<"a", 4>, Dim<"b", 2>>();
#endif
