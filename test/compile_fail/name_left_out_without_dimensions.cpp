// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: extent needs a name, since the mesh has 0 dimensions}}
auto x = axial::Mesh<>::extent();
#else
auto x = Mesh::submesh<"tp">().extent();
#endif
