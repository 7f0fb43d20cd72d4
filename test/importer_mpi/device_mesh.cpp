// SPDX-License-Identifier: BSL-1.0
#include "../importer/expect.hpp"

import axial;

using axial::axis, axial::Dim;
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"one", 1>, Dim<"tp", 2>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;

template <axial::mesh_type M>
unsigned extent_of_tp(M m) {
  return m.extent(axis<"tp">);
}

/// Generic code: tags, and not one `template`.
template <class D>
int use_by_tags(const D& m) {
  constexpr auto tp = axis<"tp">;
  static_assert(axial::has_dimension<D, "tp"> && !axial::has_dimension<D, "tq">);
  const axial::Rank<"tp"> rank = m.local_rank(tp);
  EXPECT(rank == m.rank().value() % 2 && rank == m.communicator(tp).rank() && rank == m.coordinates().get(tp));
  EXPECT(m.extent(tp) == 2 && m.stride(tp) == 1 && m.coordinate_of(tp, 3) == 1 && m.group_count(tp) == 2);
  EXPECT(m.group_ranks(tp) == m.group_of(tp, m.rank().value()) && m.group_ranks(tp)[0] + 1 == m.group_ranks(tp)[1]);
  EXPECT(m.groups(tp)[m.group_index(tp, m.rank().value())] == m.group_ranks(tp));
  EXPECT(m.neighbor(tp, 0, -1) == 1 && m.shard(tp, 5, 0).size == 3);
  const auto row = m.submesh(tp);
  EXPECT(&row.communicator() == &m.communicator(tp) && row.local_rank() == rank &&
         row.group_ranks() == m.group_ranks(tp));
  EXPECT(m.others(tp).ndim() + 1 == m.ndim());
  EXPECT(m.all_reduce(tp, 1, axial::plus) == 2);
  m.barrier(tp);
  return 0;
}

int use(const DeviceMesh& mesh) {
  const axial::GlobalRank rank = mesh.rank();
  EXPECT(rank == mesh.rank() && rank < 4 && rank >= 0 && rank != 4u && rank.value() < 4 && !(rank < mesh.rank()));
  const axial::Rank<"dp"> dp = mesh.local_rank<"dp">();
  EXPECT(dp == mesh.local_rank<0>() && dp <= mesh.local_rank<"dp">() && dp < 2 && mesh.local_rank<"one">() == 0);
  EXPECT(dp != axial::Rank<"dp">(1 - dp.value()) && axial::Rank<"dp">() == 0 && (dp <=> dp) == 0);

  EXPECT(mesh.size() == 4 && mesh.world() == 4 && mesh.copies() == 1 && mesh.ndim() == 3 &&
         mesh.contains(rank.value()));
  EXPECT(mesh.extent<"tp">() == 2 && mesh.shape()[1] == 1 && mesh.names()[2] == "tp" && mesh.index_of<"tp">() == 2);
  EXPECT(mesh.rank_of(mesh.coordinates()) == rank.value() && mesh.coordinates() == Mesh::coordinates_of(rank.value()));
  const auto [d, one, t] = mesh.coordinates();
  EXPECT(d == dp.value() && one == 0 && t == rank.value() % 2);

  unsigned sum = 0;
  for (const unsigned member : mesh.group_ranks<"dp">()) sum += member;
  EXPECT(sum == 2 + 2 * t);
  EXPECT(mesh.group_ranks<"dp", "tp">().size() == 4 && mesh.group_ranks(axis<"tp">, axis<"dp">)[1] == 2);
  EXPECT(mesh.communicator<"one">().size() == 1 && mesh.communicator<0>().name() == "dp");

  const auto swapped = mesh.permute<"tp", "one", "dp">();
  EXPECT(swapped.local_rank<0>() == t && &swapped.communicator<"tp">() == &mesh.communicator<"tp">());
  const auto same = swapped.permute(axis<"dp">, axis<"one">, axis<"tp">);
  EXPECT(same.coordinates() == mesh.coordinates());
  const auto tp = mesh.submesh<"tp">();
  EXPECT(tp.copies() == 2 && tp.rank() == rank && tp.submesh<"tp">().local_rank() == t);
  EXPECT(mesh.submesh(axis<"tp">, axis<"dp">).ndim() == 2 && mesh.others<"dp", "one">().extent() == 2);
  EXPECT((mesh.others(axis<"dp">, axis<"one">, axis<"tp">).coordinates().size() == 0));

  EXPECT(extent_of_tp(Mesh{}) == 2 && extent_of_tp(Mesh::submesh<"tp">()) == 2);
  printf("%s: rank %s at %s, dp %u of %s\n", axial::to_string(mesh).c_str(), axial::to_string(rank).c_str(),
         axial::to_string(mesh.coordinates()).c_str(), dp.value(), axial::to_string(mesh.group_ranks<"dp">()).c_str());
  return 0;
}

int main(int argc, char** argv) {
  return axial::run(argc, argv, [](axial::Environment& env) {
    auto mesh = axial::init_device_mesh<Mesh>(env.world());
    if (const int line = use(mesh)) return line;
    if (const int line = use_by_tags(mesh)) return line;
    if (const int line = use_by_tags(mesh.submesh<"tp", "dp">())) return line;
    DeviceMesh copy = mesh, moved = static_cast<DeviceMesh&&>(copy);
    copy = moved;
    if (const int line = use(copy)) return line;
    mesh.close();
    try {
      moved.barrier<"tp">();
      return __LINE__;
    } catch (const axial::MeshError& error) {
      printf("%s\n", error.what());
    }
    return 0;
  });
}
