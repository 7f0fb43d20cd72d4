// SPDX-License-Identifier: BSL-1.0
// Communicators of our own and what becomes of them: freed with their owner, by the next creation, or in MPI_Finalize.
// And how communicators of the user are touched: their error handler, given back, and an attribute.
module;
#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "handle.hpp"

module axial;
import :state;

// Defined by the ledger where that is linked.
extern "C" __attribute__((weak)) void axial_ledger_site(const char* file, unsigned line);

namespace axial {
namespace {

/// What MPI_Finalize must still free. Never destroyed: meshes in static variables may outlive it otherwise.
struct OpenThings {
  std::mutex mutex;
  bool is_hooked = false;
  bool is_over = false;
  std::multiset<MPI_Comm> communicators;
  std::vector<MPI_Comm> orphans;  // whose owner went while an exception was leaving
  std::vector<MeshState*> states;
};

OpenThings& open_things() {
  static OpenThings& things = *new OpenThings;
  return things;
}

/// Runs first in MPI_Finalize, where MPI still works: after it all handles are inert.
int on_finalise(MPI_Comm, int, void*, void*) {
  std::vector<MeshState*> states;
  {
    const std::lock_guard lock(open_things().mutex);
    if (open_things().is_over) return MPI_SUCCESS;  // set twice, since the first time was reported as failed
    states = open_things().states;
  }
  for (MeshState* state : states) state->close();
  free_orphans();
  const std::lock_guard lock(open_things().mutex);
  for (MPI_Comm comm : std::exchange(open_things().communicators, {})) MPI_Comm_free(&comm);
  open_things().is_over = true;
  release_operators();
  return MPI_SUCCESS;
}

}  // namespace

void prepare_for_finalise() {
  if (std::uncaught_exceptions() == 0) free_orphans();
  const std::lock_guard lock(open_things().mutex);
  if (open_things().is_hooked) return;
  int key = MPI_KEYVAL_INVALID;
  checked(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalise, &key, nullptr), "MPI_Comm_create_keyval");
  const int code = MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  MPI_Comm_free_keyval(&key);
  checked(code, "MPI_Comm_set_attr");
  prepare_operators();
  open_things().is_hooked = true;
}

void free_orphans() {
  std::vector<MPI_Comm> orphans;
  {
    const std::lock_guard lock(open_things().mutex);
    orphans.swap(open_things().orphans);
  }
  for (MPI_Comm& comm : orphans) MPI_Comm_free(&comm);
}

void enter(MeshState* state) {
  const std::lock_guard lock(open_things().mutex);
  open_things().states.push_back(state);
}

void leave(MeshState* state) {
  const std::lock_guard lock(open_things().mutex);
  std::erase(open_things().states, state);
}

OwnedComm::OwnedComm(MPI_Comm comm) : comm_(comm) {
  const std::lock_guard lock(open_things().mutex);
  open_things().communicators.insert(comm);
}

void OwnedComm::free() {
  {
    const std::lock_guard lock(open_things().mutex);
    const auto found = open_things().communicators.find(comm_);
    if (comm_ == MPI_COMM_NULL || found == open_things().communicators.end()) return;
    open_things().communicators.erase(found);
  }
  MPI_Comm_free(&comm_);
  comm_ = MPI_COMM_NULL;
}

void OwnedComm::abandon() {
  const std::lock_guard lock(open_things().mutex);
  const auto found = open_things().communicators.find(comm_);
  if (found != open_things().communicators.end()) open_things().communicators.erase(found);
  comm_ = MPI_COMM_NULL;
}

OwnedComm::~OwnedComm() {
  if (comm_ == MPI_COMM_NULL) return;
  if (std::uncaught_exceptions() <= exceptions_) {
    free();
    return;
  }
  // The others may not be here: nothing collective now.
  const MPI_Comm comm = comm_;
  abandon();
  const std::lock_guard lock(open_things().mutex);
  if (!open_things().is_over) open_things().orphans.push_back(comm);
}

