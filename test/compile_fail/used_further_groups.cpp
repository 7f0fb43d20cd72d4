// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tq"; its dimensions are "dp", "tp" (did you mean "tp"?)}}
auto groups = Mesh::groups<"tq">();
unsigned first = groups[0][0], last = groups.back().back();
unsigned sum(unsigned n = 0) {
  for (auto group : groups) n += group.size();
  return n;
}
bool same = groups == Mesh::groups<"dp">() || groups[0] == Mesh::group_of<"dp">(0);
#else
auto groups = Mesh::groups<"tp">();
#endif
