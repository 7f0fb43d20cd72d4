// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten needs a name, since the mesh has 2 dimensions: "dp", "tp"}}
auto x = Mesh::unflatten<Dim<"a", 2>, Dim<"b", 2>>();
#else
auto x = Mesh::submesh<"tp">().unflatten<Dim<"a", 2>, Dim<"b", 2>>();
#endif
