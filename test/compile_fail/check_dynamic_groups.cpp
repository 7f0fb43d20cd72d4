// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 8>>;
using Dynamic = axial::Mesh<axial::Dim<"ep", axial::dynamic>, axial::Dim<"tp", 8>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: a rule needs the extent of dimension "ep", which is dynamic: check it at run time, by axial::numbers}}
// lines: 20
static_assert(axial::check<Mesh, axial::same_groups_as<Dynamic, "tp">>::require());
#else
static_assert(axial::check<Dynamic, axial::same_groups_as<Dynamic, "tp">>::require());
#endif
