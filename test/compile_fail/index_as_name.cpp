// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh dimension 0 has an empty name; the dimensions are ""}}
using Mesh = axial::Mesh<Dim<0, 4>>;
auto x = Mesh::size();
#else
using Mesh = axial::Mesh<Dim<"0", 4>>;
auto x = Mesh::size();
#endif
