// SPDX-License-Identifier: BSL-1.0
// Reports about process grids and teams: orders, parts of meshes, ranks outside, decisions of one rank alone. See
// test/TRIALS.md.
#include <mpi.h>

#include <axial/ledger.hpp>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

#include "../support/meshes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::init_device_mesh_on, axial::borrow, axial::plus;
using axial::ledger::during;

namespace {

using M24 = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
using M222 = Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>>;

auto world() { return borrow(MPI_COMM_WORLD); }

/// What is called on a communicator and communicates.
std::string communication(const axial::ledger::Counts& counts, const std::string& communicator) {
  std::string lines;
  std::istringstream text(counts.text('\t'));
  for (std::string line; std::getline(text, line);) {
    const std::string function = line.substr(0, line.find('\t'));
    const axial::ledger::Kind kind = axial::ledger::kind_of(function);
    const bool communicates = kind == axial::ledger::Kind::collective || kind == axial::ledger::Kind::point_to_point ||
                              function.starts_with("MPI_Comm_create") || function.starts_with("MPI_Comm_split") ||
                              function.starts_with("MPI_Comm_dup");
    if (communicates && !function.ends_with("keyval") && line.find('\t' + communicator + '\t') != line.npos)
      lines += line + '\n';
  }
  return lines;
}

}  // namespace

// Megatron-LM#4261, #5754, TensorRT-LLM#10350
BOOST_AUTO_TEST_CASE(the_order_of_ranks_is_that_of_the_type_and_the_rightmost_varies_fastest) {
  using Swapped = Mesh<Dim<"tp", 4>, Dim<"dp", 2>>;
  static_assert(M24::coordinate_of<"dp">(5) == 1 && M24::coordinate_of<"tp">(5) == 1);
  static_assert(Swapped::coordinate_of<"tp">(5) == 2 && Swapped::coordinate_of<"dp">(5) == 1);
  BOOST_TEST(axial::to_string(M24{}) == "Mesh(dp=2, tp=4)");
  BOOST_TEST(axial::to_string(Swapped{}) == "Mesh(tp=4, dp=2)");
  if (world_size() != 8) return;
  const auto mesh = init_device_mesh<M24>(world());
  const auto swapped = init_device_mesh<Swapped>(world());
  BOOST_TEST(mesh.local_rank<"tp">() == world_rank() % 4);
  BOOST_TEST(swapped.local_rank<"tp">() == world_rank() / 2);
  // The axes are as large as the type says, whatever order they are asked in.
  BOOST_TEST(mesh.all_reduce<"tp">(1, plus) == 4);
  BOOST_TEST(swapped.all_reduce<"dp">(1, plus) == 2);
}

// pytorch#143194, #158899
BOOST_AUTO_TEST_CASE(a_submesh_of_a_submesh_is_the_submesh) {
  if (world_size() != 8) return;
  const auto mesh = init_device_mesh<M222>(world());
  const auto part = mesh.submesh<"a", "b">().submesh<"b">();
  static_assert(std::is_same_v<decltype(part), const decltype(mesh.submesh<"b">())>);
  BOOST_TEST(part.group_ranks() == mesh.group_ranks<"b">(), boost::test_tools::per_element());
  BOOST_TEST(&part.communicator() == &mesh.communicator<"b">());
  BOOST_TEST(part.all_reduce(world_rank(), plus) == 2 * (world_rank() & ~2u) + 2);
}

// pytorch#163213
BOOST_AUTO_TEST_CASE(a_group_is_a_formula_whatever_the_number_of_ranks) {
  using M = Mesh<Dim<"dp", 1024>, Dim<"tp", 2>>;
  static_assert(M::group_of<"tp">(2047)[0] == 2046 && M::group_of<"dp">(2047)[1023] == 2047);
  static_assert(M::group_of<"dp">(5)[512] == 1025 && M::group_index<"dp">(5) == 1 && M::group_count<"tp">() == 1024);
  using Large = Mesh<Dim<"a", (1u << 29)>, Dim<"b", 2>>;
  static_assert(Large::group_of<"a">((1u << 30) - 1)[1u << 28] == (1u << 29) + 1);
  BOOST_TEST(M::group_of<"tp">(7).size() == 2u);
}

// Automodel#2846
BOOST_AUTO_TEST_CASE(derived_meshes_have_the_options_of_the_root) {
  if (world_size() != 8) return;
  const auto mesh = init_device_mesh<M222>(
      world(), {.name = "expert", .timeout = std::chrono::milliseconds(54321), .lazy = true, .device = 3});
  const auto check = [](const axial::Options& options) {
    BOOST_TEST(options.timeout.count() == 54321);
    BOOST_TEST(options.name == "expert");
    BOOST_TEST((options.lazy && !options.check));
    BOOST_TEST(options.device == 3);
  };
  check(mesh.options());
  check(mesh.flatten<"a", "b">().options());
  check(mesh.flatten<"a", "b">().submesh<"a_b">().options());
  check(mesh.submesh<"c", "a">().options());
  check(mesh.flatten().unflatten<"a_b_c", Dim<"x", 4>, Dim<"y", 2>>().options());
  check(mesh.view_as<M24>().submesh<"tp">().options());
  check(concat(mesh.submesh<"a">(), mesh.submesh<"c">()).options());
  check(mesh.rename<"a", "z">().root().options());
  if (const auto slice = mesh.slice<"a", 1>()) check(slice->options());
  const auto copy = mesh;
  check(copy.options());
}

