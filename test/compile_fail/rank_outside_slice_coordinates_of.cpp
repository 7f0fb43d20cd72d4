// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{constexpr variable 'x' must be initialized by a constant expression}}
// lines: 16
// expected-note@*:* {{in call to 'position_of(4)'}}
inline constexpr auto x = Mesh::slice<"tp", 1>().coordinates_of(4);
#else
inline constexpr auto x = Mesh::slice<"tp", 1>().coordinates_of(5);
#endif
