// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "dpp"; its dimensions are "tp", "dp", "pp" (did you mean "dp"?)}}
using Mesh = axial::mesh_from_order<"tp-dpp-pp", Dim<"tp", 2>, Dim<"dp", 2>, Dim<"pp", 4>>;
auto x = Mesh::size();
#else
using Mesh = axial::mesh_from_order<"tp-dp-pp", Dim<"tp", 2>, Dim<"dp", 2>, Dim<"pp", 4>>;
auto x = Mesh::size();
#endif
