// SPDX-License-Identifier: BSL-1.0
// The state that meshes share: communicators and channels, and how it ends.
module;
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "handle.hpp"

module axial;
import :state;

namespace axial {

MeshState::MeshState(const MeshInfo& info, const Options& options, const std::source_location& where,
                     const CommunicatorView* view, unsigned world, unsigned rank, std::vector<unsigned> ranks)
    : text_(info.text),
      options_(options),
      where_(where),
      world_(world),
      rank_(rank),
      ranks_(std::move(ranks)),
      place_(rank),
      map_(info.map) {
  if (view) {
    view_ = *view;
    view_lives_ = watch_life(view->native_handle<MPI_Comm>());
  }
  if (!ranks_.empty()) {
    places_.assign(view_->size(), no_rank);
    for (unsigned place = 0; place < ranks_.size(); ++place) places_[ranks_[place]] = place;
    place_ = places_[rank_];
  }
  position_ = info.mesh->any ? 0 : map_.position_of(place_);
  ancestries_.push_back({info.mesh, nullptr});
  enter(this);
}

MeshState::MeshState() : status_(Status::moved_from) {
  static constexpr MeshLayout none{};
  ancestries_.push_back({&none, nullptr});
}

MeshState::~MeshState() { leave(this); }

RankTable MeshState::table() const {
  if (ranks_.empty()) return {};
  return {ranks_.data(), places_.data(), static_cast<unsigned>(places_.size())};
}

/// With the extent that the number of ranks gives a dynamic one. Of a mesh that was moved from it is any that is not 1,
/// whose operations would do without communication and not throw.
Layout MeshState::concrete(const Layout& layout) const {
  Layout result;
  for (Mode mode : layout) {
    if (mode.extent == dynamic) mode.extent = status_ == Status::moved_from ? 2 : world_ / mode.stride;
    if (mode.extent > 1) result.push(mode);
  }
  return coalesce(result);
}

const MeshState::Group* MeshState::find(const Layout& layout) const {
  const auto found = std::ranges::find(groups_, layout, &Group::layout);
  return found == groups_.end() ? nullptr : &*found;
}

bool MeshState::needs(const AxisInfo& axis) const {
  const Layout layout = concrete(*axis.layout);
  const std::lock_guard lock(mutex_);
  return layout.count != 0 && !find(layout);
}

Plan MeshState::plan(const AxisInfo& axis, MPI_Group members) const {
  Plan plan{.axis = axis, .layout = concrete(*axis.layout), .ranks = {}, .coordinate = 0};
  plan.coordinate = index_of(plan.layout, position_);
  const unsigned first = position_ - position_of(plan.layout, plan.coordinate);
  plan.ranks.resize(axial::size_of(plan.layout));
  for (unsigned i = 0; i < plan.ranks.size(); ++i)
    plan.ranks[i] = static_cast<int>(table().rank_at(map_.rank_at(first + position_of(plan.layout, i))));
  if (members != MPI_GROUP_NULL)
    checked(MPI_Group_incl(members, static_cast<int>(plan.ranks.size()), plan.ranks.data(), plan.group.out()),
            "MPI_Group_incl", axis.name);
  return plan;
}

void MeshState::make(Plan& plan, int tag) {
  MPI_Comm comm = MPI_COMM_NULL;
  checked(MPI_Comm_create_group(parent(), plan.group.get(), tag, &comm), "MPI_Comm_create_group", plan.axis.name);
  {
    const std::lock_guard lock(mutex_);
    groups_.push_back({plan.layout, plan.coordinate, comm, OwnedComm(comm)});
  }
  plan.group.free(plan.axis.name);
  set_up(comm, options_.name, plan.axis.name);
  int rank = -1;
  checked(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank", plan.axis.name);
  if (rank != static_cast<int>(plan.coordinate))
    throw MeshError("MPI gave rank " + std::to_string(rank) + " to coordinate " + std::to_string(plan.coordinate) +
                    " of \"" + std::string(std::string_view(plan.axis.name)) + "\"");
}

void MeshState::adopt(const AxisInfo& axis, MPI_Comm comm) {
  const Layout layout = concrete(*axis.layout);
  if (layout.count != 0) groups_.push_back({layout, index_of(layout, position_), comm, std::nullopt});
}

MPI_Comm MeshState::parent() const {
  if (!view_)
    throw MeshError(title() +
                    " was adopted from communicators, and none of them has the ranks that are to communicate now");
  if (!*view_lives_)
    throw MeshError("the communicator that " + title() + " was made on was freed, and a further one is needed now");
  return view_->native_handle<MPI_Comm>();
}

void MeshState::create(Channel& channel) {
  check_status("create", channel.axis_.name);
  if (attach_known(channel)) return;
  const Deadline deadline(options_.timeout);
  const MPI_Comm comm = parent();
  const CreationSite site(where_);
  ReturnErrors errors_return(comm);
  OwnedGroup members;
  checked(MPI_Comm_group(comm, members.out()), "MPI_Comm_group");
  Plan plan = this->plan(channel.axis_, members.get());
  Party(*view_, deadline, "the creation of a communicator of " + title(),
        std::vector<unsigned>(plan.ranks.begin(), plan.ranks.end()))
      .arrive("communicator", channel.axis_.name);
  const Watchdog watchdog(deadline, "a communicator of " + title() + " was not made " + deadline.text());
  std::string modes;
  for (const Mode mode : plan.layout) modes += std::to_string(mode.extent) + ":" + std::to_string(mode.stride) + ",";
  make(plan, 1 + static_cast<int>(fingerprint_of(modes) % 32766));  // two threads may be making two axes
  errors_return.restore();
  const std::lock_guard lock(mutex_);
  attach(channel, find(plan.layout)->comm);
}

bool MeshState::attach_known(Channel& channel) {
  const std::lock_guard lock(mutex_);
  if (channel.handle_ == 0)
    if (const Group* group = find(concrete(*channel.axis_.layout))) attach(channel, group->comm);
  return channel.handle_ != 0;
}

void MeshState::attach(Channel& channel, MPI_Comm comm) {
  channel.handle_ = bits_of(comm);
  const bool short_path = options_.timeout.count() == 0 && !options_.check && status_ == Status::open;
  __atomic_store_n(&channel.limit_, short_path ? 2147483647u : 0u, __ATOMIC_RELEASE);
}

const Channel& MeshState::channel_of(const AxisInfo& axis, Channel* (*make)(const Channel::Seed&)) {
  Channel* channel = nullptr;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [known, its_make] : channels_)
      if (its_make == make && known->axis_.name == axis.name && *known->axis_.layout == *axis.layout) return *known;
    const Layout layout = concrete(*axis.layout);
    channel = make(
        {.state = this, .axis = axis, .extent = axial::size_of(layout), .coordinate = index_of(layout, position_)});
    channels_.push_back({std::unique_ptr<Channel>(channel), make});
    if (layout.count == 0)
      attach(*channel, MPI_COMM_SELF);
    else if (const Group* group = find(layout))
      attach(*channel, group->comm);
  }
  if (channel->handle_ == 0 && status_ == Status::open && !options_.lazy) try {
      create(*channel);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      std::erase_if(channels_, [&](const MadeChannel& known) { return known.channel.get() == channel; });
      throw;
    }
  return *channel;
}

