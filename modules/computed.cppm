// SPDX-License-Identifier: BSL-1.0
// From meshes as values to meshes as types: each operation of :algebra, evaluated for the names of a mesh type, and the
// one type that its result has.
module;
#include <cstddef>
#include <type_traits>
#include <utility>

export module axial:computed;
export import :dimension;

namespace axial {

/// The axes that `Keys` pick in M under rule R, or the text of what is wrong with them.
template <class M, Rule R, fixed_string... Keys>
struct picked_axes {
  static constexpr Key keys[] = {key_of(Keys)..., Key{}};
  static constexpr Selection value = select(value_of<M>.list(), keys, sizeof...(Keys), R);
  static constexpr Layout layout = join(value_of<M>, value);
  static constexpr bool ok = value.ok() && !has_dynamic_inside(layout);
  static constexpr unsigned axis = value.at[0];
  static constexpr Layout firsts = firsts_of(layout, value_of<M>.pinned, value_of<M>.ranks);
  static constexpr bool is_dynamic = size_of(layout) == dynamic;
  static consteval Message explain(NameView operation) {
    if (!value.ok()) return axial::explain(value, value_of<M>.list(), keys, operation);
    Message text;
    put(text, operation, NameView(" of a flattening: the dynamic dimension \""), value_of<M>.names[0],
        NameView("\" must be named first"));
    return text;
  }
};

// What is asked of most mesh types. Variables outside of the members that return them: a local one would be computed
// anew in each constant expression that calls the member.
template <class M>
inline constexpr unsigned size_value = value_of<M>.size();
template <class M, fixed_string... Key>
inline constexpr unsigned extent_value = extent_at(value_of<M>, axial::find_axis(value_of<M>, axial::key_of(Key)...));
template <class M, fixed_string... Key>
inline constexpr unsigned stride_value = stride_at(value_of<M>, axial::find_axis(value_of<M>, axial::key_of(Key)...));

/// The type of the one axis that `Keys` pick; what Harmless has for an axis where they are a mistake.
template <class M, fixed_string... Keys>
struct picked_axis {
  using found = picked_axes<M, Rule::one, Keys...>;
  using type = axis_t<M, !value_of<M>.any && found::ok ? found::axis : max_dimensions>;
};

/// A pack of modes made from `Source::layout`.
template <template <class, Mode...> class To, class Where, class Source>
struct with_modes {
  template <std::size_t... I>
  static auto make(std::index_sequence<I...>) -> To<Where, Source::layout.modes[I]...>;
  using type = decltype(make(std::make_index_sequence<Source::layout.count>{}));
};

/// The group, and all groups, along the axes picked.
template <class M, class Pick>
using group_t = View<typename with_modes<GroupSource, root_t<M>, Pick>::type>;
template <class M, class Pick>
using groups_t = View<typename with_modes<GroupsSource, where_t<M>, Pick>::type>;

/// The type of the mesh `Computed::result`, a MeshResult in this root; Harmless where there is none. What is row-major
/// over the whole root, each rank at its own position, is the Mesh of that shape.
template <class RootT, class Computed>
struct mesh_type_of {
  static constexpr const MeshLayout& mesh = Computed::result.mesh;
  static constexpr unsigned begin(std::size_t axis) { return axis == 0 ? 0u : mesh.ends[axis - 1]; }
  static constexpr bool is_whole = is_mesh_of(RootT::base_type::map, mesh, static_part<typename RootT::base_type>);

  template <std::size_t I>
  static constexpr auto name = fixed_name<name_size(mesh, I)>(mesh.names[I]);
  template <std::size_t I, std::size_t... M>
  static auto axis(std::index_sequence<M...>) -> Axis<name<I>, mesh.modes[begin(I) + M]...>;
  template <std::size_t... M>
  static auto part(std::index_sequence<M...>) -> Part<RootT, mesh.offset, mesh.pinned.modes[M]...>;
  static auto part(std::index_sequence<>) -> RootT;
  template <std::size_t... I>
  static auto whole(std::index_sequence<I...>) -> Mesh<Dim<name<I>, mesh.extent(I)>...>;
  template <class Where, std::size_t... I>
  static auto some(std::index_sequence<I...>)
      -> SubMesh<Where, decltype(axis<I>(std::make_index_sequence<mesh.ends[I] - begin(I)>{}))...>;

