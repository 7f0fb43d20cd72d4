// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: slice of "tp" at 4294967296 is out of range; its extent is 4, so the coordinates are 0 to 3}}
auto x = Mesh::slice<"tp", (1ll << 32)>();
#else
auto x = Mesh::slice<"tp", 0>();
#endif
