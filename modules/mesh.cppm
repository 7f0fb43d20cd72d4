// SPDX-License-Identifier: BSL-1.0
// The mesh algebra by name: Dim, Mesh and its sub-meshes, coordinates, groups. Everything is known to the compiler;
// nothing here knows of processes.
module;
#include <compare>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

export module axial:mesh;
export import :fixed_string;
export import :layout;
export import :list;
export import :selection;

#pragma clang diagnostic ignored "-Wc++26-extensions"  // static_assert with a computed text

namespace axial {

/// What `neighbor` returns beyond the end of an axis that is not periodic.
export inline constexpr unsigned no_rank = ~0u;

/// One dimension: a name and its extent, at least 1.
export template <fixed_string Name, unsigned Extent>
struct Dim {
  static constexpr auto name = Name;
  static constexpr unsigned extent = Extent;
};

/// The ranks that a mesh and all its sub-meshes live on: 0 .. Ranks-1, each at the position of its number.
/// `Root<0>` is the root of `Harmless`.
export template <unsigned Ranks>
struct Root {
  static constexpr unsigned ranks = Ranks;
};

/// A named axis in a root: its modes, coalesced, outer first. An axis of extent 1 has none.
export template <fixed_string Name, Mode... Modes>
struct Axis {
  static constexpr auto name = Name;
  static constexpr Layout layout{.modes = {Modes...}, .count = sizeof...(Modes)};
  static constexpr unsigned extent = size_of(layout);
};

template <class T>
inline constexpr bool is_dim = false;
template <fixed_string Name, unsigned Extent>
inline constexpr bool is_dim<Dim<Name, Extent>> = true;

export template <class... Dims>
struct Mesh;
export template <class RootT, class... Axes>
struct SubMesh;

template <class T>
inline constexpr bool is_mesh = false;
template <class... Dims>
inline constexpr bool is_mesh<Mesh<Dims...>> = true;
template <class RootT, class... Axes>
inline constexpr bool is_mesh<SubMesh<RootT, Axes...>> = true;

/// A `Mesh`, or what its operations return.
export template <class M>
concept mesh_type = is_mesh<__remove_cv(M)>;  // the builtin: each importer checks this often

// What a failed operation returns, so that one mistake gives one error: it takes every name, every number of values.
// Its axis has an index for a name, which no dimension can have.
using HarmlessAxis = Axis<0>;
using Harmless = SubMesh<Root<0>, HarmlessAxis>;

// Not constexpr on purpose: calling one in a constant expression is the error, and the compiler shows what called it,
// `coordinate_is_below_extent<"tp", 4>(4)`.
void coordinate_out_of_range();
void rank_out_of_range();

template <fixed_string Dimension, unsigned Extent>
constexpr void coordinate_is_below_extent(unsigned coordinate) {
  const bool harmless = Dimension.view().empty();
  if (std::is_constant_evaluated() && coordinate >= Extent && !harmless) coordinate_out_of_range();
}
template <unsigned World>  // 0 for Harmless
constexpr void rank_is_below_world(unsigned rank) {
  if (std::is_constant_evaluated() && World != 0 && rank >= World) rank_out_of_range();
}

/// One coordinate for each axis of M, in the order of the axes, each at least 0 and below the extent.
export template <mesh_type M>
struct Coordinates {
  unsigned values[M::ndim() ? M::ndim() : 1] = {};

  constexpr Coordinates() = default;
  /// One value for each axis; a value out of range in a constant expression does not compile.
  template <class... Values>
    requires(sizeof...(Values) > 0 && (__is_integral(Values) && ...))
  constexpr explicit(sizeof...(Values) == 1 && M::ndim() != 1) Coordinates(Values... each) {
    if constexpr (sizeof...(Values) == M::ndim()) {
      unsigned i = 0;
      ((values[i++] = same_element(static_cast<unsigned>(each), each) ? static_cast<unsigned>(each) : ~0u), ...);
      M::check_constant(values);
    } else if constexpr (!M::takes_every_name) {
      static_assert(false, wrong_count(sizeof...(Values)));
    }
  }

