// SPDX-License-Identifier: BSL-1.0
// What mesh types are made of: dimensions, the root that their ranks live in, named axes in it.
module;
#include <cstddef>
#include <type_traits>
#include <utility>

export module axial:dimension;
export import :algebra;
export import :list;

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

}  // namespace axial
