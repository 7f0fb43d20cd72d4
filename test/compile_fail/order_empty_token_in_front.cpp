// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: order "-tp" has an empty token; the dimensions are "tp"}}
using Mesh = axial::mesh_from_order<"-tp", Dim<"tp", 2>>;
auto x = Mesh::size();
#else
using Mesh = axial::mesh_from_order<"tp", Dim<"tp", 2>>;
auto x = Mesh::size();
#endif
