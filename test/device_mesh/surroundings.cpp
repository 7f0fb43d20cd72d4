// SPDX-License-Identifier: BSL-1.0
// What surrounds a mesh: root and parent, hosts, the current mesh, equality, fingerprints, texts, inherited options.
#include <algorithm>
#include <axial/ledger.hpp>
#include <chrono>
#include <optional>
#include <set>
#include <thread>
#include <unordered_set>

#include "../support/axes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::borrow, axial::plus, axial::ScopedMesh, axial::current_mesh;
using axial::ledger::during;

namespace {

using M = Mesh<Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 2>>;
using Line = Mesh<Dim<"all", axial::dynamic>>;  // on any number of ranks

auto world() { return borrow(MPI_COMM_WORLD); }
auto make(const axial::Options& options = {}) { return init_device_mesh<M>(world(), options); }

template <class Number>
std::vector<Number> gather(Number mine) {
  std::vector<Number> all(world_size());
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_mesh_knows_its_root_and_what_it_was_made_from) {
  if (world_size() != M::world()) return;
  const auto mesh = make();
  BOOST_TEST(!mesh.parent().has_value());
  BOOST_TEST((mesh.root() == mesh));
  const auto part = mesh.submesh<"tp", "dp">();
  const auto inner = part.submesh<"dp">();
  BOOST_TEST((part.parent().value() == mesh));
  BOOST_TEST((inner.parent().value() == part));
  BOOST_TEST((inner.parent().value() != mesh));
  BOOST_TEST((inner.root() == mesh));
  BOOST_TEST(axial::to_string(*inner.parent()) == "DeviceMesh(tp=2, dp=2)");
  BOOST_TEST(axial::to_string(inner.root()) == "DeviceMesh(dp=2, cp=2, tp=2)");
  // The same axes, made from the root at once, are the same mesh; each says what it was made from.
  const auto direct = mesh.submesh<"dp">();
  BOOST_TEST((direct == inner));
  BOOST_TEST((direct.parent().value() == mesh));
  // What gives the mesh itself is no child of it.
  BOOST_TEST((!mesh.submesh<"dp", "cp", "tp">().parent().has_value()));
  const auto flat = mesh.flatten<"dp", "cp">();
  BOOST_TEST((flat.parent().value() == mesh));
  BOOST_TEST((flat.submesh<"dp_cp">().parent().value() == flat));
  const auto view = part.view_as<Mesh<Dim<"a", 4>, Dim<"b", 2>>>();
  BOOST_TEST((view.parent().value() == part));
  BOOST_TEST((view.root() == mesh));
  if (const auto slice = mesh.slice<"cp", 1>()) BOOST_TEST((slice->parent().value() == mesh));
  const auto joined = concat(flat.submesh<"dp_cp">(), mesh.submesh<"tp">());
  BOOST_TEST((joined == flat));
  BOOST_TEST((joined.parent().value() == flat.submesh<"dp_cp">()));
}

BOOST_AUTO_TEST_CASE(an_untyped_mesh_says_what_it_is_and_gets_its_type_back) {
  if (world_size() != M::world()) return;
  const auto mesh = make({.name = "dense"});
  const auto part = mesh.submesh<"tp", "dp">();
  const axial::UntypedMesh untyped = part;
  BOOST_TEST(untyped.ndim() == 2);
  BOOST_TEST(untyped.size() == 4);
  BOOST_TEST(std::string(std::string_view(untyped.name(0))) == "tp");
  BOOST_TEST(untyped.extent(1) == 2);
  BOOST_TEST(untyped.options().name == "dense");
  BOOST_TEST(untyped.fingerprint() == part.fingerprint());
  const auto typed = untyped.as<decltype(M::submesh<"tp", "dp">())>();
  BOOST_TEST((typed == part));
  BOOST_TEST((&typed.communicator<"dp">() == &mesh.communicator<"dp">()));
  BOOST_TEST((typed.parent().value() == mesh));
  BOOST_TEST((mesh.submesh<"dp">().root().as<M>() == mesh));
  BOOST_TEST(text_of([&] { untyped.as<M>(); }) ==
             "the mesh is DeviceMesh(tp=2, dp=2), not DeviceMesh(dp=2, cp=2, tp=2)");
  BOOST_TEST(text_of([&] { untyped.as<decltype(M::submesh<"dp", "tp">())>(); }) ==
             "the mesh is DeviceMesh(tp=2, dp=2), not DeviceMesh(dp=2, tp=2)");
  BOOST_TEST(text_of([&] { untyped.abort(); }) == "abort ends a whole mesh: this one is a part of another");
  // Same names, extents and positions in a root, but other ranks at them.
  const std::string other = text_of([&] { mesh.root().as<decltype(M::with_ranks<7, 6, 5, 4, 3, 1, 2, 0>())>(); });
  BOOST_TEST(other ==
             "the mesh is DeviceMesh(dp=2, cp=2, tp=2), not DeviceMesh(dp=2, cp=2, tp=2) with another base map");
  using Gray = decltype(M::with_xor<1, 3, 6>());
  const axial::UntypedMesh gray = init_device_mesh<Gray>(world());
  BOOST_TEST(text_of([&] { gray.as<M>(); }).ends_with("with another base map"));
  BOOST_TEST(gray.as<Gray>().rank() == world_rank());
}

BOOST_AUTO_TEST_CASE(an_axis_is_found_again_in_root_and_parent) {
  if (world_size() != M::world()) return;
  const auto mesh = make();
  const auto part = mesh.submesh<"tp", "cp">();
  BOOST_TEST(part.root_index_of<"tp">() == 2);
  BOOST_TEST(part.root_index_of<"cp">() == 1);
  BOOST_TEST(part.submesh<"cp">().root_index_of() == 1);
  BOOST_TEST(part.submesh<"cp">().parent_index_of() == 1);
  BOOST_TEST((part.permute<"cp", "tp">().parent_index_of<"tp">() == 0));
  BOOST_TEST(mesh.parent_index_of<"tp">() == 2);
  const auto renamed = mesh.rename<"tp", "tensor">();
  BOOST_TEST(renamed.root_index_of<"tensor">() == 2);  // the same ranks by another name
  BOOST_TEST(renamed.submesh<"tensor">().parent_index_of<"tensor">() == 2);
  const auto flat = mesh.flatten<"dp", "cp">();
  BOOST_TEST(flat.root_index_of<"dp_cp">() == axial::no_dimension);
  BOOST_TEST(flat.root_index_of<"tp">() == 2);
  BOOST_TEST(flat.parent_index_of<1>() == 2);
  BOOST_TEST(flat.submesh<"dp_cp">().parent_index_of<"dp_cp">() == 0);
  BOOST_TEST((mesh.view_as<Mesh<Dim<"x", 2>, Dim<"y", 4>>>().root_index_of<"x">() == 0));
  // An axis that took another's name is found by its ranks.
  const auto swapped = part.rename<"cp", "c">().rename<"tp", "cp">();
  BOOST_TEST(swapped.root_index_of<"cp">() == 2);
}

BOOST_AUTO_TEST_CASE(all_submeshes_along_a_name_are_its_groups) {
  if (world_size() != M::world()) return;
  const auto mesh = make();
  using Lists = std::vector<std::vector<unsigned>>;
  BOOST_TEST((mesh.groups<"dp">() == Lists{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
  BOOST_TEST((mesh.submesh<"dp">().groups<"dp">() == mesh.groups<"dp">()));
  BOOST_TEST((mesh.groups<"tp", "dp">() == Lists{{0, 4, 1, 5}, {2, 6, 3, 7}}));
  BOOST_TEST(mesh.group_count<"cp">() == 4);
  BOOST_TEST((mesh.groups<"cp">()[mesh.group_index<"cp">(world_rank())] == mesh.group_ranks<"cp">()));
}

BOOST_AUTO_TEST_CASE(hosts_are_those_that_mpi_sees_from_any_mesh) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  const std::vector<unsigned> here = world_ranks(node);
  MPI_Comm_free(&node);
  const std::vector<unsigned> firsts = gather(here[0]);
  const auto check = [&](const axial::Hosts& hosts) {
    const std::set<unsigned> different(firsts.begin(), firsts.end());
    BOOST_TEST(hosts.size() == different.size());
    BOOST_TEST(hosts.ranks() == world_size());
    const unsigned mine = hosts.host_of(world_rank());
    BOOST_TEST(mine == static_cast<unsigned>(std::ranges::distance(different.begin(), different.find(here[0]))));
    const auto ranks = hosts.ranks_on(mine);
    BOOST_TEST(std::vector(ranks.begin(), ranks.end()) == here, boost::test_tools::per_element());
    BOOST_TEST(hosts.count_on(mine) == here.size());
    BOOST_TEST(here[hosts.local_rank(world_rank())] == world_rank());
  };
  check(axial::find_hosts(world()));
  const auto mesh = init_device_mesh<Line>(world());
  check(mesh.find_hosts());
  check(mesh.rename<"all", "x">().find_hosts());
  std::vector<unsigned> rotated;
  for (unsigned place = 0; place < world_size(); ++place) rotated.push_back((place + 1) % world_size());
  check(init_device_mesh<Line>(world(), {.rank_map = rotated}).find_hosts());
  // Only the search for the hosts may be heard on the user's communicator.
  const auto counts = during([&] { mesh.find_hosts(); });
  BOOST_TEST(counts.calls_on("MPI_Allgather", "MPI_COMM_WORLD") == 0);
  BOOST_TEST(counts.calls_on("MPI_Allreduce", "MPI_COMM_WORLD") == 0);
}

BOOST_AUTO_TEST_CASE(scopes_make_a_mesh_the_current_one_of_their_thread) {
  const std::string nothing = "there is no current mesh on this thread: make one with `ScopedMesh scope(mesh);`";
  BOOST_TEST(text_of([] { current_mesh(); }) == nothing);
  BOOST_TEST(text_of([] { current_mesh<Line>(); }) == nothing);
  const auto mesh = init_device_mesh<Line>(world());
  const auto other = mesh.rename<"all", "x">();
  {
    const ScopedMesh scope(mesh);
    BOOST_TEST((current_mesh<Line>() == mesh));
    BOOST_TEST(current_mesh<Line>().all_reduce<"all">(1u, plus) == world_size());
    {
      const ScopedMesh inner(other);
      BOOST_TEST((current_mesh() == other));
      BOOST_TEST(text_of([] { current_mesh<Line>(); }) ==
                 "the mesh is DeviceMesh(x=" + std::to_string(world_size()) + "), not DeviceMesh(all=*)");
      std::string elsewhere;
      std::thread([&] { elsewhere = text_of([] { current_mesh(); }); }).join();
      BOOST_TEST(elsewhere == nothing);
    }
    BOOST_TEST((current_mesh() == mesh));
    text_of([&] {
      const ScopedMesh inner(other);
      throw axial::MeshError("leaves the scope");
    });
    BOOST_TEST((current_mesh() == mesh));
  }
  BOOST_TEST(text_of([] { current_mesh(); }) == nothing);
  std::optional<DeviceMesh<Line>> dropped = mesh;
  const ScopedMesh scope(*dropped);
  dropped.reset();
  BOOST_TEST((current_mesh() == mesh));  // a scope keeps its mesh
}

BOOST_AUTO_TEST_CASE(equal_are_meshes_of_one_state_and_one_type) {
  const auto mesh = init_device_mesh<Line>(world());
  const auto renamed = mesh.rename<"all", "x">();
  const auto copy = mesh;
  BOOST_TEST((copy == mesh && renamed.rename<"x", "all">() == mesh && renamed == mesh.rename<"all", "x">()));
  BOOST_TEST((renamed != mesh && mesh != renamed));
  BOOST_TEST((copy.hash() == mesh.hash()));
  BOOST_TEST((renamed.rename<"x", "all">().hash() == mesh.hash()));
  std::unordered_set<DeviceMesh<Line>> set{mesh, copy, renamed.rename<"x", "all">()};
  BOOST_TEST(set.size() == 1);

  // Made alike they are two, and the end of the first is nothing to the second.
  std::optional<DeviceMesh<Line>> alike = init_device_mesh<Line>(world());
  BOOST_TEST((*alike != mesh));
  BOOST_TEST((alike->root() != mesh.root()));
  BOOST_TEST((alike->hash() != mesh.hash()));
  BOOST_TEST(alike->fingerprint() == mesh.fingerprint());
  set.insert(*alike);
  BOOST_TEST(set.size() == 2);
  set.clear();
  alike.reset();
  BOOST_TEST(mesh.all_reduce<"all">(1u, plus) == world_size());
  BOOST_TEST(renamed.all_reduce<"x">(2u, plus) == 2 * world_size());
}

BOOST_AUTO_TEST_CASE(a_fingerprint_is_the_same_on_all_ranks_and_another_for_each_other_mesh) {
  if (world_size() != M::world()) return;
  const auto mesh = make();
  std::vector<std::uint64_t> prints{
      mesh.fingerprint(),
      mesh.submesh<"tp", "dp">().fingerprint(),
      mesh.submesh<"dp", "tp">().fingerprint(),
      mesh.rename<"dp", "x">().fingerprint(),
      mesh.flatten<"dp", "tp">().fingerprint(),
      mesh.flatten<"tp", "dp">().fingerprint(),
      mesh.flatten_as<"x", "tp", "dp">().fingerprint(),
      mesh.view_as<Mesh<Dim<"dp", 2>, Dim<"tp", 4>>>().fingerprint(),
      make({.name = "dense"}).fingerprint(),
      make({.rank_map = {1, 0, 2, 3, 4, 5, 6, 7}}).fingerprint(),
      init_device_mesh<decltype(M::with_ranks<1, 0, 2, 3, 4, 5, 6, 7>())>(world()).fingerprint(),
      init_device_mesh<Line>(world()).fingerprint()};
  BOOST_TEST(std::set<std::uint64_t>(prints.begin(), prints.end()).size() == prints.size());
  for (const std::uint64_t print : prints)
    for (const std::uint64_t other : gather(print)) BOOST_TEST(other == print);
  // The two slices of an axis are two meshes.
  const auto low = mesh.slice<"tp", 0>();
  const auto high = mesh.slice<"tp", 1>();
  const auto all = gather(low ? low->fingerprint() : high->fingerprint());
  BOOST_TEST(std::set<std::uint64_t>(all.begin(), all.end()).size() == 2);
  for (unsigned rank = 0; rank < 8; ++rank) BOOST_TEST(all[rank] == all[rank % 2]);
  BOOST_TEST(make().fingerprint() == mesh.fingerprint());
}

BOOST_AUTO_TEST_CASE(a_mesh_prints_its_extents_and_describes_its_ranks) {
  if (world_size() != 8) return;
  const unsigned r = world_rank();
  const std::string rank = std::to_string(r), a = std::to_string(r / 4), b = std::to_string(r % 4);
  const auto list = [](std::vector<unsigned> ranks) {
    std::string text;
    for (const unsigned each : ranks) text += (text.empty() ? "" : ", ") + std::to_string(each);
    return text;
  };
  const unsigned row = r / 4 * 4;
  const auto mesh = init_device_mesh<Mesh<Dim<"dp", 2>, Dim<"tp", 4>>>(
      world(), {.name = "dense", .timeout = std::chrono::seconds(60), .check = true});
  BOOST_TEST(axial::to_string(mesh) == "DeviceMesh(dp=2, tp=4)");
  BOOST_TEST(mesh.description() ==
             "DeviceMesh(dp=2, tp=4) named \"dense\" on rank " + rank + " (dp=" + a + ", tp=" + b +
                 ") of 8, 2 communicators, checked, timeout 60000 ms\n  dp=2: ranks " + list({r % 4, r % 4 + 4}) +
                 "\n  tp=4: ranks " + list({row, row + 1, row + 2, row + 3}));
  const auto flat = init_device_mesh<Mesh<Dim<"all", axial::dynamic>, Dim<"one", 1>>>(world(), {.lazy = true});
  BOOST_TEST(flat.description() == "DeviceMesh(all=8, one=1) on rank " + rank + " (all=" + rank +
                                       ", one=0) of 8, 1 communicator, lazy\n  all=8: ranks " +
                                       list({0, 1, 2, 3, 4, 5, 6, 7}) + "\n  one=1: ranks " + rank);
  const auto mapped = init_device_mesh<Mesh<Dim<"a", 2>, Dim<"b", 4>>>(world(), {.rank_map = {7, 6, 5, 4, 3, 2, 1, 0}});
  BOOST_TEST(mapped.submesh<"a">().description() ==
             "DeviceMesh(a=2) on rank " + rank + " (a=" + std::to_string((7 - r) / 4) + ", b=" +
                 std::to_string((7 - r) % 4) + ") of 8, 1 communicator\n  a=2: ranks " + list({r % 4 + 4, r % 4}));
}

BOOST_AUTO_TEST_CASE(the_bound_on_communicators_is_a_constant_of_the_type) {
  using Device = DeviceMesh<Mesh<Dim<"dp", 2>, Dim<"one", 1>, Dim<"tp", 4>>>;
  static_assert(Device::communicator_count() == 2);
  static_assert(DeviceMesh<Mesh<>>::communicator_count() == 0);
  static_assert(DeviceMesh<Line>::communicator_count() == 1);
  static_assert(DeviceMesh<decltype(M::submesh<"tp", "dp">())>::communicator_count() == 2);
  static_assert(DeviceMesh<decltype(M::flatten<"tp", "dp">())>::communicator_count() == 2);
  if (world_size() != 8) return;
  const auto mesh = make();
  BOOST_TEST(axial::ledger::live_count(axial::ledger::Object::communicator) == mesh.communicator_count());
}

BOOST_AUTO_TEST_CASE(derived_meshes_have_the_options_of_their_root) {
  if (world_size() != 8) return;
  const axial::Options options{.name = "dense",
                               .timeout = std::chrono::seconds(60),
                               .rank_map = {7, 6, 5, 4, 3, 2, 1, 0},
                               .lazy = true,
                               .check = true,
                               .device = -1};
  const auto mesh = make(options);
  const auto check = [&](const axial::Options& inherited) {
    BOOST_TEST(&inherited == &mesh.options());
    BOOST_TEST(inherited.name == "dense");
    BOOST_TEST(inherited.timeout.count() == 60000);
    BOOST_TEST(inherited.rank_map.data()[0] == 7);
    BOOST_TEST((inherited.lazy && inherited.check));
  };
  const auto flat = mesh.flatten<"dp", "tp">();
  check(mesh.submesh<"tp">().options());
  check(flat.options());
  check(flat.unflatten<"dp_tp", Dim<"x", 2>, Dim<"y", 2>>().options());
  check(concat(mesh.submesh<"tp">(), mesh.submesh<"dp">()).options());
  check(mesh.view_as<Mesh<Dim<"a", 4>, Dim<"b", 2>>>().options());
  check(mesh.root().options());
  if (const auto slice = mesh.slice<"cp", 0>()) check(slice->rename<"tp", "t">().options());
  // They act there, too: lazy until used, and a name on what is made then.
  BOOST_TEST(axial::ledger::live_count(axial::ledger::Object::communicator) == 0);
  BOOST_TEST(flat.all_reduce<"dp_tp">(1, plus) == 4);
  BOOST_TEST(axial::ledger::live_communicators() == std::vector<std::string>{"axial:dense:dp_tp"},
             boost::test_tools::per_element());
}