void MeshState::prepare(Channel& channel, NameView operation) {
  check_status(operation, channel.axis_.name);
  if (channel.handle_ == 0) create(channel);
}

void MeshState::check_status(NameView operation, NameView axis) const {
  const Status status = status_;
  if (status == Status::open) return;
  TextSink text;
  put(text, operation, NameView(" along \""), axis, NameView("\": the mesh "));
  switch (status) {
    case Status::aborted: put(text, NameView("was aborted")); break;
    case Status::moved_from: put(text, NameView("was moved from")); break;
    case Status::timed_out: {
      const std::lock_guard lock(mutex_);
      put(text, NameView("timed out in "), NameView(cause_.data(), cause_.size()),
          NameView(", and only abort() and the program's end are left"));
      break;
    }
    default: put(text, NameView("is closed"));
  }
  throw MeshError(text.take());
}

void MeshState::time_out(NameView operation, NameView axis, unsigned long long call) {
  const std::string name{std::string_view(operation)}, along{std::string_view(axis)};
  {
    const std::lock_guard lock(mutex_);
    cause_ = name + " along \"" + along + "\", call " + std::to_string(call);
  }
  end(Status::timed_out);
  throw Timeout(name, along, call,
                "not all ranks came " + Deadline(options_.timeout).text() + ", on " + where_am_i() + " of " + title());
}

