// SPDX-License-Identifier: BSL-1.0
// Creation: the ranks agree on the mesh, then each makes the communicators of its own axes. And the end of a mesh.
module;
#include "handle.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

module axial;

namespace axial {
namespace {

constexpr const char* library_version = AXIAL_VERSION;

/// Makes errors on a communicator of the user come back as codes, and gives the user's handler back at the end.
class ReturnErrors {
 public:
  explicit ReturnErrors(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_get_errhandler(comm_, &users_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  ~ReturnErrors() {
    MPI_Comm_set_errhandler(comm_, users_);
    MPI_Errhandler_free(&users_);
  }
  ReturnErrors(const ReturnErrors&) = delete;
  ReturnErrors& operator=(const ReturnErrors&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler users_ = MPI_ERRHANDLER_NULL;
};

void checked(int code, const char* operation, NameView axis = {}) {
  if (code != MPI_SUCCESS) throw_mpi_error(code, operation, axis);
}

/// FNV-1a, 64 bits.
std::uint64_t fingerprint(const std::string& text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

/// `Mesh(dp=2, tp=4)`, with its name where it has one.
std::string title(const MeshInfo& mesh, const Options& options) {
  return options.name.empty() ? std::string(mesh.text) : mesh.text + " named \"" + options.name + "\"";
}

/// What all ranks must have in common.
std::string description(const MeshInfo& mesh, const Options& options) {
  return title(mesh, options) + " (axial " + library_version + ")";
}

/// `rank 5`, `ranks 1, 3 and 5`; after eight of them, how many more.
std::string list_ranks(const std::vector<std::size_t>& ranks) {
  constexpr std::size_t most = 8;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  const std::size_t shown = std::min(ranks.size(), most);
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[i]);
  if (ranks.size() > most) text += " and " + std::to_string(ranks.size() - most) + " more";
  return text;
}

/// What a rank has, as it travels once the ranks are known to differ.
struct Claim {
  std::uint64_t print;
  char text[504];

  explicit Claim(const std::string& description) : print(fingerprint(description)), text{} {
    if (description.copy(text, sizeof text - 1) < description.size()) std::copy_n("...", 3, std::end(text) - 4);
  }
};

Claim broadcast(MPI_Comm comm, Claim claim, std::size_t root) {
  checked(MPI_Bcast(&claim, sizeof claim, MPI_BYTE, static_cast<int>(root), comm), "MPI_Bcast");
  return claim;
}

/// The ranks have not all the same description: tells each which ones differ from rank 0, and both values.
[[noreturn]] void throw_difference(MPI_Comm comm, const std::string& description, unsigned size) {
  const Claim mine(description);
  const Claim first = broadcast(comm, mine, 0);
  const unsigned char differs = mine.print != first.print;
  std::vector<unsigned char> all(size);
  checked(MPI_Allgather(&differs, 1, MPI_UNSIGNED_CHAR, all.data(), 1, MPI_UNSIGNED_CHAR, comm), "MPI_Allgather");
  std::vector<std::size_t> odd;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (all[rank]) odd.push_back(rank);
  const Claim other = broadcast(comm, mine, odd.front());
  throw MeshError("the ranks have different meshes: " + list_ranks(odd) +
                      (odd.size() == 1 ? " has " : " differ, the first of them with ") + other.text + "; rank 0 has " +
                      first.text,
                  true);
}

/// `; tp=3 would fit`: the extents that, changed alone, make the product fit the number of ranks.
std::string single_extent_that_fits(const MeshInfo& mesh, unsigned size) {
  std::string text;
  for (unsigned i = 0; i < mesh.ndim; ++i) {
    const unsigned rest = mesh.world / size_of(*mesh.axes[i].layout);
    if (size % rest != 0) continue;
    text += (text.empty() ? "; " : " or ") + std::string(std::string_view(mesh.axes[i].name)) + "=" +
            std::to_string(size / rest);
  }
  if (mesh.ndim == 0) return "";
  return text.empty() ? "; no other extent of a single dimension would fit" : text + " would fit";
}

[[noreturn]] void throw_wrong_world(const MeshInfo& mesh, const Options& options, unsigned size) {
  std::string factors;
  unsigned product = 1;
  for (unsigned i = 0; i < mesh.ndim; ++i) {
    const unsigned extent = size_of(*mesh.axes[i].layout);
    factors += (i ? "*" : "") + std::to_string(extent);
    product *= extent;
  }
  const bool whole = product == mesh.world;  // else it is a sub-mesh: other axes of its root are not known here
  const std::string formula = whole && mesh.ndim > 1 ? factors + " = " : "";
  throw MeshError(title(mesh, options) + " needs " + formula + std::to_string(mesh.world) +
                      (mesh.world == 1 ? " rank" : " ranks") + ", and the communicator has " + std::to_string(size) +
                      (whole ? single_extent_that_fits(mesh, size) : ""),
                  true);
}

/// One small reduction: all ranks go on, or all throw the same error.
void agree(MPI_Comm comm, const MeshInfo& mesh, const Options& options, unsigned size) {
  const std::string mine = description(mesh, options);
  const std::uint64_t print = fingerprint(mine);
  // The largest of x and of ~x tell whether all x are equal; the third word is the local verdict.
  std::uint64_t words[3] = {print, ~print, mesh.world != size};
  checked(MPI_Allreduce(MPI_IN_PLACE, words, 3, MPI_UINT64_T, MPI_MAX, comm), "MPI_Allreduce");
  if (words[0] != ~words[1]) throw_difference(comm, mine, size);
  if (words[2] != 0) throw_wrong_world(mesh, options, size);
}

}  // namespace

/// What a mesh and all meshes derived from it share. Owns the communicators and the channels.
class MeshState {
 public:
  MeshState(std::string text, unsigned rank, const BaseMap& map, std::string name, const std::source_location& where)
      : text_(std::move(text)),
        name_(std::move(name)),
        rank_(rank),
        position_(map.position_of(rank)),
        map_(map),
        where_(where) {}
  ~MeshState();
  MeshState(const MeshState&) = delete;
  MeshState& operator=(const MeshState&) = delete;

  void make_group(MPI_Comm view, MPI_Group members_of_view, const AxisInfo& axis);
  const Channel& channel_of(const AxisInfo& axis, Channel* (*make)(const Channel::Seed&));
  void close();
  unsigned rank() const { return rank_; }
  std::string leak_text() const;

 private:
  struct Group {
    Layout layout;
    MPI_Comm comm;
    unsigned coordinate;
  };
  const Group* find(const Layout& layout) const;
  void mark_closed();

  std::string text_;
  std::string name_;
  unsigned rank_;
  unsigned position_;
  BaseMap map_;
  std::source_location where_;
  int exceptions_ = std::uncaught_exceptions();
  std::mutex mutex_;  // of channels_
  std::vector<Group> groups_;
  std::vector<std::unique_ptr<Channel>> channels_;
};

namespace {

/// All states that hold communicators, which MPI_Finalize must still free, and communicators whose state went while an
/// exception left, which the next creation or MPI_Finalize frees.
struct Ledger {
  std::mutex mutex;
  bool hooked = false;
  std::vector<MeshState*> open;
  std::vector<MPI_Comm> orphans;
};

Ledger& ledger() {
  static Ledger& ledger = *new Ledger;  // never destroyed: meshes in static variables may outlive it otherwise
  return ledger;
}

void free_orphans() {
  const std::lock_guard lock(ledger().mutex);
  for (MPI_Comm& comm : std::exchange(ledger().orphans, {})) MPI_Comm_free(&comm);
}

/// Runs first in MPI_Finalize, where MPI still works: after it all handles are inert.
int on_finalise(MPI_Comm, int, void*, void*) {
  free_orphans();
  std::vector<MeshState*> open;
  {
    const std::lock_guard lock(ledger().mutex);
    open = ledger().open;
  }
  for (MeshState* state : open) {
    std::fputs(state->leak_text().c_str(), stderr);
    state->close();
  }
  release_operators();
  return MPI_SUCCESS;
}

void enter_ledger(MeshState* state) {
  const std::lock_guard lock(ledger().mutex);
  if (!ledger().hooked) {
    int key = MPI_KEYVAL_INVALID;
    checked(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalise, &key, nullptr), "MPI_Comm_create_keyval");
    checked(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr), "MPI_Comm_set_attr");
    MPI_Comm_free_keyval(&key);
    prepare_operators();
    ledger().hooked = true;
  }
  ledger().open.push_back(state);
}

void leave_ledger(MeshState* state) {
  const std::lock_guard lock(ledger().mutex);
  std::erase(ledger().open, state);
}

}  // namespace

MeshState::~MeshState() {
  if (std::uncaught_exceptions() > exceptions_) {
    // The others may not be here: nothing collective now.
    const std::lock_guard lock(ledger().mutex);
    for (const Group& group : groups_) ledger().orphans.push_back(group.comm);
    groups_.clear();
  }
  close();
}

void MeshState::close() {
  leave_ledger(this);
  for (Group& group : groups_) MPI_Comm_free(&group.comm);
  groups_.clear();
  const std::lock_guard lock(mutex_);
  for (const auto& channel : channels_) channel->limit_ = 0;
}

/// One line for a mesh that is still open when MPI ends.
std::string MeshState::leak_text() const {
  std::string axes;
  for (const auto& channel : channels_)
    axes += (axes.empty() ? "\"" : ", \"") + std::string(std::string_view(channel->axis_.name)) + "\"";
  return "axial: " + text_ + " with axes " + axes + ", made at " + where_.file_name() + ":" +
         std::to_string(where_.line()) + ", is still open at MPI_Finalize\n";
}

const MeshState::Group* MeshState::find(const Layout& layout) const {
  const auto found = std::ranges::find(groups_, layout, &Group::layout);
  return found == groups_.end() ? nullptr : &*found;
}

void MeshState::make_group(MPI_Comm view, MPI_Group members_of_view, const AxisInfo& axis) {
  const Layout& layout = *axis.layout;
  const unsigned extent = size_of(layout);
  if (extent == 1 || find(layout)) return;
  const unsigned coordinate = index_of(layout, position_);
  const unsigned first = position_ - position_of(layout, coordinate);
  std::vector<int> ranks(extent);
  for (unsigned i = 0; i < extent; ++i) ranks[i] = static_cast<int>(map_.rank_at(first + position_of(layout, i)));

  MPI_Group group = MPI_GROUP_NULL;
  checked(MPI_Group_incl(members_of_view, static_cast<int>(extent), ranks.data(), &group), "MPI_Group_incl", axis.name);
  MPI_Comm comm = MPI_COMM_NULL;
  const int code = MPI_Comm_create_group(view, group, 0, &comm);
  MPI_Group_free(&group);
  checked(code, "MPI_Comm_create_group", axis.name);
  groups_.push_back({layout, comm, coordinate});

  const std::string axis_name(std::string_view(axis.name));
  checked(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", axis.name);
  checked(MPI_Comm_set_name(comm, ("axial:" + (name_.empty() ? "" : name_ + ":") + axis_name).c_str()),
          "MPI_Comm_set_name", axis.name);
  int rank = -1;
  checked(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank", axis.name);
  if (rank != static_cast<int>(coordinate))
    throw MeshError("MPI gave rank " + std::to_string(rank) + " to coordinate " + std::to_string(coordinate) +
                    " of \"" + axis_name + "\"");
}

const Channel& MeshState::channel_of(const AxisInfo& axis, Channel* (*make)(const Channel::Seed&)) {
  const std::lock_guard lock(mutex_);
  for (const auto& channel : channels_)
    if (channel->axis_.name == axis.name && *channel->axis_.layout == *axis.layout) return *channel;
  const Group* group = find(*axis.layout);
  channels_.emplace_back(make({.axis = axis,
                               .handle = bits_of(group ? group->comm : MPI_COMM_SELF),
                               .coordinate = group ? group->coordinate : 0}));
  return *channels_.back();
}

SharedState make_state(const CommunicatorView& view, const MeshInfo& mesh, const Options& options,
                       const std::source_location& where) {
  const MPI_Comm comm = view.native_handle<MPI_Comm>();
  const ReturnErrors errors_return(comm);
  agree(comm, mesh, options, view.size());
  if (std::uncaught_exceptions() == 0) free_orphans();
  const auto state = std::make_shared<MeshState>(title(mesh, options), view.rank(), mesh.map, options.name, where);
  enter_ledger(state.get());
  MPI_Group members = MPI_GROUP_NULL;
  checked(MPI_Comm_group(comm, &members), "MPI_Comm_group");
  const std::unique_ptr<MPI_Group, void (*)(MPI_Group*)> freed(&members,
                                                               [](MPI_Group* group) { MPI_Group_free(group); });
  try {
    for (unsigned i = 0; i < mesh.ndim; ++i) state->make_group(comm, members, mesh.axes[i]);
  } catch (...) {
    state->close();  // here, since the destructor frees nothing while an exception leaves
    throw;
  }
  return SharedState(state);
}

SharedState::SharedState(std::shared_ptr<MeshState> state) noexcept : state_(std::move(state)) {}
SharedState::SharedState(const SharedState&) noexcept = default;
SharedState::SharedState(SharedState&&) noexcept = default;
SharedState& SharedState::operator=(const SharedState&) noexcept = default;
SharedState& SharedState::operator=(SharedState&&) noexcept = default;
SharedState::~SharedState() = default;

void SharedState::close() const { state_->close(); }
unsigned SharedState::rank() const { return state_->rank(); }
const Channel& SharedState::channel_of(const AxisInfo& axis, Channel* (*make)(const Channel::Seed&)) const {
  return state_->channel_of(axis, make);
}

}  // namespace axial
