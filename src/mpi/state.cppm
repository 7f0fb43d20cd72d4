// SPDX-License-Identifier: BSL-1.0
// What the units of src/mpi share: failures and deadlines, communicators of our own, the state of a mesh. A partition
// that no interface imports, so no user of the library sees it.
module;
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <source_location>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "handle.hpp"

module axial:state;
import :device_mesh;

namespace axial {

/// Throws MpiError when a call of MPI reported a failure.
void checked(int code, const char* operation, NameView axis = {});

/// Reports on stderr under the rank in MPI_COMM_WORLD; ends the whole job now, from any thread.
void report(const char* what);

/// When waiting ends: never, without a timeout.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds timeout)
      : timeout_(timeout), end_(std::chrono::steady_clock::now() + timeout) {}
  bool is_set() const { return timeout_.count() > 0; }
  bool has_passed() const { return is_set() && std::chrono::steady_clock::now() >= end_; }
  std::chrono::steady_clock::time_point end() const { return end_; }
  /// `within 500 ms`
  std::string text() const { return "within " + std::to_string(timeout_.count()) + " ms"; }

 private:
  std::chrono::milliseconds timeout_;
  std::chrono::steady_clock::time_point end_;
};

/// The first thing that went wrong on a rank, in a form that travels.
class Failure {
 public:
  explicit operator bool() const { return kind_ != Kind::none; }
  /// Calls f, and keeps what it throws unless there is a failure already.
  template <class F>
  void attempt(const F& f) {
    try {
      f();
    } catch (const MpiError& error) {
      take(error);
    } catch (const std::exception& error) {
      take(error.what());
    }
  }
  /// The same error on whichever rank has this object.
  [[noreturn]] void rethrow(unsigned rank, bool on_all_ranks = true) const;

 private:
  enum class Kind { none, mesh, mpi };
  void take(const MpiError& error);
  void take(const char* text);

  Kind kind_ = Kind::none;
  int code_ = 0;
  int error_class_ = 0;
  char operation_[64] = {};
  char axis_[128] = {};
  char text_[512] = {};
};

/// The ranks of a communicator, or some of them, on the way to one verdict: either all go on, or all throw the same.
/// Without a deadline and with all ranks it is one small reduction. Otherwise each rank tells each other one, point to
/// point, so that it is known who did not come.
class Party {
 public:
  /// `what` they do is said when one does not come. `members` are the ranks that take part, in an order that is the
  /// same for all; none stands for all of the view.
  Party(const CommunicatorView& view, const Deadline& deadline, std::string what, std::vector<unsigned> members = {});

  /// Throws on all ranks when the descriptions differ, or what the first rank that has a failure has.
  void agree(const char* stage, const std::string& description, const Failure& failure) const;
  /// Under a deadline, returns when all have come; for steps that cannot be given up once they have begun.
  void arrive(const char* stage, NameView axis) const;

 private:
  struct Packet;
  std::vector<Packet> exchange(const char* stage, NameView axis, const Packet& mine) const;
  void agree_by_reduction(const std::string& description, const Failure& failure) const;
  void agree_by_exchange(const char* stage, const std::string& description, const Failure& failure) const;

  MPI_Comm comm_;
  unsigned rank_;
  unsigned size_;  // of the communicator
  std::string what_;
  std::vector<unsigned> members_;
  const Deadline& deadline_;
};

/// Keeps buffers for the rest of the program, unless they are taken back: what was given up may still be under way, and
/// read and write them.
class LeftToMpi {
 public:
  explicit LeftToMpi(std::shared_ptr<void> buffers) : buffers_(std::move(buffers)) {}
  ~LeftToMpi();
  LeftToMpi(const LeftToMpi&) = delete;
  LeftToMpi& operator=(const LeftToMpi&) = delete;
  void take_back() { buffers_.reset(); }

 private:
  std::shared_ptr<void> buffers_;
};

/// Ends the job when a call of MPI that cannot be given up does not return soon after a deadline.
class Watchdog {
 public:
  Watchdog(const Deadline& deadline, const std::string& text);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false;
  std::thread thread_;
};

/// Makes errors on a communicator of the user come back as codes, and gives the user's handler back at the end.
class ReturnErrors {
 public:
  explicit ReturnErrors(MPI_Comm comm);
  ~ReturnErrors();
  ReturnErrors(const ReturnErrors&) = delete;
  ReturnErrors& operator=(const ReturnErrors&) = delete;
  void restore();

 private:
  MPI_Comm comm_;
  bool holds_ = true;
};

/// A communicator of ours. Freed with this object; while an exception leaves, which the other ranks may not know of, by
/// the next creation; in MPI_Finalize, at its beginning.
class OwnedComm {
 public:
  explicit OwnedComm(MPI_Comm comm);
  OwnedComm(OwnedComm&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
  OwnedComm& operator=(OwnedComm&& other) noexcept {
    std::swap(comm_, other.comm_);
    return *this;
  }
  ~OwnedComm();
  MPI_Comm get() const { return comm_; }
  /// Frees it now; leaves it to the operating system.
  void free();
  void abandon();

 private:
  MPI_Comm comm_;
  int exceptions_ = std::uncaught_exceptions();
};

/// A group of MPI, freed at the end.
class OwnedGroup {
 public:
  OwnedGroup() = default;
  OwnedGroup(OwnedGroup&& other) noexcept : group_(std::exchange(other.group_, MPI_GROUP_NULL)) {}
  OwnedGroup& operator=(OwnedGroup&& other) noexcept {
    std::swap(group_, other.group_);
    return *this;
  }
  ~OwnedGroup() {
    if (group_ != MPI_GROUP_NULL) MPI_Group_free(&group_);
  }
  MPI_Group* out() { return &group_; }
  MPI_Group get() const { return group_; }
  void free(NameView axis) {
    if (group_ != MPI_GROUP_NULL) checked(MPI_Group_free(&group_), "MPI_Group_free", axis);
  }

