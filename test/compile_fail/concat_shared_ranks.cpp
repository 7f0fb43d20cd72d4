// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"cp", 2>, axial::Dim<"tp", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: concat: dimension "tp" = 2:1 shares ranks with "cp_tp" = 4:1; the second mesh has "tp"}}
auto x = concat(Mesh::submesh<"cp", "tp">().flatten(), Mesh::submesh<"tp">());
#else
auto x = concat(Mesh::submesh<"cp", "tp">().flatten(), Mesh::submesh<"dp">());
#endif
