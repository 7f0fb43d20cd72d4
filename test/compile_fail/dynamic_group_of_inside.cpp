// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: group_of of a flattening: the dynamic dimension "dp" must be named first}}
auto x = Mesh::group_of<"tp", "dp">(3, 8);
#else
auto x = Mesh::group_of<"dp", "tp">(3, 8);
#endif