  static constexpr std::size_t size() { return M::ndim(); }
  constexpr unsigned& operator[](std::size_t i) { return values[i]; }
  constexpr unsigned operator[](std::size_t i) const { return values[i]; }
  constexpr const unsigned* begin() const { return values; }
  constexpr const unsigned* end() const { return values + M::ndim(); }

  /// The coordinate along one axis, by name or index.
  template <fixed_string... Key>
  constexpr unsigned get() const {
    using found = typename M::template pick<Rule::one, Key...>;
    if constexpr (found::ok) {
      return values[found::axis];
    } else {
      static_assert(false, found::explain("get"));
      return 0;
    }
  }
  template <fixed_string Key>
  constexpr unsigned get(axis_tag<Key>) const {
    return get<Key>();
  }

  friend constexpr bool operator==(const Coordinates&, const Coordinates&) = default;
  friend constexpr auto operator<=>(const Coordinates&, const Coordinates&) = default;

  template <class Sink>
  friend constexpr void put(Sink& sink, const Coordinates& coordinates) {
    put(sink, NameView("("));
    for (unsigned i = 0; i < M::ndim(); ++i) {
      if (i) put(sink, NameView(", "));
      put(sink, coordinates.values[i]);
    }
    put(sink, NameView(")"));
  }

 private:
  static constexpr Message wrong_count(unsigned given) {
    Message text;
    put(text, NameView("Coordinates takes "), M::ndim(), NameView(" values, for "));
    put_quoted(text, M::names().data(), M::ndim());
    put(text, NameView(", not "), given);
    return text;
  }
};

/// The ranks of one group in coordinate order, computed from its first: no table.
template <class RootT, Mode... Modes>
struct GroupSource {
  static constexpr Layout layout{.modes = {Modes...}, .count = sizeof...(Modes)};
  unsigned first = 0;

  static constexpr std::size_t size() { return size_of(layout); }
  constexpr unsigned operator[](unsigned i) const { return first + position_of(layout, i); }
};

/// All groups of an axis, in order of their first position.
template <class RootT, Mode... Modes>
struct GroupsSource {
  static constexpr Layout firsts =
      complement(GroupSource<RootT, Modes...>::layout, RootT::ranks ? RootT::ranks : 1).layout;

  static constexpr std::size_t size() { return size_of(firsts); }
  constexpr View<GroupSource<RootT, Modes...>> operator[](unsigned i) const {
    return View(GroupSource<RootT, Modes...>{position_of(firsts, i)});
  }
};

/// The coordinates of the i-th smallest position that copy 0 holds.
template <class M>
struct CoordinatesSource {
  static constexpr std::size_t size() { return M::size(); }
  constexpr Coordinates<M> operator[](unsigned i) const { return M::coordinates_of(position_of(M::increasing, i)); }
};

/// A rank's share of n items: `size` of them, from `offset`.
export struct Shard {
  std::size_t offset = 0;
  std::size_t size = 0;
  friend constexpr bool operator==(const Shard&, const Shard&) = default;
  template <class Sink>
  friend constexpr void put(Sink& sink, const Shard& shard) {
    put(sink, NameView("["), shard.offset, NameView(", "), shard.offset + shard.size, NameView(")"));
  }
};

/// True when the axes are row-major over the whole root: then they are a Mesh.
template <class RootT, class... Axes>
consteval bool is_row_major() {
  unsigned long long stride = RootT::ranks;
  bool ok = stride != 0;
  const auto follows = [&](const Layout& layout) {
    if (layout.count == 0) return;
    ok = ok && layout.count == 1 && stride == 1ull * layout.modes[0].extent * layout.modes[0].stride;
    stride = layout.modes[0].stride;
  };
  (follows(Axes::layout), ...);
  return ok && stride == 1;
}

template <class RootT, class... Axes>
struct canonical {
  using type = SubMesh<RootT, Axes...>;
};
template <class RootT, class... Axes>
  requires(is_row_major<RootT, Axes...>())
struct canonical<RootT, Axes...> {
  using type = Mesh<Dim<Axes::name, Axes::extent>...>;
};

/// The one type that a list of axes in a root has.
template <class RootT, class... Axes>
using mesh_of = typename canonical<RootT, Axes...>::type;

/// A pack of modes made from `Source::layout`.
template <template <class, Mode...> class To, class RootT, class Source>
struct with_modes {
  template <std::size_t... I>
  static auto make(std::index_sequence<I...>) -> To<RootT, Source::layout.modes[I]...>;
  using type = decltype(make(std::make_index_sequence<Source::layout.count>{}));
};

/// What `Mesh`, its sub-meshes and `DeviceMesh` have in common. All members are static; each that takes names exists
/// with literals, `extent<"tp">()`, and with tags, `extent(axis<"tp">)`; an index may stand for a name.
export template <class RootT, class... Axes>
struct MeshBase {
 private:
  static constexpr unsigned ndim_ = sizeof...(Axes);
  static constexpr unsigned world_ = RootT::ranks ? RootT::ranks : 1;
  static constexpr NameView name_table[] = {Axes::name.view()..., NameView()};
  static constexpr unsigned extent_table[] = {Axes::extent..., 1};
  static constexpr Layout layout_table[] = {Axes::layout..., Layout{}};
  static constexpr Names names_{name_table, ndim_, RootT::ranks == 0};

