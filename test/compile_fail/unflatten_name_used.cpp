// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten makes a dimension "dp", and the mesh has one of that name; its dimensions are "dp", "tp"}}
auto x = Mesh::unflatten<"tp", Dim<"dp", 2>, Dim<"x", 2>>();
#else
auto x = Mesh::unflatten<"tp", Dim<"tp", 2>, Dim<"x", 2>>();
#endif
