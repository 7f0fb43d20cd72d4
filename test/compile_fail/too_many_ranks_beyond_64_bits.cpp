// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh(a=65536, b=65536, c=65536, d=65536) has more than 2147483647 ranks}}
using Mesh = axial::Mesh<Dim<"a", 65536>, Dim<"b", 65536>, Dim<"c", 65536>, Dim<"d", 65536>>;
auto x = Mesh::size();
#else
using Mesh = axial::Mesh<Dim<"a", 1>, Dim<"b", 1>, Dim<"c", 1>, Dim<"d", 65536>>;
auto x = Mesh::size();
#endif