/// From now on every operation takes the long path, and throws there.
void MeshState::end(Status status) {
  const std::lock_guard lock(mutex_);
  if (status_ == Status::moved_from) return;
  status_ = status;
  for (const auto& [channel, make] : channels_) __atomic_store_n(&channel->limit_, std::size_t{0}, __ATOMIC_RELEASE);
  // What was given up may still be under way on its communicator.
  if (status == Status::closed) {
    for (Group& group : groups_)
      if (group.owned) group.owned->free();
    groups_.clear();
  } else {
    for (Group& group : groups_)
      if (group.owned) group.owned->abandon();
  }
}

void MeshState::close() {
  if (status_ == Status::open) end(Status::closed);
}

void MeshState::abort() {
#ifdef OMPI_HAVE_MPI_EXT_FTMPI  // MPICH declares MPIX_Comm_revoke, too, and stops the program in it (4.0, ch4)
  {
    const std::lock_guard lock(mutex_);
    for (const Group& group : groups_)
      if (group.owned && status_ != Status::closed) MPIX_Comm_revoke(group.comm);
  }
#endif
  if (status_ != Status::closed) end(Status::aborted);
}

const Ancestry* MeshState::derive(const MeshLayout& mesh, const Ancestry* parent) {
  if (is_same_mesh(mesh, *parent->mesh)) return parent;
  const std::lock_guard lock(mutex_);
  for (const Ancestry& known : ancestries_)
    if (known.parent == parent && is_same_mesh(*known.mesh, mesh)) return &known;
  return &ancestries_.emplace_back(Ancestry{&mesh, parent});
}

std::string MeshState::title() const {
  return options_.name.empty() ? text_ : text_ + " named \"" + options_.name + "\"";
}

std::string MeshState::text_of(const MeshLayout& mesh) const {
  TextSink text;
  put(text, NameView("DeviceMesh("));
  for (unsigned i = 0; i < mesh.ndim; ++i)
    put(text, NameView(i ? ", " : ""), mesh.names[i], NameView("="), axial::size_of(mesh.axis(i), world_));
  put(text, NameView(")"));
  return text.take();
}

std::string MeshState::where_am_i() const {
  const MeshLayout& mesh = *root()->mesh;
  std::string text = "rank " + std::to_string(rank_);
  for (unsigned i = 0; i < mesh.ndim; ++i)
    text += (i ? ", " : " (") + std::string(std::string_view(mesh.names[i])) + "=" +
            std::to_string(index_of(concrete(mesh.axis(i)), position_));
  return mesh.ndim ? text + ")" : text;
}

