// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: shard takes one name, not 2; the dimensions are "dp", "tp"}}
auto x = Mesh::shard<"dp", "tp">(9, 0);
#else
auto x = Mesh::shard<"tp">(9, 0);
#endif
