// SPDX-License-Identifier: BSL-1.0
// Meshes at run time: the environment, the ranks that a mesh is made on, and DeviceMesh.
module;
#include <cstddef>
#include <memory>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

export module axial:device_mesh;
export import :communicator;

#pragma clang diagnostic ignored "-Wc++26-extensions"  // static_assert with a computed text

namespace axial {

/// A communicator that is not ours: it is looked at and never freed. Communicated on only by `init_device_mesh`.
export class CommunicatorView {
 public:
  /// My rank in it.
  unsigned rank() const;
  /// Its number of ranks.
  unsigned size() const;
  /// The handle itself, `native_handle<MPI_Comm>()`.
  template <class Handle>
  Handle native_handle() const {
    Handle handle;
    copy_handle(&handle, sizeof handle);
    return handle;
  }

 private:
  friend CommunicatorView borrow_handle(const void* handle, std::size_t size);
  explicit CommunicatorView(Bits bits) : bits_(bits) {}
  void copy_handle(void* to, std::size_t size) const;
  Bits bits_;
};

CommunicatorView borrow_handle(const void* handle, std::size_t size);

/// A view of an existing communicator: `borrow(MPI_COMM_WORLD)`. Throws MeshError when it is null or an
/// intercommunicator, or when MPI is not initialised.
export template <class Handle>
CommunicatorView borrow(Handle communicator) {
  static_assert(std::is_trivially_copyable_v<Handle>, "borrow takes an MPI_Comm");
  return borrow_handle(&communicator, sizeof communicator);
}

/// How many threads may call MPI, as MPI_THREAD_SINGLE ... MPI_THREAD_MULTIPLE.
export enum class ThreadLevel { single, funneled, serialized, multiple };

/// MPI from construction to destruction: initialised here and finalised at the end, or borrowed when the program has
/// initialised it already. Throws Error when MPI offers less than the thread level asked for, or was finalised before.
export class Environment {
 public:
  explicit Environment(ThreadLevel level = ThreadLevel::funneled);
  Environment(int argc, char** argv, ThreadLevel level = ThreadLevel::funneled);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  /// All processes of the job.
  CommunicatorView world() const;
  /// The thread level that MPI offers.
  ThreadLevel thread_level() const;
  /// True when this object initialised MPI and will finalise it.
  bool owns_mpi() const;

 private:
  bool owns_ = false;
  int exceptions_;
};

int run_erased(int argc, char** argv, ThreadLevel level, int (*call)(void*, Environment&), void* f);

/// Calls f(environment) and returns what it returns, or 0. An exception that leaves f on one rank is printed and ends
/// the whole job; one that leaves f on all ranks by agreement is printed by each, and each returns EXIT_FAILURE.
export template <class F>
int run(int argc, char** argv, F&& f, ThreadLevel level = ThreadLevel::funneled) {
  using Function = std::remove_reference_t<F>;
  Function* pointer = std::addressof(f);
  const auto call = [](void* to_pointer, Environment& environment) -> int {
    Function& callee = **static_cast<Function**>(to_pointer);
    if constexpr (std::is_void_v<decltype(callee(environment))>)
      return callee(environment), 0;
    else
      return static_cast<int>(callee(environment));
  };
  return run_erased(argc, argv, level, call, &pointer);
}

/// Options of a mesh; all meshes derived from it have the same.
export struct Options {
  std::string name;  ///< Shown in errors and in the names of the communicators.
};

/// A mesh type as the run time sees it.
struct MeshInfo {
  Text text;
  unsigned world;
  unsigned ndim;
  const AxisInfo* axes;
  BaseMap map;
};

class MeshState;

/// A share of a state. A class of its own, so that no importer instantiates std::shared_ptr.
class SharedState {
 public:
  explicit SharedState(std::shared_ptr<MeshState> state) noexcept;
  SharedState(const SharedState&) noexcept;
  SharedState(SharedState&&) noexcept;
  SharedState& operator=(const SharedState&) noexcept;
  SharedState& operator=(SharedState&&) noexcept;
  ~SharedState();

