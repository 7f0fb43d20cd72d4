// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"cp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: submesh would put the dynamic dimension "dp" behind "tp"; it must stay outermost}}
auto x = Mesh::submesh<"tp", "dp">();
#else
auto x = Mesh::submesh<"dp", "tp">();
#endif
