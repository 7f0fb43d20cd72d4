// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh(a=2147483648) has more than 2147483647 ranks}}
using Mesh = axial::Mesh<Dim<"a", 2147483648>>;
auto x = Mesh::size();
#else
using Mesh = axial::Mesh<Dim<"a", 2147483647>>;
auto x = Mesh::size();
#endif
