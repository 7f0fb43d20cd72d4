// SPDX-License-Identifier: BSL-1.0
// Creation: the ranks agree on the mesh, then each makes the communicators of its own axes, then they agree that all
// could.
module;
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "handle.hpp"

module axial;
import :state;

namespace axial {
namespace {

constexpr const char* library_version = AXIAL_VERSION;

std::string plural(unsigned count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// `3,2,1,0`, or `by node`.
std::string text_of(const RankMap& map) {
  if (map.is_by_node()) return "by node";
  std::string text;
  for (std::size_t i = 0; i < map.size(); ++i) text += (i ? "," : "") + std::to_string(map.data()[i]);
  return text;
}

/// `; tp=3 would fit`: the extents that, changed alone, make the product fit the number of ranks.
std::string single_extent_that_fits(const MeshLayout& mesh, unsigned size) {
  std::string text;
  for (unsigned i = 0; i < mesh.ndim; ++i) {
    const unsigned rest = mesh.ranks / mesh.extent(i);
    if (size % rest != 0) continue;
    text += (text.empty() ? "; " : " or ") + std::string(std::string_view(mesh.names[i])) + "=" +
            std::to_string(size / rest);
  }
  if (mesh.ndim == 0 || size == 0) return "";
  return text.empty() ? "; no other extent of a single dimension would fit" : text + " would fit";
}

[[noreturn]] void throw_wrong_world(const MeshInfo& info, const Options& options, unsigned size, const char* have) {
  const MeshLayout& mesh = *info.mesh;
  std::string factors;
  for (unsigned i = 0; i < mesh.ndim; ++i) factors += (i ? "*" : "") + std::to_string(mesh.extent(i));
  const bool whole = mesh.size() == mesh.ranks;  // else it is a sub-mesh: other axes of its root are not known here
  throw MeshError(title_of(info, options) + " needs " + (whole && mesh.ndim > 1 ? factors + " = " : "") +
                  plural(mesh.ranks, "rank") + ", and " + have + std::to_string(size) +
                  (whole ? single_extent_that_fits(mesh, size) : ""));
}

/// The number of ranks must be what the mesh has, or where it is dynamic, a multiple of the rest.
void check_world(const MeshInfo& info, const Options& options, unsigned size, const char* have) {
  if (info.mesh->any) return;
  if (info.mesh->ranks != dynamic) {
    if (info.mesh->ranks != size) throw_wrong_world(info, options, size, have);
    return;
  }
  const unsigned rest = size % info.divisor;
  if (rest == 0 && size > 0) return;
  const std::string lower = size > rest ? std::to_string(size - rest) + " or " : "";
  throw MeshError(title_of(info, options) + " needs a multiple of " + plural(info.divisor, "rank") + ", and " + have +
                  std::to_string(size) + "; " + lower + std::to_string(size - rest + info.divisor) + " would fit");
}

/// The members of a subset must be different ranks of the communicator.
void check_subset(const RankMap& ranks, unsigned size) {
  if (ranks.is_by_node()) throw MeshError("init_device_mesh_on takes a list of ranks; an order of them is a rank_map");
  std::set<unsigned> seen;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const std::string rank = "rank " + std::to_string(ranks.data()[i]);
    if (ranks.data()[i] >= size)
      throw MeshError("init_device_mesh_on names " + rank + ", and the communicator has the ranks 0 to " +
                      std::to_string(size - 1));
    if (!seen.insert(ranks.data()[i]).second) throw MeshError("init_device_mesh_on names " + rank + " twice");
  }
}

/// The steps of making a mesh on one rank. What fails is kept until the ranks agree, so that none leaves the others.
class Creation {
 public:
  Creation(const CommunicatorView& view, const MeshInfo& info, const Options& options,
           const std::source_location& where, const RankMap* subset)
      : view_(view),
        info_(info),
        options_(options),
        where_(where),
        subset_(subset),
        deadline_(options.timeout),
        comm_(view.native_handle<MPI_Comm>()) {}

