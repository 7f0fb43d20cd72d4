// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh names dimension "dp" twice; the dimensions are "dp", "dp"}}
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"dp", 4>>;
auto x = Mesh::size();
auto y = Mesh{}.submesh<"dp">().coordinates_of(1)[0] + Mesh::extent<"cp">() + axial::Coordinates<Mesh>{1, 1}[1];
#else
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"cp", 4>>;
auto x = Mesh::size();
auto y = Mesh{}.submesh<"dp">().coordinates_of(1)[0] + Mesh::extent<"cp">() + axial::Coordinates<Mesh>{1, 1}[1];
#endif
