// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"cp", 2>, axial::Dim<"tp", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "cp_tp"; its dimensions are "dp", "cp", "tp"}}
auto x = Mesh::submesh<"cp_tp">();
#else
auto x = Mesh::flatten<"cp", "tp">().submesh<"cp_tp">();
#endif
