// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension 2; its dimensions are "dp", "tp", numbered from 0}}
auto x = Mesh::coordinates_of(5).get<2>();
#else
auto x = Mesh::coordinates_of(5).get<1>();
#endif
