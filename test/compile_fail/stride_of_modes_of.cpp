// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"cp", 2>, axial::Dim<"tp", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: dimension "dp_tp" = (2,2):(4,1) has 2 modes, and so no one stride}}
auto x = axial::stride_of<decltype(Mesh::flatten<"dp", "tp">()), "dp_tp">;
#else
auto x = axial::stride_of<decltype(Mesh::flatten<"dp", "cp">()), "dp_cp">;
#endif
