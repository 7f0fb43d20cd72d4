// SPDX-License-Identifier: BSL-1.0
// From meshes as values to meshes as types: each operation of :algebra, evaluated for the names of a mesh type, and the
// one type that its result has.
module;
#include <cstddef>
#include <type_traits>
#include <utility>

export module axial:computed;
export import :coordinates;

namespace axial {

/// True when the axes are row-major over the whole root and each rank is at its own position: then they are a Mesh.
template <class Where, class... Axes>
consteval bool is_row_major() {
  unsigned long long stride = Where::ranks;
  if (Where::ranks == dynamic)
    stride *= static_part<typename Where::base_type>;  // what an endless outermost mode spans
  else if (!std::is_same_v<typename Where::base_type, Identity>)
    return false;
  bool ok = stride != 0 && Where::pinned.count == 0;
  const auto follows = [&](const Layout& layout) {
    if (layout.count == 0) return;
    ok = ok && layout.count == 1 && stride == 1ull * layout.modes[0].extent * layout.modes[0].stride;
    stride = layout.modes[0].stride;
  };
  (follows(Axes::layout), ...);
  return ok && stride == 1;
}

template <class Where, class... Axes>
struct canonical {
  using type = SubMesh<Where, Axes...>;
};
template <class Where, class... Axes>
  requires(is_row_major<Where, Axes...>())
struct canonical<Where, Axes...> {
  using type = Mesh<Dim<Axes::name, Axes::extent>...>;
};

/// The one type that a list of axes in a root has.
template <class Where, class... Axes>
using mesh_of = typename canonical<Where, Axes...>::type;

/// A pack of modes made from `Source::layout`.
template <template <class, Mode...> class To, class Where, class Source>
struct with_modes {
  template <std::size_t... I>
  static auto make(std::index_sequence<I...>) -> To<Where, Source::layout.modes[I]...>;
  using type = decltype(make(std::make_index_sequence<Source::layout.count>{}));
};

/// The type of the mesh `Computed::result`, a MeshResult in this root; Harmless where there is none.
template <class RootT, class Computed>
struct mesh_type_of {
  static constexpr const MeshLayout& mesh = Computed::result.mesh;
  static constexpr unsigned begin(std::size_t axis) { return axis == 0 ? 0u : mesh.ends[axis - 1]; }

  template <std::size_t I, std::size_t... M>
  static auto axis(std::index_sequence<M...>)
      -> Axis<fixed_name<mesh.names[I].size() + 1>(mesh.names[I]), mesh.modes[begin(I) + M]...>;
  template <std::size_t... M>
  static auto part(std::index_sequence<M...>) -> Part<RootT, mesh.offset, mesh.pinned.modes[M]...>;
  static auto part(std::index_sequence<>) -> RootT;
  template <class Where, std::size_t... I>
  static auto make(std::index_sequence<I...>)
      -> mesh_of<Where, decltype(axis<I>(std::make_index_sequence<mesh.ends[I] - begin(I)>{}))...>;

