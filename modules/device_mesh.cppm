// SPDX-License-Identifier: BSL-1.0
// Meshes at run time: DeviceMesh, how one is made, and the current one.
module;
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

export module axial:device_mesh;
export import :collectives;
export import :environment;

#pragma clang diagnostic ignored "-Wc++26-extensions"  // static_assert with a computed text

namespace axial {

/// A mesh type as the run time sees it.
struct MeshInfo {
  Text text;
  const MeshLayout* mesh;
  const AxisInfo* axes;
  BaseMap map;
  unsigned divisor;  // of the number of ranks, where that is dynamic
};

/// The rank of the communicator at each place of a mesh, and back; without arrays both are the same.
struct RankTable {
  const unsigned* ranks = nullptr;
  const unsigned* places = nullptr;
  unsigned communicator_size = 0;

  constexpr unsigned rank_at(unsigned place) const {
    return ranks == nullptr || place == no_rank ? place : ranks[place];
  }
  constexpr unsigned place_of(unsigned rank) const {
    if (places == nullptr) return rank;
    return rank < communicator_size ? places[rank] : no_rank;
  }
};

/// The ranks of a group, or all groups, in the numbers of the communicator.
template <class Source>
struct Renumbered {
  Source source = {};
  RankTable table = {};

  constexpr std::size_t size() const { return source.size(); }
  constexpr auto operator[](unsigned i) const {
    if constexpr (our_list<decltype(source[i])>)
      return renumber(source[i], table);
    else
      return table.rank_at(source[i]);
  }
};
template <class Source>
constexpr View<Renumbered<Source>> renumber(const View<Source>& view, const RankTable& table) {
  return View<Renumbered<Source>>({view.source(), table});
}

/// A mesh and what it was made from.
struct Ancestry {
  const MeshLayout* mesh;
  const Ancestry* parent;  // null for the root mesh
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
  /// What a mesh has once it was moved from: all of it throws.
  static const SharedState& moved_from();

  bool is(const SharedState& other) const noexcept { return state_.get() == other.state_.get(); }
  std::size_t hash() const noexcept;
  void close() const;
  void abort() const;
  /// My rank in the communicator that the mesh was made from, my place in the mesh, and its number of ranks.
  unsigned rank() const;
  unsigned place() const;
  unsigned world() const;
  RankTable table() const;
  const Options& options() const;
  const Ancestry* root() const;
  /// The entry of a mesh made from another; the same for the same two.
  const Ancestry* derive(const MeshLayout& mesh, const Ancestry* parent) const;
  /// The position of an axis among those of `mesh`: of the axis of this name, else of these modes; no_dimension.
  unsigned index_in(const MeshLayout& mesh, const AxisInfo& axis) const;
  std::uint64_t fingerprint(const MeshLayout& mesh) const;
  std::string describe(const MeshLayout& mesh) const;
  Hosts find_hosts() const;
  /// The channel of this axis, made (with new) by `make` when the state has none of it yet. Its communicator, unless
  /// the state has one of the same ranks or is lazy, is made by the ranks of the axis.
  const Channel& channel_of(const AxisInfo& axis, Channel* (*make)(const Channel::Seed&)) const;
  void create(const Channel& channel) const;
  /// Throws MeshError when another dynamic mesh, which needs a multiple of `divisor` ranks, would not fit.
  void check_divides(const Text& mesh, unsigned divisor) const;
  /// True for the base map of the root mesh.
  bool has_map(const BaseMap& map) const;

 private:
  std::shared_ptr<MeshState> state_;
};

struct Made {
  SharedState state;
  bool is_member;
};
/// Collective over the view: agreement, then the communicators of all axes. `ranks`, where given, are the members.
Made make_state(const CommunicatorView&, const MeshInfo&, const Options&, const std::source_location&,
                const RankMap* ranks = nullptr);
SharedState adopt_state(const CommunicatorView* const* views, const MeshInfo&, const Options&,
                        const std::source_location&);
[[noreturn]] void throw_other_root(NameView operation);

template <class AxisT>
inline constexpr AxisInfo axis_info{AxisT::name.view(), &AxisT::layout};

template <class C>
Channel* make_channel(const Channel::Seed& seed) {
  return new C(seed);
}

/// What `parent_index_of` and `root_index_of` return for an axis that the other mesh does not have.
export inline constexpr unsigned no_dimension = ~0u;

export template <mesh_type M, class Backend>
class DeviceMesh;

/// A mesh on running processes without its type: the root or the parent of another, the current one.
export class UntypedMesh {
 public:
  UntypedMesh(SharedState state, const Ancestry* entry) : state_(static_cast<SharedState&&>(state)), entry_(entry) {}