  Made run() {
    std::optional<ReturnErrors> errors_return;
    failure_.attempt([&] { errors_return.emplace(comm_); });
    failure_.attempt([&] { prepare_for_finalise(); });
    failure_.attempt([&] { number_members(); });
    const bool by_node = options_.rank_map.is_by_node();
    if (!by_node && !failure_) failure_.attempt([&] { make_state(); });
    const Party all(view_, deadline_, what());
    all.agree("agreement", description_of(info_, options_, subset_), failure_);
    if (by_node) {
      all.arrive("order by node", {});
      order_by_node();
      if (!failure_) failure_.attempt([&] { make_state(); });
      all.agree("order by node", "", failure_);
    }
    if (!is_member_) return {SharedState::moved_from(), false};
    make_communicators(errors_return);
    return {SharedState(state_), true};
  }

 private:
  /// The rank at each place; `ranks_` is left empty where each rank is at its own.
  void number_members() {
    if (options_.timeout.count() < 0)
      throw MeshError("timeout is " + std::to_string(options_.timeout.count()) +
                      " ms; it must be positive, or 0 for none");
    const unsigned size = subset_ ? static_cast<unsigned>(subset_->size()) : view_.size();
    if (subset_) check_subset(*subset_, view_.size());
    check_world(info_, options_, size, subset_ ? "the list names " : "the communicator has ");
    world_ = size;
    const RankMap& map = options_.rank_map;
    if (subset_) ranks_.assign(subset_->data(), subset_->data() + size);
    if (map.size() == 0) return;
    const std::vector<long long> given(map.data(), map.data() + map.size());
    std::vector<unsigned> ranks(given.size()), places(given.size());
    const Message problem =
        explain_ranks("rank_map", given.data(), static_cast<unsigned>(given.size()), size, ranks.data(), places.data());
    if (problem.length) throw MeshError(std::string(problem.data(), problem.size()));
    if (subset_)
      for (unsigned& rank : ranks) rank = ranks_[rank];
    if (!is_identity(ranks.data(), size) || subset_) ranks_ = std::move(ranks);
  }

  /// The state, and the groups of its axes: all that is local and could fail later.
  void make_state() {
    is_member_ = !subset_ || std::ranges::find(ranks_, view_.rank()) != ranks_.end();
    if (!is_member_) return;
    state_ = std::make_shared<MeshState>(info_, options_, where_, &view_, world_, view_.rank(), ranks_);
    if (options_.lazy || info_.mesh->any) return;
    plans_.reserve(info_.mesh->ndim);
    OwnedGroup members;
    checked(MPI_Comm_group(comm_, members.out()), "MPI_Comm_group");
    for (unsigned i = 0; i < info_.mesh->ndim; ++i)
      if (state_->needs(info_.axes[i]) && !is_planned(info_.axes[i]))
        plans_.push_back(state_->plan(info_.axes[i], members.get()));
    members.free({});
  }
  bool is_planned(const AxisInfo& axis) const {
    const Layout layout = state_->concrete(*axis.layout);
    return std::ranges::any_of(plans_, [&](const Plan& plan) { return plan.layout == layout; });
  }

  // Said of deadlines alone.
  std::string what() const { return deadline_.is_set() ? "the creation of " + title_of(info_, options_) : ""; }
  std::string does_not_end() const { return deadline_.is_set() ? what() + " did not end " + deadline_.text() : ""; }

  void order_by_node() {
    const Watchdog watchdog(deadline_, does_not_end());
    const Hosts hosts = hosts_of(comm_, view_.rank(), view_.size(), failure_);
    if (failure_) return;
    std::vector<unsigned> order(view_.size());
    hosts.order_by_node(order.data());
    if (subset_) {
      const std::set<unsigned> members(ranks_.begin(), ranks_.end());
      std::erase_if(order, [&](unsigned rank) { return !members.contains(rank); });
    }
    ranks_ = is_identity(order.data(), static_cast<unsigned>(order.size())) && !subset_ ? std::vector<unsigned>()
                                                                                        : std::move(order);
  }

