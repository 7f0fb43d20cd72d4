// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension 2; its dimensions are "dp", "tp", numbered from 0}}
auto x = Mesh{}.shard(axial::axis<2>, 9, 0);
#else
auto x = Mesh{}.shard(axial::axis<1>, 9, 0);
#endif
