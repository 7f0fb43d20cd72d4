// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "cp"; its dimensions are "tp", "pp" (did you mean "tp"?)}}
using Mesh = axial::mesh_from_order<"tp-cp-pp", Dim<"tp", 2>, Dim<"pp", 4>>;
auto y = Mesh::extent<"pp">() + Mesh::submesh<"cp", "tp">().coordinates_of(3)[1] + axial::Coordinates<Mesh>{1, 2, 0}[2];
#else
using Mesh = axial::mesh_from_order<"tp-cp-pp", Dim<"tp", 2>, Dim<"cp", 4>, Dim<"pp", 4>>;
auto y = Mesh::extent<"pp">() + Mesh::submesh<"cp", "tp">().coordinates_of(3)[1] + axial::Coordinates<Mesh>{1, 2, 0}[2];
#endif
