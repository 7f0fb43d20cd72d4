// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 4>>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten of "dp" = *: a dynamic dimension has no parts; declare them as dimensions of the Mesh}}
auto x = Mesh::unflatten<"dp", Dim<"a", 2>, Dim<"b", 2>>();
#else
auto x = Mesh::unflatten<"tp", Dim<"a", 2>, Dim<"b", 2>>();
#endif
