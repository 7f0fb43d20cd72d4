// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: flatten names dimension "dp" twice; the dimensions are "dp", "tp"}}
auto x = Mesh::flatten<"dp", "dp">();
#else
auto x = Mesh::flatten<"dp", "tp">();
#endif
