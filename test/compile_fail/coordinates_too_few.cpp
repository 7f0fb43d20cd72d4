// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Coordinates takes 2 values, for "dp", "tp", not 1}}
auto x = axial::Coordinates<Mesh>{1}[0];
#else
auto x = axial::Coordinates<Mesh>{1, 2}[0];
#endif
