// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"world", 8>>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten of "world" = 8 into 65536*65536: the product is larger than any mesh}}
auto x = Mesh::unflatten<"world", Dim<"a", 65536>, Dim<"b", 65536>>();
#else
auto x = Mesh::unflatten<"world", Dim<"a", 1>, Dim<"b", 8>>();
#endif
