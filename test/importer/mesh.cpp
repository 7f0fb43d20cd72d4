// SPDX-License-Identifier: BSL-1.0
#include "expect.hpp"

import axial;

using axial::Dim, axial::axis;
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"cp", 1>, Dim<"tp", 4>>;

/// Every member of a mesh that has an axis "tp", by tag: the word `template` is not needed.
template <axial::mesh_type M>
unsigned use(const M& m) {
  constexpr auto tp = axis<"tp">;
  static_assert(axial::has_dimension<M, "tp"> && !axial::has_dimension<M, "tq">);
  const auto shard = m.shard(tp, 10, 3);
  return m.ndim() + m.size() + m.world() + m.copies() + m.contains(7) + m.extent(tp) + m.stride(tp) + m.index_of(tp) +
         m.coordinate_of(tp, 7) + m.rank_of(m.coordinates_of(7)) + m.groups(tp).size() + m.group_of(tp, 7).size() +
         m.group_index(tp, 7) + m.group_count(tp) + m.neighbor(tp, 7, 1) + m.neighbor(tp, 7, -1, false) + shard.size +
         (shard == m.shard(tp, 10, 3)) + m.submesh(tp).size() + m.others(tp).size() + m.names().size() +
         m.shape().size() + axial::extent_of<M, "tp"> + axial::stride_of<M, "tp"> + m.all_coordinates().size();
}

int main() {
  constexpr Mesh mesh;
  const auto fold = mesh.submesh<"tp", "dp">();
  EXPECT(use(mesh) > 0 && use(fold) > 0 && use(mesh.submesh<"tp">()) > 0 && use(mesh.permute<"tp", "cp", "dp">()) > 0);
  EXPECT(mesh == Mesh{} && mesh != fold && fold == mesh.submesh<2, 0>() && mesh == mesh.permute<0, 1, 2>());
  EXPECT(mesh.extent<"tp">() == 4 && mesh.extent<2>() == 4 && mesh.submesh<"tp">().extent() == 4);
  EXPECT(mesh.neighbor<"dp">(7, 1, false) == axial::no_rank && axial::max_ranks == 2147483647 &&
         axial::max_dimensions == 64);
  EXPECT(mesh.others<"dp", "cp", "tp">() != axial::Mesh<>{} && axial::Mesh<>::size() == 1);
  printf("%s %s %s\n", axial::to_string(mesh).c_str(), axial::to_string(fold).c_str(),
         axial::to_string(mesh.shard<"dp">(9, 1)).c_str());
  return 0;
}
