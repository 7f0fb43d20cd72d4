// SPDX-License-Identifier: BSL-1.0
// What the ledger keeps, as its parts know of each other. Each part has its own lock, and none is ever destroyed: MPI
// may be called by destructors of static objects. Handles are kept by their bits.
#pragma once
#include <axial/ledger.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace axial::ledger {

using Bits = std::uintptr_t;

// counts.cpp

/// Where a call communicates, by name, and how much.
struct Operation {
  std::string communicator = "-";
  long long bytes = 0;
};

void count_call(const std::string& function, const Operation& operation);

/// A name, or "(unnamed)".
std::string shown(const std::string& name);

// sequence.cpp

/// The collective calls on a communicator in its life.
class Sequence;

/// Of the present life of this communicator.
std::shared_ptr<Sequence> sequence_of(Bits comm);
void note(Sequence& sequence, const std::string& call);
void note_in_trace(const std::string& function, const std::string& communicator);
/// This communicator is about to be freed, and its handle may be given again.
void end_sequence(Bits comm);

// objects.cpp

/// What a persistent request moves each time that it is started, and what the ranks make together then.
struct Prepared {
  Operation operation;
  std::shared_ptr<Sequence> sequence;
  std::string call;
};

/// By whom an object is made: the function of MPI, and the address that it returns to.
struct Origin {
  const char* function;
  const void* caller;
};

/// An object was made. False, and it is not kept, for a communicator beyond `most`.
bool was_made(Object kind, Bits handle, const Origin& origin, const std::string& name, std::size_t most = SIZE_MAX,
              Prepared prepared = {});
/// The oldest of those with this handle has ended. MPI gives one handle several times where it counts references.
void has_ended(Object kind, Bits handle);
void was_named(Object kind, Bits handle, const char* name);
Prepared prepared_of(Bits request);

// faults.cpp

/// Sleeps when a delay was ordered for this call; the code that it will report when a failure was.
std::optional<int> fault_of(const char* function);
/// The largest number of live communicators.
std::size_t communicator_limit();
/// The code of a creation beyond the limit.
int report_limit(const char* function);
/// Its text, for this code alone.
std::optional<std::string> limit_text(int code);
/// Keeps a communicator that no one has a handle of, until MPI_Finalize.
void keep_lost(Bits comm);
void free_lost();

// environment.cpp

/// Ends the process when an environment variable is malformed.
void read_environment();
/// Gives the orders for this rank of MPI_COMM_WORLD.
void follow_environment(int rank);
/// Writes counts and prints leaks, as the environment asks for, once MPI has been finalised.
void report(int rank);

}  // namespace axial::ledger
