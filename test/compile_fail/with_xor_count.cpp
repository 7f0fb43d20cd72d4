// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"x", 2>, axial::Dim<"y", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: with_xor takes one rank for each of the 2 bits of a position below 4, not 1}}
auto x = Mesh::with_xor<1>();
#else
auto x = Mesh::with_xor<1, 3>();
#endif
