// SPDX-License-Identifier: BSL-1.0
import axial;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: balanced_mesh of 0 ranks; the least is 1}}
using Mesh = axial::balanced_mesh<0, "x", "y">;
auto y = Mesh::extent<"x">() + Mesh::submesh<"y", "x">().coordinates_of(3)[1] + axial::Coordinates<Mesh>{1, 1}[1];
#else
using Mesh = axial::balanced_mesh<6, "x", "y">;
auto y = Mesh::extent<"x">() + Mesh::submesh<"y", "x">().coordinates_of(3)[1] + axial::Coordinates<Mesh>{1, 1}[1];
#endif
