// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tq"; its dimensions are "dp", "tp" (did you mean "tp"?)}}
auto sub = Mesh::flatten<"dp", "tq">();
auto again = sub.flatten<"a", "b">().unflatten<"a", Dim<"x", 2>, Dim<"y", 3>>().slice<"z", 9>().rename<"q", "q">();
auto numbered = again.with_ranks<7, 7>().with_xor<5>().flatten_as<"">().slice<1>().unflatten<int>();
auto both = concat(sub, Mesh()).flatten() == concat(Mesh(), again);
constexpr bool same = axial::same_groups<decltype(sub), "a", decltype(again), "b">;
#else
auto sub = Mesh::flatten<"dp", "tp">();
#endif
