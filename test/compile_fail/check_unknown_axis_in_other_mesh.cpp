// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"pp", 2>, axial::Dim<"tp", 8>>;
using Experts = axial::Mesh<axial::Dim<"stage", 2>, axial::Dim<"ep", 8>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "pp"; its dimensions are "stage", "ep" (did you mean "ep"?)}}
// lines: 17
static_assert(axial::check<Mesh, axial::same_groups_as<Experts, "pp">>::require());
#else
static_assert(axial::check<Mesh, axial::same_groups_as<Experts, "pp", "stage">>::require());
#endif