  static constexpr Layout join(const Selection& picked) {
    Layout joined;
    for (unsigned i = 0; i < picked.count; ++i) joined = concatenate(joined, layout_table[picked.at[i]]);
    return joined;
  }
  static constexpr Layout all_modes() {
    Layout joined;
    for (const Layout& layout : layout_table) joined = concatenate(joined, layout);
    return joined;
  }

 public:
  using base = MeshBase;
  using root_type = RootT;
  using mesh = mesh_of<RootT, Axes...>;

  /// For the library's own use: the axes that `Keys` pick under rule R, or the text of what is wrong with them.
  template <Rule R, fixed_string... Keys>
  struct pick {
    static constexpr Key keys[] = {key_of(Keys)..., Key{}};
    static constexpr Selection value = select(names_, keys, sizeof...(Keys), R);
    static constexpr bool ok = value.ok();
    static constexpr unsigned axis = value.at[0];
    static constexpr Layout layout = join(value);
    static consteval Message explain(NameView operation) { return axial::explain(value, names_, keys, operation); }
  };
  template <fixed_string... Keys>
  struct pick_others : pick<Rule::some, Keys...> {
    static constexpr Selection value = rest_of(pick<Rule::some, Keys...>::value, ndim_);
  };
  /// Likewise: all modes of the mesh, largest stride first.
  static constexpr Layout increasing = sorted(all_modes());
  static constexpr bool takes_every_name = RootT::ranks == 0;
  /// Likewise: in a constant expression, stops at a coordinate that is not below its extent.
  static constexpr void check_constant(const unsigned* coordinates) {
    (coordinate_is_below_extent<Axes::name, Axes::extent>(*coordinates++), ...);
  }

  template <fixed_string... Keys>
  using axis_type =
      __type_pack_element<pick<Rule::one, Keys...>::ok ? pick<Rule::one, Keys...>::axis : ndim_, Axes..., HarmlessAxis>;
  template <fixed_string... Keys>
  using group_type = View<typename with_modes<GroupSource, RootT, pick<Rule::some, Keys...>>::type>;
  template <fixed_string... Keys>
  using groups_type = View<typename with_modes<GroupsSource, RootT, pick<Rule::some, Keys...>>::type>;

 private:
  template <class Pick, std::size_t... I>
  static auto take(std::index_sequence<I...>) -> mesh_of<RootT, __type_pack_element<Pick::value.at[I], Axes...>...>;
  template <class Pick>
  static consteval auto picked_mesh() {
    if constexpr (!Pick::ok || RootT::ranks == 0)
      return std::type_identity<Harmless>{};
    else
      return std::type_identity<decltype(take<Pick>(std::make_index_sequence<Pick::value.count>{}))>{};
  }

