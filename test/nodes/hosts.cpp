// SPDX-License-Identifier: BSL-1.0
// The hosts that are found, and meshes that make the ranks of a host neighbours.
#include <optional>

#include "placement.hpp"

using axial::borrow, axial::find_hosts, axial::plus;
using boost::test_tools::per_element;

namespace {

using M24 = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
using M42 = Mesh<Dim<"dp", 4>, Dim<"tp", 2>>;
using Cube = Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>>;
using Meshes = Types<M24, M42, Cube>;
using Ranks = std::vector<unsigned>;

/// The ranks of each host; hosts without any are left out.
std::vector<Ranks> ranks_of_hosts(const Ranks& host_of) {
  std::vector<Ranks> hosts(host_of.size());
  for (unsigned rank = 0; rank < host_of.size(); ++rank) hosts[host_of[rank]].push_back(rank);
  std::erase_if(hosts, [](const Ranks& ranks) { return ranks.empty(); });
  return hosts;
}

/// The number of ranks on each host, when all have as many.
std::optional<std::size_t> ranks_on_each_host() {
  const std::vector<Ranks> hosts = ranks_of_hosts(placement());
  const bool even = std::ranges::all_of(hosts, [&](const Ranks& host) { return host.size() == hosts[0].size(); });
  return even ? std::optional(hosts[0].size()) : std::nullopt;
}

template <class M>
auto mesh_by_node() {
  return axial::init_device_mesh<M>(borrow(MPI_COMM_WORLD), {.rank_map = axial::order::by_node});
}

/// The rank at each position of the mesh, put together from where each rank says that it is.
template <class M>
Ranks ranks_by_position(const axial::DeviceMesh<M>& mesh) {
  const unsigned position = M::rank_of(mesh.coordinates());
  Ranks positions(world_size()), ranks(world_size(), axial::no_rank);
  MPI_Allgather(&position, 1, MPI_UNSIGNED, positions.data(), 1, MPI_UNSIGNED, MPI_COMM_WORLD);
  for (unsigned rank = 0; rank < ranks.size(); ++rank) ranks.at(positions[rank]) = rank;
  return ranks;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_hosts_found_are_those_of_the_placement) {
  const auto hosts = find_hosts(borrow(MPI_COMM_WORLD));
  const Ranks host_of = placement();
  const std::vector<Ranks> wanted = ranks_of_hosts(host_of);
  BOOST_REQUIRE(hosts.size() == wanted.size());
  for (unsigned rank = 0; rank < host_of.size(); ++rank) BOOST_TEST(hosts.host_of(rank) == host_of[rank]);
  for (unsigned host = 0; host < wanted.size(); ++host) BOOST_TEST(hosts.ranks_on(host) == wanted[host], per_element());
  BOOST_TEST(hosts.is_even() == ranks_on_each_host().has_value());
}

BOOST_AUTO_TEST_CASE(hosts_are_numbered_by_the_ranks_of_the_view_that_was_given) {
  Ranks host_of = placement();
  const bool in = world_rank() >= 2;
  const Split reversed(in ? 0 : -1, world_size() - world_rank());  // rank 0 of it is the last of the world
  if (!in) return;
  const auto hosts = find_hosts(borrow(MPI_Comm(reversed)));
  host_of.erase(host_of.begin(), host_of.begin() + 2);
  std::ranges::reverse(host_of);
  unsigned seen = 0;
  for (unsigned rank = 0; rank < host_of.size(); ++rank) {
    const auto first = static_cast<unsigned>(std::ranges::find(host_of, host_of[rank]) - host_of.begin());
    BOOST_TEST(hosts.host_of(rank) == (first == rank ? seen++ : hosts.host_of(first)));
  }
  BOOST_TEST(hosts.size() == seen);
}

BOOST_AUTO_TEST_CASE(by_node_puts_the_ranks_of_a_host_side_by_side_also_where_hosts_are_uneven) {
  Ranks wanted;
  for (const Ranks& host : ranks_of_hosts(placement())) std::ranges::copy(host, std::back_inserter(wanted));
  each(Meshes{}, [&]<class M> {
    BOOST_TEST_CONTEXT(axial::to_string(M{}))
    BOOST_TEST(ranks_by_position(mesh_by_node<M>()) == wanted, per_element());
  });
}

BOOST_AUTO_TEST_CASE(by_node_keeps_an_axis_of_as_many_ranks_as_a_host_has_on_one_host) {
  const auto mesh = mesh_by_node<M24>();
  const Ranks host_of = placement();
  if (ranks_on_each_host() == 4u)
    for (const unsigned rank : mesh.group_ranks<"tp">()) BOOST_TEST(host_of[rank] == host_of[world_rank()]);
  if (host_of == Ranks{0, 1, 0, 1, 0, 1, 0, 1}) {
    BOOST_TEST((mesh.group_ranks<"tp">() == (world_rank() % 2 == 0 ? Ranks{0, 2, 4, 6} : Ranks{1, 3, 5, 7})),
               "ranks 0, 2, 4, 6 and 1, 3, 5, 7");
    BOOST_TEST(mesh.local_rank<"dp">() == world_rank() % 2);
  }
}

BOOST_AUTO_TEST_CASE(by_node_leaves_ranks_those_of_the_view_and_the_rank_in_a_communicator_the_coordinate) {
  each(Meshes{}, []<class M> {
    const auto mesh = mesh_by_node<M>();
    BOOST_TEST(mesh.rank().value() == world_rank());
    unsigned sum = world_rank();
    each_index<M::ndim()>([&]<std::size_t I> {
      const auto& axis = mesh.template communicator<I>();
      const auto group = mesh.template group_ranks<I>();
      BOOST_TEST_CONTEXT(axial::to_string(mesh) << ", axis " << I) {
        BOOST_TEST(rank_in(axis.template native_handle<MPI_Comm>()) == mesh.coordinates()[I]);
        BOOST_TEST(group[mesh.coordinates()[I]] == world_rank());
        BOOST_TEST(axis.all_gather(world_rank()) == group, per_element());
      }
      sum = axis.all_reduce(sum, plus);
    });
    BOOST_TEST(sum == 28u);
  });
}
