// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tp"; it has no dimensions}}
auto x = Mesh::others<"dp", "tp">().neighbor<"tp">(5, 1);
#else
auto x = Mesh::others<"dp">().neighbor<"tp">(5, 1);
#endif
