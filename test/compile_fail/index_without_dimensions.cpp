// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension 0; it has no dimensions}}
auto x = axial::Mesh<>::extent<0>();
#else
auto x = Mesh::extent<0>();
#endif