  unsigned ndim() const;
  /// The product of the extents.
  unsigned size() const;
  NameView name(unsigned dimension) const;
  unsigned extent(unsigned dimension) const;
  const Options& options() const;
  /// As DeviceMesh's.
  std::uint64_t fingerprint() const;
  void abort() const;

  /// The same mesh with its type; throws MeshError when it has another.
  template <mesh_type M, class Backend = mpi>
  DeviceMesh<M, Backend> as() const {
    check_is(value_of<typename M::mesh>, root_t<typename M::mesh>::base_type::map);
    return DeviceMesh<typename M::mesh, Backend>(state_, entry_);
  }

  friend bool operator==(const UntypedMesh& a, const UntypedMesh& b) { return a.is(b); }
  template <class Sink>
  friend void put(Sink& sink, const UntypedMesh& mesh) {
    put(sink, NameView("DeviceMesh("));
    for (unsigned i = 0; i < mesh.ndim(); ++i)
      put(sink, NameView(i ? ", " : ""), mesh.name(i), NameView("="), mesh.extent(i));
    put(sink, NameView(")"));
  }

 private:
  bool is(const UntypedMesh& other) const;
  void check_is(const MeshLayout& mesh, const BaseMap& map) const;
  SharedState state_;
  const Ancestry* entry_;
};

/// What of a mesh type's queries depends on the number of ranks. A constant for most meshes, ...
template <class M, bool Dynamic>
struct QueriesOf : M::base {
  explicit QueriesOf(unsigned) {}
};
/// ... and a member where a dimension is dynamic.
template <class M>
struct QueriesOf<M, true> : M::base {
  using Base = typename M::base;
  explicit QueriesOf(unsigned world) : world_(world) {}

  unsigned world() const { return world_; }
  unsigned size() const { return Base::size(world_); }
  unsigned copies() const { return Base::copies(world_); }
  auto shape() const { return Base::shape(world_); }
  auto all_coordinates() const { return Base::all_coordinates(world_); }
  template <fixed_string... Key>
  unsigned extent() const {
    return Base::template extent<Key...>(world_);
  }
  template <fixed_string Key>
  unsigned extent(axis_tag<Key>) const {
    return extent<Key>();
  }
  template <fixed_string... Keys>
  unsigned group_count() const {
    return Base::template group_count<Keys...>(world_);
  }
  template <fixed_string Key>
  unsigned group_count(axis_tag<Key>) const {
    return group_count<Key>();
  }
  template <fixed_string... Key>
  Shard shard(std::size_t n, unsigned coordinate) const {
    return Base::template shard<Key...>(n, coordinate, world_);
  }
  template <fixed_string Key>
  Shard shard(axis_tag<Key>, std::size_t n, unsigned coordinate) const {
    return shard<Key>(n, coordinate);
  }

 private:
  unsigned world_;
};
template <class M>
using Queries = QueriesOf<M, value_of<M>.ranks == dynamic>;

/// A mesh on running processes, held by a member of it: has all queries of M as members, my place in it, and a
/// communicator for each axis. Copies and derived meshes share state and communicators; nothing but the operations
/// that say so communicates. Communicators are freed with the last of them; after MPI_Finalize they are inert, and so
/// are those of a mesh that was moved from.
export template <mesh_type M, class Backend = mpi>
class DeviceMesh : public Queries<M>, public Collectives<DeviceMesh<M, Backend>, M> {
  using Base = typename M::base;
  using RootT = root_t<typename Base::mesh>;

 public:
  using mesh_type = M;
  template <fixed_string... Key>
  using rank_type = Rank<Base::template axis_type<Key...>::name>;
  template <fixed_string... Key>
  using communicator_type = Communicator<RootT, typename axis_along<typename Base::mesh, Key...>::type, Backend>;
  template <fixed_string... Key>
  using peer_type = typename communicator_type<Key...>::peer_type;