/// Of what is the same for equal meshes everywhere: the root's text and ranks, and this mesh's names and modes.
std::uint64_t MeshState::fingerprint(const MeshLayout& mesh) const {
  TextSink text;
  put(text, NameView(text_.data(), text_.size()), NameView(" "), world_, NameView(" "),
      NameView(options_.name.data(), options_.name.size()));
  for (const unsigned rank : ranks_) put(text, NameView(","), rank);
  for (unsigned i = 0; i < mesh.ndim; ++i) put(text, NameView(" "), mesh.names[i], NameView("="), mesh.axis(i));
  put(text, NameView(" at "), mesh.offset, NameView(" of "), mesh.pinned);
  return fingerprint_of(text.take());
}

std::string MeshState::describe(const MeshLayout& mesh) const {
  const unsigned communicators = distinct_axes(mesh);
  std::string text = text_of(mesh) + (options_.name.empty() ? "" : " named \"" + options_.name + "\"") + " on " +
                     where_am_i() + " of " + std::to_string(world_) + ", " + std::to_string(communicators) +
                     (communicators == 1 ? " communicator" : " communicators") + (options_.lazy ? ", lazy" : "") +
                     (options_.check ? ", checked" : "");
  if (options_.timeout.count()) text += ", timeout " + std::to_string(options_.timeout.count()) + " ms";
  for (unsigned i = 0; i < mesh.ndim; ++i) {
    const Layout axis = mesh.axis(i);
    const Plan plan = this->plan({mesh.names[i], &axis}, MPI_GROUP_NULL);
    text += "\n  " + std::string(std::string_view(mesh.names[i])) + "=" + std::to_string(plan.ranks.size()) + ": ranks";
    for (std::size_t j = 0; j < plan.ranks.size(); ++j) text += (j ? ", " : " ") + std::to_string(plan.ranks[j]);
  }
  return text;
}

Hosts MeshState::find_hosts() const {
  check_status("find_hosts", root()->mesh->ndim ? root()->mesh->names[0] : NameView());
  return axial::find_hosts(view_->subset(view_ranks()));
}

/// The ranks of the view that are members, increasing.
std::vector<unsigned> MeshState::view_ranks() const {
  parent();
  std::vector<unsigned> ranks(world_);
  for (unsigned place = 0; place < world_; ++place) ranks[place] = table().rank_at(place);
  std::ranges::sort(ranks);
  return ranks;
}

bool is_same_mesh(const MeshLayout& a, const MeshLayout& b) {
  if (&a == &b) return true;
  bool same = a.ndim == b.ndim && a.ranks == b.ranks && a.pinned == b.pinned && a.offset == b.offset;
  for (unsigned i = 0; same && i < a.ndim; ++i) same = a.names[i] == b.names[i] && a.axis(i) == b.axis(i);
  return same;
}

SharedState::SharedState(std::shared_ptr<MeshState> state) noexcept : state_(std::move(state)) {}
SharedState::SharedState(const SharedState&) noexcept = default;
SharedState::SharedState(SharedState&&) noexcept = default;
SharedState& SharedState::operator=(const SharedState&) noexcept = default;
SharedState& SharedState::operator=(SharedState&&) noexcept = default;
SharedState::~SharedState() = default;
const SharedState& SharedState::moved_from() {
  static const SharedState& state = *new SharedState(std::make_shared<MeshState>());
  return state;
}

std::size_t SharedState::hash() const noexcept { return std::hash<std::shared_ptr<MeshState>>{}(state_); }
void SharedState::close() const { state_->close(); }
void SharedState::abort() const { state_->abort(); }
unsigned SharedState::rank() const { return state_->rank(); }
unsigned SharedState::place() const { return state_->place(); }
unsigned SharedState::world() const { return state_->world(); }
RankTable SharedState::table() const { return state_->table(); }
const Options& SharedState::options() const { return state_->options(); }
const Ancestry* SharedState::root() const { return state_->root(); }
const Ancestry* SharedState::derive(const MeshLayout& mesh, const Ancestry* parent) const {
  return state_->derive(mesh, parent);
}
std::uint64_t SharedState::fingerprint(const MeshLayout& mesh) const { return state_->fingerprint(mesh); }
std::string SharedState::describe(const MeshLayout& mesh) const { return state_->describe(mesh); }
Hosts SharedState::find_hosts() const { return state_->find_hosts(); }
const Channel& SharedState::channel_of(const AxisInfo& axis, Channel* (*make)(const Channel::Seed&)) const {
  return state_->channel_of(axis, make);
}
void SharedState::create(const Channel& channel) const {
  state_->create(const_cast<Channel&>(channel));  // the state's own
}

