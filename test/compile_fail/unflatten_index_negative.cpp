// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension -1; its dimensions are "dp", "tp", numbered from 0}}
auto x = Mesh::unflatten<-1, Dim<"a", 2>, Dim<"b", 2>>();
#else
auto x = Mesh::unflatten<1, Dim<"a", 2>, Dim<"b", 2>>();
#endif
