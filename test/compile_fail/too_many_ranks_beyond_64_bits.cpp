// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh(a=4294967295, b=4294967295, c=4294967295) has more than 2147483647 ranks}}
using Mesh = axial::Mesh<Dim<"a", 4294967295>, Dim<"b", 4294967295>, Dim<"c", 4294967295>>;
auto x = Mesh::size();
#else
using Mesh = axial::Mesh<Dim<"a", 1>, Dim<"b", 1>, Dim<"c", 1>>;
auto x = Mesh::size();
#endif