 public:
  template <fixed_string... Keys>
  using submesh_type = typename decltype(picked_mesh<pick<Rule::some, Keys...>>())::type;
  template <fixed_string... Keys>
  using permute_type = typename decltype(picked_mesh<pick<Rule::all, Keys...>>())::type;
  template <fixed_string... Keys>
  using others_type = typename decltype(picked_mesh<pick_others<Keys...>>())::type;

  /// The number of dimensions.
  static constexpr unsigned ndim() { return ndim_; }
  /// The product of the extents.
  static constexpr unsigned size() { return size_of(increasing); }
  /// The number of ranks of the root.
  static constexpr unsigned world() { return world_; }
  /// How many copies of this mesh tile the root.
  static constexpr unsigned copies() { return world_ / size(); }
  /// True for the ranks of the root.
  static constexpr bool contains(unsigned rank) { return rank < world_; }

  /// The dimensions' names, in order.
  static constexpr List<NameView, ndim_> names() {
    List<NameView, ndim_> list;
    for (unsigned i = 0; i < ndim_; ++i) list[i] = name_table[i];
    return list;
  }
  /// The extents, in order.
  static constexpr List<unsigned, ndim_> shape() {
    List<unsigned, ndim_> list;
    for (unsigned i = 0; i < ndim_; ++i) list[i] = extent_table[i];
    return list;
  }

  /// The number of ranks along one axis.
  template <fixed_string... Key>
  static constexpr unsigned extent() {
    using found = pick<Rule::one, Key...>;
    if constexpr (found::ok) {
      return extent_table[found::axis];
    } else {
      static_assert(false, found::explain("extent"));
      return 1;
    }
  }
  template <fixed_string Key>
  static constexpr unsigned extent(axis_tag<Key>) {
    return extent<Key>();
  }

  /// The distance in ranks between neighbours along an axis of one mode; 0 on an axis of extent 1, which has no
  /// neighbours.
  template <fixed_string... Key>
  static constexpr unsigned stride() {
    using found = pick<Rule::one, Key...>;
    if constexpr (!found::ok) {
      static_assert(false, found::explain("stride"));
      return 0;
    } else {
      return layout_table[found::axis].count ? layout_table[found::axis].modes[0].stride : 0;
    }
  }
  template <fixed_string Key>
  static constexpr unsigned stride(axis_tag<Key>) {
    return stride<Key>();
  }

  /// The position of an axis among the dimensions.
  template <fixed_string... Key>
  static constexpr unsigned index_of() {
    using found = pick<Rule::one, Key...>;
    if constexpr (found::ok) {
      return found::axis;
    } else {
      static_assert(false, found::explain("index_of"));
      return 0;
    }
  }
  template <fixed_string Key>
  static constexpr unsigned index_of(axis_tag<Key>) {
    return index_of<Key>();
  }

  /// The coordinates of a rank in the copy that holds it. Precondition: contains(rank).
  static constexpr Coordinates<mesh> coordinates_of(unsigned rank) {
    rank_is_below_world<RootT::ranks>(rank);
    Coordinates<mesh> coordinates;
    unsigned i = 0;
    ((coordinates.values[i++] = axial::index_of(Axes::layout, rank)), ...);
    return coordinates;
  }
  /// The same, or nothing for a rank that the mesh does not contain.
  static constexpr std::optional<Coordinates<mesh>> try_coordinates_of(unsigned rank) {
    if (!contains(rank)) return std::nullopt;
    return coordinates_of(rank);
  }

  /// The coordinate of a rank along one axis. Precondition: contains(rank).
  template <fixed_string... Key>
  static constexpr unsigned coordinate_of(unsigned rank) {
    using found = pick<Rule::one, Key...>;
    if constexpr (found::ok) {
      rank_is_below_world<RootT::ranks>(rank);
      return axial::index_of(found::layout, rank);
    } else {
      static_assert(false, found::explain("coordinate_of"));
      return 0;
    }
  }
  template <fixed_string Key>
  static constexpr unsigned coordinate_of(axis_tag<Key>, unsigned rank) {
    return coordinate_of<Key>(rank);
  }

