// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: group_index of a flattening: the dynamic dimension "dp" must be named first}}
auto x = Mesh::group_index<"tp", "dp">(3);
#else
auto x = Mesh::group_index<"dp", "tp">(3);
#endif
