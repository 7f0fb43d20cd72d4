// SPDX-License-Identifier: BSL-1.0
import axial;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: balanced_mesh names no dimension; it takes at least one: balanced_mesh<8, "x", "y">}}
using Mesh = axial::balanced_mesh<8>;
auto x = Mesh::size();
#else
using Mesh = axial::balanced_mesh<8, "x">;
auto x = Mesh::size();
#endif
