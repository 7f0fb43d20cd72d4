// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"pipeline", 2>, axial::Dim<"tensor", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "pieplnie"; its dimensions are "pipeline", "tensor" (did you mean "pipeline"?)}}
auto x = Mesh::extent<"pieplnie">();
#else
auto x = Mesh::extent<"pipeline">();
#endif
