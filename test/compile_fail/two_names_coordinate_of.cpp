// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: coordinate_of takes one name, not 2; the dimensions are "dp", "tp"}}
auto x = Mesh::coordinate_of<"dp", "tp">(5);
#else
auto x = Mesh::coordinate_of<"tp">(5);
#endif
