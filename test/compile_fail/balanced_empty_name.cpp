// SPDX-License-Identifier: BSL-1.0
import axial;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh dimension 1 has an empty name; the dimensions are "x", ""}}
using Mesh = axial::balanced_mesh<8, "x", "">;
auto x = Mesh::size();
#else
using Mesh = axial::balanced_mesh<8, "x", "y">;
auto x = Mesh::size();
#endif