  static consteval auto choose() {
    if constexpr (!Computed::result.ok() || mesh.any)
      return std::type_identity<Harmless>{};
    else if constexpr (is_whole)
      return std::type_identity<decltype(whole(std::make_index_sequence<mesh.ndim>{}))>{};
    else
      return std::type_identity<decltype(some<decltype(part(std::make_index_sequence<mesh.pinned.count>{}))>(
          std::make_index_sequence<mesh.ndim>{}))>{};
  }
  using type = typename decltype(choose())::type;
};

// Each operation: the function on values, evaluated for the mesh type M and these names.
template <class M, MeshResult (*Operation)(const MeshLayout&, const Key*, unsigned), fixed_string... Keys>
struct by_names {
  static constexpr Key keys[] = {key_of(Keys)..., Key{}};
  static constexpr MeshResult result = Operation(value_of<M>, keys, sizeof...(Keys));
};
template <class M, fixed_string... Keys>
using submesh_of = by_names<M, submesh, Keys...>;
template <class M, fixed_string... Keys>
using permute_of = by_names<M, permute, Keys...>;
template <class M, fixed_string... Keys>
using others_of = by_names<M, others, Keys...>;

/// `dp_tp`: what a flattening is called when nothing else is said.
template <class M, fixed_string... Keys>
struct joined_name {
  static constexpr Key keys[] = {key_of(Keys)..., Key{}};
  static constexpr Selection axes = flattened(value_of<M>.list(), keys, sizeof...(Keys));
  static constexpr std::size_t size = join_names(value_of<M>, axes, nullptr);
  static consteval List<char, size + 1> make() {
    List<char, size + 1> text;
    join_names(value_of<M>, axes, text.values);
    return text;
  }
  static constexpr List<char, size + 1> text = make();
  static constexpr NameView view{text.values, size};
};
template <fixed_string Name>
struct given_name {
  static constexpr NameView view = Name.view();
};
template <class M, class Name, fixed_string... Keys>
struct flatten_of {
  static constexpr Key keys[] = {key_of(Keys)..., Key{}};
  static constexpr MeshResult result = flatten(value_of<M>, keys, sizeof...(Keys), Name::view);
};
template <class M, fixed_string... Names>  // the last one is the new name
struct rename_of {
  static constexpr Key keys[] = {key_of(Names)...};
  static constexpr unsigned count = sizeof...(Names) - 1;
  static constexpr MeshResult result = rename(value_of<M>, keys, count, keys[count].name);
};
template <class M, class Parts, fixed_string... Keys>
struct unflatten_of {
  static constexpr Key keys[] = {key_of(Keys)..., Key{}};
  static constexpr MeshResult result =
      unflatten(value_of<M>, keys, sizeof...(Keys), Parts::names, Parts::extents, Parts::count);
};
template <class M, long long Coordinate, fixed_string... Keys>
struct slice_of {
  static constexpr Key keys[] = {key_of(Keys)..., Key{}};
  static constexpr MeshResult result = slice(value_of<M>, keys, sizeof...(Keys), Coordinate);
};
template <class A, class B>
struct concat_of {
  static constexpr bool same_root = std::is_same_v<root_t<A>, root_t<B>>;
  static constexpr MeshResult result = concat(value_of<A>, value_of<B>, same_root);
};
/// The type of the mesh that an operation on M makes; Harmless where the operation is a mistake.
template <class M, class Computed>
using made = typename mesh_type_of<root_t<M>, Computed>::type;

/// The mesh E on the ranks of M; its own type where these are dynamic, since each has its own static part.
template <class M, class E>
struct viewed_as {
  using own_base = typename root_t<E>::base_type;
  static constexpr bool fits =
      value_of<M>.any || (value_of<E>.ranks == value_of<M>.ranks && !is_slice(value_of<E>) &&
                          (own_base::map.is_identity() || std::is_same_v<root_t<E>, root_t<M>>));
  static consteval Message explain() {
    Message text;
    if (fits) return text;
    put(text, NameView("view_as takes another factorisation of the same "));
    put_extent(text, value_of<M>.ranks);
    put(text, NameView(" ranks"));
    if (is_slice(value_of<E>))
      put(text, NameView(", not a slice"));
    else if (value_of<E>.ranks != value_of<M>.ranks)
      put(text, NameView(", not one of ")), put_extent(text, value_of<E>.ranks);
    else
      put(text, NameView(", whose base map is that of this mesh, or none"));
    return text;
  }
  static constexpr Message problem = explain();
  static constexpr MeshResult result = {.mesh = value_of<E>, .problem = problem};
  using type = std::conditional_t<value_of<M>.ranks == dynamic && fits, E, made<M, viewed_as>>;
};

/// Dimensions as arrays.
template <class... Dims>
struct DimList {
  static constexpr NameView names[] = {Dims::name.view()..., NameView()};
  static constexpr unsigned extents[] = {Dims::extent..., 1};
  static constexpr unsigned count = sizeof...(Dims);
};

/// The ranks of copy 0 in increasing order, where a table is the base map.
template <class M>
struct RanksOfCopy0 {
  static consteval List<unsigned, value_of<M>.size()> find() {
    List<unsigned, value_of<M>.size()> ranks;
    unsigned found = 0;
    for (unsigned rank = 0; rank < value_of<M>.ranks; ++rank) {
      const unsigned position = root_t<M>::position_of(rank) - value_of<M>.offset;
      if (position == position_of(increasing_of<M>, index_of(increasing_of<M>, position))) ranks[found++] = rank;
    }
    return ranks;
  }
  static constexpr List<unsigned, value_of<M>.size()> ranks = find();
};

/// A list of ranks as the base map of a root of `World` ranks: checked, and as the least that says it.
template <unsigned World, long long... Ranks>
struct TableOf {
  static constexpr NameView operation = "with_ranks";
  static constexpr unsigned count = sizeof...(Ranks);
  static constexpr long long given[] = {Ranks..., 0};
  struct Checked {
    unsigned ranks[count + 1] = {};
    unsigned positions[count + 1] = {};
    Message problem = {};
  };
  static consteval Checked check() {
    Checked checked;
    checked.problem = explain_ranks(operation, given, count, World, checked.ranks, checked.positions);
    return checked;
  }
  static constexpr Checked checked = check();
  static constexpr const Message& problem = checked.problem;