// pytorch#190396
BOOST_AUTO_TEST_CASE(a_mesh_on_some_ranks_and_one_on_all_end_in_any_order) {
  if (world_size() != 8) return;
  const std::vector<unsigned> five{0, 2, 3, 5, 7};
  const unsigned rank = world_rank();
  for (unsigned round = 0; round < 2; ++round) {
    auto partial = init_device_mesh_on<Mesh<Dim<"a", 5>>>(world(), five);
    BOOST_TEST(partial.has_value() == (std::ranges::count(five, rank) == 1));
    if (partial) BOOST_TEST(partial->all_reduce(rank, plus) == 17u);
    std::optional full = init_device_mesh<M24>(world());
    BOOST_TEST(full->all_reduce<"tp">(rank + 1, plus) == (rank < 4 ? 10u : 26u));
    if ((rank + round) % 2) full.reset();
    partial.reset();
    full.reset();
    BOOST_TEST(axial::ledger::live_communicators().empty());
  }
}

// mxx#6, mpich#1753, #6957, ompi#12530
BOOST_AUTO_TEST_CASE(who_is_outside_has_no_mesh_and_no_null_communicator) {
  if (world_size() != 6) return;
  using Column = Mesh<Dim<"a", 2>>;
  const auto some = init_device_mesh_on<Column>(world(), {4, 1});
  static_assert(std::is_same_v<decltype(some), const std::optional<DeviceMesh<Column>>>);
  BOOST_TEST(some.has_value() == (world_rank() == 4 || world_rank() == 1));
  BOOST_CHECK_EQUAL(some ? some->local_rank().value() : 2, world_rank() == 4 ? 0u : world_rank() == 1 ? 1 : 2);
  if (some) BOOST_TEST((some->communicator().native_handle<MPI_Comm>() != MPI_COMM_NULL));

  const auto mesh = init_device_mesh<Mesh<Dim<"a", 2>, Dim<"b", 3>>>(world());
  const auto slice = mesh.slice<"a", 1>();
  BOOST_TEST(slice.has_value() == (world_rank() >= 3));
  if (slice) BOOST_TEST(slice->all_reduce<"b">(world_rank(), plus) == 12u);

  const std::string outside =
      "subset is made by its members, and rank " + std::to_string(world_rank()) + " is not among them";
  const unsigned next = (world_rank() + 1) % 6;
  BOOST_TEST(text_of([&] { world().subset({next}); }) == outside);
}

// raft#74, #75, #2495
BOOST_AUTO_TEST_CASE(with_a_reversed_order_ranks_of_communicators_are_still_coordinates) {
  if (world_size() != 6) return;
  using M = Mesh<Dim<"a", 2>, Dim<"b", 3>>;
  const auto mesh = init_device_mesh<M>(world(), {.rank_map = {5, 4, 3, 2, 1, 0}});
  BOOST_TEST((mesh.coordinates() == M::coordinates_of(5 - world_rank())));
  each_index<2>([&]<std::size_t I> {
    const auto& axis = mesh.communicator<I>();
    const auto comm = axis.template native_handle<MPI_Comm>();
    BOOST_TEST(rank_in(comm) == mesh.local_rank<I>().value());
    BOOST_TEST(size_of(comm) == M::extent<I>());
    BOOST_TEST(axis.all_gather(world_rank()) == mesh.group_ranks<I>(), boost::test_tools::per_element());
  });
  BOOST_TEST(mesh.broadcast<"b">(world_rank(), 0) == (world_rank() >= 3 ? 5u : 2u));
}

// GauXC#217
BOOST_AUTO_TEST_CASE(on_a_part_of_the_world_nothing_is_said_to_the_rest_of_it) {
  if (world_size() != 6) return;
  const std::vector<unsigned> members{1, 2, 4, 5};
  if (std::ranges::count(members, world_rank()) == 0) {
    // No call of MPI on ranks 0 and 3, so that a message for them would not be taken.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  } else {
    const auto counts = during([&] {
      const auto part = world().subset(members);
      const auto mesh = init_device_mesh<Mesh<Dim<"a", 2>, Dim<"b", 2>>>(part);
      const unsigned rank = part.rank();
      BOOST_TEST(members[rank] == world_rank());
      BOOST_TEST(mesh.rank().value() == rank);
      BOOST_TEST(mesh.all_reduce<"a">(rank, plus) == 2 + 2 * (rank % 2));
      BOOST_TEST(mesh.all_reduce<"b">(rank, plus) == (rank < 2 ? 1u : 5u));
      BOOST_TEST(mesh.flatten().all_reduce(rank, plus) == 6u);
      mesh.barrier<"a">();
    });
    BOOST_TEST(communication(counts, "MPI_COMM_WORLD") == "MPI_Comm_create_group\tMPI_COMM_WORLD\t1\t0\n");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int stray = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &stray, MPI_STATUS_IGNORE);
  BOOST_TEST(!stray);
}

