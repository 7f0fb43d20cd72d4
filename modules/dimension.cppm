// SPDX-License-Identifier: BSL-1.0
// What mesh types are made of: dimensions, the root that their ranks live in, named axes in it. And what queries
// return: coordinates, groups of ranks, shares, all of it computed when it is looked at.
module;
#include <compare>
#include <cstddef>
#include <type_traits>
#include <utility>

export module axial:dimension;
export import :algebra;
export import :list;

#pragma clang diagnostic ignored "-Wc++26-extensions"  // static_assert with a computed text

namespace axial {

/// One dimension: a name and its extent, at least 1; `dynamic` on the outermost one means what the number of ranks
/// leaves.
export template <fixed_string Name, unsigned Extent>
struct Dim {
  static constexpr auto name = Name;
  static constexpr unsigned extent = Extent;
};

template <class T>
inline constexpr bool is_dim = false;
template <fixed_string Name, unsigned Extent>
inline constexpr bool is_dim<Dim<Name, Extent>> = true;

/// Base maps as types: each rank at the position of its number; ...
struct Identity {
  static constexpr BaseMap map{};
};
/// ... the same in a world whose number of ranks is known at run time and a multiple of `Ranks`; ...
template <unsigned Ranks>
struct MultipleOf : Identity {};
template <class Base>
inline constexpr unsigned static_part = 1;
template <unsigned Ranks>
inline constexpr unsigned static_part<MultipleOf<Ranks>> = Ranks;
/// ... the exclusive or of one rank for each bit of the position; ...
template <unsigned... Columns>
struct BitLinear {
  static constexpr unsigned bits = sizeof...(Columns);
  static constexpr unsigned ranks[] = {Columns...};
  static consteval List<unsigned, bits> invert() {
    List<unsigned, bits> inverse;
    invert_columns(ranks, bits, inverse.values);
    return inverse;
  }
  static constexpr List<unsigned, bits> positions = invert();
  static constexpr BaseMap map{ranks, positions.values, true};
};
/// ... or a table.
template <unsigned... Ranks>
struct Table {
  static constexpr unsigned ranks[] = {Ranks...};
  static consteval List<unsigned, sizeof...(Ranks)> invert() {
    List<unsigned, sizeof...(Ranks)> inverse;
    axial::invert(ranks, sizeof...(Ranks), inverse.values);
    return inverse;
  }
  static constexpr List<unsigned, sizeof...(Ranks)> positions = invert();
  static constexpr BaseMap map{ranks, positions.values};
};

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

/// The ranks that a mesh and all its sub-meshes live on, 0 .. Ranks-1, and the position of each. `Root<0>` is the root
/// of `Harmless`.
export template <unsigned Ranks, class Base = Identity>
struct Root {
  using root_type = Root;
  using base_type = Base;
  static constexpr unsigned ranks = Ranks;
  static constexpr Layout pinned = {};
  static constexpr unsigned offset = 0;
  static constexpr unsigned rank_at(unsigned position) { return Base::map.rank_at(position); }
  static constexpr unsigned position_of(unsigned rank) { return Base::map.position_of(rank); }
};

/// The part of a root that a slice leaves: the positions whose coordinate along these modes is that of `Offset`.
export template <class RootT, unsigned Offset, Mode... Modes>
struct Part : RootT {
  static constexpr Layout pinned{.modes = {Modes...}, .count = sizeof...(Modes)};
  static constexpr unsigned offset = Offset;
  static constexpr unsigned position_of(unsigned rank) {
    const unsigned position = RootT::position_of(rank);
    if (std::is_constant_evaluated() && index_of(pinned, position) != index_of(pinned, offset)) rank_out_of_range();
    return position;
  }
};

/// A named axis in a root: its modes, coalesced, outer first. An axis of extent 1 has none.
export template <fixed_string Name, Mode... Modes>
struct Axis {
  static constexpr auto name = Name;
  static constexpr Layout layout{.modes = {Modes...}, .count = sizeof...(Modes)};
  static constexpr unsigned extent = size_of(layout);
};

export template <class... Dims>
struct Mesh;
/// `Where` is a Root, or a Part of one.
export template <class Where, class... Axes>
struct SubMesh;

template <class T>
inline constexpr bool is_mesh = false;
template <class... Dims>
inline constexpr bool is_mesh<Mesh<Dims...>> = true;
template <class Where, class... Axes>
inline constexpr bool is_mesh<SubMesh<Where, Axes...>> = true;

/// A `Mesh`, or what its operations return.
export template <class M>
concept mesh_type = is_mesh<__remove_cv(M)>;  // the builtin: each importer checks this often

// What a failed operation returns, so that one mistake gives one error: it takes every name, every number of values.
// Its axis has an index for a name, which no dimension can have.
using Harmless = SubMesh<Root<0>, Axis<0>>;

// A mesh type as a value: everything that is asked of a mesh is computed from it. A variable, and the names read off
// the template arguments, since each mesh type that an importer declares costs this much to compile.
template <class M>
inline constexpr MeshLayout value_of = harmless_mesh();
template <fixed_string... Names, unsigned... Extents>
inline constexpr MeshLayout value_of<Mesh<Dim<Names, Extents>...>> =
    row_major_or_harmless(List<NameView, sizeof...(Names)>{{Names.view()...}}.values,
                          List<unsigned, sizeof...(Extents)>{{Extents...}}.values, sizeof...(Names));
template <class Where, class... Axes>
inline constexpr MeshLayout value_of<SubMesh<Where, Axes...>> = [] {
  MeshLayout mesh;
  mesh.ranks = Where::ranks;
  mesh.pinned = Where::pinned;
  mesh.offset = Where::offset;
  (mesh.push(Axes::name.view(), Axes::layout), ...);
  return mesh;
}();
template <>
inline constexpr MeshLayout value_of<Harmless> = harmless_mesh();
template <class M>
inline constexpr MeshLayout value_of<const M> = value_of<M>;  // decltype of a constexpr variable is const

template <unsigned Ranks, unsigned Multiple>
struct root_of {
  using type = Root<Ranks>;
};
template <unsigned Multiple>
struct root_of<dynamic, Multiple> {
  using type = Root<dynamic, MultipleOf<Multiple>>;
};
template <class M>
struct where_of : root_of<value_of<M>.any ? 0u : value_of<M>.ranks, value_of<M>.modes[0].stride> {};
template <class Where, class... Axes>
struct where_of<SubMesh<Where, Axes...>> {
  using type = Where;
};
template <class M>
struct where_of<const M> : where_of<M> {};
/// The Root of a mesh type, or the Part of it that the mesh holds.
template <class M>
using where_t = typename where_of<M>::type;
template <class M>
using root_t = typename where_t<M>::root_type;

/// One axis of a mesh type: its name, its modes, its type.
template <class M, unsigned I>
inline constexpr auto axis_name = fixed_name<name_size(value_of<M>, I)>(value_of<M>.names[I]);
template <class M, unsigned I>
inline constexpr Layout axis_layout = value_of<M>.axis(I);
template <class M, unsigned I, std::size_t... Modes>
auto make_axis(std::index_sequence<Modes...>) -> Axis<axis_name<M, I>, axis_layout<M, I>.modes[Modes]...>;
template <class M, unsigned I, unsigned Count>
struct axis_at {
  using type = decltype(make_axis<M, I>(std::make_index_sequence<Count>{}));
};
template <class M, unsigned I>
struct axis_at<M, I, 1> {  // nearly all
  using type = Axis<axis_name<M, I>, axis_layout<M, I>.modes[0]>;
};
template <class M>
struct axis_at<M, max_dimensions, 0> {
  using type = Axis<0>;
};
template <class M, unsigned I>
using axis_t = typename axis_at<M, I, I == max_dimensions ? 0 : value_of<M>.mode_count(I)>::type;

// For templates, where `+=` and `==` on what depends on a parameter would load all their overloads.
constexpr void advance(unsigned& sum, unsigned by) { sum += by; }
constexpr bool is_same_number(std::size_t a, std::size_t b) { return a == b; }

/// All modes of a mesh type, largest stride first.
template <class M>
inline constexpr Layout increasing_of = value_of<M>.increasing();

// One value is a coordinate on a mesh of one axis only; on others it must not turn into coordinates by itself.
constexpr bool is_explicit(std::size_t values, std::size_t ndim) { return values == 1 && ndim != 1; }

/// One coordinate for each axis of M, in the order of the axes, each at least 0 and below the extent.
export template <mesh_type M>
struct Coordinates {
  unsigned values[M::ndim() ? M::ndim() : 1] = {};

