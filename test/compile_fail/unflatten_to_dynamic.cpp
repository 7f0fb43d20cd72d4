// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"world", 8>>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten of "world" = 8 needs extents from 1 to the product, and "a" is dynamic}}
auto x = Mesh::unflatten<"world", Dim<"a", axial::dynamic>, Dim<"b", 4>>();
#else
auto x = Mesh::unflatten<"world", Dim<"a", 2>, Dim<"b", 4>>();
#endif
