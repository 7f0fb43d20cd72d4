// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{constexpr variable 'x' must be initialized by a constant expression}}
// lines: 19
// expected-note@*:* {{in call to 'rank_is_below_world<8U>(8)'}}
inline constexpr auto x = Mesh::submesh<"tp">().neighbor(8, 1);
#else
inline constexpr auto x = Mesh::submesh<"tp">().neighbor(7, 1);
#endif
