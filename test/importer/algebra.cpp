// SPDX-License-Identifier: BSL-1.0
// Every operation that makes a mesh of a mesh, by literal and by tag, and what the results print.
#include "expect.hpp"

import axial;

using axial::Dim, axial::Mesh, axial::axis, axial::at, axial::dynamic;
using M = Mesh<Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 4>>;
constexpr auto dp = axis<"dp">;
constexpr auto cp = axis<"cp">;
constexpr auto tp = axis<"tp">;

int operations() {
  constexpr M m;
  EXPECT(m.flatten(dp, tp) == m.flatten<"dp", "tp">() &&
         to_string(m.flatten(dp, tp)) == "SubMesh(dp_tp=(2,4):(8,1), cp=2:4 of 16)");
  EXPECT(m.flatten_as(axis<"batch">, dp, cp) == m.flatten_as<"batch", "dp", "cp">() &&
         to_string(m.flatten_as(axis<"batch">, dp, cp)) == "Mesh(batch=4, tp=4)");
  EXPECT(m.flatten() == m.flatten<>() && to_string(m.flatten_as<"all">()) == "Mesh(all=16)" &&
         m.flatten_as(axis<"all">) == m.flatten_as<"all">());
  EXPECT(m.unflatten(tp, Dim<"a", 2>{}, Dim<"b", 2>{}) == m.unflatten<"tp", Dim<"a", 2>, Dim<"b", 2>>());
  EXPECT(to_string(m.unflatten<2, Dim<"a", 2>, Dim<"b", 2>>()) == "Mesh(dp=2, cp=2, a=2, b=2)");
  EXPECT(m.submesh(tp).unflatten<Dim<"tp", 4>>() == m.submesh<"tp">());
  EXPECT(m.slice(tp, at<1>) == m.slice<"tp", 1>() && m.slice<2, 1>() == m.slice<"tp", 1>());
  EXPECT(to_string(m.slice(tp, at<1>)) == "SubMesh(dp=2:8, cp=2:4 of 16 at 1 along 4:1)");
  EXPECT(m.submesh(tp).slice<3>().contains(7) && !m.slice<"dp", 0>().contains(8) && m.slice<"dp", 1>().contains(8));
  EXPECT(m.rename(tp, axis<"tensor">) == m.rename<"tp", "tensor">() &&
         to_string(m.rename(tp, axis<"tensor">)) == "Mesh(dp=2, cp=2, tensor=4)");
  EXPECT(m.submesh(tp).rename<"x">() == m.rename<"tp", "x">().submesh<"x">());
  EXPECT(concat(m.submesh(tp), m.submesh(dp, cp)) == m.permute(tp, dp, cp));
  EXPECT(m.others(cp) == m.others<"cp">() && m.submesh(dp, tp) == m.others(cp));
  EXPECT(axial::same_groups<M, "tp", decltype(m.rename<"dp", "x">()), "tp"> && !axial::same_groups<M, "tp", M, "dp">);
  constexpr auto flat = m.flatten(dp, tp);
  const unsigned group[] = {4, 5, 6, 7, 12, 13, 14, 15};
  EXPECT(flat.groups(axis<"dp_tp">)[1] == group && flat.group_of<"dp_tp">(9)[7] == 11 && flat.copies() == 1);
  const auto [dp_tp, c] = flat.coordinates_of(13);
  EXPECT(dp_tp == 5 && c == 1 && flat.rank_of({5, 1}) == 13 && to_string(flat.coordinates_of(13)) == "(5, 1)");
  EXPECT(axial::strided_order(group, 0).error == axial::LayoutError::stride_divisibility);
  return 0;
}

int base_maps() {
  using T = Mesh<Dim<"x", 2>, Dim<"y", 2>>;
  constexpr auto table = T::with_ranks<3, 0, 1, 2>();
  constexpr auto ring = T::with_xor<1, 3>();
  EXPECT(to_string(table) == "SubMesh(x=2:2, y=2:1 of 4 with ranks 3,0,1,2)");
  EXPECT(to_string(ring) == "SubMesh(x=2:2, y=2:1 of 4 with xor 1,3)" && ring == T::with_ranks<0, 1, 3, 2>());
  EXPECT((T::with_ranks<0, 1, 2, 3>() == T() && T::with_xor<1, 2>() == T()));
  const int groups[][2] = {{3, 0}, {1, 2}};
  EXPECT(table.groups<"y">() == groups && table.group_of<"y">(2)[0] == 1 && table.coordinate_of<"x">(3) == 0);
  EXPECT(table.neighbor<"y">(3, 1) == 0 && table.rank_of({1, 0}) == 1 && ring.group_of<"x">(2)[0] == 1);
  unsigned digits = 1;
  for (const auto c : table.slice<"x", 0>().all_coordinates()) digits = digits * 10 + table.slice<"x", 0>().rank_of(c);
  for (const auto c : ring.all_coordinates()) digits = digits * 10 + ring.rank_of(c);
  EXPECT(digits == 1030123);  // 0, 3, then 0, 1, 2, 3: in order of the ranks
  const unsigned ranks[] = {0, 1, 3, 2};
  EXPECT(axial::classify(ranks, 4) == axial::RankOrder::bit_linear &&
         axial::classify(axial::List{0u, 2u, 1u, 3u}) == axial::RankOrder::strided);
  return 0;
}

int dynamic_meshes() {
  using D = Mesh<Dim<"dp", dynamic>, Dim<"tp", 4>>;
  constexpr D d;
  EXPECT(to_string(d) == "Mesh(dp=*, tp=4)" && to_string(d.submesh(tp)) == "SubMesh(tp=4:1 of *)");
  EXPECT(d.size(16) == 16 && d.extent<"dp">(16) == 4 && d.extent(dp, 16) == 4 && d.extent(tp) == 4);
  const unsigned shape[] = {3, 4};
  EXPECT(d.shape(12) == shape && d.copies(12) == 1 && d.submesh(tp).copies(12) == 3 && d.contains(11, 12));
  EXPECT(d.groups<"tp">(12).size() == 3 && d.groups(tp, 12) == d.groups<"tp">(12) && d.groups(dp, 12)[1][2] == 9);
  EXPECT(d.group_count(tp, 12) == 3 && d.group_count<"dp">() == 4 && d.group_index(tp, 9) == 2);
  EXPECT(d.group_of(dp, 5, 12)[2] == 9 && d.neighbor(dp, 9, 1, true, 12) == 1 && d.neighbor(tp, 7, 1) == 4);
  EXPECT(d.neighbor<"dp">(9, 1, false, 12) == axial::no_rank && d.shard(dp, 7, 2, 12).size == 1);
  EXPECT(d.coordinates_of(9).get(dp) == 2 && d.rank_of({2, 1}) == 9 && d.coordinate_of(tp, 9) == 1);
  EXPECT(d.all_coordinates(8).size() == 8 && !d.try_coordinates_of(8, 8).has_value() &&
         d.try_coordinates_of(7, 8).has_value());
  EXPECT(d.flatten(dp, tp).size(8) == 8 && d.slice(tp, at<1>).size(8) == 2 && d.slice(tp, at<1>).contains(5, 8));
  EXPECT(d.unflatten(tp, Dim<"a", 2>{}, Dim<"b", 2>{}).flatten_as<"tp", "a", "b">() == d);
  EXPECT(concat(d.submesh(dp), d.submesh(tp)) == d && d.rename(dp, axis<"x">).extent<"x">(8) == 2);
  return 0;
}

int main() {
  if (const int line = operations()) return line;
  if (const int line = base_maps()) return line;
  return dynamic_meshes();
}
