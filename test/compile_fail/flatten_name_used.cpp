// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"cp", 2>, axial::Dim<"tp", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: flatten makes a dimension "dp", and the mesh has one of that name; its dimensions are "dp", "cp", "tp"}}
auto x = Mesh::flatten_as<"dp", "cp", "tp">();
#else
auto x = Mesh::flatten_as<"dp", "dp", "cp">();
#endif
