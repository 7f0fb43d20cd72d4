// SPDX-License-Identifier: BSL-1.0
import axial;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: balanced_mesh of 2147483648 ranks; the most is 2147483647}}
using Mesh = axial::balanced_mesh<2147483648, "x", "y">;
auto x = Mesh::size();
#else
using Mesh = axial::balanced_mesh<2147483647, "x", "y">;
auto x = Mesh::size();
#endif
