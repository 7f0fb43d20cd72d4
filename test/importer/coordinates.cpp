// SPDX-License-Identifier: BSL-1.0
#include "expect.hpp"

import axial;

using axial::Dim;
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;

template <class M>
int use(M mesh) {
  using Coordinates = axial::Coordinates<M>;
  const auto c = mesh.coordinates_of(5);
  EXPECT(c != Coordinates{} && c > Coordinates{} && Coordinates{} < c && c >= c && c <= c && (c <=> c) == 0);
  EXPECT(c.size() == mesh.ndim() && c[0] == 1 && c.get(axial::axis<"tp">) == 1 && c.template get<0>() == 1);
  unsigned sum = 0;
  for (const unsigned x : c) sum += x;
  EXPECT(sum == mesh.ndim());
  EXPECT(mesh.rank_of(c, 5) == 5 && mesh.rank_of(c) <= 5);
  auto other = c;
  other[0] = 0;
  EXPECT(other != c && other < c);
  if (const auto found = mesh.try_coordinates_of(5))
    EXPECT(*found == c && found->size() == c.size() && found.value() == c);
  EXPECT(!mesh.try_coordinates_of(8) && !mesh.try_coordinates_of(8).has_value());

  const auto all = mesh.all_coordinates();
  unsigned count = 0;
  for (const auto& coordinates : all) count += coordinates == all[count];
  EXPECT(count == mesh.size() && all.size() == count && all == mesh.all_coordinates());
  EXPECT(all.front() == Coordinates{} && all.back() == all[all.size() - 1] && all.end() - all.begin() == all.size());
  printf("%s of %s\n", axial::to_string(c).c_str(), axial::to_string(all).c_str());
  return 0;
}

int main() {
  EXPECT(Mesh::coordinates_of(6) == axial::Coordinates<Mesh>{1, 2});
  const auto [dp, tp] = Mesh::coordinates_of(6);
  EXPECT(dp == 1 && tp == 2);
  if (const int line = use(Mesh{})) return line;
  if (const int line = use(Mesh::permute<"tp", "dp">())) return line;
  return use(Mesh::submesh<"tp">());
}
