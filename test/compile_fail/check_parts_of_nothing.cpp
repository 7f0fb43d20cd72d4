// SPDX-License-Identifier: BSL-1.0
import axial;
using M = axial::Mesh<axial::Dim<"dp", 3>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: dp = 3 is not equal to 1; nearest legal dp: 1}}
static_assert(axial::check<M, axial::parts<"dp">>::require());
#else
static_assert(axial::check<M, axial::parts<"dp", 3>>::require());
#endif
