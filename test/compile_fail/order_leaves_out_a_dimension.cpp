// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: order "tp-pp" leaves out dimension "dp"; it names each of them once: "tp", "dp", "pp"}}
using Mesh = axial::mesh_from_order<"tp-pp", Dim<"tp", 2>, Dim<"dp", 2>, Dim<"pp", 4>>;
auto x = Mesh::size();
#else
using Mesh = axial::mesh_from_order<"tp-dp-pp", Dim<"tp", 2>, Dim<"dp", 2>, Dim<"pp", 4>>;
auto x = Mesh::size();
#endif
