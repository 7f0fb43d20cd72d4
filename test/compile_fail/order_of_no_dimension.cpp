// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh takes dimensions only: Mesh<Dim<"dp", 2>, Dim<"tp", 4>>}}
using Mesh = axial::mesh_from_order<"tp-dp", Dim<"tp", 2>, int>;
auto x = Mesh::size();
#else
using Mesh = axial::mesh_from_order<"tp-dp", Dim<"tp", 2>, Dim<"dp", 2>>;
auto x = Mesh::size();
#endif