 private:
  MPI_Group group_ = MPI_GROUP_NULL;
};

/// Whether a communicator of the user still lives: an attribute of it tells when it is freed.
std::shared_ptr<const std::atomic<bool>> watch_life(MPI_Comm comm);

/// Makes MPI_Finalize free what is open first; frees what was left while exceptions were leaving.
void prepare_for_finalise();
void free_orphans();

/// Names a communicator `axial:tp`, makes its errors come back as codes.
void set_up(MPI_Comm comm, const std::string& mesh_name, NameView axis);

/// The nodes of the ranks of a communicator: collective over it; a failure does not keep it from the rest of the calls.
Hosts hosts_of(MPI_Comm comm, unsigned rank, unsigned size, Failure& failure);

/// Tells a ledger that is linked which line of the user's program makes what follows.
class CreationSite {
 public:
  explicit CreationSite(const std::source_location& where);
  ~CreationSite();
  CreationSite(const CreationSite&) = delete;
  CreationSite& operator=(const CreationSite&) = delete;
};

/// The ranks of one axis, and their group until their communicator is made.
struct Plan {
  AxisInfo axis;
  Layout layout;
  std::vector<int> ranks;
  unsigned coordinate;
  OwnedGroup group = {};
};

/// What a mesh and all meshes derived from it share. Owns the communicators and the channels.
class MeshState {
 public:
  enum class Status { open, closed, aborted, timed_out, moved_from };

  /// `ranks` are those of the view at each place, or none where each is at its own.
  MeshState(const MeshInfo& info, const Options& options, const std::source_location& where,
            const CommunicatorView* view, unsigned world, unsigned rank, std::vector<unsigned> ranks);
  /// What stands for the state of a mesh that was moved from.
  MeshState();
  ~MeshState();
  MeshState(const MeshState&) = delete;
  MeshState& operator=(const MeshState&) = delete;

  /// Whether the ranks of an axis need a communicator that there is not yet.
  bool needs(const AxisInfo& axis) const;
  /// Local: who belongs to it. Collective over the axis: its communicator.
  Plan plan(const AxisInfo& axis, MPI_Group members) const;
  void make(Plan& plan, int tag);
  /// A communicator of the user for one axis.
  void adopt(const AxisInfo& axis, MPI_Comm comm);
  /// The communicator of a channel that has none yet.
  void create(Channel& channel);

  const Channel& channel_of(const AxisInfo& axis, Channel* (*make)(const Channel::Seed&));
  /// For a channel on the long path: throws unless it may communicate, makes the communicator of a lazy axis.
  void prepare(Channel& channel, NameView operation);
  void check_status(NameView operation, NameView axis) const;
  [[noreturn]] void time_out(NameView operation, NameView axis, unsigned long long call);
  void close();
  void abort();

  unsigned rank() const { return rank_; }
  unsigned place() const { return place_; }
  unsigned world() const { return world_; }
  const Options& options() const { return options_; }
  const Ancestry* root() const { return &ancestries_.front(); }
  bool is_aborted() const { return status_.load(std::memory_order_relaxed) == Status::aborted; }
  const BaseMap& map() const { return map_; }
  RankTable table() const;
  Layout concrete(const Layout& layout) const;
  const Ancestry* derive(const MeshLayout& mesh, const Ancestry* parent);
  std::string title() const;
  /// `rank 5 (dp=1, tp=1)`
  std::string where_am_i() const;
  std::uint64_t fingerprint(const MeshLayout& mesh) const;
  std::string describe(const MeshLayout& mesh) const;
  Hosts find_hosts() const;
  std::string text_of(const MeshLayout& mesh) const;

 private:
  struct Group {
    Layout layout;
    unsigned coordinate;
    MPI_Comm comm;
    std::optional<OwnedComm> owned;
  };
  /// And what made it, which stands for its type: views of a dynamic mesh have roots of their own.
  struct MadeChannel {
    std::unique_ptr<Channel> channel;
    Channel* (*make)(const Channel::Seed&);
  };
  const Group* find(const Layout& layout) const;
  /// True when the channel has a communicator, which one of another name with the same ranks may have made.
  bool attach_known(Channel& channel);
  void attach(Channel& channel, MPI_Comm comm);
  void end(Status status);
  MPI_Comm parent() const;
  std::vector<unsigned> view_ranks() const;

  std::string text_;
  Options options_;
  std::source_location where_;
  std::optional<CommunicatorView> view_;
  std::shared_ptr<const std::atomic<bool>> view_lives_;
  unsigned world_ = 1;
  unsigned rank_ = 0;
  std::vector<unsigned> ranks_;   // of the view at each place; none: each at its own
  std::vector<unsigned> places_;  // the inverse
  unsigned place_ = 0;
  BaseMap map_;
  unsigned position_ = 0;
  std::atomic<Status> status_ = Status::open;
  std::string cause_;         // of the timeout
  mutable std::mutex mutex_;  // of what follows
  std::vector<Group> groups_;
  std::vector<MadeChannel> channels_;
  std::deque<Ancestry> ancestries_;
};

std::uint64_t fingerprint_of(const std::string& text);
/// What all ranks must have in common.
std::string description_of(const MeshInfo& mesh, const Options& options, const RankMap* subset = nullptr);
std::string title_of(const MeshInfo& mesh, const Options& options);
bool is_same_mesh(const MeshLayout& a, const MeshLayout& b);
void enter(MeshState* state);
void leave(MeshState* state);

}  // namespace axial
