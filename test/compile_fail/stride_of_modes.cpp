// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"cp", 2>, axial::Dim<"tp", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: dimension "dp_tp" = (2,2):(4,1) has 2 modes, and so no one stride}}
auto x = Mesh::flatten<"dp", "tp">().stride<"dp_tp">();
#else
auto x = Mesh::flatten<"dp", "cp">().stride<"dp_cp">();
#endif
