// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: order "tp-tp" names dimension "tp" twice; the dimensions are "tp", "tp"}}
using Mesh = axial::mesh_from_order<"tp-tp", Dim<"tp", 2>, Dim<"tp", 4>>;
auto x = Mesh::size();
#else
using Mesh = axial::mesh_from_order<"tp-dp", Dim<"tp", 2>, Dim<"dp", 4>>;
auto x = Mesh::size();
#endif
