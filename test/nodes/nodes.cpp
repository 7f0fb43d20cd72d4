// SPDX-License-Identifier: BSL-1.0
// Meshes over several hosts: what is right within one must be right across them, whatever way the data takes.
#include <set>

#include "placement.hpp"

using axial::init_device_mesh, axial::borrow, axial::plus;
using boost::test_tools::per_element;

namespace {

using M24 = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
using M42 = Mesh<Dim<"dp", 4>, Dim<"tp", 2>>;
using Cube = Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>>;
using Row = Mesh<Dim<"a", 1>, Dim<"b", 8>>;
using Swapped = Mesh<Dim<"tp", 4>, Dim<"dp", 2>>;
using Meshes = Types<M24, M42, Cube, Row>;

/// Messages of one element, of a kilobyte, and so long that a sender waits for its receiver.
constexpr std::size_t lengths[] = {1, 1000, 300'000};

using Elements = std::vector<int>;

/// What a rank puts in, n elements from `first` on: no two ranks and places have the same.
Elements input(unsigned rank, std::size_t n, std::size_t first = 0) {
  Elements all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<int>(rank * 10'000'000 + first + i);
  return all;
}

/// The sum of what these ranks put in.
Elements sum(const std::vector<unsigned>& ranks, std::size_t n, std::size_t first = 0) {
  Elements all(n);
  for (const unsigned rank : ranks) std::ranges::transform(all, input(rank, n, first), all.begin(), std::plus<>{});
  return all;
}

/// What these ranks put in, one after the other.
Elements concatenation(const std::vector<unsigned>& ranks, std::size_t n) {
  Elements all;
  for (const unsigned rank : ranks) std::ranges::copy(input(rank, n), std::back_inserter(all));
  return all;
}

template <class Axis>
void check_collectives(const Axis& axis, const std::vector<unsigned>& group) {
  const unsigned me = axis.rank().value(), root = Axis::extent() - 1;
  for (const std::size_t n : lengths) {
    BOOST_TEST_CONTEXT(n << " elements") {
      const Elements mine = input(world_rank(), n), blocks = input(world_rank(), n * group.size());
      Elements out(n), all(n * group.size());
      axis.all_reduce(mine, out, plus);
      BOOST_TEST((out == sum(group, n)), "all_reduce");
      axis.all_gather(mine, all);
      BOOST_TEST((all == concatenation(group, n)), "all_gather");
      axis.broadcast(mine, out, typename Axis::rank_type(root));
      BOOST_TEST((out == input(group[root], n)), "broadcast");
      axis.reduce_scatter(blocks, out, plus);
      BOOST_TEST((out == sum(group, n, me * n)), "reduce_scatter");
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_ranks_are_on_the_hosts_that_were_ordered) {
  const std::vector<unsigned> ordered = ordered_placement();
  if (!ordered.empty()) BOOST_TEST(placement_in_mpi() == ordered, per_element());
}

BOOST_AUTO_TEST_CASE(over_tcp_each_host_has_a_name_of_its_own) {
  if (!std::getenv("AXIAL_TEST_TCP")) return;
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  MPI_Get_processor_name(name, &length);
  std::set<std::string> names;
  for (const std::string& each : gather_texts(MPI_COMM_WORLD, name)) names.insert(each);
  BOOST_TEST(names.size() == std::ranges::max(placement()) + 1);
}

BOOST_AUTO_TEST_CASE(the_rank_in_each_communicator_is_the_coordinate_and_its_members_are_the_group) {
  each(Meshes{}, []<class M> {
    const auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD));
    each_index<M::ndim()>([&]<std::size_t I> {
      const auto& axis = mesh.template communicator<I>();
      const auto comm = axis.template native_handle<MPI_Comm>();
      BOOST_TEST_CONTEXT(axial::to_string(mesh) << ", axis " << I) {
        BOOST_TEST(rank_in(comm) == M::template coordinate_of<I>(world_rank()));
        BOOST_TEST(size_of(comm) == M::template extent<I>());
        BOOST_TEST(axis.all_gather(world_rank()) == mesh.template group_ranks<I>(), per_element());
      }
    });
  });
}

BOOST_AUTO_TEST_CASE(collectives_are_right_along_each_axis_for_short_and_long_messages) {
  each(Meshes{}, []<class M> {
    const auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD));
    each_index<M::ndim()>([&]<std::size_t I> {
      const auto group = mesh.template group_ranks<I>();
      BOOST_TEST_CONTEXT(axial::to_string(mesh) << ", axis " << I)
      check_collectives(mesh.template communicator<I>(), {group.begin(), group.end()});
    });
  });
}

BOOST_AUTO_TEST_CASE(a_mesh_is_made_used_and_closed_again_and_again) {
  for (unsigned i = 0; i < 20; ++i) {
    auto mesh = init_device_mesh<Cube>(borrow(MPI_COMM_WORLD));
    const unsigned a = mesh.all_reduce<"a">(world_rank(), plus);
    const unsigned ab = mesh.all_reduce<"b">(a, plus);
    BOOST_TEST(mesh.all_reduce<"c">(ab, plus) == 28u);
    mesh.close();
  }
}

BOOST_AUTO_TEST_CASE(whichever_rank_has_another_mesh_all_ranks_are_told_so_by_the_same_text) {
  for (unsigned odd = 1; odd < world_size(); ++odd) {
    const std::string mine = text_of([&] {
      if (world_rank() == odd)
        init_device_mesh<Swapped>(borrow(MPI_COMM_WORLD));
      else
        init_device_mesh<M24>(borrow(MPI_COMM_WORLD));
    });
    const std::string beginning =
        "the ranks have different meshes: rank " + std::to_string(odd) + " has Mesh(tp=4, dp=2) ";
    BOOST_TEST(mine.substr(0, beginning.size()) == beginning);
    check_same_text(MPI_COMM_WORLD, mine, gather_texts(MPI_COMM_WORLD, mine)[0]);
  }
}
