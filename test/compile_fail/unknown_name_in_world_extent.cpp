// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "dq"; its dimensions are "dp", "tp" (did you mean "dp"?)}}
auto x = Mesh::extent<"dq">(8);
#else
auto x = Mesh::extent<"dp">(8);
#endif
