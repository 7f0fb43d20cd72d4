// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh takes dimensions only: Mesh<Dim<"dp", 2>, Dim<"tp", 4>>}}
using Mesh = axial::Mesh<int, Dim<"tp", 4>>;
#else
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
#endif
constexpr Mesh mesh;
inline constexpr auto x = mesh.extent<"tp">() + Mesh::submesh<"tp">().size();
