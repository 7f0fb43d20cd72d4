// SPDX-License-Identifier: BSL-1.0
import axial;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: balanced_mesh of 0 ranks; the least is 1}}
using Mesh = axial::balanced_mesh<0, "x", "y">;
auto x = Mesh::size();
#else
using Mesh = axial::balanced_mesh<1, "x", "y">;
auto x = Mesh::size();
#endif
