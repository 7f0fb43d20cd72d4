// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh names dimension "dp" twice; the dimensions are "dp", "tp", "dp"}}
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"tp", 4>, Dim<"dp", 2>>;
auto x = Mesh::size();
#else
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"tp", 4>, Dim<"cp", 2>>;
auto x = Mesh::size();
#endif
