// SPDX-License-Identifier: BSL-1.0
// The ledger stands between a program and MPI and keeps account of what a process asks of it. A test links
// axial::ledger (ahead of MPI) and asks through this header; a program that knows nothing of it is preloaded with it
// and told by environment variables (README.md beside the sources). Any thread may call; what the ledger itself asks of
// MPI is not counted.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// The source location of what this thread asks of MPI from now on; no longer known after a null file.
extern "C" void axial_ledger_site(const char* file, unsigned line);

namespace axial::ledger {

/// An MPI_Comm, by its bits: this header does not include mpi.h.
class Communicator {
 public:
  template <class Comm>
    requires std::is_scalar_v<Comm>
  Communicator(Comm comm) {
    static_assert(sizeof comm <= sizeof bits_);
    std::memcpy(&bits_, &comm, sizeof comm);
  }
  std::uintptr_t bits() const { return bits_; }

 private:
  std::uintptr_t bits_ = 0;
};

// Counts.

/// What a function is for: `communicator` makes and frees them, `group`, `op` and `datatype` are all functions of
/// these, `request` starts and completes operations, and `environment` is the rest, which communicates nothing.
enum class Kind { collective, point_to_point, one_sided, communicator, group, op, datatype, request, environment };

/// The kind of `MPI_Allreduce`. Throws std::invalid_argument for what the ledger does not count.
Kind kind_of(const std::string& function);

/// The axis in the name of a communicator: `tp` of `axial:tp` and of `axial:NAME:tp`, and empty where there is none.
std::string axis_of(const std::string& communicator);

struct Count {
  long long calls = 0;
  long long bytes = 0;
};

/// Calls and bytes by function and communicator: of the process so far, or between two moments.
///
/// Communicators go by their names; what has none is "(unnamed)", and "-" stands for functions that take none. Bytes
/// are those that the rank hands in, or that it gets where it hands in nothing (a receive, a scatter from elsewhere):
/// for an all_gather its own block, for a reduce_scatter and an all_to_all the blocks for all ranks, in a broadcast the
/// buffer on every rank. What a persistent operation moves is counted when it is started.
class Counts {
 public:
  /// All calls of a function; its calls on the communicators of one name.
  long long calls(const std::string& function) const;
  long long calls_on(const std::string& function, const std::string& communicator) const;
  /// The bytes of these calls.
  long long bytes(const std::string& function) const;
  long long bytes_on(const std::string& function, const std::string& communicator) const;
  /// All calls of a kind; those on the communicators of one axis; all calls on these.
  long long calls(Kind kind) const;
  long long calls(Kind kind, const std::string& axis) const;
  long long calls_along(const std::string& axis) const;
  /// The bytes of these calls.
  long long bytes(Kind kind) const;
  long long bytes(Kind kind, const std::string& axis) const;
  long long bytes_along(const std::string& axis) const;
  /// All calls of all functions.
  long long total() const;
  /// One line for each function and communicator, in the order of their names: `MPI_Allreduce axial:tp 3 24`.
  std::string text(char separator = ' ') const;

  void add(const std::string& function, const std::string& communicator, Count count);
  /// What was counted in `later` and not yet in `earlier`.
  friend Counts operator-(const Counts& later, const Counts& earlier);

 private:
  template <class Predicate>
  Count sum(Predicate counts) const;
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

// Live objects.

/// The handles that a program makes and has to free; a request ends by its completion, too, unless it is persistent.
enum class Object { communicator, group, op, datatype, request };

/// Something that the program made and that is still there.
struct Live {
  Object kind;
  std::string name;        ///< of a communicator or a datatype; of a request, the name of its communicator; or empty
  std::string created_by;  ///< the function of MPI
  std::string where;       ///< `file:line` as axial_ledger_site said it, or the caller, `function+0x1c in program`
};

/// `communicator "axial:tp" made by MPI_Comm_create_group at train.cpp:17`
std::string text(const Live& live);

/// What lives now, in the order in which it was made; and still after MPI_Finalize. Predefined handles never do.
std::vector<Live> live();
std::vector<Live> live(Object kind);
std::size_t live_count(Object kind);

/// The names of the communicators that were made and not freed, sorted.
std::vector<std::string> live_communicators();

/// What MPI_Finalize prints: what still lives once the program's own callbacks on MPI_COMM_SELF have run.
std::vector<Live> leaks();

// The order of collective calls.

/// Compares, over the ranks of a communicator, the collective calls that were made on it in its life: functions,
/// elements and the size of their type, operator and root, as far as they must agree. Empty when all are the same, else
/// the first difference: `call 3 on "axial:tp": rank 2 made MPI_Barrier(), rank 0 MPI_Allreduce(5 x 8 bytes, MPI_SUM)`.
/// Collective; each rank gets the same text. Throws std::invalid_argument for an intercommunicator.
std::string compare_sequences(Communicator comm);

/// The same of all collective calls of these processes, each by its function and the name of its communicator, for
/// programs in which all ranks do the same: `collective call 7: rank 1 made MPI_Barrier on "axial:tp", rank 0 ...`.
std::string compare_traces(Communicator comm);

/// Forgets the calls of this process so far, in both comparisons.
void clear_sequences();

// Faults. A call that is to fail is made and then reports a failure by its code, without an error handler; of what it
// made the caller gets the null handle, and operations that it began are completed (receives: cancelled) first. The
// other ranks of a communicator that is lost so do not know; the ledger frees it in MPI_Finalize.

/// The k-th next call of a function (1 is the next one) fails. One order for each function. All of this throws
/// std::invalid_argument for a function that is not counted, and for k < 1.
void fail_next(const std::string& function, int k, int code);

/// The k-th next call of all functions fails.
void fail_call(long long k, int code);

/// Whether a call failed by order since the last fail_call or clear_faults, and the function of the latest, or nothing.
bool fault_happened();
std::string last_fault();

/// The k-th next call of a function, or of all, sleeps before it is made.
void delay_next(const std::string& function, int k, std::chrono::milliseconds time);
void delay_call(long long k, std::chrono::milliseconds time);

/// Creations fail that would make more than `most` live communicators in this process: with an error of class
/// MPI_ERR_OTHER, "communicator limit of the ledger reached". They are made, and freed at once on ranks over the limit.
void limit_communicators(std::size_t most);

/// Takes back all orders and the limit.
void clear_faults();

}  // namespace axial::ledger
