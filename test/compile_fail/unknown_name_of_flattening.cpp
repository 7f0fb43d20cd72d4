// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"cp", 2>, axial::Dim<"tp", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "cp"; its dimensions are "cp_tp", "dp" (did you mean "dp"?)}}
auto x = concat(Mesh::submesh<"cp", "tp">().flatten(), Mesh::submesh<"dp">()).submesh<"cp">();
#else
auto x = concat(Mesh::submesh<"cp", "tp">().flatten(), Mesh::submesh<"dp">()).submesh<"cp_tp">();
#endif