// mpich#7832, #7840
BOOST_AUTO_TEST_CASE(without_its_dimensions_a_mesh_is_each_rank_alone_and_works) {
  if (world_size() != 8) return;
  using M = Mesh<Dim<"dp", 2>, Dim<"one", 1>, Dim<"tp", 4>>;
  const auto mesh = init_device_mesh<M>(world());
  const auto none = mesh.others<"dp", "one", "tp">();  // submesh<>() does not compile
  BOOST_TEST(none.ndim() == 0u);
  BOOST_TEST(none.size() == 1u);
  BOOST_TEST(none.copies() == 8u);
  BOOST_TEST((none.rank() == mesh.rank() && none.rank_of({}, world_rank()) == world_rank()));
  const auto one = mesh.others<"dp", "tp">();
  BOOST_TEST(one.size() == 1u);
  BOOST_TEST((one.local_rank() == 0));
  BOOST_TEST(one.all_reduce(world_rank(), plus) == world_rank());
  BOOST_TEST(one.all_gather(world_rank())[0] == world_rank());
  BOOST_TEST(size_of(one.communicator().native_handle<MPI_Comm>()) == 1u);
}

// mpi-forum#315
BOOST_AUTO_TEST_CASE(a_part_has_the_neighbours_that_the_whole_has) {
  if (world_size() != 8) return;
  const auto mesh = init_device_mesh<M24>(world());
  const auto tp = mesh.submesh<"tp">();
  const unsigned rank = world_rank(), row = rank / 4 * 4;
  BOOST_TEST(tp.neighbor(row + 3, 1) == row);
  BOOST_TEST(tp.neighbor(row, -1) == row + 3);
  BOOST_TEST(tp.neighbor(row + 3, 1, false) == axial::no_rank);
  BOOST_TEST(tp.neighbor(row, -1, false) == axial::no_rank);
  for (const int offset : {-5, -1, 0, 1, 7})
    for (const bool periodic : {true, false})
      BOOST_TEST(tp.neighbor(rank, offset, periodic) == mesh.neighbor<"tp">(rank, offset, periodic));
}

// cuDecomp#85, #119
BOOST_AUTO_TEST_CASE(the_environment_changes_no_coordinate) {
  if (world_size() != 8) return;
  const char* variables[] = {
      "RANK",         "LOCAL_RANK",    "WORLD_SIZE",          "OMPI_COMM_WORLD_RANK", "PMI_RANK", "MPI_LOCALRANKID",
      "SLURM_PROCID", "SLURM_LOCALID", "CUDA_VISIBLE_DEVICES"};
  const auto seen = [] {
    const auto mesh = init_device_mesh<M24>(world());
    return axial::to_string(mesh.coordinates()) + axial::to_string(mesh.group_ranks<"tp">()) + mesh.description() +
           std::to_string(rank_in(mesh.communicator<"tp">().native_handle<MPI_Comm>()));
  };
  const std::string before = seen();
  BOOST_TEST(before.starts_with(axial::to_string(M24::coordinates_of(world_rank()))));
  std::vector<std::pair<const char*, std::optional<std::string>>> kept;
  for (const char* name : variables) {
    const char* value = std::getenv(name);
    kept.emplace_back(name, value ? std::optional<std::string>(value) : std::nullopt);
    setenv(name, std::to_string(7 - world_rank()).c_str(), 1);  // another one on each rank
  }
  BOOST_TEST(seen() == before);
  for (const auto& [name, value] : kept)
    if (value)
      setenv(name, value->c_str(), 1);
    else
      unsetenv(name);
}

// cuDecomp#98, #158
BOOST_AUTO_TEST_CASE(all_ranks_make_the_same_collective_calls_in_the_same_order) {
  axial::ledger::clear_sequences();
  each_mesh([]<class M> {
    for (const bool lazy : {false, true}) {
      auto mesh = init_device_mesh<M>(world(), {.lazy = lazy});
      each_index<M::ndim()>([&]<std::size_t I> {
        mesh.template barrier<I>();
        mesh.template all_gather<I>(1);
        mesh.template broadcast<I>(world_rank(), 0);
        // What ranks know for themselves decides nothing.
        if (mesh.template local_rank<I>() == 0) mesh.template submesh<I>();
      });
      if constexpr (M::ndim() > 0) mesh.flatten().barrier();
      mesh.close();
    }
  });
  text_of([] { init_device_mesh<Mesh<Dim<"wrong", 5>>>(world()); });
  BOOST_TEST(axial::ledger::compare_traces(MPI_COMM_WORLD) == "");
}
