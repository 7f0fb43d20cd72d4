// SPDX-License-Identifier: BSL-1.0
// What tests of the ledger share.
#pragma once
#include <mpi.h>
#include <axial/ledger.hpp>

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

constexpr MPI_Comm world = MPI_COMM_WORLD;

inline int world_rank() {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
inline int world_size() {
  int size = -1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// A communicator of all ranks, with a name, freed at the end.
class Named {
 public:
  explicit Named(const char* name) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_set_name(comm_, name);
  }
  ~Named() { MPI_Comm_free(&comm_); }
  Named(const Named&) = delete;
  Named& operator=(const Named&) = delete;
  MPI_Comm get() const { return comm_; }
  operator MPI_Comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};