  /// Made by `init_device_mesh` and the operations below.
  DeviceMesh(SharedState state, const Ancestry* entry)
      : Queries<M>(state.world()),
        state_(static_cast<SharedState&&>(state)),
        entry_(entry),
        table_(state_.table()),
        rank_(state_.rank()),
        place_(state_.place()),
        mine_(Base::coordinates_of(place_)) {
    fill_channels();
  }
  DeviceMesh(const DeviceMesh&) = default;
  DeviceMesh(DeviceMesh&& other) noexcept : DeviceMesh(static_cast<const DeviceMesh&>(other)) { other.forget(); }
  DeviceMesh& operator=(const DeviceMesh&) = default;
  DeviceMesh& operator=(DeviceMesh&& other) noexcept {
    if (this != &other) *this = static_cast<const DeviceMesh&>(other), other.forget();
    return *this;
  }
  ~DeviceMesh() = default;

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
    return communicator_for<"communicator", Rule::one, Key...>();
  }
  template <fixed_string Key>
  const auto& communicator(axis_tag<Key>) const {
    return communicator_for<"communicator", Rule::one, Key>();
  }

  /// The ranks of my group along one axis, or along several flattened, in coordinate order.
  template <fixed_string... Keys>
  auto group_ranks() const {
    using found = typename Base::template pick<Rule::some, Keys...>;
    if constexpr (found::ok) {
      return renumber(Base::template group_of<Keys...>(place_, this->world()), table_);
    } else {
      static_assert(false, found::explain("group_ranks"));
      return View<Renumbered<GroupSource<RootT>>>{};
    }
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  auto group_ranks(axis_tag<Keys>...) const {
    return group_ranks<Keys...>();
  }

  // M's queries of ranks, here those of the communicator that the mesh was made from.

  /// True for the ranks of the mesh, after a slice for those at its coordinate.
  bool contains(unsigned rank) const {
    const unsigned place = table_.place_of(rank);
    return place != no_rank && Base::contains(place, this->world());
  }
  /// Precondition of all that follow: contains(rank).
  auto coordinates_of(unsigned rank) const { return Base::coordinates_of(table_.place_of(rank)); }
  auto try_coordinates_of(unsigned rank) const {
    return Base::try_coordinates_of(table_.place_of(rank), this->world());
  }
  template <fixed_string... Key>
  unsigned coordinate_of(unsigned rank) const {
    return Base::template coordinate_of<Key...>(table_.place_of(rank));
  }
  template <fixed_string Key>
  unsigned coordinate_of(axis_tag<Key>, unsigned rank) const {
    return Base::template coordinate_of<Key>(table_.place_of(rank));
  }
  unsigned rank_of(const Coordinates<typename Base::mesh>& coordinates) const {
    return table_.rank_at(Base::rank_of(coordinates));
  }
  unsigned rank_of(const Coordinates<typename Base::mesh>& coordinates, unsigned like) const {
    return table_.rank_at(Base::rank_of(coordinates, table_.place_of(like)));
  }
  template <fixed_string... Keys>
  auto groups() const {
    return renumber(Base::template groups<Keys...>(this->world()), table_);
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  auto groups(axis_tag<Keys>...) const {
    return renumber(Base::template groups<Keys...>(this->world()), table_);
  }
  template <fixed_string... Keys>
  auto group_of(unsigned rank) const {
    return renumber(Base::template group_of<Keys...>(table_.place_of(rank), this->world()), table_);
  }
  template <fixed_string Key>
  auto group_of(axis_tag<Key>, unsigned rank) const {
    return renumber(Base::template group_of<Key>(table_.place_of(rank), this->world()), table_);
  }
  template <fixed_string... Keys>
  unsigned group_index(unsigned rank) const {
    return Base::template group_index<Keys...>(table_.place_of(rank));
  }
  template <fixed_string Key>
  unsigned group_index(axis_tag<Key>, unsigned rank) const {
    return Base::template group_index<Key>(table_.place_of(rank));
  }
  template <fixed_string... Key>
  unsigned neighbor(unsigned rank, int offset, bool periodic = true) const {
    return table_.rank_at(Base::template neighbor<Key...>(table_.place_of(rank), offset, periodic, this->world()));
  }
  template <fixed_string Key>
  unsigned neighbor(axis_tag<Key>, unsigned rank, int offset, bool periodic = true) const {
    return table_.rank_at(Base::template neighbor<Key>(table_.place_of(rank), offset, periodic, this->world()));
  }

  using Queries<M>::shard;
  /// My share of n items along one axis.
  template <fixed_string... Key>
  Shard shard(std::size_t n) const {
    using found = typename Base::template pick<Rule::one, Key...>;
    if constexpr (found::ok) {
      return Base::template shard<Key...>(n, mine_.values[found::axis], this->world());
    } else {
      static_assert(false, found::explain("shard"));
      return {};
    }
  }
  template <fixed_string Key>
  Shard shard(axis_tag<Key>, std::size_t n) const {
    return shard<Key>(n);
  }

  // Operations on meshes. None communicates, except that an axis of ranks that have no communicator together yet gets
  // one, from its ranks, unless the mesh is lazy: `flatten`, `unflatten` and `view_as` are collective then.

  /// The mesh of these axes, in this order, with my coordinates in it.
  template <fixed_string... Keys>
  auto submesh() const {
    using computed = submesh_of<M, Keys...>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return derived<made<M, computed>>();
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  auto submesh(axis_tag<Keys>...) const {
    return submesh<Keys...>();
  }

  /// The same axes in another order; names each exactly once.
  template <fixed_string... Keys>
  auto permute() const {
    using computed = permute_of<M, Keys...>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return derived<made<M, computed>>();
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  auto permute(axis_tag<Keys>...) const {
    return permute<Keys...>();
  }

  /// The mesh of all axes but these, in mesh order.
  template <fixed_string... Keys>
  auto others() const {
    using computed = others_of<M, Keys...>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return derived<made<M, computed>>();
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  auto others(axis_tag<Keys>...) const {
    return others<Keys...>();
  }

  /// These axes as one, the first named outermost, named `dp_tp` after them, at the place of the first of them in mesh
  /// order; the others stay. Without names all of them.
  template <fixed_string... Keys>
  auto flatten() const {
    using computed = flatten_of<M, joined_name<M, Keys...>, Keys...>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return derived<made<M, computed>>();
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  auto flatten(axis_tag<Keys>...) const {
    return flatten<Keys...>();
  }
  /// The same under a name of your choice.
  template <fixed_string Name, fixed_string... Keys>
  auto flatten_as() const {
    using computed = flatten_of<M, given_name<Name>, Keys...>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return derived<made<M, computed>>();
  }
  template <fixed_string Name, fixed_string... Keys>
  auto flatten_as(axis_tag<Name>, axis_tag<Keys>...) const {
    return flatten_as<Name, Keys...>();
  }

  /// One axis as several, row-major, at its place: `unflatten<"tp", Dim<"a", 2>, Dim<"b", 2>>()`.
  template <fixed_string Key, class... Dims>
  auto unflatten() const {
    if constexpr ((is_dim<Dims> && ...))
      return unflattened<DimList<Dims...>, Key>();
    else
      return derived<decltype(M::template unflatten<Key, Dims...>())>();  // which says what it takes
  }
  template <class First, class... Dims>
  auto unflatten() const {
    if constexpr ((is_dim<First> && ... && is_dim<Dims>))
      return unflattened<DimList<First, Dims...>>();
    else
      return derived<decltype(M::template unflatten<First, Dims...>())>();
  }
  template <fixed_string Key, class... Dims>
  auto unflatten(axis_tag<Key>, Dims...) const {
    if constexpr ((is_dim<Dims> && ...))
      return unflattened<DimList<Dims...>, Key>();
    else
      return derived<decltype(M::template unflatten<Key, Dims...>())>();
  }

  /// Fixes a coordinate and drops the axis: an optional mesh of the ranks at this coordinate, empty on all others.
  template <fixed_string Key, long long Coordinate>
  auto slice() const {
    using computed = slice_of<M, Coordinate, Key>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return derived_here<made<M, computed>>();
  }
  template <long long Coordinate>
  auto slice() const {
    using computed = slice_of<M, Coordinate>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return derived_here<made<M, computed>>();
  }
  template <fixed_string Key, class Coordinate>
  auto slice(axis_tag<Key> key, Coordinate coordinate) const {
    if constexpr (requires { Coordinate::value; }) {
      using computed = slice_of<M, Coordinate::value, Key>;
      if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
      return derived_here<made<M, computed>>();
    } else {
      return derived_here<decltype(M::slice(key, coordinate))>();
    }
  }

  /// The same axis under another name: `rename<"tp", "tensor">()`.
  template <fixed_string... Names>
    requires(sizeof...(Names) > 0)
  auto rename() const {
    using computed = rename_of<M, Names...>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return derived<made<M, computed>>();
  }
  template <fixed_string Key, fixed_string Name>
  auto rename(axis_tag<Key>, axis_tag<Name>) const {
    return rename<Key, Name>();
  }

  /// Another factorisation of the same ranks: `view_as<Expert>()`. Axes of both that have the same ranks share a
  /// communicator.
  template <axial::mesh_type E>
  auto view_as() const {
    using computed = viewed_as<typename Base::mesh, typename E::mesh>;
    if constexpr (computed::problem.length != 0) static_assert(false, computed::problem);
    if constexpr (value_of<M>.ranks == dynamic)
      state_.check_divides(to_string(E{}), static_part<typename root_t<typename E::mesh>::base_type>);
    return derived<typename computed::type>();
  }

  /// The axes of both, those of `a` outermost. Throws MeshError when they are of different roots.
  template <axial::mesh_type B>
  friend auto concat(const DeviceMesh& a, const DeviceMesh<B, Backend>& b) {
    using computed = concat_of<typename M::mesh, typename B::mesh>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    if (!(a.root() == b.root())) throw_other_root("concat");
    return a.template derived<made<M, computed>>();
  }

  // What surrounds the mesh.

  /// The mesh that all were derived from.
  UntypedMesh root() const { return {state_, state_.root()}; }
  /// The mesh that this one was derived from; nothing for the root.
  auto parent() const { return entry_->parent ? std::optional(UntypedMesh(state_, entry_->parent)) : std::nullopt; }
  /// The position of one axis among those of the root, or of the parent (of the root: among its own); no_dimension
  /// where that has no such axis, as after a flattening.
  template <fixed_string... Key>
  unsigned root_index_of() const {
    return index_in<"root_index_of", Key...>(state_.root());
  }
  template <fixed_string... Key>
  unsigned parent_index_of() const {
    return index_in<"parent_index_of", Key...>(entry_->parent ? entry_->parent : entry_);
  }
  /// Which ranks share a node. Collective over all ranks of the root, by communicators of its own.
  Hosts find_hosts() const { return state_.find_hosts(); }
  /// What all meshes derived from one root have in common.
  const Options& options() const { return state_.options(); }
  /// How many communicators the axes of this mesh need on each rank: one for each list of more than one rank.
  static constexpr unsigned communicator_count() { return distinct_axes(value_of<M>); }
  /// A number that is the same for equal meshes on all ranks and in all programs: of the root's and this mesh's text.
  std::uint64_t fingerprint() const { return state_.fingerprint(value_of<M>); }
  /// All there is to know, for people: a line for the mesh, and one for each axis with my group's ranks.
  std::string description() const { return state_.describe(value_of<M>); }

  /// Makes the communicator of one axis of a lazy mesh. Collective over the axis.
  template <fixed_string... Key>
  void create() const {
    state_.create(communicator_for<"create", Rule::one, Key...>());
  }
  template <fixed_string Key>
  void create(axis_tag<Key>) const {
    state_.create(communicator_for<"create", Rule::one, Key>());
  }

  /// Frees the communicators of this mesh and of all that share its state: collective over the ranks of the mesh.
  /// Afterwards their collectives throw. A second call does nothing.
  void close() { state_.close(); }

  /// Gives up all communication of this mesh and of all that share its state, on this rank and at once: nothing starts
  /// any more, what waits under a deadline throws, communicators are abandoned, and where MPI can revoke them, peers
  /// that wait get an error. Of a whole mesh only.
  void abort() const {
    if constexpr (!is_whole(value_of<M>))
      static_assert(false, "abort ends the whole mesh and all that is derived from it: call root().abort()");
    state_.abort();
  }

  /// Equal are meshes of one type and one state: copies, and what was derived alike from one root.
  friend bool operator==(const DeviceMesh& a, const DeviceMesh& b) { return a.state_.is(b.state_); }
  friend bool operator==(const DeviceMesh& a, const UntypedMesh& b) { return UntypedMesh(a.state_, a.entry_) == b; }
  template <axial::mesh_type Other>
  friend bool operator==(const DeviceMesh& a, const DeviceMesh<Other, Backend>& b) {
    return a == UntypedMesh(b);
  }
  operator UntypedMesh() const { return {state_, entry_}; }
  std::size_t hash() const { return state_.hash() ^ static_cast<std::size_t>(fingerprint()); }

  /// `DeviceMesh(dp=2, tp=4)`
  template <class Sink>
  friend void put(Sink& sink, const DeviceMesh& mesh) {
    put(sink, NameView("DeviceMesh("));
    put_extents(sink, Base::names(), Base::shape(mesh.world()));
    put(sink, NameView(")"));
  }

 private:
  friend Collectives<DeviceMesh, M>;
  template <axial::mesh_type, class>
  friend class DeviceMesh;

  /// The communicator that an operation needs, or the error that names the operation. Where several axes are allowed,
  /// that of the one that they are flattened. The return type is deduced, so that the error shows the user's line.
  template <fixed_string Operation, Rule Several, fixed_string... Key>
  const auto& communicator_for() const {
    constexpr bool is_one = sizeof...(Key) < 2 || Several == Rule::one;
    using found = typename Base::template pick<is_one ? Rule::one : Several, Key...>;
    if constexpr (!found::ok) static_assert(false, found::explain(Operation));
    using type = communicator_type<Key...>;
    if constexpr (is_one)
      return static_cast<const type&>(*channels_[found::axis]);
    else
      return static_cast<const type&>(
          state_.channel_of(axis_info<typename axis_along<typename Base::mesh, Key...>::type>, make_channel<type>));
  }
  void fill_channels() { fill_channels(std::make_index_sequence<M::ndim()>{}); }
  template <std::size_t... I>
  void fill_channels(std::index_sequence<I...>) {
    ((channels_[I] =
          &state_.channel_of(axis_info<axis_t<M, I>>, make_channel<Communicator<RootT, axis_t<M, I>, Backend>>)),
     ...);
  }
  void forget() noexcept {
    state_ = SharedState::moved_from();
    entry_ = state_.root();
    table_ = {};
    fill_channels();
  }

  template <class Derived>
  auto derived() const {
    return DeviceMesh<Derived, Backend>(state_, state_.derive(value_of<Derived>, entry_));
  }
  template <class Parts, fixed_string... Keys>
  auto unflattened() const {
    using computed = unflatten_of<M, Parts, Keys...>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return derived<made<M, computed>>();
  }
  template <class Derived>
  auto derived_here() const {
    using Optional = std::optional<DeviceMesh<Derived, Backend>>;
    return Derived::contains(place_, this->world()) ? Optional(derived<Derived>()) : Optional();
  }
  template <fixed_string Operation, fixed_string... Key>
  unsigned index_in(const Ancestry* other) const {
    using found = typename Base::template pick<Rule::one, Key...>;
    if constexpr (!found::ok) static_assert(false, found::explain(Operation));
    return state_.index_in(*other->mesh, axis_info<axis_t<M, found::axis>>);
  }

  SharedState state_;
  const Ancestry* entry_;
  RankTable table_;
  const Channel* channels_[M::ndim() ? M::ndim() : 1] = {};
  unsigned rank_;
  unsigned place_;
  Coordinates<typename Base::mesh> mine_;
};

template <class M, std::size_t... I>
MeshInfo mesh_info(std::index_sequence<I...>) {
  static constexpr AxisInfo axes[] = {axis_info<axis_t<M, I>>..., AxisInfo{}};
  return {to_string(M{}), &value_of<M>, axes, root_t<M>::base_type::map, static_part<typename root_t<M>::base_type>};
}
template <class M>
MeshInfo mesh_info() {
  return mesh_info<M>(std::make_index_sequence<M::ndim()>{});
}
consteval Message explain_sliced(NameView operation) {
  Message text;
  put(text, operation, NameView(" takes a mesh that holds all ranks, not a slice"));
  return text;
}

/// Makes the mesh M on all ranks of a communicator; collective over it. First the ranks agree on the mesh and the
/// options: on a difference, or when M has not as many ranks as the communicator, all of them throw the same MeshError.
/// Then each rank makes the communicators of its own axes, one for each distinct list of more than one rank; what fails
/// on one rank is thrown on all. The communicator must live until the last one was made: by a lazy mesh, by flatten.
export template <mesh_type M, class Backend = mpi>
auto init_device_mesh(const CommunicatorView& view, const Options& options = {},
                      std::source_location where = std::source_location::current()) {
  using Given = typename M::mesh;
  constexpr bool sliced = is_slice(value_of<Given>);
  if constexpr (sliced) static_assert(false, explain_sliced("init_device_mesh"));
  using Made = std::conditional_t<sliced, Harmless, Given>;
  const SharedState state = make_state(view, mesh_info<Made>(), options, where).state;
  return DeviceMesh<Made, Backend>(state, state.root());
}

/// The same on some ranks of a communicator, `ranks[p]` at place p: an optional mesh, empty on all other ranks.
/// Collective over the communicator; the others are not needed any more once they have returned.
export template <mesh_type M, class Backend = mpi>
auto init_device_mesh_on(const CommunicatorView& view, const RankMap& ranks, const Options& options = {},
                         std::source_location where = std::source_location::current()) {
  using Given = typename M::mesh;
  constexpr bool sliced = is_slice(value_of<Given>);
  if constexpr (sliced) static_assert(false, explain_sliced("init_device_mesh_on"));
  using Mesh = DeviceMesh<std::conditional_t<sliced, Harmless, Given>, Backend>;
  const axial::Made made = make_state(view, mesh_info<typename Mesh::mesh_type>(), options, where, &ranks);
  return made.is_member ? std::optional(Mesh(made.state, made.state.root())) : std::nullopt;
}

consteval Message explain_part(NameView operation) {
  Message text;
  put(text, operation, NameView(" takes a whole mesh: the axes of a part do not tell all ranks apart"));
  return text;
}
consteval Message explain_views(unsigned given, unsigned wanted) {
  Message text;
  put(text, NameView("from_communicators takes one communicator for each dimension: "), wanted, NameView(", not "),
      given);
  return text;
}

/// The mesh M on communicators that exist, one for each axis in mesh order, whose ranks are the coordinates; they stay
/// the user's. Collective over all of them: sizes, members and orders are compared, and on a difference all ranks
/// throw a MeshError. Ranks are those of M.
export template <mesh_type M, class... Views>
  requires(__is_same(Views, CommunicatorView) && ...)
auto from_communicators(const Options& options, const Views&... views) {
  using Given = typename M::mesh;
  constexpr bool fits = sizeof...(Views) == M::ndim() && is_whole(value_of<Given>);
  if constexpr (sizeof...(Views) != M::ndim())
    static_assert(false, explain_views(sizeof...(Views), M::ndim()));
  else if constexpr (!fits)
    static_assert(false, explain_part("from_communicators"));
  using Made = std::conditional_t<fits, Given, Harmless>;
  const CommunicatorView* all[] = {&views..., nullptr};
  const SharedState state = adopt_state(all, mesh_info<Made>(), options, std::source_location::current());
  return DeviceMesh<Made>(state, state.root());
}
export template <mesh_type M, class... Views>
  requires(__is_same(Views, CommunicatorView) && ...)
auto from_communicators(const Views&... views) {
  return from_communicators<M>(Options{}, views...);
}

/// Makes a mesh the current one of this thread for a scope, as `with mesh:` does in PyTorch; scopes nest.
export class ScopedMesh {
 public:
  explicit ScopedMesh(const UntypedMesh& mesh);
  ~ScopedMesh();
  ScopedMesh(const ScopedMesh&) = delete;
  ScopedMesh& operator=(const ScopedMesh&) = delete;

 private:
  friend const UntypedMesh& current_mesh();
  UntypedMesh mesh_;
  const ScopedMesh* outer_;
};

/// The mesh of the innermost ScopedMesh of this thread. Throws MeshError when there is none.
export const UntypedMesh& current_mesh();
/// The same with its type; throws MeshError when it has another.
export template <mesh_type M, class Backend = mpi>
DeviceMesh<M, Backend> current_mesh() {
  return current_mesh().as<M, Backend>();
}

}  // namespace axial

template <class M, class Backend>
struct std::hash<axial::DeviceMesh<M, Backend>> {
  std::size_t operator()(const axial::DeviceMesh<M, Backend>& mesh) const { return mesh.hash(); }
};
