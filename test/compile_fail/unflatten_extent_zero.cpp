// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"world", 8>>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten of "world" = 8 needs extents from 1 to the product, and "b" has 0}}
auto x = Mesh::unflatten<"world", Dim<"a", 8>, Dim<"b", 0>>();
#else
auto x = Mesh::unflatten<"world", Dim<"a", 8>, Dim<"b", 1>>();
#endif
