// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh dimension "tp" has extent 0; the least is 1}}
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"tp", 0>>;
auto x = Mesh::size();
#else
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"tp", 1>>;
auto x = Mesh::size();
#endif
