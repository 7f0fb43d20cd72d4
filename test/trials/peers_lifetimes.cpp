// SPDX-License-Identifier: BSL-1.0
// Reports about wrappers of MPI: the end of communicators, moves, errors. See test/TRIALS.md.
#include <mpi.h>

#include <axial/ledger.hpp>
#include <chrono>
#include <optional>
#include <thread>
#include <type_traits>

#include "../communicator/collectives.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::borrow, axial::plus;

namespace {

using M24 = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;

auto world() { return borrow(MPI_COMM_WORLD); }

template <class... T>
constexpr bool move_without_exceptions = ((std::is_nothrow_move_constructible_v<T> &&
                                           std::is_nothrow_move_assignable_v<T> && std::is_nothrow_destructible_v<T>) &&
                                          ...);

}  // namespace

// mpi-forum#675, upcxx-spec#71
BOOST_AUTO_TEST_CASE(axes_end_in_another_order_on_each_rank) {
  if (world_size() != 8) return;
  for (int round = 0; round < 10; ++round) {
    std::optional dp = init_device_mesh<decltype(M24::submesh<"dp">())>(world());
    std::optional tp = init_device_mesh<decltype(M24::submesh<"tp">())>(world());
    BOOST_TEST(dp->all_reduce(1, plus) == 2);
    BOOST_TEST(tp->all_reduce(1, plus) == 4);
    const auto end = [&](auto& mesh) { round < 5 ? mesh.reset() : mesh->close(); };
    if (world_rank() % 2) {
      end(tp);
      end(dp);
    } else {
      end(dp);
      end(tp);
    }
    BOOST_TEST(axial::ledger::live_communicators().empty());
  }
  BOOST_TEST(init_device_mesh<M24>(world()).all_reduce<"tp">(1, plus) == 4);
}

// boostorg/mpi#57, #84, SIRIUS#113
BOOST_AUTO_TEST_CASE(what_was_moved_from_is_empty_and_a_move_to_itself_is_none) {
  static_assert(move_without_exceptions<DeviceMesh<M24>, std::optional<DeviceMesh<M24>>, axial::UntypedMesh,
                                        axial::CommunicatorView, axial::RankMap, axial::Hosts, axial::Rank<"tp">>);
  if (world_size() != 8) return;
  auto mesh = init_device_mesh<M24>(world());
  const auto* tp = &mesh.communicator<"tp">();
  auto& same = mesh;
  mesh = std::move(same);
  BOOST_TEST(&mesh.communicator<"tp">() == tp);
  BOOST_TEST(mesh.all_reduce<"tp">(1, plus) == 4);

  std::vector<DeviceMesh<M24>> many;
  for (int i = 0; i < 10; ++i) many.push_back(init_device_mesh<M24>(world()));  // moves them as it grows
  for (const auto& each : many) BOOST_TEST(each.all_reduce<"dp">(1, plus) == 2);
  BOOST_TEST(axial::ledger::live_communicators().size() == 22u);

  const auto target = std::move(mesh);
  BOOST_TEST(text_of([&] { mesh.all_reduce<"tp">(1, plus); }) == "all_reduce along \"tp\": the mesh was moved from");
  BOOST_TEST(&target.communicator<"tp">() == tp);
  many.clear();
  BOOST_TEST(target.all_reduce<"tp">(1, plus) == 4);
}

// torchcomms#399, #464, kokkos-comm#32, #113, #141
BOOST_AUTO_TEST_CASE(a_rank_drops_its_mesh_while_others_are_still_in_its_last_collective) {
  if (world_size() != 8) return;
  for (int round = 0; round < 5; ++round) {
    std::optional mesh = init_device_mesh<M24>(world());
    // Along tp, rank 0 is done before the others have come, and rank 3 waits for rank 2.
    if (mesh->local_rank<"tp">() == 2) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto sum = mesh->reduce<"tp">(world_rank() + 1, plus, 3);
    if (mesh->local_rank<"tp">() == 3) BOOST_TEST(sum.value() == (world_rank() < 4 ? 10u : 26u));
    mesh.reset();
    BOOST_TEST(axial::ledger::live_communicators().empty());
  }
}

// mpl#13
BOOST_AUTO_TEST_CASE(an_error_of_each_collective_names_code_class_operation_axis_rank_and_coordinates) {
  if (world_size() != 8) return;
  const auto mesh = init_device_mesh<M24>(world());
  const auto& axis = mesh.communicator<"tp">();
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(MPI_ERR_COMM, text, &length);
  const std::string place = "rank " + std::to_string(world_rank()) + " (dp=" + std::to_string(world_rank() / 4) +
                            ", tp=" + std::to_string(world_rank() % 4) + ")";
  for (const Collective& each : collectives_of(axis)) {
    axial::ledger::fail_next(each.function, 1, MPI_ERR_COMM);
    const std::string found = text_of<axial::MpiError>([&] {
      try {
        each.call();
      } catch (const axial::MpiError& error) {
        BOOST_TEST(error.code() == MPI_ERR_COMM);
        BOOST_TEST(error.error_class() == MPI_ERR_COMM);
        BOOST_TEST(error.operation() == std::string_view(each.operation));
        BOOST_TEST(error.axis() == std::string_view("tp"));
        BOOST_TEST(!error.on_all_ranks());
        throw;
      }
    });
    BOOST_TEST(found == std::string(each.operation) + " along \"tp\" failed on " + place + ": " + text);
    each.call();  // the mesh goes on
  }
}
