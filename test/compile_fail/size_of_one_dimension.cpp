// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: size takes the number of ranks where that is dynamic; of one dimension ask extent<"tp">()}}
auto x = Mesh::size(1);
#else
auto x = Mesh::extent<1>();
#endif
