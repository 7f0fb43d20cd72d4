// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: order "tp-dp" leaves out dimension "cp"; it names each of them once: "tp", "cp", "dp"}}
using Mesh = axial::mesh_from_order<"tp-dp", Dim<"tp", 2>, Dim<"cp", 1>, Dim<"dp", 2>>;
auto x = Mesh::size();
#else
using Mesh = axial::mesh_from_order<"tp-cp-dp", Dim<"tp", 2>, Dim<"cp", 1>, Dim<"dp", 2>>;
auto x = Mesh::size();
#endif
