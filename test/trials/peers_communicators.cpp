// SPDX-License-Identifier: BSL-1.0
// Reports about communicator wrappers, process grids and teams: how many communicators there are, whose they are, what
// they do to each other. See test/TRIALS.md.
#include <mpi.h>

#include <axial/ledger.hpp>
#include <chrono>
#include <optional>
#include <set>
#include <thread>

#include "../support/meshes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::borrow, axial::plus;
using axial::ledger::during, axial::ledger::live_communicators;

namespace {

using M11 = Mesh<Dim<"a", 1>, Dim<"b", 1>>;
using M24 = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
using Line = Mesh<Dim<"all", axial::dynamic>>;

auto world() { return borrow(MPI_COMM_WORLD); }

/// One number of each rank.
template <class T>
std::vector<T> gathered(T mine) {
  std::vector<T> all(world_size());
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
  return all;
}

/// Makes meshes until that fails; at most `most`.
std::vector<DeviceMesh<Line>> fill(std::size_t most, std::string& error) {
  std::vector<DeviceMesh<Line>> meshes;
  error = text_of<axial::MpiError>([&] {
    while (meshes.size() < most) meshes.push_back(init_device_mesh<Line>(world()));
  });
  return meshes;
}

}  // namespace

// mpich#1768, #4063, mfem#1133
BOOST_AUTO_TEST_CASE(on_one_rank_thousands_of_meshes_live_together_without_a_communicator) {
  if (world_size() != 1) return;
  for (int i = 0; i < 5000; ++i) BOOST_REQUIRE(init_device_mesh<M11>(world()).all_reduce<"b">(7, plus) == 7);
  std::vector<DeviceMesh<M11>> alive;
  while (alive.size() < 3000) alive.push_back(init_device_mesh<M11>(world()));
  BOOST_TEST(live_communicators().empty());
  BOOST_TEST(alive.front().all_reduce<"a">(7, plus) == 7);
}

// mpich#1768, #4063, mfem#1133
BOOST_AUTO_TEST_CASE(at_the_limit_of_communicators_all_ranks_throw_the_limit_and_earlier_meshes_work) {
  if (world_size() == 1) return;
  for (const bool everywhere : {true, false}) {
    const unsigned first = everywhere ? 0 : world_size() - 1;  // the ranks from here on are at their limit
    if (world_rank() >= first) axial::ledger::limit_communicators(5);
    std::string text;
    auto meshes = fill(50, text);
    BOOST_TEST(meshes.size() == 5u);
    BOOST_TEST(text.starts_with("MPI_Comm_create_group along \"all\" failed on rank " + std::to_string(first) + ": "));
    BOOST_TEST(text.find("communicator limit") != text.npos);
    check_same_text(MPI_COMM_WORLD, text, text);
    BOOST_TEST(live_communicators().size() == 5u);
    for (const auto& mesh : meshes) BOOST_TEST(mesh.all_reduce(1u, plus) == world_size());
    meshes.pop_back();
    meshes.push_back(init_device_mesh<Line>(world()));  // what was given back serves again
    BOOST_TEST(meshes.back().all_reduce(1u, plus) == world_size());
    meshes.clear();
    axial::ledger::clear_faults();
    BOOST_TEST(live_communicators().empty());
  }
}

