// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 8>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tq"; its dimensions are "dp", "tp" (did you mean "tp"?)}}
using Checked = axial::check<Mesh, axial::needs<"tq", "sequence parallelism">, axial::divides<"tp", 32, "heads">>;
#else
using Checked = axial::check<Mesh, axial::needs<"tp", "sequence parallelism">, axial::divides<"tp", 32, "heads">>;
#endif
static_assert(Checked::require());