  void close() const;
  /// My rank in the communicator that the mesh was made from.
  unsigned rank() const;
  /// The channel of this axis, made (with new) by `make` when the state has none yet.
  const Channel& channel_of(const AxisInfo& axis, Channel* (*make)(const Channel::Seed&)) const;

 private:
  std::shared_ptr<MeshState> state_;
};

/// Collective over the view: agreement, then the communicators of all axes.
SharedState make_state(const CommunicatorView&, const MeshInfo&, const Options&, const std::source_location&);

template <class AxisT>
inline constexpr AxisInfo axis_info{AxisT::name.view(), &AxisT::layout};

template <class T>
inline constexpr bool is_tag = false;
template <fixed_string Name>
inline constexpr bool is_tag<axis_tag<Name>> = true;

/// True for a first argument that is data, not the tag of an axis.
template <class First>
concept data_argument = !is_tag<std::remove_cvref_t<First>>;

/// A mesh on running processes, held by a member of it: has all queries of M as members, my place in it, and a
/// communicator for each axis. Copies and derived meshes share state and communicators; nothing but the operations
/// that say so communicates. Communicators are freed with the last of them; after MPI_Finalize they are inert.
export template <mesh_type M, class Backend = mpi>
class DeviceMesh : public M::base {
  using Base = typename M::base;
  using RootT = root_t<typename Base::mesh>;

 public:
  using mesh_type = M;
  template <fixed_string... Key>
  using rank_type = Rank<Base::template axis_type<Key...>::name>;
  template <fixed_string... Key>
  using communicator_type = Communicator<RootT, typename Base::template axis_type<Key...>, Backend>;
  template <fixed_string... Key>
  using peer_type = typename communicator_type<Key...>::peer_type;

  /// Made by `init_device_mesh` and the operations below.
  explicit DeviceMesh(SharedState state)
      : state_(static_cast<SharedState&&>(state)), rank_(state_.rank()), mine_(Base::coordinates_of(rank_)) {
    fill_channels(std::make_index_sequence<M::ndim()>{});
  }

  /// My rank in the communicator that the mesh was made from.
  GlobalRank rank() const { return GlobalRank(rank_); }

  /// My coordinate along one axis.
  template <fixed_string... Key>
  rank_type<Key...> local_rank() const {
    using found = typename Base::template pick<Rule::one, Key...>;
    if constexpr (found::ok) {
      return rank_type<Key...>(mine_.values[found::axis]);
    } else {
      static_assert(false, found::explain("local_rank"));
      return {};
    }
  }
  template <fixed_string Key>
  rank_type<Key> local_rank(axis_tag<Key>) const {
    return local_rank<Key>();
  }

  /// My coordinates.
  Coordinates<typename Base::mesh> coordinates() const { return mine_; }

  /// The communicator of one axis; lives as long as any mesh that shares this one's state.
  template <fixed_string... Key>
  const auto& communicator() const {
    return communicator_for<"communicator", Key...>();
  }
  template <fixed_string Key>
  const auto& communicator(axis_tag<Key>) const {
    return communicator_for<"communicator", Key>();
  }

