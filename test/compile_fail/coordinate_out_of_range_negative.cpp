// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{constexpr variable 'x' must be initialized by a constant expression}}
// lines: 19
// expected-note@*:* {{in call to 'coordinate_is_below_extent<fixed_string<3UL>{"tp"}, 4U>(4294967295)'}}
inline constexpr auto x = axial::Coordinates<Mesh>{0, -1};
#else
inline constexpr auto x = axial::Coordinates<Mesh>{0, 1};
#endif
