// SPDX-License-Identifier: BSL-1.0
// Failures, delays and limits, by order.
#include <mpi.h>

#include <mutex>
#include <stdexcept>
#include <thread>

#include "../mpi/handle.hpp"
#include "records.hpp"

namespace axial::ledger {
namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr const char* limit_reached = "communicator limit of the ledger reached";

/// Orders of one sort, for calls of one function and of all.
template <class Value>
class Orders {
 public:
  void add(const std::string& function, long long k, Value value) {
    if (function != all) kind_of(function);  // throws when it is not counted
    if (k < 1) throw std::invalid_argument("the next call has number 1");
    orders_[function] = {k, value};
  }

  /// What was ordered for this call, which is counted by it.
  std::optional<Value> take(const std::string& function) {
    const auto by_function = take_from(function), by_call = take_from(all);
    return by_function ? by_function : by_call;
  }

  void clear() { orders_.clear(); }

  static constexpr const char* all = "*";

 private:
  std::optional<Value> take_from(const std::string& key) {
    const auto order = orders_.find(key);
    if (order == orders_.end() || --order->second.first > 0) return {};
    return orders_.extract(order).mapped().second;
  }
  std::map<std::string, std::pair<long long, Value>> orders_;  // calls that are left
};

struct State {
  std::mutex mutex;
  Orders<int> failures;
  Orders<Milliseconds> delays;
  std::string last_failed;
  std::size_t limit = SIZE_MAX;
  int limit_code = MPI_SUCCESS;  // not made yet
  std::vector<Bits> lost;
};

State& state() {
  static State& state = *new State;
  return state;
}

}  // namespace

std::optional<int> fault_of(const char* function) {
  std::optional<Milliseconds> delay;
  std::optional<int> code;
  {
    const std::lock_guard lock(state().mutex);
    delay = state().delays.take(function);
    code = state().failures.take(function);
    if (code) state().last_failed = function;
  }
  if (delay) std::this_thread::sleep_for(*delay);
  return code;
}

std::size_t communicator_limit() {
  const std::lock_guard lock(state().mutex);
  return state().limit;
}

int report_limit(const char* function) {
  const std::lock_guard lock(state().mutex);
  if (state().limit_code == MPI_SUCCESS) {
    PMPI_Add_error_code(MPI_ERR_OTHER, &state().limit_code);
    PMPI_Add_error_string(state().limit_code, limit_reached);
  }
  state().last_failed = function;
  return state().limit_code;
}

std::optional<std::string> limit_text(int code) {
  const std::lock_guard lock(state().mutex);
  if (code == MPI_SUCCESS || code != state().limit_code) return {};
  return limit_reached;
}

void keep_lost(Bits comm) {
  const std::lock_guard lock(state().mutex);
  state().lost.push_back(comm);
}

void free_lost() {
  std::vector<Bits> lost;
  {
    const std::lock_guard lock(state().mutex);
    lost.swap(state().lost);
  }
  for (const Bits bits : lost) {  // callbacks of the program may run, which call MPI
    MPI_Comm comm = comm_of(bits);
    PMPI_Comm_free(&comm);
  }
}

void fail_next(const std::string& function, int k, int code) {
  const std::lock_guard lock(state().mutex);
  state().failures.add(function, k, code);
}

void fail_call(long long k, int code) {
  const std::lock_guard lock(state().mutex);
  state().failures.add(Orders<int>::all, k, code);
  state().last_failed.clear();
}

bool fault_happened() { return !last_fault().empty(); }

std::string last_fault() {
  const std::lock_guard lock(state().mutex);
  return state().last_failed;
}

void delay_next(const std::string& function, int k, Milliseconds time) {
  const std::lock_guard lock(state().mutex);
  state().delays.add(function, k, time);
}

void delay_call(long long k, Milliseconds time) {
  const std::lock_guard lock(state().mutex);
  state().delays.add(Orders<Milliseconds>::all, k, time);
}

void limit_communicators(std::size_t most) {
  const std::lock_guard lock(state().mutex);
  state().limit = most;
}

void clear_faults() {
  const std::lock_guard lock(state().mutex);
  state().failures.clear();
  state().delays.clear();
  state().limit = SIZE_MAX;
  state().last_failed.clear();
}

}  // namespace axial::ledger