namespace {

/// The handlers of the user's communicators while ours is there: two threads may be creating on one communicator.
struct Handlers {
  struct Saved {
    int users = 0;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  };
  std::mutex mutex;
  std::map<MPI_Comm, Saved> saved;
};

Handlers& handlers() {
  static Handlers& handlers = *new Handlers;
  return handlers;
}

}  // namespace

LeftToMpi::~LeftToMpi() {
  if (!buffers_) return;
  static std::mutex mutex;
  static auto& all = *new std::vector<std::shared_ptr<void>>;
  const std::lock_guard lock(mutex);
  all.push_back(std::move(buffers_));
}

ReturnErrors::ReturnErrors(MPI_Comm comm) : comm_(comm) {
  const std::lock_guard lock(handlers().mutex);
  Handlers::Saved& saved = handlers().saved[comm];
  if (saved.users++ > 0) return;
  const int got = MPI_Comm_get_errhandler(comm, &saved.handler);
  const int set = got == MPI_SUCCESS ? MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN) : got;
  if (set == MPI_SUCCESS) return;
  if (saved.handler != MPI_ERRHANDLER_NULL) {
    MPI_Comm_set_errhandler(comm, saved.handler);
    MPI_Errhandler_free(&saved.handler);
  }
  handlers().saved.erase(comm);
  checked(got, "MPI_Comm_get_errhandler");
  checked(set, "MPI_Comm_set_errhandler");
}

void ReturnErrors::restore() {
  if (!std::exchange(holds_, false)) return;
  const std::lock_guard lock(handlers().mutex);
  Handlers::Saved& saved = handlers().saved[comm_];
  if (--saved.users > 0) return;
  MPI_Errhandler handler = saved.handler;
  handlers().saved.erase(comm_);
  const int set = MPI_Comm_set_errhandler(comm_, handler);
  const int freed = MPI_Errhandler_free(&handler);
  checked(set, "MPI_Comm_set_errhandler");
  checked(freed, "MPI_Errhandler_free");
}

ReturnErrors::~ReturnErrors() {
  try {
    restore();
  } catch (const Error&) {  // an error is leaving already
  }
}

namespace {

using Life = std::shared_ptr<std::atomic<bool>>;

struct Lives {
  std::mutex mutex;
  int key = MPI_KEYVAL_INVALID;
};

Lives& lives() {
  static Lives& lives = *new Lives;
  return lives;
}

int on_death(MPI_Comm, int, void* value, void*) {
  const std::unique_ptr<Life> life(static_cast<Life*>(value));
  **life = false;
  return MPI_SUCCESS;
}

}  // namespace

std::shared_ptr<const std::atomic<bool>> watch_life(MPI_Comm comm) {
  const std::lock_guard lock(lives().mutex);
  if (lives().key == MPI_KEYVAL_INVALID)
    checked(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_death, &lives().key, nullptr), "MPI_Comm_create_keyval");
  void* value = nullptr;
  int found = 0;
  checked(MPI_Comm_get_attr(comm, lives().key, static_cast<void*>(&value), &found), "MPI_Comm_get_attr");
  if (found) return *static_cast<Life*>(value);
  auto life = std::make_unique<Life>(std::make_shared<std::atomic<bool>>(true));
  const Life shared = *life;
  // The communicator's from here on, also after a failure: nothing says whether it has the attribute.
  checked(MPI_Comm_set_attr(comm, lives().key, life.release()), "MPI_Comm_set_attr");
  return shared;
}

void set_up(MPI_Comm comm, const std::string& mesh_name, NameView axis) {
  const std::string name = "axial:" + (mesh_name.empty() ? "" : mesh_name + ":") + std::string(std::string_view(axis));
  checked(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", axis);
  checked(MPI_Comm_set_name(comm, name.substr(0, MPI_MAX_OBJECT_NAME - 1).c_str()), "MPI_Comm_set_name", axis);
}

CreationSite::CreationSite(const std::source_location& where) {
  if (axial_ledger_site) axial_ledger_site(where.file_name(), where.line());
}
CreationSite::~CreationSite() {
  if (axial_ledger_site) axial_ledger_site(nullptr, 0);
}

}  // namespace axial
