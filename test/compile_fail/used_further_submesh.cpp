// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tq"; its dimensions are "dp", "tp" (did you mean "tp"?)}}
auto sub = Mesh::submesh<"dp", "tq">();
auto again = sub.permute<"tq", "dp">().others<"cp">().submesh<"x">();
axial::Coordinates<decltype(sub)> c{1, 2};
constexpr auto n =
    sub.coordinate_of<"tq">(7) + sub.rank_of({1, 3}, 7) + sub.shard<"tq">(9, 3).size + sub.group_of<"dp">(7)[0];
unsigned sum =
    n + c.get<"tq">() + c[1] + again.size() + sub.neighbor<"tq">(3, 1) + (sub == again) + sub.groups<0>()[0][0];
#else
auto sub = Mesh::submesh<"dp", "tp">();
#endif