  /// The ranks of my group along one axis, or along several flattened, in coordinate order.
  template <fixed_string... Keys>
  auto group_ranks() const {
    using found = typename Base::template pick<Rule::some, Keys...>;
    if constexpr (found::ok) {
      return Base::template group_of<Keys...>(rank_);
    } else {
      static_assert(false, found::explain("group_ranks"));
      return group_t<M, found>{};
    }
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  auto group_ranks(axis_tag<Keys>...) const {
    return group_ranks<Keys...>();
  }

  using Base::shard;
  /// My share of n items along one axis.
  template <fixed_string... Key>
  Shard shard(std::size_t n) const {
    using found = typename Base::template pick<Rule::one, Key...>;
    if constexpr (found::ok) {
      return Base::template shard<Key...>(n, mine_.values[found::axis]);
    } else {
      static_assert(false, found::explain("shard"));
      return {};
    }
  }
  template <fixed_string Key>
  Shard shard(axis_tag<Key>, std::size_t n) const {
    return shard<Key>(n);
  }

  /// The mesh of these axes, in this order, with my coordinates in it.
  template <fixed_string... Keys>
  auto submesh() const {
    using found = typename Base::template pick<Rule::some, Keys...>;
    if constexpr (!found::ok) static_assert(false, found::explain("submesh"));
    return DeviceMesh<made<M, submesh_of<M, Keys...>>, Backend>(state_);
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  auto submesh(axis_tag<Keys>...) const {
    return submesh<Keys...>();
  }

  /// The same axes in another order; names each exactly once.
  template <fixed_string... Keys>
  auto permute() const {
    using found = typename Base::template pick<Rule::all, Keys...>;
    if constexpr (!found::ok) static_assert(false, found::explain("permute"));
    return DeviceMesh<made<M, permute_of<M, Keys...>>, Backend>(state_);
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  auto permute(axis_tag<Keys>...) const {
    return permute<Keys...>();
  }

  /// The mesh of all axes but these, in mesh order.
  template <fixed_string... Keys>
  auto others() const {
    using found = typename Base::template pick<Rule::some, Keys...>;
    if constexpr (!found::ok) static_assert(false, found::explain("others"));
    return DeviceMesh<made<M, others_of<M, Keys...>>, Backend>(state_);
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  auto others(axis_tag<Keys>...) const {
    return others<Keys...>();
  }

  // The collectives of communicator<Key>(), by the same names.
  template <fixed_string... Key, data_argument First, class... Rest>
  auto all_reduce(First&& first, Rest&&... rest) const {
    return communicator_for<"all_reduce", Key...>().all_reduce(static_cast<First&&>(first),
                                                               static_cast<Rest&&>(rest)...);
  }
  template <fixed_string Key, class... Arguments>
  auto all_reduce(axis_tag<Key>, Arguments&&... arguments) const {
    return communicator_for<"all_reduce", Key>().all_reduce(static_cast<Arguments&&>(arguments)...);
  }
  template <fixed_string... Key, data_argument First, class... Rest>
  auto all_gather(First&& first, Rest&&... rest) const {
    return communicator_for<"all_gather", Key...>().all_gather(static_cast<First&&>(first),
                                                               static_cast<Rest&&>(rest)...);
  }
  template <fixed_string Key, class... Arguments>
  auto all_gather(axis_tag<Key>, Arguments&&... arguments) const {
    return communicator_for<"all_gather", Key>().all_gather(static_cast<Arguments&&>(arguments)...);
  }
  template <fixed_string... Key, data_argument First, class... Rest>
  auto reduce_scatter(First&& first, Rest&&... rest) const {
    return communicator_for<"reduce_scatter", Key...>().reduce_scatter(static_cast<First&&>(first),
                                                                       static_cast<Rest&&>(rest)...);
  }
  template <fixed_string Key, class... Arguments>
  auto reduce_scatter(axis_tag<Key>, Arguments&&... arguments) const {
    return communicator_for<"reduce_scatter", Key>().reduce_scatter(static_cast<Arguments&&>(arguments)...);
  }
  // Those with a root name its type, so that the compiler checks a constant.
  template <fixed_string... Key, data_argument X>
  auto broadcast(X&& x, peer_type<Key...> root) const {
    return communicator_for<"broadcast", Key...>().broadcast(static_cast<X&&>(x), root);
  }
  template <fixed_string... Key, data_argument In, class Out>
  void broadcast(const In& in, Out&& out, peer_type<Key...> root) const {
    communicator_for<"broadcast", Key...>().broadcast(in, out, root);
  }
  template <fixed_string Key, class X>
  auto broadcast(axis_tag<Key>, X&& x, peer_type<Key> root) const {
    return communicator_for<"broadcast", Key>().broadcast(static_cast<X&&>(x), root);
  }
  template <fixed_string Key, class In, class Out>
  void broadcast(axis_tag<Key>, const In& in, Out&& out, peer_type<Key> root) const {
    communicator_for<"broadcast", Key>().broadcast(in, out, root);
  }
  template <fixed_string... Key, data_argument X, Operator Op>
  auto reduce(X&& x, Reduction<Op> op, peer_type<Key...> root) const {
    return communicator_for<"reduce", Key...>().reduce(static_cast<X&&>(x), op, root);
  }
  template <fixed_string... Key, data_argument In, class Out, Operator Op>
  void reduce(const In& in, Out&& out, Reduction<Op> op, peer_type<Key...> root) const {
    communicator_for<"reduce", Key...>().reduce(in, out, op, root);
  }
  template <fixed_string Key, class X, Operator Op>
  auto reduce(axis_tag<Key>, X&& x, Reduction<Op> op, peer_type<Key> root) const {
    return communicator_for<"reduce", Key>().reduce(static_cast<X&&>(x), op, root);
  }
  template <fixed_string Key, class In, class Out, Operator Op>
  void reduce(axis_tag<Key>, const In& in, Out&& out, Reduction<Op> op, peer_type<Key> root) const {
    communicator_for<"reduce", Key>().reduce(in, out, op, root);
  }
  template <fixed_string... Key>
  void barrier() const {
    communicator_for<"barrier", Key...>().barrier();
  }
  template <fixed_string Key>
  void barrier(axis_tag<Key>) const {
    communicator_for<"barrier", Key>().barrier();
  }

  /// Frees the communicators of this mesh and of all that share its state: collective over the ranks of the mesh.
  /// Afterwards their collectives throw. A second call does nothing.
  void close() { state_.close(); }

  /// `DeviceMesh(dp=2, tp=4)`
  template <class Sink>
  friend void put(Sink& sink, const DeviceMesh&) {
    put(sink, NameView("DeviceMesh("));
    put_extents(sink, Base::names(), Base::shape(dynamic));
    put(sink, NameView(")"));
  }

 private:
  /// The communicator that an operation needs, or the error that names the operation. The return type is deduced, so
  /// that the error shows the user's line.
  template <fixed_string Operation, fixed_string... Key>
  const auto& communicator_for() const {
    using found = typename Base::template pick<Rule::one, Key...>;
    if constexpr (!found::ok) static_assert(false, found::explain(Operation));
    return static_cast<const communicator_type<Key...>&>(*channels_[found::axis]);
  }
  template <std::size_t... I>
  void fill_channels(std::index_sequence<I...>) {
    ((channels_[I] = &state_.channel_of(axis_info<axis_t<M, I>>, make_channel<axis_t<M, I>>)), ...);
  }
  template <class AxisT>
  static Channel* make_channel(const Channel::Seed& seed) {
    return new Communicator<RootT, AxisT, Backend>(seed);
  }

  SharedState state_;
  const Channel* channels_[M::ndim() ? M::ndim() : 1] = {};
  unsigned rank_;
  Coordinates<typename Base::mesh> mine_;
};

template <class M, std::size_t... I>
MeshInfo mesh_info(std::index_sequence<I...>) {
  static constexpr AxisInfo axes[] = {axis_info<axis_t<M, I>>..., AxisInfo{}};
  return {to_string(M{}), M::world(), M::ndim(), axes, root_t<M>::base_type::map};
}

/// Makes the mesh M on all ranks of a communicator; collective over it. First the ranks agree on the mesh and the
/// options: on a difference, or when M has not as many ranks as the communicator, all of them throw the same MeshError.
/// Then each rank makes the communicators of its own axes, one for each distinct list of more than one rank.
export template <mesh_type M, class Backend = mpi>
auto init_device_mesh(const CommunicatorView& view, const Options& options = {},
                      std::source_location where = std::source_location::current()) {
  using Given = typename M::mesh;
  constexpr bool sliced = is_slice(value_of<Given>), open = is_open(value_of<Given>);
  if constexpr (sliced)
    static_assert(false, "init_device_mesh takes a mesh that holds all ranks, not a slice");
  else if constexpr (open)
    static_assert(false, "init_device_mesh takes a mesh whose extents are all known, and the outermost is dynamic");
  using Made = std::conditional_t<sliced || open, Harmless, Given>;
  const MeshInfo info = mesh_info<Made>(std::make_index_sequence<Made::ndim()>{});
  return DeviceMesh<Made, Backend>(make_state(view, info, options, where));
}

}  // namespace axial
