// SPDX-License-Identifier: BSL-1.0
// Counts what a process asks of MPI. The library mpi_counter.cpp stands between a program and MPI: a test links it
// (ahead of MPI) and asks it through this header; a program that knows nothing of it is preloaded with it, and the
// environment variable AXIAL_MPI_COUNTER=PATH makes each process write what it counted into PATH.RANK at MPI_Finalize:
// one line for each function and communicator, with function, communicator, calls and bytes between tabs.
//
// Communicators go by their names; what has none is "(unnamed)", and "-" stands for functions that take none. Bytes are
// those that the rank hands in, or that it gets where it hands in nothing (a receive, a scatter from elsewhere): for an
// all_gather its own block, for a reduce_scatter and an all_to_all the blocks for all ranks, in a broadcast the buffer
// on every rank. What a persistent operation moves is counted when it is started.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mpi_counter {

struct Count {
  long long calls = 0;
  long long bytes = 0;
};

/// Calls and bytes by function and communicator: of the process so far, or between two moments.
class Counts {
 public:
  /// All calls of a function; its calls on the communicators of one name.
  long long calls(const std::string& function) const;
  long long calls_on(const std::string& function, const std::string& communicator) const;
  /// The bytes of these calls.
  long long bytes(const std::string& function) const;
  long long bytes_on(const std::string& function, const std::string& communicator) const;
  /// All calls of all functions.
  long long total() const;
  /// One line for each function and communicator, in the order of their names: `MPI_Allreduce axial:tp 3 24`.
  std::string text(char separator = ' ') const;

  void add(const std::string& function, const std::string& communicator, Count count);
  /// What was counted in `later` and not yet in `earlier`.
  friend Counts operator-(const Counts& later, const Counts& earlier);

 private:
  Count of(const std::string& function) const;
  Count on(const std::string& function, const std::string& communicator) const;
  std::map<std::pair<std::string, std::string>, Count> counts_;  // none has 0 calls
};

/// What this process has called so far.
Counts snapshot();

/// What f() calls.
template <class F>
Counts during(F&& f) {
  const Counts before = snapshot();
  std::forward<F>(f)();
  return snapshot() - before;
}

/// The names of the communicators that were made and not freed, sorted; while MPI runs.
std::vector<std::string> live_communicators();

/// The k-th next call of a function (1 is the next one) is made, and then reports `code` for a failure. A communicator
/// that it made is lost, as the others of its group cannot know: the caller gets MPI_COMM_NULL. One order for each
/// function.
void fail_next(const std::string& function, int k, int code);

}  // namespace mpi_counter
