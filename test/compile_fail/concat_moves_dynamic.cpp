// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: concat would put the dynamic dimension "dp" behind "tp"; it must stay outermost}}
auto x = concat(Mesh::submesh<"tp">(), Mesh::submesh<"dp">());
#else
auto x = concat(Mesh::submesh<"dp">(), Mesh::submesh<"tp">());
#endif
