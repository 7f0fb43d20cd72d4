// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: groups names dimension 1 twice; the dimensions are "dp", "tp"}}
auto x = Mesh::groups<"tp", 1>();
#else
auto x = Mesh::groups<"tp", 0>();
#endif
