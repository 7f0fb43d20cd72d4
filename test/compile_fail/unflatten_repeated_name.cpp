// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"world", 8>>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten names dimension "a" twice; the new dimensions are "a", "a"}}
auto x = Mesh::unflatten<"world", Dim<"a", 2>, Dim<"a", 4>>();
#else
auto x = Mesh::unflatten<"world", Dim<"a", 2>, Dim<"b", 4>>();
#endif