  /// The rank at these coordinates of copy 0. Precondition: each coordinate is below its extent.
  static constexpr unsigned rank_of(const Coordinates<mesh>& coordinates) {
    check_constant(coordinates.values);
    unsigned rank = 0;
    unsigned i = 0;
    ((rank += position_of(Axes::layout, coordinates.values[i++])), ...);
    return rank;
  }
  /// The rank at these coordinates of the copy that holds the rank `like`. Precondition: contains(like).
  static constexpr unsigned rank_of(const Coordinates<mesh>& coordinates, unsigned like) {
    return like - rank_of(coordinates_of(like)) + rank_of(coordinates);
  }

  /// All groups along one axis, or along several flattened (the first named outermost), over the whole root: in order
  /// of their first position, each in coordinate order.
  template <fixed_string... Keys>
  static constexpr groups_type<Keys...> groups() {
    using found = pick<Rule::some, Keys...>;
    if constexpr (!found::ok) static_assert(false, found::explain("groups"));
    return {};
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  static constexpr groups_type<Keys...> groups(axis_tag<Keys>...) {
    return groups<Keys...>();
  }

  /// The group that holds a rank. Precondition: contains(rank).
  template <fixed_string... Keys>
  static constexpr group_type<Keys...> group_of(unsigned rank) {
    using found = pick<Rule::some, Keys...>;
    if constexpr (found::ok) {
      rank_is_below_world<RootT::ranks>(rank);
      const unsigned own = position_of(found::layout, axial::index_of(found::layout, rank));
      return group_type<Keys...>({rank - own});
    } else {
      static_assert(false, found::explain("group_of"));
      return {};
    }
  }
  template <fixed_string Key>
  static constexpr group_type<Key> group_of(axis_tag<Key>, unsigned rank) {
    return group_of<Key>(rank);
  }

  /// The place in groups() of the group that holds a rank. Precondition: contains(rank).
  template <fixed_string... Keys>
  static constexpr unsigned group_index(unsigned rank) {
    using found = pick<Rule::some, Keys...>;
    if constexpr (found::ok) {
      rank_is_below_world<RootT::ranks>(rank);
      constexpr Layout firsts = complement(found::layout, world_).layout;
      return axial::index_of(firsts, rank);
    } else {
      static_assert(false, found::explain("group_index"));
      return 0;
    }
  }
  template <fixed_string Key>
  static constexpr unsigned group_index(axis_tag<Key>, unsigned rank) {
    return group_index<Key>(rank);
  }

  /// The number of groups: world() over the number of ranks in each.
  template <fixed_string... Keys>
  static constexpr unsigned group_count() {
    using found = pick<Rule::some, Keys...>;
    if constexpr (found::ok) {
      return world_ / size_of(found::layout);
    } else {
      static_assert(false, found::explain("group_count"));
      return 1;
    }
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  static constexpr unsigned group_count(axis_tag<Keys>...) {
    return group_count<Keys...>();
  }

  /// The rank `offset` steps along an axis: around its end when periodic, else `no_rank` beyond it. Any offset is
  /// legal, also INT_MIN. Precondition: contains(rank).
  template <fixed_string... Key>
  static constexpr unsigned neighbor(unsigned rank, int offset, bool periodic = true) {
    using found = pick<Rule::one, Key...>;
    if constexpr (found::ok) {
      rank_is_below_world<RootT::ranks>(rank);
      constexpr long long extent = extent_table[found::axis];
      const unsigned here = axial::index_of(found::layout, rank);
      long long there = here + static_cast<long long>(offset);
      if (periodic) there = (there % extent + extent) % extent;
      if (there < 0 || there >= extent) return no_rank;
      return rank - position_of(found::layout, here) + position_of(found::layout, static_cast<unsigned>(there));
    } else {
      static_assert(false, found::explain("neighbor"));
      return 0;
    }
  }
  template <fixed_string Key>
  static constexpr unsigned neighbor(axis_tag<Key>, unsigned rank, int offset, bool periodic = true) {
    return neighbor<Key>(rank, offset, periodic);
  }

  /// The share that a coordinate of an axis has of n items: chunks of ceil(n / extent), the last ones shorter or empty
  /// (an empty one is at n). The rule of torch.chunk and DTensor's Shard.
  template <fixed_string... Key>
  static constexpr Shard shard(std::size_t n, unsigned coordinate) {
    using found = pick<Rule::one, Key...>;
    if constexpr (found::ok) {
      constexpr std::size_t extent = extent_table[found::axis];
      coordinate_is_below_extent<axis_type<Key...>::name, extent>(coordinate);
      const std::size_t chunk = n / extent + (n % extent != 0);
      const std::size_t offset = chunk != 0 && coordinate >= n / chunk + (n % chunk != 0) ? n : chunk * coordinate;
      return {.offset = offset, .size = n - offset < chunk ? n - offset : chunk};
    } else {
      static_assert(false, found::explain("shard"));
      return {};
    }
  }
  template <fixed_string Key>
  static constexpr Shard shard(axis_tag<Key>, std::size_t n, unsigned coordinate) {
    return shard<Key>(n, coordinate);
  }

  /// Every coordinate of a copy, in increasing order of its rank in copy 0.
  static constexpr View<CoordinatesSource<mesh>> all_coordinates() { return {}; }

  // The return types of these are deduced, so that a mistake is an error in decltype(M::submesh<"tp">()), too.

  /// The mesh of these axes, in this order, on the same ranks; the dropped axes stay free.
  template <fixed_string... Keys>
  static constexpr auto submesh() {
    using found = pick<Rule::some, Keys...>;
    if constexpr (!found::ok) static_assert(false, found::explain("submesh"));
    return submesh_type<Keys...>{};
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  static constexpr auto submesh(axis_tag<Keys>...) {
    return submesh<Keys...>();
  }

  /// The same axes in another order; names each exactly once.
  template <fixed_string... Keys>
  static constexpr auto permute() {
    using found = pick<Rule::all, Keys...>;
    if constexpr (!found::ok) static_assert(false, found::explain("permute"));
    return permute_type<Keys...>{};
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  static constexpr auto permute(axis_tag<Keys>...) {
    return permute<Keys...>();
  }

  /// The sub-mesh of all axes but these, in mesh order.
  template <fixed_string... Keys>
  static constexpr auto others() {
    using found = pick<Rule::some, Keys...>;
    if constexpr (!found::ok) static_assert(false, found::explain("others"));
    return others_type<Keys...>{};
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  static constexpr auto others(axis_tag<Keys>...) {
    return others<Keys...>();
  }
};

/// `dp=2, tp=4`
template <class Sink, class NameList, class ExtentList>
constexpr void put_extents(Sink& sink, const NameList& names, const ExtentList& extents, NameView between = ", ") {
  for (std::size_t i = 0; i < names.size(); ++i)
    put(sink, i ? between : NameView(), names[i], NameView("="), extents[i]);
}

/// Axes of a root that are not row-major over all of it: what operations on a mesh return.
export template <class RootT, class... Axes>
struct SubMesh : MeshBase<RootT, Axes...> {
  /// `SubMesh(tp=4:1 of 8)`: each axis with its extent:stride, and the number of ranks of the root.
  template <class Sink>
  friend constexpr void put(Sink& sink, const SubMesh&) {
    put(sink, NameView("SubMesh("));
    bool first = true;
    ((put(sink, NameView(first ? "" : ", "), Axes::name, NameView("="), Axes::layout), first = false), ...);
    put(sink, NameView(sizeof...(Axes) ? " of " : "of "), RootT::ranks, NameView(")"));
  }
};

/// The product of the extents, or more than max_ranks when it is larger than that.
constexpr unsigned long long saturating_product(const unsigned* extents, unsigned count) {
  unsigned long long product = 1;
  for (unsigned i = 0; i < count; ++i)
    if (product <= max_ranks) product *= extents[i];
  return product;
}

/// What is wrong with a list of dimensions; empty when nothing is.
constexpr Message explain_dimensions(const NameView* names, const unsigned* extents, unsigned count) {
  Message text;
  if (count > max_dimensions) {
    put(text, NameView("Mesh has "), count, NameView(" dimensions; the most is "), max_dimensions);
    return text;
  }
  for (unsigned i = 0; i < count; ++i) {
    if (names[i].empty()) {
      put(text, NameView("Mesh dimension "), i, NameView(" has an empty name; the dimensions are "));
      return put_quoted(text, names, count), text;
    }
    for (unsigned j = 0; j < i; ++j)
      if (names[i].equals(names[j])) {
        put(text, NameView("Mesh names dimension \""), names[i], NameView("\" twice; the dimensions are "));
        return put_quoted(text, names, count), text;
      }
    if (extents[i] == 0) {
      put(text, NameView("Mesh dimension \""), names[i], NameView("\" has extent 0; the least is 1"));
      return text;
    }
  }
  if (saturating_product(extents, count) > max_ranks) {
    put(text, NameView("Mesh("));
    for (unsigned i = 0; i < count; ++i) put(text, NameView(i ? ", " : ""), names[i], NameView("="), extents[i]);
    put(text, NameView(") has more than "), max_ranks, NameView(" ranks"));
  }
  return text;
}

/// An axis of one mode, or of none where the extent is 1.
template <fixed_string Name, unsigned Extent, unsigned Stride>
struct one_mode {
  using type = Axis<Name, Mode{Extent, Stride}>;
};
template <fixed_string Name, unsigned Stride>
struct one_mode<Name, 1, Stride> {
  using type = Axis<Name>;
};

template <class... Dims>
struct Dimensions {
  static constexpr NameView names[] = {Dims::name.view()..., NameView()};
  static constexpr unsigned extents[] = {Dims::extent..., 1};
  static constexpr Message problem = explain_dimensions(names, extents, sizeof...(Dims));
  static constexpr bool ok = problem.length == 0;

  /// The row-major stride of dimension `at`.
  static consteval unsigned stride(unsigned at) {
    unsigned stride = 1;
    while (++at < sizeof...(Dims)) stride *= extents[at];
    return stride;
  }
  template <std::size_t... I>
  static auto base(std::index_sequence<I...>)
      -> MeshBase<Root<static_cast<unsigned>(saturating_product(extents, sizeof...(Dims)))>,
                  typename one_mode<Dims::name, Dims::extent, stride(I)>::type...>;
};

template <class... Dims>
consteval auto base_of() {
  if constexpr (!(is_dim<Dims> && ...)) {
    static_assert(false, "Mesh takes dimensions only: Mesh<Dim<\"dp\", 2>, Dim<\"tp\", 4>>");
    return std::type_identity<Harmless>{};
  } else if constexpr (!Dimensions<Dims...>::ok) {
    static_assert(false, Dimensions<Dims...>::problem);
    return std::type_identity<Harmless>{};
  } else {
    return std::type_identity<decltype(Dimensions<Dims...>::base(std::index_sequence_for<Dims...>{}))>{};
  }
}

/// Named dimensions over the ranks 0 .. product-1, row-major: the last dimension varies fastest.
export template <class... Dims>
struct Mesh : decltype(base_of<Dims...>())::type {
  /// `Mesh(dp=2, tp=4)`
  template <class Sink>
  friend constexpr void put(Sink& sink, const Mesh&) {
    put(sink, NameView("Mesh("));
    put_extents(sink, Mesh::names(), Mesh::shape());
    put(sink, NameView(")"));
  }
};

/// Meshes are equal when their types are.
export template <mesh_type A, mesh_type B>
constexpr bool operator==(const A&, const B&) {
  return std::is_same_v<A, B>;
}

/// True when M, a mesh or a DeviceMesh, has a dimension of this name.
export template <class M, fixed_string Name>
concept has_dimension = requires { M::names(); } && M::template pick<Rule::one, Name>::ok;

/// The extent of a dimension as a constant of the type.
export template <class M, fixed_string Name>
inline constexpr unsigned extent_of = M::template extent<Name>();

/// The stride of a dimension as a constant of the type.
export template <class M, fixed_string Name>
inline constexpr unsigned stride_of = M::template stride<Name>();

/// A mesh as text, `dp=4,tp=2`, taken apart.
struct ParsedMesh {
  NameView names[max_dimensions];
  unsigned extents[max_dimensions] = {};
  unsigned count = 0;
  bool ok = false;
};

constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  while (!text.empty() && blanks.find(text.front()) != blanks.npos) text.remove_prefix(1);
  while (!text.empty() && blanks.find(text.back()) != blanks.npos) text.remove_suffix(1);
  return text;
}

constexpr ParsedMesh parse_mesh(std::string_view text) {
  ParsedMesh parsed;
  while (true) {
    const std::string_view item = text.substr(0, text.find(','));
    const std::size_t equals = item.find('=');
    if (equals == item.npos || parsed.count == max_dimensions) return parsed;
    const std::string_view name = trimmed(item.substr(0, equals));
    const std::string_view digits = trimmed(item.substr(equals + 1));
    if (name.empty() || digits.empty() || digits.size() > 10) return parsed;
    unsigned long long extent = 0;
    for (const char digit : digits) {
      if (digit < '0' || digit > '9') return parsed;
      extent = extent * 10 + static_cast<unsigned>(digit - '0');
    }
    if (extent == 0 || extent > max_ranks) return parsed;
    parsed.names[parsed.count] = name;
    parsed.extents[parsed.count++] = static_cast<unsigned>(extent);
    if (item.size() == text.size()) break;
    text.remove_prefix(item.size() + 1);
  }
  parsed.ok = true;
  return parsed;
}

template <mesh_type M>
constexpr bool matches(const ParsedMesh& parsed) {
  if (!parsed.ok || parsed.count != M::ndim()) return false;
  for (unsigned i = 0; i < parsed.count; ++i)
    if (parsed.names[i] != M::names()[i] || parsed.extents[i] != M::shape()[i]) return false;
  return true;
}

[[noreturn]] void throw_no_such_mesh(std::string_view text, bool well_formed, TextSink& legal);

template <class Result, mesh_type First, mesh_type... Rest, class F>
Result dispatch_to(const ParsedMesh& parsed, F&& f) {
  if constexpr (sizeof...(Rest) > 0)
    if (!matches<First>(parsed)) return dispatch_to<Result, Rest...>(parsed, static_cast<F&&>(f));
  return static_cast<F&&>(f)(First{});
}

/// Calls f(mesh) with the one of `Meshes` that `text` names, as "dp=4,tp=2" (dimensions in order), and returns what f
/// returns for the first of them. Throws MeshError listing the set when the text names none of them.
export template <mesh_type... Meshes, class F>
auto dispatch(std::string_view text, F&& f) -> decltype(static_cast<F&&>(f)(__type_pack_element<0, Meshes...>{})) {
  const ParsedMesh parsed = parse_mesh(text);
  if (!(matches<Meshes>(parsed) || ...)) {
    TextSink legal;
    bool first = true;
    const auto list = [&]<class M>(M) {
      if (!first) put(legal, NameView("; "));
      first = false;
      put_extents(legal, M::names(), M::shape(), ",");
    };
    (list(Meshes{}), ...);
    throw_no_such_mesh(text, parsed.ok, legal);
  }
  return dispatch_to<decltype(f(__type_pack_element<0, Meshes...>{})), Meshes...>(parsed, static_cast<F&&>(f));
}

}  // namespace axial

template <axial::mesh_type M>
struct std::tuple_size<axial::Coordinates<M>> {
  static constexpr std::size_t value = M::ndim();
};
// const: a binding is a copy of the coordinate, also one of `auto& [dp, tp]`.
template <std::size_t I, axial::mesh_type M>
struct std::tuple_element<I, axial::Coordinates<M>> {
  using type = const unsigned;
};
