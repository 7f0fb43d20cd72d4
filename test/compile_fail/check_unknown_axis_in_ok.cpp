// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 8>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "cp"; its dimensions are "dp", "tp" (did you mean "dp"?)}}
static_assert(axial::check<Mesh, axial::divides<axial::along<"tp", "cp">, 28, "heads">>::ok);
#else
static_assert(axial::check<Mesh, axial::divides<axial::along<"tp", "dp">, 32, "heads">>::ok);
#endif
