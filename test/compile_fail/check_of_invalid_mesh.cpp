// SPDX-License-Identifier: BSL-1.0
import axial;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh names dimension "tp" twice; the dimensions are "tp", "tp"}}
// lines: 14
using Mesh = axial::Mesh<axial::Dim<"tp", 2>, axial::Dim<"tp", 8>>;
#else
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 8>>;
#endif
static_assert(
    axial::check<Mesh, axial::needs<"tp", "it">, axial::divides<"tp", 32>, axial::within<"tp", 8>>::require());
