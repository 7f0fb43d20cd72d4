// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"world", 8>>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten of "world" takes 1 to 64 dimensions, not 0}}
auto x = Mesh::unflatten<"world">();
#else
auto x = Mesh::unflatten<"world", Dim<"a", 8>>();
#endif
