// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"x", 8>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: with_xor gives position 4 the rank 6, the exclusive or of earlier ones; each rank stands once}}
auto x = Mesh::with_xor<3, 5, 6>();
#else
auto x = Mesh::with_xor<3, 5, 4>();
#endif
