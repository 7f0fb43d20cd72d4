// SPDX-License-Identifier: BSL-1.0
// Who takes part: the members of a mesh and nobody else, and no communicator but the one given and those made from it.
#include <axial/ledger.hpp>
#include <optional>
#include <sstream>

#include "../support/asleep.hpp"
#include "../support/meshes.hpp"

using axial::init_device_mesh, axial::init_device_mesh_on, axial::borrow, axial::plus;
using axial::ledger::during;

namespace {

/// A mesh of two dimensions that leaves at least one rank out.
template <class F>
void each_part(F f) {
  if (world_size() == 3) f.template operator()<Mesh<Dim<"a", 1>, Dim<"b", 2>>>();
  if (world_size() == 5) f.template operator()<Mesh<Dim<"a", 2>, Dim<"b", 2>>>();
  if (world_size() == 8) f.template operator()<Mesh<Dim<"a", 2>, Dim<"b", 3>>>();
}

/// The first ranks of the world, as many as M has.
template <class M>
std::vector<unsigned> first_ranks() {
  std::vector<unsigned> ranks(M::size());
  for (unsigned rank = 0; rank < ranks.size(); ++rank) ranks[rank] = rank;
  return ranks;
}

template <axial::fixed_string Axis, class Mesh>
MPI_Comm handle_of(const Mesh& mesh) {
  return mesh.template communicator<Axis>().template native_handle<MPI_Comm>();
}

template <class M>
void check_works(const axial::DeviceMesh<M>& mesh) {
  each_index<M::ndim()>(
      [&]<std::size_t I> { BOOST_TEST(mesh.template all_reduce<I>(1u, plus) == M::template extent<I>()); });
}

/// The lines of the ledger on a communicator: what f() calls on it.
template <class F>
std::string calls_on(const std::string& communicator, F f) {
  std::istringstream all(during(f).text());
  std::string found;
  for (std::string line; std::getline(all, line);)
    if (line.find(" " + communicator + " ") != line.npos) found += line + "; ";
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(four_of_five_make_their_mesh_while_the_fifth_sleeps) {
  if (world_size() != 5) return;
  axial::Environment env;
  while_others_sleep(world_rank() < 4, [&] {
    using M = Mesh<Dim<"dp", 2>, Dim<"tp", 2>>;
    const auto mesh = init_device_mesh<M>(env.world().subset({0, 1, 2, 3}));
    BOOST_TEST(mesh.all_reduce<"tp">(world_rank(), plus) == (world_rank() < 2 ? 0u + 1 : 2u + 3));
    BOOST_TEST(mesh.all_reduce<"dp">(world_rank(), plus) == (world_rank() % 2 ? 1u + 3 : 0u + 2));
  });
}

BOOST_AUTO_TEST_CASE(all_that_the_members_of_a_subset_do_needs_no_other_rank) {
  each_part([]<class M> {
    const auto world = borrow(MPI_COMM_WORLD);
    while_others_sleep(world_rank() < M::size(), [&] {
      const auto part = world.subset(first_ranks<M>());
      BOOST_TEST(part.rank() == world_rank());
      BOOST_TEST(part.size() == M::size());
      auto mesh = init_device_mesh<M>(part, {.timeout = std::chrono::minutes(1)});
      check_works(mesh);
      check_works(mesh.template flatten<"a", "b">());
      check_works(init_device_mesh<M>(part, {.rank_map = axial::order::by_node}));
      check_works(init_device_mesh<M>(part, {.lazy = true}));
      BOOST_TEST(mesh.find_hosts().ranks() == M::size());
      BOOST_TEST(text_of([&] { init_device_mesh<Mesh<Dim<"a", 4>, Dim<"b", 9>>>(part); }) != "nothing was thrown");
      mesh.close();
      const auto other = init_device_mesh<M>(part);
      check_works(other);
      other.abort();
    });
  });
}

BOOST_AUTO_TEST_CASE(outsiders_are_needed_for_the_agreement_alone) {
  each_part([]<class M> {
    const auto world = borrow(MPI_COMM_WORLD);
    const bool is_member = world_rank() < M::size();
    std::vector<unsigned> ranks = first_ranks<M>();
    std::ranges::reverse(ranks);
    std::optional<axial::DeviceMesh<M>> mesh;
    // An outsider comes back from the agreement, and goes to sleep before the members have their communicators.
    axial::ledger::delay_next("MPI_Comm_create_group", 1, std::chrono::milliseconds(50));
    const auto make = [&] { mesh = init_device_mesh_on<M>(world, ranks); };
    while_others_sleep(
        is_member,
        [&] {
          make();
          BOOST_REQUIRE(mesh.has_value());
          check_works(*mesh);
          BOOST_TEST(mesh->rank() == world_rank());
          BOOST_TEST((mesh->coordinates() == M::coordinates_of(M::size() - 1 - world_rank())));
          check_works(mesh->template flatten<"a", "b">());
        },
        make);
    BOOST_TEST(mesh.has_value() == is_member);
    axial::ledger::clear_faults();
  });
}

BOOST_AUTO_TEST_CASE(the_world_is_not_touched_unless_it_is_given) {
  each_part([]<class M> {
    const Split part(world_rank() < M::size() ? 0 : -1, world_rank());
    if (world_rank() >= M::size()) return;
    init_device_mesh<M>(borrow<MPI_Comm>(part));  // what only the first creation calls
    const std::string calls = calls_on("MPI_COMM_WORLD", [&] {
      const auto view = borrow<MPI_Comm>(part);
      {
        const auto mesh = init_device_mesh<M>(view);
        check_works(mesh);
        check_works(mesh.template flatten<"a", "b">());
        mesh.find_hosts();
        mesh.description();
        check_works(axial::from_communicators<M>(borrow(handle_of<"a">(mesh)), borrow(handle_of<"b">(mesh))));
      }
      check_works(init_device_mesh<M>(view, {.timeout = std::chrono::minutes(1)}));
      check_works(init_device_mesh<M>(view, {.rank_map = axial::order::by_node, .lazy = true}));
      check_works(*init_device_mesh_on<M>(view, first_ranks<M>()));
      check_works(init_device_mesh<M>(view.subset(first_ranks<M>())));
      init_device_mesh<M>(view).abort();
      text_of([&] { init_device_mesh<Mesh<Dim<"a", 100>>>(view); });
      axial::ledger::fail_next("MPI_Comm_set_name", 1, MPI_ERR_NO_MEM);
      text_of<axial::MpiError>([&] { init_device_mesh<M>(view); });
      axial::ledger::clear_faults();
    });
    BOOST_TEST(calls == "");
  });
}