  template <std::size_t... Bit>
  static auto linear(std::index_sequence<Bit...>) -> BitLinear<checked.ranks[1u << Bit]...>;
  static consteval auto choose() {
    if constexpr (problem.length != 0 || is_identity(checked.ranks, count))
      return std::type_identity<Identity>{};
    else if constexpr (is_bit_linear(checked.ranks, count))
      return std::type_identity<decltype(linear(std::make_index_sequence<high_bit(count)>{}))>{};
    else
      return std::type_identity<Table<static_cast<unsigned>(Ranks)...>>{};
  }
};

/// The same for a bit-linear map.
template <unsigned World, long long... Columns>
struct BitLinearOf {
  static constexpr NameView operation = "with_xor";
  static constexpr unsigned count = sizeof...(Columns);
  static constexpr long long given[] = {Columns..., 0};
  static consteval Message explain() {
    unsigned columns[count + 1] = {};
    unsigned inverse[count + 1] = {};
    return explain_columns(given, count, World, columns, inverse);
  }
  static consteval bool is_identity() {
    for (unsigned bit = 0; bit < count; ++bit)
      if (given[bit] != 1ll << bit) return false;
    return true;
  }
  static constexpr Message problem = explain();
  static consteval auto choose() {
    if constexpr (problem.length != 0 || is_identity())
      return std::type_identity<Identity>{};
    else
      return std::type_identity<BitLinear<static_cast<unsigned>(Columns)...>>{};
  }
};

/// The mesh type M with the base map that `Checked` found, and what is wrong with that.
template <class M, class Checked>
struct numbered {
  static consteval Message explain() {
    if (value_of<M>.any) return {};
    if (is_mesh_of(root_t<M>::base_type::map, value_of<M>, 1)) return Checked::problem;
    Message text;
    put(text, Checked::operation,
        NameView(" numbers the positions of a whole Mesh: it comes first, before submesh, permute, flatten, slice and "
                 "other ranks"));
    if (value_of<M>.ranks == dynamic) put(text, NameView(", and needs every extent"));
    return text;
  }
  static constexpr Message problem = explain();

  template <class Base, std::size_t... I>
  static auto make(std::index_sequence<I...>) -> SubMesh<Root<value_of<M>.ranks, Base>, axis_t<M, I>...>;
  template <class Base>
  static consteval auto with(std::type_identity<Base>) {
    return std::type_identity<decltype(make<Base>(std::make_index_sequence<value_of<M>.ndim>{}))>{};
  }
  static consteval auto with(std::type_identity<Identity>) { return std::type_identity<M>{}; }
  static consteval auto choose() {
    if constexpr (problem.length != 0 || value_of<M>.any)
      return std::type_identity<Harmless>{};
    else
      return with(Checked::choose());
  }
  using type = typename decltype(choose())::type;
};

}  // namespace axial
