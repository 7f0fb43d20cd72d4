// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tq"; its dimensions are "dp", "tp" (did you mean "tp"?)}}
unsigned use(auto m) { return m.extent(axial::axis<"tp">) + m.others(axial::axis<"dp">).size() + m.shape()[0]; }
unsigned x = use(Mesh::permute<"tq", "dp">());
#else
unsigned use(auto m) { return m.extent(axial::axis<"tp">) + m.others(axial::axis<"dp">).size() + m.shape()[0]; }
unsigned x = use(Mesh::permute<"tp", "dp">());
#endif
