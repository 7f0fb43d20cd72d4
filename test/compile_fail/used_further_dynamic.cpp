// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: permute would put the dynamic dimension "dp" behind "tp"; it must stay outermost}}
auto sub = Mesh::permute<"tp", "dp">();
auto n = sub.size() + sub.extent<"dp">() + sub.groups<"tp">().size() + sub.copies() + sub.neighbor<"dp">(3, 1);
#else
auto sub = Mesh::permute<"dp", "tp">();
#endif
