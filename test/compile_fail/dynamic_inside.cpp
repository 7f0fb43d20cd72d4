// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim, axial::dynamic;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh dimension "dp" is dynamic, and only the outermost can be: "tp"}}
auto x = axial::Mesh<Dim<"tp", 4>, Dim<"dp", dynamic>>::ndim();
#else
auto x = axial::Mesh<Dim<"dp", dynamic>, Dim<"tp", 4>>::ndim();
#endif
