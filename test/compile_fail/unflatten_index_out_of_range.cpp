// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"world", 8>>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension 1; its dimensions are "world", numbered from 0}}
auto x = Mesh::unflatten<1, Dim<"a", 2>, Dim<"b", 4>>();
#else
auto x = Mesh::unflatten<0, Dim<"a", 2>, Dim<"b", 4>>();
#endif
