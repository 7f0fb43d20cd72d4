// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{constexpr variable 'x' must be initialized by a constant expression}}
// lines: 19
// expected-note@*:* {{in call to 'coordinate_is_below_extent<fixed_string<3UL>{"tp"}, 4U>(4)'}}
inline constexpr auto x = Mesh::shard<"tp">(100, 4);
#else
inline constexpr auto x = Mesh::shard<"tp">(100, 3);
#endif