  constexpr Coordinates() = default;
  /// One value for each axis; a value out of range in a constant expression does not compile.
  template <class... Values>
    requires(sizeof...(Values) > 0 && (__is_integral(Values) && ...))
  constexpr explicit(is_explicit(sizeof...(Values), M::ndim())) Coordinates(Values... each) {
    if constexpr (is_same_number(sizeof...(Values), M::ndim())) {
      unsigned i = 0;
      ((values[i++] = same_element(static_cast<unsigned>(each), each) ? static_cast<unsigned>(each) : ~0u), ...);
      M::check_constant(values, std::make_index_sequence<M::ndim()>{});
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

/// `Coordinates<decltype(mesh)>` of a constexpr variable: the same coordinates.
template <class M>
struct Coordinates<const M> : Coordinates<M> {
  using Coordinates<M>::Coordinates;
  constexpr Coordinates(const Coordinates<M>& coordinates) : Coordinates<M>(coordinates) {}
};

/// The number of ranks, kept where only the run time knows it.
template <unsigned Ranks>
struct WorldSize {
  constexpr WorldSize(unsigned = Ranks) {}
  static constexpr unsigned ranks = Ranks;
};
template <>
struct WorldSize<dynamic> {
  constexpr WorldSize(unsigned world = 0) : ranks(world) {}
  unsigned ranks;
};

/// The ranks of one group in coordinate order, computed from the position of its first: no table.
template <class RootT, Mode... Modes>
struct GroupSource {
  static constexpr Layout layout{.modes = {Modes...}, .count = sizeof...(Modes)};
  unsigned first = 0;
  [[no_unique_address]] WorldSize<size_of(layout) == dynamic ? dynamic : RootT::ranks> world = {};

  static constexpr std::size_t size()
    requires(size_of(layout) != dynamic)
  {
    return size_of(layout);
  }
  constexpr std::size_t size() const { return size_of(layout, world.ranks); }
  constexpr unsigned operator[](unsigned i) const { return RootT::rank_at(first + position_of(layout, i)); }
};

/// All groups of an axis, in order of their first position.
template <class Where, Mode... Modes>
struct GroupsSource {
  using Group = GroupSource<typename Where::root_type, Modes...>;
  static constexpr Layout firsts = firsts_of(Group::layout, Where::pinned, Where::ranks ? Where::ranks : 1);
  [[no_unique_address]] WorldSize<Where::ranks> world = {};

  static constexpr std::size_t size()
    requires(size_of(firsts) != dynamic)
  {
    return size_of(firsts);
  }
  constexpr std::size_t size() const { return size_of(firsts, world.ranks); }
  constexpr View<Group> operator[](unsigned i) const {
    return View(Group{Where::offset + position_of(firsts, i), world.ranks});
  }
};

/// The coordinates of the i-th smallest rank of copy 0.
template <class M>
struct CoordinatesSource {
  static constexpr unsigned count = size_of(increasing_of<M>);
  [[no_unique_address]] WorldSize<count> world = {};

  static constexpr std::size_t size()
    requires(count != dynamic)
  {
    return count;
  }
  constexpr std::size_t size() const { return size_of(increasing_of<M>, world.ranks); }
  constexpr Coordinates<M> operator[](unsigned i) const { return M::coordinates_of(M::nth_rank(i)); }
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

constexpr Shard shard_of(std::size_t n, std::size_t coordinate, std::size_t extent) {
  const std::size_t chunk = n / extent + (n % extent != 0);
  const std::size_t offset = chunk != 0 && coordinate >= n / chunk + (n % chunk != 0) ? n : chunk * coordinate;
  return {.offset = offset, .size = n - offset < chunk ? n - offset : chunk};
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
