// SPDX-License-Identifier: BSL-1.0
// Every operation on running meshes, and what they surround themselves with.
#include "../importer/expect.hpp"

import axial;

using axial::axis, axial::Dim, axial::plus, axial::RankMap;
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"one", 1>, Dim<"tp", 2>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
using Square = axial::Mesh<Dim<"a", 2>, Dim<"b", 2>>;

int derive(const DeviceMesh& mesh) {
  const auto flat = mesh.flatten<"tp", "dp">();
  EXPECT(flat.extent<"tp_dp">() == 4 && flat.all_reduce<"tp_dp">(1, plus) == 4);
  EXPECT(mesh.flatten(axis<"tp">, axis<"dp">) == flat && mesh.flatten_as<"batch", "dp", "tp">().ndim() == 2);
  EXPECT(mesh.flatten_as(axis<"batch">, axis<"dp">, axis<"tp">).all_gather<"batch">(1)[3] == 1);
  EXPECT(flat.unflatten<"tp_dp", Dim<"x", 2>, Dim<"y", 2>>().local_rank<"x">() == mesh.local_rank<"tp">().value());
  EXPECT(flat.unflatten(axis<"tp_dp">, Dim<"x", 2>{}, Dim<"y", 2>{}).ndim() == 3);
  EXPECT(mesh.flatten().unflatten<Dim<"x", 4>, Dim<"y", 1>>().extent<"x">() == 4);
  const auto slice = mesh.slice<"dp", 1>();
  EXPECT(slice.has_value() == (mesh.local_rank<"dp">() == 1));
  EXPECT(mesh.slice(axis<"tp">, axial::at<0>).has_value() == (mesh.local_rank<"tp">() == 0));
  EXPECT(mesh.submesh<"tp">().slice<1>().has_value() == (mesh.local_rank<"tp">() == 1));
  if (slice) EXPECT(slice->contains(mesh.rank().value()) && slice->groups<"tp">().size() == 1);
  EXPECT(mesh.rename<"tp", "t">().local_rank<"t">() == mesh.local_rank<"tp">().value());
  EXPECT(mesh.rename(axis<"tp">, axis<"t">).ndim() == 3 && mesh.submesh<"tp">().rename<"t">().ndim() == 1);
  EXPECT((concat(mesh.submesh<"tp">(), mesh.submesh<"dp">()) == mesh.submesh<"tp", "dp">()));
  const auto view = mesh.view_as<axial::Mesh<Dim<"ep", 4>>>();
  EXPECT(view.all_reduce<"ep">(1, plus) == 4 && view.view_as<Mesh>() == mesh && view != mesh.flatten());
  EXPECT(mesh.groups<"dp">()[mesh.group_index<"dp">(mesh.rank().value())] == mesh.group_ranks<"dp">());
  mesh.create<"tp">();
  mesh.create(axis<"dp">);
  return 0;
}

int surround(const DeviceMesh& mesh) {
  const auto part = mesh.submesh<"tp">();
  const axial::UntypedMesh root = part.root();
  EXPECT(root == mesh && mesh == root && root != part && !mesh.parent() && *part.parent() == root);
  EXPECT(root.ndim() == 3 && root.size() == 4 && root.name(0) == "dp" && root.extent(2) == 2);
  EXPECT(root.as<Mesh>() == mesh && root.fingerprint() == mesh.fingerprint() && root.options().name.size() == 5);
  EXPECT(part.root_index_of() == 2 && part.parent_index_of<"tp">() == 2 &&
         mesh.flatten<"dp", "tp">().root_index_of<0>() == axial::no_dimension);
  EXPECT(mesh.hash() == root.as<Mesh>().hash() && mesh.communicator_count() == 2);
  const axial::Hosts hosts = mesh.find_hosts();
  EXPECT(hosts.ranks() == 4 && hosts.host_of(mesh.rank().value()) < hosts.size());
  unsigned ranks = 0;
  for (unsigned host = 0; host < hosts.size(); ++host)
    for (const unsigned rank : hosts.ranks_on(host)) ranks += rank + 1;
  EXPECT(ranks == 10 && hosts.count_on(0) > 0 && hosts.local_rank(0) == 0);
  printf("%s on %s\n%s\n", axial::to_string(root).c_str(), axial::to_string(hosts).c_str(), mesh.description().c_str());
  try {
    axial::current_mesh();
    return __LINE__;
  } catch (const axial::MeshError& error) {
    printf("%s\n", error.what());
  }
  const axial::ScopedMesh scope(mesh);
  EXPECT(axial::current_mesh() == mesh && axial::current_mesh<Mesh>() == mesh);
  const axial::ScopedMesh inner(part);
  EXPECT(axial::current_mesh() == part);
  return 0;
}

