// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 8>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: a rule needs the extent of dimension "dp", which is dynamic: check it at run time, by axial::numbers}}
using Checked = axial::check<Mesh, axial::batch<"dp", 1023, 1>, axial::divides<"tp", 32>>;
#else
using Checked = axial::check<Mesh, axial::batch<"tp", 1024, 1>, axial::divides<"tp", 32>>;
#endif
static_assert(Checked::require());
