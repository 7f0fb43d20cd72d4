// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "dp"; its dimensions are "tp" (did you mean "tp"?)}}
auto x = Mesh::submesh<"tp">().coordinates_of(5).get<"dp">();
#else
auto x = Mesh::submesh<"tp">().coordinates_of(5).get<"tp">();
#endif
