// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tq"; its dimensions are "dp", "tp" (did you mean "tp"?)}}
auto x = Mesh::slice<"tq", 1>();
#else
auto x = Mesh::slice<"tp", 1>();
#endif