  static consteval auto choose() {
    if constexpr (!Computed::result.ok() || mesh.any)
      return std::type_identity<Harmless>{};
    else
      return std::type_identity<decltype(make<decltype(part(std::make_index_sequence<mesh.pinned.count>{}))>(
          std::make_index_sequence<mesh.ndim>{}))>{};
  }
  using type = typename decltype(choose())::type;
};

// Each operation: the function on values, evaluated for the mesh type `Base` and these names.
template <class Base, MeshResult (*Operation)(const MeshLayout&, const Key*, unsigned), fixed_string... Keys>
struct by_names {
  static constexpr Key keys[] = {key_of(Keys)..., Key{}};
  static constexpr MeshResult result = Operation(Base::value, keys, sizeof...(Keys));
};
template <class Base, fixed_string... Keys>
using submesh_of = by_names<Base, submesh, Keys...>;
template <class Base, fixed_string... Keys>
using permute_of = by_names<Base, permute, Keys...>;
template <class Base, fixed_string... Keys>
using others_of = by_names<Base, others, Keys...>;

/// `dp_tp`: what a flattening is called when nothing else is said.
template <class Base, fixed_string... Keys>
struct joined_name {
  static constexpr Key keys[] = {key_of(Keys)..., Key{}};
  static constexpr Selection axes = flattened(Base::value.list(), keys, sizeof...(Keys));
  static consteval std::size_t length() {
    std::size_t length = 0;
    for (unsigned i = 0; i < axes.count; ++i) length += Base::value.names[axes.at[i]].size() + (i != 0);
    return length;
  }
  static consteval List<char, length() + 1> make() {
    List<char, length() + 1> text;
    std::size_t at = 0;
    for (unsigned i = 0; i < axes.count; ++i) {
      if (i != 0) text[at++] = '_';
      for (const char c : Base::value.names[axes.at[i]]) text[at++] = c;
    }
    return text;
  }
  static constexpr List<char, length() + 1> text = make();
  static constexpr NameView view{text.values, length()};
};
template <fixed_string Name>
struct given_name {
  static constexpr NameView view = Name.view();
};
template <class Base, class Name, fixed_string... Keys>
struct flatten_of {
  static constexpr Key keys[] = {key_of(Keys)..., Key{}};
  static constexpr MeshResult result = flatten(Base::value, keys, sizeof...(Keys), Name::view);
};
template <class Base, fixed_string... Names>  // the last one is the new name
struct rename_of {
  static constexpr Key keys[] = {key_of(Names)...};
  static constexpr unsigned count = sizeof...(Names) - 1;
  static constexpr MeshResult result = rename(Base::value, keys, count, keys[count].name);
};
template <class Base, class Parts, fixed_string... Keys>
struct unflatten_of {
  static constexpr Key keys[] = {key_of(Keys)..., Key{}};
  static constexpr MeshResult result =
      unflatten(Base::value, keys, sizeof...(Keys), Parts::names, Parts::extents, Parts::count);
};
template <class Base, long long Coordinate, fixed_string... Keys>
struct slice_of {
  static constexpr Key keys[] = {key_of(Keys)..., Key{}};
  static constexpr MeshResult result = slice(Base::value, keys, sizeof...(Keys), Coordinate);
};
template <class A, class B>
struct concat_of {
  static constexpr bool same_root = std::is_same_v<typename A::root_type, typename B::root_type>;
  static constexpr MeshResult result = concat(A::value, B::value, same_root);
};
/// The type of the mesh that an operation on `Base` makes; Harmless where the operation is a mistake.
template <class Base, class Computed>
using made = typename mesh_type_of<typename Base::root_type, Computed>::type;

/// Dimensions as arrays.
template <class... Dims>
struct DimList {
  static constexpr NameView names[] = {Dims::name.view()..., NameView()};
  static constexpr unsigned extents[] = {Dims::extent..., 1};
  static constexpr unsigned count = sizeof...(Dims);
};

/// The ranks of copy 0 in increasing order, where a table is the base map.
template <class Base>
struct RanksOfCopy0 {
  static constexpr unsigned count = size_of(Base::increasing);
  static consteval List<unsigned, count> find() {
    List<unsigned, count> ranks;
    unsigned found = 0;
    for (unsigned rank = 0; rank < Base::world(); ++rank) {
      const unsigned position = Base::root_type::position_of(rank) - Base::where_type::offset;
      if (position == position_of(Base::increasing, index_of(Base::increasing, position))) ranks[found++] = rank;
    }
    return ranks;
  }
  static constexpr List<unsigned, count> ranks = find();
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

/// The mesh type `Base` with the base map that `Checked` found, and what is wrong with that.
template <class Base, class Checked>
struct numbered {
  static consteval Message explain() {
    if (Base::takes_every_name) return {};
    if (Base::is_whole) return Checked::problem;
    Message text;
    put(text, Checked::operation,
        NameView(" numbers the positions of a whole Mesh: it comes first, before submesh, "
                 "permute, flatten, slice and other ranks"));
    if (Base::root_type::ranks == dynamic) put(text, NameView(", and needs every extent"));
    return text;
  }
  static constexpr Message problem = explain();
  static consteval auto choose() {
    if constexpr (problem.length != 0 || Base::takes_every_name)
      return std::type_identity<Harmless>{};
    else
      return std::type_identity<typename Base::template with_root<
          Root<Base::root_type::ranks, typename decltype(Checked::choose())::type>>>{};
  }
  using type = typename decltype(choose())::type;
};

}  // namespace axial
