// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 8>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: a rule names dimension "tp" twice; the dimensions are "dp", "tp"}}
using Checked = axial::check<Mesh, axial::divides<axial::along<"tp", "tp">, 28, "heads">>;
#else
using Checked = axial::check<Mesh, axial::divides<axial::along<"tp", "dp">, 32, "heads">>;
#endif
static_assert(Checked::require());
