// SPDX-License-Identifier: BSL-1.0
// Axes of a mesh against the tests' own idea of who belongs to them. Include it last, since it imports.
#pragma once
#include "meshes.hpp"

/// Where a rank sits along an axis: its coordinate, and a number that all ranks of its group share.
struct Seat {
  unsigned coordinate;
  unsigned group;
};

/// The ranks of my group, of all ranks of the world; seat_of(rank) says who sits where.
template <class SeatOf>
std::vector<unsigned> my_group(SeatOf seat_of) {
  const unsigned mine = seat_of(world_rank()).group;
  std::vector<unsigned> ranks;
  for (unsigned coordinate = 0; coordinate < world_size(); ++coordinate)
    for (unsigned rank = 0; rank < world_size(); ++rank)
      if (seat_of(rank).group == mine && seat_of(rank).coordinate == coordinate) ranks.push_back(rank);
  return ranks;
}

/// The ranks of a communicator, in its order, by their numbers in the world.
inline std::vector<unsigned> world_ranks(MPI_Comm comm) {
  std::vector<int> ranks(size_of(comm)), translated(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = static_cast<int>(i);
  MPI_Group from, to;
  MPI_Comm_group(comm, &from);
  MPI_Comm_group(MPI_COMM_WORLD, &to);
  MPI_Group_translate_ranks(from, static_cast<int>(ranks.size()), ranks.data(), to, translated.data());
  MPI_Group_free(&from);
  MPI_Group_free(&to);
  return {translated.begin(), translated.end()};
}

template <class Axis>
MPI_Comm handle_of(const Axis& axis) {
  return axis.template native_handle<MPI_Comm>();
}

/// What a mesh says of one of its axes.
struct AxisAnswers {
  std::vector<unsigned> group, gathered;
  unsigned local_rank, rank, size, extent;
  MPI_Comm comm;
};

inline void check_answers(const AxisAnswers& axis, const std::vector<unsigned>& wanted) {
  BOOST_TEST(axis.group == wanted, boost::test_tools::per_element());
  BOOST_TEST(axis.gathered == wanted, boost::test_tools::per_element());
  BOOST_TEST(world_ranks(axis.comm) == wanted, boost::test_tools::per_element());
  BOOST_TEST(axis.size == wanted.size());
  BOOST_TEST(axis.extent == wanted.size());
  BOOST_TEST(rank_in(axis.comm) == axis.rank);
  BOOST_TEST(axis.rank == axis.local_rank);
  BOOST_TEST_REQUIRE(axis.local_rank < wanted.size());
  BOOST_TEST(wanted[axis.local_rank] == world_rank());
  BOOST_TEST((axis.comm == MPI_COMM_SELF) == (wanted.size() == 1));
}

/// One axis of a mesh on the world: its group is `wanted`, in this order, for the mesh, for MPI and in a collective.
template <auto Axis, class M>
void check_axis(const M& mesh, const std::vector<unsigned>& wanted) {
  const auto& axis = mesh.template communicator<Axis>();
  const auto group = mesh.template group_ranks<Axis>();
  std::vector<unsigned> gathered(axis.size());
  const unsigned mine[] = {world_rank()};
  axis.all_gather(mine, gathered);
  BOOST_TEST_CONTEXT("axis \"" << std::string(std::string_view(axis.name())) << "\" of " << axial::to_string(mesh))
  check_answers({.group = {group.begin(), group.end()},
                 .gathered = gathered,
                 .local_rank = mesh.template local_rank<Axis>().value(),
                 .rank = axis.rank().value(),
                 .size = axis.size(),
                 .extent = mesh.template extent<Axis>(),
                 .comm = handle_of(axis)},
                wanted);
}

/// All axes of a mesh on the world: one function for each of them, in its order, that seats the ranks.
template <class M, class... SeatOf>
void check_axes(const M& mesh, SeatOf... seat_of) {
  static_assert(sizeof...(SeatOf) == M::ndim());
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (check_axis<I>(mesh, my_group(seat_of)), ...);
  }(std::index_sequence_for<SeatOf...>{});
}
