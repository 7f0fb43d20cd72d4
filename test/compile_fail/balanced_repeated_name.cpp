// SPDX-License-Identifier: BSL-1.0
import axial;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh names dimension "x" twice; the dimensions are "x", "y", "x"}}
using Mesh = axial::balanced_mesh<8, "x", "y", "x">;
auto x = Mesh::size();
#else
using Mesh = axial::balanced_mesh<8, "x", "y", "z">;
auto x = Mesh::size();
#endif