// heat#2294
BOOST_AUTO_TEST_CASE(communicators_of_the_user_are_never_freed) {
  const Split mine(0, world_size() - world_rank());
  const auto frees = [](auto f) { return during(f).calls("MPI_Comm_free"); };
  BOOST_TEST(frees([&] {
               const auto view = world(), copy = view;
               const auto other = borrow<MPI_Comm>(mine);
             }) == 0);
  BOOST_TEST(frees([&] {
               auto adopted = axial::from_communicators<Line>(borrow<MPI_Comm>(mine));
               BOOST_TEST(adopted.all_reduce(1u, plus) == world_size());
               adopted.close();
             }) == 0);
  BOOST_TEST(frees([&] { init_device_mesh<Line>(borrow<MPI_Comm>(mine)); }) == (world_size() > 1));
  BOOST_TEST(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
  BOOST_TEST(MPI_Barrier(mine) == MPI_SUCCESS);
  BOOST_TEST(size_of(mine) == world_size());
}

// ADIOS2#389, pytorch#195501, DeepEP#478
BOOST_AUTO_TEST_CASE(constructors_and_accessors_can_be_reached_by_some_ranks_only) {
  static_assert(!std::is_default_constructible_v<DeviceMesh<M24>>);
  const auto mesh = init_device_mesh<Line>(world());
  if (world_rank() != world_size() - 1) return;
  const auto counts = during([&] {
    const axial::Options options{.name = "x", .rank_map = {1, 0}};
    const axial::Options same = options;
    const axial::RankMap map = axial::order::by_node;
    const unsigned keys[] = {0, 1, 0};
    const axial::Hosts hosts(keys, 3);
    const axial::UntypedMesh root = mesh.root();
    const axial::ScopedMesh scope(mesh);
    const auto current = axial::current_mesh<Line>();
    const std::optional<DeviceMesh<Line>> empty;
    BOOST_TEST((current == mesh && root == mesh && !mesh.parent() && mesh.hash() == current.hash()));
    BOOST_TEST(mesh.fingerprint() == root.fingerprint());
    BOOST_TEST(mesh.description().starts_with("DeviceMesh(all="));
    BOOST_TEST(mesh.root_index_of<"all">() == 0u);
    BOOST_TEST(&mesh.options() == &root.options());
    BOOST_TEST(root.as<Line>().size() == mesh.extent<"all">());
  });
  BOOST_TEST(counts.total() == 0, counts.text());
}

// pytorch#166010, #158793, cugraph#1065, #1124
BOOST_AUTO_TEST_CASE(a_rank_makes_the_communicators_of_its_own_axes_and_no_other) {
  static_assert(DeviceMesh<M24>::communicator_count() == 2);
  static_assert(DeviceMesh<Mesh<Dim<"a", 1>, Dim<"b", 8>>>::communicator_count() == 1);
  if (world_size() != 8) return;
  const auto check_live = [](const std::vector<std::string>& names) {
    BOOST_TEST(live_communicators() == names, boost::test_tools::per_element());
  };
  {
    const auto mesh = init_device_mesh<Mesh<Dim<"a", 1>, Dim<"b", 8>>>(world());
    check_live({"axial:b"});
    // The same ranks in the same order under other names.
    mesh.flatten();
    mesh.rename<"b", "c">();
    mesh.flatten_as<"d", "b">();
    mesh.view_as<Mesh<Dim<"x", 8>, Dim<"y", 1>>>();
    check_live({"axial:b"});
    BOOST_TEST(mesh.all_reduce<"a">(world_rank(), plus) == world_rank());
  }
  const auto mesh = init_device_mesh<M24>(world());
  check_live({"axial:dp", "axial:tp"});
  for (int i = 0; i < 3; ++i) BOOST_TEST((mesh.flatten<"dp", "tp">().all_reduce(1, plus)) == 8);
  check_live({"axial:dp", "axial:dp_tp", "axial:tp"});
}

// UPC++ issue 371
BOOST_AUTO_TEST_CASE(a_group_is_the_same_by_value_on_each_of_its_ranks) {
  if (world_size() != 8) return;
  const auto mesh = init_device_mesh<M24>(world());
  const auto again = init_device_mesh<M24>(world());
  const auto all_same = [](const auto& values) { return std::set(values.begin(), values.end()).size() == 1; };
  const auto tp = mesh.submesh<"tp">(), tp_again = again.submesh<"tp">();
  const auto dp = mesh.submesh<"dp">();
  // The axis.
  BOOST_TEST(all_same(gathered(tp.fingerprint())));
  BOOST_TEST(all_same(gathered(dp.fingerprint())));
  BOOST_TEST(tp.fingerprint() == tp_again.fingerprint());
  BOOST_TEST(tp.fingerprint() != dp.fingerprint());
  BOOST_TEST(mesh.fingerprint() != tp.fingerprint());
  // The group.
  const std::vector<unsigned> rows{0, 0, 0, 0, 1, 1, 1, 1}, columns{0, 1, 2, 3, 0, 1, 2, 3};
  BOOST_TEST(gathered(mesh.group_index<"tp">(world_rank())) == rows, boost::test_tools::per_element());
  BOOST_TEST(gathered(mesh.group_index<"dp">(world_rank())) == columns, boost::test_tools::per_element());
}

// torchcomms#574
BOOST_AUTO_TEST_CASE(different_meshes_of_one_world_in_turn_each_give_their_own_sums) {
  if (world_size() != 8) return;
  const auto one = init_device_mesh<M24>(world());
  const auto two = init_device_mesh<Mesh<Dim<"dp", 4>, Dim<"tp", 2>>>(world());
  const unsigned mine = world_rank() + 1, rank = world_rank();
  for (unsigned i = 0; i < 20; ++i) {
    BOOST_TEST(one.all_reduce<"tp">(mine, plus) == (rank < 4 ? 10u : 26u));
    BOOST_TEST(two.all_reduce<"tp">(mine, plus) == 4 * (rank / 2) + 3);
    BOOST_TEST(one.all_reduce<"dp">(mine, plus) == 6 + 2 * (rank % 4));
    BOOST_TEST(two.all_reduce<"dp">(mine, plus) == (rank % 2 ? 20u : 16u));
  }
}

// dash#114
BOOST_AUTO_TEST_CASE(after_its_axes_were_used_a_barrier_over_the_whole_mesh_waits_for_every_rank) {
  if (world_size() != 8) return;
  using Clock = std::chrono::steady_clock;  // one for all processes of a machine
  const auto mesh = init_device_mesh<M24>(world());
  const auto whole = mesh.flatten();
  for (const unsigned late : {0u, 5u}) {
    BOOST_TEST(mesh.all_reduce<"dp">(1, plus) == 2);
    BOOST_TEST(mesh.all_reduce<"tp">(1, plus) == 4);
    if (world_rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const auto before = Clock::now().time_since_epoch().count();
    whole.barrier();
    const auto after = Clock::now().time_since_epoch().count();
    for (const auto theirs : gathered(before)) BOOST_TEST(theirs <= after);
  }
}

// nvshmem#100, pytorch#196349, #194279, #162320
BOOST_AUTO_TEST_CASE(meshes_in_sequence_hold_as_many_communicators_as_one_has_axes) {
  const int many = world_size() <= 2 ? 200 : 20;  // ranks that share cores are spared most of them
  each_mesh([&]<class M> {
    if constexpr (M::ndim() == 2) {
      std::set<std::size_t> alive;
      for (int i = 0; i < many; ++i) {
        const auto mesh = init_device_mesh<M>(world());
        alive.insert(live_communicators().size());
      }
      BOOST_TEST(alive == std::set<std::size_t>{DeviceMesh<M>::communicator_count()}, boost::test_tools::per_element());
    }
  });
  BOOST_TEST(live_communicators().empty());
}