  void make_communicators(std::optional<ReturnErrors>& errors_return) {
    const CreationSite site(where_);
    for (Plan& plan : plans_) {
      const std::vector<unsigned> members(plan.ranks.begin(), plan.ranks.end());
      Party(view_, deadline_, what(), members).arrive("communicator", plan.axis.name);
      const Watchdog watchdog(deadline_, does_not_end());
      failure_.attempt([&] { state_->make(plan, 0); });
    }
    failure_.attempt([&] { errors_return->restore(); });
    if (plans_.empty() && options_.lazy) {
      if (failure_) failure_.rethrow(view_.rank(), false);
      return;
    }
    try {
      Party(view_, deadline_, what(), subset_ ? ranks_ : std::vector<unsigned>()).agree("completion", "", failure_);
    } catch (const Timeout&) {
      throw;  // nothing is freed: some ranks may be using it
    } catch (...) {
      state_->close();  // here, since the destructor frees nothing while an exception leaves
      throw;
    }
  }

  const CommunicatorView& view_;
  const MeshInfo& info_;
  const Options& options_;
  const std::source_location& where_;
  const RankMap* subset_;
  Deadline deadline_;
  MPI_Comm comm_;
  Failure failure_;
  unsigned world_ = 1;
  std::vector<unsigned> ranks_;
  bool is_member_ = true;
  std::shared_ptr<MeshState> state_;
  std::vector<Plan> plans_;
};

}  // namespace

std::string description_of(const MeshInfo& mesh, const Options& options, const RankMap* subset) {
  std::string text = title_of(mesh, options);
  if (options.timeout.count() != 0) text += ", timeout " + std::to_string(options.timeout.count()) + " ms";
  if (options.lazy) text += ", lazy";
  if (options.check) text += ", checked";
  if (options.rank_map.size() || options.rank_map.is_by_node()) text += ", rank_map " + text_of(options.rank_map);
  if (subset) text += ", on ranks " + text_of(*subset);
  return text + " (axial " + library_version + ")";
}

std::string title_of(const MeshInfo& mesh, const Options& options) {
  return options.name.empty() ? std::string(mesh.text) : mesh.text + " named \"" + options.name + "\"";
}

Made make_state(const CommunicatorView& view, const MeshInfo& info, const Options& options,
                const std::source_location& where, const RankMap* ranks) {
  return Creation(view, info, options, where, ranks).run();
}

namespace {

/// The rank in `comm` of the first rank of `node`. Local: a rank whose split has failed would not answer on it.
unsigned first_of(MPI_Comm node, MPI_Comm comm) {
  OwnedGroup mine, all;
  checked(MPI_Comm_group(node, mine.out()), "MPI_Comm_group");
  checked(MPI_Comm_group(comm, all.out()), "MPI_Comm_group");
  const int first = 0;
  int rank = MPI_UNDEFINED;
  checked(MPI_Group_translate_ranks(mine.get(), 1, &first, all.get(), &rank), "MPI_Group_translate_ranks");
  mine.free({});
  all.free({});
  return static_cast<unsigned>(rank);
}

}  // namespace

Hosts hosts_of(MPI_Comm comm, unsigned rank, unsigned size, Failure& failure) {
  unsigned key = rank;  // the first rank of my node
  MPI_Comm node = MPI_COMM_NULL;
  failure.attempt([&] {
    checked(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
    key = first_of(node, comm);
  });
  if (node != MPI_COMM_NULL) failure.attempt([&] { checked(MPI_Comm_free(&node), "MPI_Comm_free"); });
  std::vector<unsigned> keys(size);
  failure.attempt(
      [&] { checked(MPI_Allgather(&key, 1, MPI_UNSIGNED, keys.data(), 1, MPI_UNSIGNED, comm), "MPI_Allgather"); });
  return Hosts(keys.data(), keys.size());
}

Hosts find_hosts(const CommunicatorView& view) {
  const MPI_Comm comm = view.native_handle<MPI_Comm>();
  Failure failure;
  std::optional<ReturnErrors> errors_return;
  failure.attempt([&] { errors_return.emplace(comm); });
  Hosts hosts = hosts_of(comm, view.rank(), view.size(), failure);
  Party(view, Deadline({}), "find_hosts").agree("find_hosts", "", failure);
  return hosts;
}

}  // namespace axial