int make_otherwise(const axial::CommunicatorView& world) {
  const unsigned me = world.rank();
  const unsigned order[] = {3, 1, 2, 0};
  EXPECT(axial::init_device_mesh<Square>(world, {.rank_map = {3, 2, 1, 0}}).local_rank<"a">() == (3 - me) / 2);
  EXPECT(axial::init_device_mesh<Square>(world, {.rank_map = axial::List{3u, 1u, 2u, 0u}}).rank_of({0, 0}) == 3);
  EXPECT(axial::init_device_mesh<Square>(world, {.rank_map = axial::order::by_node}).size() == 4);
  const RankMap map(axial::List{order[0], order[1]});
  EXPECT(map.size() == 2 && map.data()[1] == 1 && !map.is_by_node());
  const auto pair = axial::init_device_mesh_on<axial::Mesh<Dim<"a", 2>>>(world, map, {.name = "pair"});
  EXPECT(pair.has_value() == (me == 3 || me == 1));
  if (pair) EXPECT(pair->rank_of({0}) == 3 && pair->all_reduce<"a">(me, plus) == 4);
  const auto lazy = axial::init_device_mesh<Square>(world, {.lazy = true, .check = false, .device = 0});
  lazy.create<"a">();
  EXPECT(lazy.all_reduce<"b">(1, plus) == 2 && lazy.options().lazy && lazy.options().device == 0);
  const auto column = world.subset({me % 2, me % 2 + 2});
  const auto row = world.subset(axial::List{me / 2 * 2, me / 2 * 2 + 1});
  const auto adopted = axial::from_communicators<Square>(column, row);
  EXPECT(adopted.rank() == me && adopted.all_reduce<"b">(me, plus) == me / 2 * 4 + 1);
  EXPECT(axial::from_communicators<Square>({.name = "adopted"}, column, row).options().name[0] == 'a');
  EXPECT(axial::find_hosts(world).ranks() == 4);
  return 0;
}

int make_dynamic(const axial::CommunicatorView& world) {
  using M = axial::Mesh<Dim<"dp", axial::dynamic>, Dim<"tp", 2>>;
  const auto mesh = axial::init_device_mesh<M>(world);
  EXPECT(mesh.extent<"dp">() == 2 && mesh.extent(axis<"dp">) == 2 && mesh.size() == 4 && mesh.shape()[0] == 2);
  axial::Array<unsigned> all = mesh.all_gather<"dp">(world.rank());
  EXPECT(all.size() == 2 && all[1] == all[0] + 2 && all == mesh.all_gather(axis<"dp">, world.rank()));
  unsigned sum = 0;
  for (const unsigned rank : all) sum += rank;
  const axial::Array<unsigned> copy = all;
  all = axial::Array<unsigned>(3);
  EXPECT(sum == copy[0] + copy[1] && all.size() == 3 && all[2] == 0 && copy != all && !copy.empty());
  EXPECT(mesh.flatten().all_reduce(1, plus) == 4 && mesh.flatten<"dp", "tp">().extent<"dp_tp">() == 4);
  EXPECT(mesh.groups<"dp">().size() == 2 && mesh.group_of<"dp">(3)[0] == 1 && mesh.neighbor<"dp">(0, 1) == 2);
  EXPECT((mesh.view_as<axial::Mesh<Dim<"edp", axial::dynamic>, Dim<"ep", 4>>>().extent<"edp">() == 1));
  printf("%s: %s\n", axial::to_string(mesh).c_str(), axial::to_string(copy).c_str());
  return 0;
}

int main(int argc, char** argv) {
  return axial::run(argc, argv, [](axial::Environment& env) {
    const axial::CommunicatorView world = env.world();
    const auto mesh = axial::init_device_mesh<Mesh>(world, {.name = "dense"});
    if (const int line = derive(mesh)) return line;
    if (const int line = surround(mesh)) return line;
    if (const int line = make_otherwise(world)) return line;
    return make_dynamic(world);
  });
}
