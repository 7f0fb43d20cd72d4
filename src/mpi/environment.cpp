// SPDX-License-Identifier: BSL-1.0
// MPI's life, views of communicators, and the runner that ends the job when a rank fails.
module;
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "handle.hpp"

module axial;
import :state;

namespace axial {
namespace {

constexpr int mpi_levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
constexpr const char* level_names[] = {"single", "funneled", "serialized", "multiple"};

ThreadLevel level_of(int provided) {
  int level = 0;
  while (level < 3 && mpi_levels[level] != provided) ++level;
  return static_cast<ThreadLevel>(level);
}

bool is_initialised() {
  int flag = 0;
  MPI_Initialized(&flag);
  return flag != 0;
}

bool is_finalised() {
  int flag = 0;
  MPI_Finalized(&flag);
  return flag != 0;
}

/// Throws where there are no communicators.
void check_running() {
  if (!is_initialised()) throw MeshError("MPI is not initialised: make an Environment first");
  if (is_finalised()) throw MeshError("MPI was finalised, and its communicators went with it");
}

/// Ends the whole job now.
[[noreturn]] void end_job() {
  std::fflush(nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // ranks that fail together each get their text out
  if (is_initialised() && !is_finalised()) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::_Exit(EXIT_FAILURE);
}

/// Ends the job unless MPI has been finalised by then: the others may not know of an error that all ranks of a mesh
/// agreed on, and the finalisation would wait for them.
void end_job_in(std::chrono::seconds patience) {
  std::thread([patience] {
    std::this_thread::sleep_for(patience);
    if (!is_finalised()) std::_Exit(EXIT_FAILURE);
  }).detach();
}

}  // namespace

void report(const char* what) {
  int rank = 0;
  const bool running = is_initialised() && !is_finalised();
  if (running) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string line = "axial: " + (running ? "rank " + std::to_string(rank) + ": " : "") + what + "\n";
  std::fflush(stdout);
  std::fputs(line.c_str(), stderr);
}

Environment::Environment(ThreadLevel level) : Environment(0, nullptr, level) {}

Environment::Environment(int argc, char** argv, ThreadLevel level) : exceptions_(std::uncaught_exceptions()) {
  if (is_finalised()) throw Error("MPI was finalised before; it starts only once in a process");
  int provided = MPI_THREAD_SINGLE;
  if (is_initialised()) {
    MPI_Query_thread(&provided);
  } else {
    const int code = MPI_Init_thread(&argc, &argv, mpi_levels[static_cast<int>(level)], &provided);
    if (code != MPI_SUCCESS) throw_mpi_error(code, "MPI_Init_thread", "");
    owns_ = true;
  }
  if (level_of(provided) < level) {
    if (owns_) MPI_Finalize();
    throw Error(std::string("thread level ") + level_names[static_cast<int>(level)] +
                " was asked for, and MPI offers " + level_names[static_cast<int>(level_of(provided))]);
  }
}

Environment::~Environment() {
  // While an exception leaves, the others may be waiting for this rank: finalising would block.
  if (owns_ && !is_finalised() && std::uncaught_exceptions() <= exceptions_) MPI_Finalize();
}

CommunicatorView Environment::world() const { return borrow(MPI_COMM_WORLD); }

ThreadLevel Environment::thread_level() const {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  return level_of(provided);
}

bool Environment::owns_mpi() const { return owns_; }

CommunicatorView borrow_handle(const void* handle, std::size_t size) {
  if (size != sizeof(MPI_Comm)) throw MeshError("borrow takes an MPI_Comm");
  check_running();
  MPI_Comm comm;
  std::memcpy(&comm, handle, size);
  if (comm == MPI_COMM_NULL) throw MeshError("borrow takes no MPI_COMM_NULL");
  int inter = 0;
  const int code = MPI_Comm_test_inter(comm, &inter);
  if (code != MPI_SUCCESS) throw_mpi_error(code, "borrow", "");
  if (inter) throw MeshError("borrow takes no intercommunicator");
  return CommunicatorView(bits_of(comm));
}

CommunicatorView::CommunicatorView(Bits bits, Share owner) : bits_(bits), owner_(static_cast<Share&&>(owner)) {
  int rank = 0, size = 0;
  checked(MPI_Comm_rank(comm_of(bits_), &rank), "MPI_Comm_rank");
  checked(MPI_Comm_size(comm_of(bits_), &size), "MPI_Comm_size");
  rank_ = static_cast<unsigned>(rank);
  size_ = static_cast<unsigned>(size);
}

void CommunicatorView::copy_handle(void* to, std::size_t size) const {
  check_running();
  copy_bits(bits_, to, size);
}

unsigned CommunicatorView::rank() const { return rank_; }
unsigned CommunicatorView::size() const { return size_; }

CommunicatorView CommunicatorView::subset(const unsigned* ranks, std::size_t count) const {
  check_running();
  std::vector<int> members(count);
  std::set<unsigned> seen;
  for (std::size_t i = 0; i < count; ++i) {
    if (ranks[i] >= size_)
      throw MeshError("subset names rank " + std::to_string(ranks[i]) + ", and the communicator has the ranks 0 to " +
                      std::to_string(size_ - 1));
    if (!seen.insert(ranks[i]).second) throw MeshError("subset names rank " + std::to_string(ranks[i]) + " twice");
    members[i] = static_cast<int>(ranks[i]);
  }
  if (!seen.contains(rank_))
    throw MeshError("subset is made by its members, and rank " + std::to_string(rank_) + " is not among them");
  prepare_for_finalise();
  const MPI_Comm comm = comm_of(bits_);
  ReturnErrors errors_return(comm);
  OwnedGroup all, group;
  checked(MPI_Comm_group(comm, all.out()), "MPI_Comm_group");
  checked(MPI_Group_incl(all.get(), static_cast<int>(count), members.data(), group.out()), "MPI_Group_incl");
  MPI_Comm made = MPI_COMM_NULL;
  checked(MPI_Comm_create_group(comm, group.get(), 0, &made), "MPI_Comm_create_group");
  auto owned = std::make_shared<OwnedComm>(made);
  set_up(made, "", "subset");
  errors_return.restore();
  return CommunicatorView(bits_of(made), Share(std::move(owned)));
}

Share::Share() noexcept = default;
Share::Share(std::shared_ptr<const void> held) noexcept : held_(std::move(held)) {}
Share::Share(const Share&) noexcept = default;
Share::Share(Share&&) noexcept = default;
Share& Share::operator=(const Share&) noexcept = default;
Share& Share::operator=(Share&&) noexcept = default;
Share::~Share() = default;
const void* Share::get() const noexcept { return held_.get(); }

RankMap::RankMap(const unsigned* ranks, std::size_t count)
    : ranks_(std::shared_ptr<const unsigned[]>([&] {
        std::shared_ptr<unsigned[]> copy(new unsigned[count]);
        std::copy_n(ranks, count, copy.get());
        return copy;
      }())),
      size_(count) {}

int run_erased(int argc, char** argv, ThreadLevel level, int (*call)(void*, Environment&), void* f) {
  try {
    Environment environment(argc, argv, level);
    try {
      return call(f, environment);
    } catch (const Error& error) {
      report(error.what());
      if (!error.on_all_ranks()) end_job();
      if (environment.owns_mpi()) end_job_in(std::chrono::seconds(3));
      return EXIT_FAILURE;
    } catch (const std::exception& error) {
      report(error.what());
      end_job();
    } catch (...) {
      report("an exception that is no std::exception");
      end_job();
    }
  } catch (const std::exception& error) {  // no environment could be made
    report(error.what());
    end_job();
  }
}

}  // namespace axial
