// SPDX-License-Identifier: BSL-1.0
// Which host each rank is on. Include it last, since it imports.
#pragma once
#include <cstdlib>
#include <sstream>

#include "../support/meshes.hpp"

/// The host of each rank, as scripts/test-nodes orders it in AXIAL_TEST_NODES, for instance "0,0,0,1,1,1,2,2"; empty
/// where nothing is ordered. Hosts are numbered in the order of their first ranks.
inline std::vector<unsigned> ordered_placement() {
  const char* const order = std::getenv("AXIAL_TEST_NODES");
  std::vector<unsigned> hosts;
  std::istringstream list(order ? order : "");
  for (std::string host; std::getline(list, host, ',');) hosts.push_back(static_cast<unsigned>(std::stoul(host)));
  return hosts;
}

/// The host of each rank of the world, as MPI says it.
inline std::vector<unsigned> placement_in_mpi() {
  MPI_Comm shared = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
  unsigned first = world_rank();
  MPI_Bcast(&first, 1, MPI_UNSIGNED, 0, shared);
  MPI_Comm_free(&shared);
  std::vector<unsigned> firsts(world_size()), hosts(world_size());
  MPI_Allgather(&first, 1, MPI_UNSIGNED, firsts.data(), 1, MPI_UNSIGNED, MPI_COMM_WORLD);
  unsigned count = 0;
  for (unsigned rank = 0; rank < hosts.size(); ++rank)
    hosts[rank] = firsts[rank] == rank ? count++ : hosts[firsts[rank]];
  return hosts;
}

/// The host of each rank of the world.
inline std::vector<unsigned> placement() {
  const std::vector<unsigned> ordered = ordered_placement();
  return ordered.empty() ? placement_in_mpi() : ordered;
}
