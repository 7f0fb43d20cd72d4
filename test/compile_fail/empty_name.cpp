// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh dimension 1 has an empty name; the dimensions are "dp", ""}}
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"", 4>>;
auto x = Mesh::size();
#else
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
auto x = Mesh::size();
#endif
