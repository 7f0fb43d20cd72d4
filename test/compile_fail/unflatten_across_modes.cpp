// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
using Mesh = axial::Mesh<Dim<"x", 3>, Dim<"y", 2>, Dim<"z", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten of "x_z" = 6 into 2*3 cuts across its modes (3,2):(4,1); from the outermost on, each part must divide what is left of a mode or take whole modes}}
auto x = Mesh::flatten<"x", "z">().unflatten<"x_z", Dim<"a", 2>, Dim<"b", 3>>();
#else
auto x = Mesh::flatten<"x", "z">().unflatten<"x_z", Dim<"a", 3>, Dim<"b", 2>>();
#endif