unsigned SharedState::index_in(const MeshLayout& mesh, const AxisInfo& axis) const {
  for (unsigned i = 0; i < mesh.ndim; ++i)
    if (mesh.names[i] == axis.name && mesh.axis(i) == *axis.layout) return i;
  for (unsigned i = 0; i < mesh.ndim; ++i)
    if (axis.layout->count != 0 && mesh.axis(i) == *axis.layout) return i;
  return no_dimension;
}

void SharedState::check_divides(const Text& mesh, unsigned divisor) const {
  if (state_->world() % divisor != 0)
    throw MeshError("view_as: " + std::string(mesh) + " needs a multiple of " + std::to_string(divisor) +
                    " ranks, and the mesh has " + std::to_string(state_->world()));
}

bool SharedState::has_map(const BaseMap& map) const {
  const BaseMap& mine = state_->map();
  if (mine.ranks == map.ranks) return true;  // most often: both are the same array, or none
  for (unsigned position = 0; position < state_->world(); ++position)
    if (mine.rank_at(position) != map.rank_at(position)) return false;
  return true;
}

void throw_other_root(NameView operation) {
  throw MeshError(std::string(std::string_view(operation)) + ": the meshes have different root meshes");
}

unsigned UntypedMesh::ndim() const { return entry_->mesh->ndim; }
unsigned UntypedMesh::extent(unsigned dimension) const {
  return axial::size_of(entry_->mesh->axis(dimension), state_.world());
}
NameView UntypedMesh::name(unsigned dimension) const { return entry_->mesh->names[dimension]; }
unsigned UntypedMesh::size() const {
  unsigned size = 1;
  for (unsigned i = 0; i < ndim(); ++i) size *= extent(i);
  return size;
}
const Options& UntypedMesh::options() const { return state_.options(); }
std::uint64_t UntypedMesh::fingerprint() const { return state_.fingerprint(*entry_->mesh); }
void UntypedMesh::abort() const {
  if (!is_whole(*entry_->mesh)) throw MeshError("abort ends a whole mesh: this one is a part of another");
  state_.abort();
}
bool UntypedMesh::is(const UntypedMesh& other) const {
  return state_.is(other.state_) && is_same_mesh(*entry_->mesh, *other.entry_->mesh);
}
void UntypedMesh::check_is(const MeshLayout& mesh, const BaseMap& map) const {
  const bool same_axes = is_same_mesh(*entry_->mesh, mesh);
  if (same_axes && state_.has_map(map)) return;
  TextSink text;
  put(text, NameView("the mesh is "), *this, NameView(", not DeviceMesh("));
  for (unsigned i = 0; i < mesh.ndim; ++i) {
    put(text, NameView(i ? ", " : ""), mesh.names[i], NameView("="));
    put_extent(text, mesh.extent(i));
  }
  put(text, NameView(same_axes ? ") with another base map" : ")"));
  throw MeshError(text.take());
}

namespace {
thread_local const ScopedMesh* innermost = nullptr;
}

ScopedMesh::ScopedMesh(const UntypedMesh& mesh) : mesh_(mesh), outer_(std::exchange(innermost, this)) {}
ScopedMesh::~ScopedMesh() { innermost = outer_; }

const UntypedMesh& current_mesh() {
  if (innermost == nullptr)
    throw MeshError("there is no current mesh on this thread: make one with `ScopedMesh scope(mesh);`");
  return innermost->mesh_;
}

}  // namespace axial
