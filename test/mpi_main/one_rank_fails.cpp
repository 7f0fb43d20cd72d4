// SPDX-License-Identifier: BSL-1.0
#include <mpi.h>

#include <boost/test/unit_test.hpp>
#include <stdexcept>

static int rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

BOOST_AUTO_TEST_CASE(check) {
  BOOST_TEST(rank() != 2);
  MPI_Barrier(MPI_COMM_WORLD);
}

// Here the other ranks wait for one that has left.
BOOST_AUTO_TEST_CASE(require) {
  BOOST_REQUIRE(rank() != 2);
  MPI_Barrier(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(exception) {
  if (rank() == 2) throw std::runtime_error("left");
  MPI_Barrier(MPI_COMM_WORLD);
}
