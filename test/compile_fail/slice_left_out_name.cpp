// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: slice needs a name, since the mesh has 2 dimensions: "dp", "tp"}}
auto x = Mesh::slice<1>();
#else
auto x = Mesh::submesh<"tp">().slice<1>();
#endif
