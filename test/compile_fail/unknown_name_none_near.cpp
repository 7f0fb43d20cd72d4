// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "batch"; its dimensions are "dp", "tp"}}
auto x = Mesh::extent<"batch">();
#else
auto x = Mesh::extent<"dp">();
#endif
