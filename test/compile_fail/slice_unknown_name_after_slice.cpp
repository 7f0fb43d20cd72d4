// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tp"; its dimensions are "dp" (did you mean "dp"?)}}
auto x = Mesh::slice<"tp", 1>().extent<"tp">();
#else
auto x = Mesh::slice<"tp", 1>().extent<"dp">();
#endif
