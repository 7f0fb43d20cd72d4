// SPDX-License-Identifier: BSL-1.0
// MPI's life, views of communicators, and the runner that ends the job when a rank fails.
module;
#include "handle.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <thread>

module axial;

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

void report(const char* what) {
  int rank = 0;
  const bool running = is_initialised() && !is_finalised();
  if (running) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string line = "axial: " + (running ? "rank " + std::to_string(rank) + ": " : "") + what + "\n";
  std::fflush(stdout);
  std::fputs(line.c_str(), stderr);
}

}  // namespace

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

void CommunicatorView::copy_handle(void* to, std::size_t size) const {
  check_running();
  copy_bits(bits_, to, size);
}

unsigned CommunicatorView::rank() const {
  check_running();
  int rank = 0;
  const int code = MPI_Comm_rank(comm_of(bits_), &rank);
  if (code != MPI_SUCCESS) throw_mpi_error(code, "MPI_Comm_rank", "");
  return static_cast<unsigned>(rank);
}

unsigned CommunicatorView::size() const {
  check_running();
  int size = 0;
  const int code = MPI_Comm_size(comm_of(bits_), &size);
  if (code != MPI_SUCCESS) throw_mpi_error(code, "MPI_Comm_size", "");
  return static_cast<unsigned>(size);
}

int run_erased(int argc, char** argv, ThreadLevel level, int (*call)(void*, Environment&), void* f) {
  try {
    Environment environment(argc, argv, level);
    try {
      return call(f, environment);
    } catch (const MeshError& error) {
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
