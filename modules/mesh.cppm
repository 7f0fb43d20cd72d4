// SPDX-License-Identifier: BSL-1.0
// The mesh algebra by name: Mesh and its sub-meshes, coordinates, groups. Everything is known to the compiler; nothing
// here knows of processes.
module;
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

export module axial:mesh;
export import :computed;

#pragma clang diagnostic ignored "-Wc++26-extensions"  // static_assert with a computed text

namespace axial {

/// What `neighbor` returns beyond the end of an axis that is not periodic.
export inline constexpr unsigned no_rank = ~0u;

/// `axial::at<1>`: a coordinate as a value, for the tag form of slice.
export template <unsigned Coordinate>
inline constexpr std::integral_constant<unsigned, Coordinate> at{};

/// What `Mesh`, its sub-meshes and `DeviceMesh` have in common. All members are static; each that takes names exists
/// with literals, `extent<"tp">()`, and with tags, `extent(axis<"tp">)`; an index may stand for a name.
/// `world`, where a member takes it, is the number of ranks: to be given where a dimension is dynamic and the answer
/// depends on it, and not looked at elsewhere.
export template <class M>
struct MeshBase {
  using base = MeshBase;
  using mesh = M;

  // For the library's own use.
  /// The mesh as a value. Named so, its type is known where the templates are read: an operator on what depends on M
  /// would make each importer load all overloads of that operator.
  static constexpr const MeshLayout& value = value_of<M>;
  template <Rule R, fixed_string... Keys>
  using pick = picked_axes<M, R, Keys...>;
  template <fixed_string... Keys>
  using axis_type = typename picked_axis<M, Keys...>::type;
  static constexpr bool takes_every_name = value.any;
  /// In a constant expression, stops at a coordinate that is not below its extent.
  template <std::size_t... I>
  static constexpr void check_constant(const unsigned* coordinates, std::index_sequence<I...>) {
    (coordinate_is_below_extent<axis_name<M, I>, value.extent(I)>(coordinates[I]), ...);
  }
  /// The i-th smallest rank of copy 0.
  static constexpr unsigned nth_rank(unsigned i) {
    constexpr BaseMap map = where_t<M>::base_type::map;
    if constexpr (map.ranks == nullptr) {
      return value.offset + position_of(increasing_of<M>, i);
    } else if constexpr (map.bit_linear) {
      constexpr RankSpan span = span_of(map, increasing_of<M>, value.offset);
      return span.nth(i);
    } else {
      return RanksOfCopy0<M>::ranks[i];
    }
  }

 private:
  /// The number of ranks where none is given, which is an error where it is needed and dynamic.
  template <bool Needed>
  static constexpr unsigned world_if() {
    if constexpr (Needed) static_assert(false, explain_dynamic());
    return value.ranks;
  }
  static consteval Message explain_dynamic() {
    Message text;
    if (value.size() == dynamic)
      put(text, NameView("dimension \""), value.names[0], NameView("\" is dynamic"));
    else
      put(text, NameView("the number of ranks is dynamic"));
    put(text, NameView(": what depends on it takes the number of ranks as its last argument"));
    return text;
  }

  template <std::size_t... I>
  static constexpr void read_each(unsigned* coordinates, unsigned position, std::index_sequence<I...>) {
    ((coordinates[I] = axial::index_of(axis_layout<M, I>, position)), ...);
  }
  template <std::size_t... I>
  static constexpr unsigned offset_of(const unsigned* coordinates, std::index_sequence<I...> all) {
    check_constant(coordinates, all);
    unsigned offset = 0;
    (advance(offset, position_of(axis_layout<M, I>, coordinates[I])), ...);
    return offset;
  }
  static constexpr unsigned offset_of(const unsigned* coordinates) {
    return offset_of(coordinates, std::make_index_sequence<ndim()>{});
  }
  /// The position at coordinate 0 along the axes picked, of the group that holds a rank.
  template <class Pick>
  static constexpr unsigned first_of(unsigned rank) {
    const unsigned position = where_t<M>::position_of(rank);
    const unsigned own = position_of(Pick::layout, axial::index_of(Pick::layout, position));
    return position - own;
  }
  template <class Pick>
  static constexpr unsigned shifted(unsigned rank, int offset, bool periodic, unsigned world) {
    const long long extent = size_of(Pick::layout, world);
    const unsigned position = where_t<M>::position_of(rank);
    const unsigned here = axial::index_of(Pick::layout, position);
    long long there = here + static_cast<long long>(offset);
    if (periodic) there = (there % extent + extent) % extent;
    if (there < 0 || there >= extent) return no_rank;
    const unsigned from = position_of(Pick::layout, here);
    const unsigned to = position_of(Pick::layout, static_cast<unsigned>(there));
    return where_t<M>::rank_at(position - from + to);
  }
  template <fixed_string... Key>
  static consteval Message explain_modes() {
    using found = pick<Rule::one, Key...>;
    if (!found::ok) return found::explain("stride");
    Message text;
    put(text, NameView("dimension \""), value.names[found::axis], NameView("\" = "), found::layout, NameView(" has "),
        found::layout.count, NameView(" modes, and so no one stride"));
    return text;
  }
  template <class Parts, bool AreDims, fixed_string... Keys>
  static constexpr auto unflattened() {
    if constexpr (!AreDims) {
      if constexpr (!takes_every_name)
        static_assert(false, "unflatten takes dimensions: unflatten<\"tp\", Dim<\"a\", 2>, Dim<\"b\", 2>>()");
      return std::conditional_t<AreDims, void, Harmless>{};
    } else {
      using computed = unflatten_of<M, Parts, Keys...>;
      if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
      return made<M, computed>{};
    }
  }

 public:
  /// The number of dimensions.
  static constexpr unsigned ndim() { return value.ndim; }
  /// The product of the extents.
  static constexpr unsigned size() {
    if constexpr (size_value<M> == dynamic) return world_if<true>();
    return size_value<M>;
  }
  static constexpr unsigned size(unsigned world) {
    if constexpr (value.ranks != dynamic && !value.any)
      static_assert(false,
                    "size takes the number of ranks where that is dynamic; of one dimension ask extent<\"tp\">()");
    return size_of(increasing_of<M>, world);
  }
  /// The number of ranks of the root.
  static constexpr unsigned world() { return world_if<value.ranks == dynamic>(); }
  /// How many copies of this mesh tile the ranks that it contains.
  static constexpr unsigned copies() { return copies(world_if<value.ranks == dynamic>()); }
  static constexpr unsigned copies(unsigned world) {
    return world / size_of(value.pinned) / size_of(increasing_of<M>, world);
  }
  /// True for the ranks of the root, after a slice for those at its coordinate.
  static constexpr bool contains(unsigned rank) { return contains(rank, world_if<value.ranks == dynamic>()); }
  static constexpr bool contains(unsigned rank, unsigned world) {
    if (rank >= world) return false;
    if constexpr (value.pinned.count == 0) return true;
    constexpr Layout pinned = value.pinned;
    return axial::index_of(pinned, root_t<M>::position_of(rank)) == axial::index_of(pinned, value.offset);
  }

  /// The dimensions' names, in order.
  static constexpr auto names() {
    List<NameView, value.ndim> list;
    for (unsigned i = 0; i < ndim(); ++i) list[i] = value.names[i];
    return list;
  }
  /// The extents, in order.
  static constexpr auto shape() { return shape(world_if<value.size() == dynamic>()); }
  static constexpr auto shape(unsigned world) {
    List<unsigned, value.ndim> list;
    for (unsigned i = 0; i < ndim(); ++i) list[i] = size_of(value.axis(i), world);
    return list;
  }

  /// The number of ranks along one axis.
  template <fixed_string... Key>
  static constexpr unsigned extent() {
    if constexpr (extent_value<M, Key...> == 0) {
      static_assert(false, pick<Rule::one, Key...>::explain("extent"));
      return 1;
    } else if constexpr (extent_value<M, Key...> == dynamic) {
      return world_if<true>();
    } else {
      return extent_value<M, Key...>;
    }
  }
  template <fixed_string... Key>
  static constexpr unsigned extent(unsigned world) {
    using found = pick<Rule::one, Key...>;
    if constexpr (!found::ok) static_assert(false, found::explain("extent"));
    return size_of(found::layout, world);
  }
  template <fixed_string Key, class... World>
  static constexpr unsigned extent(axis_tag<Key>, World... world) {
    return extent<Key>(world...);
  }

  /// The distance in positions, and so without a base map in ranks, between neighbours along an axis of one mode; 0 on
  /// an axis of extent 1, which has no neighbours.
  template <fixed_string... Key>
  static constexpr unsigned stride() {
    if constexpr (stride_value<M, Key...> != dynamic) {
      return stride_value<M, Key...>;
    } else {
      static_assert(false, explain_modes<Key...>());
      return 0;
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
  static constexpr auto coordinates_of(unsigned rank) {
    rank_is_below_world<value.any ? 0 : value.ranks>(rank);
    const unsigned position = where_t<M>::position_of(rank);
    Coordinates<M> coordinates;
    read_each(coordinates.values, position, std::make_index_sequence<ndim()>{});
    return coordinates;
  }
  static constexpr auto coordinates_of(unsigned rank, unsigned) { return coordinates_of(rank); }
  /// The same, or nothing for a rank that the mesh does not contain.
  static constexpr auto try_coordinates_of(unsigned rank) {
    return try_coordinates_of(rank, world_if<value.ranks == dynamic>());
  }
  static constexpr auto try_coordinates_of(unsigned rank, unsigned world) {
    return contains(rank, world) ? std::optional(coordinates_of(rank)) : std::nullopt;
  }

  /// The coordinate of a rank along one axis. Precondition: contains(rank).
  template <fixed_string... Key>
  static constexpr unsigned coordinate_of(unsigned rank) {
    using found = pick<Rule::one, Key...>;
    if constexpr (found::ok) {
      rank_is_below_world<value.any ? 0 : value.ranks>(rank);
      return axial::index_of(found::layout, where_t<M>::position_of(rank));
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
  static constexpr unsigned rank_of(const Coordinates<M>& coordinates) {
    const unsigned offset = offset_of(coordinates.values);
    return where_t<M>::rank_at(value.offset + offset);
  }
  /// The rank at these coordinates of the copy that holds the rank `like`. Precondition: contains(like).
  static constexpr unsigned rank_of(const Coordinates<M>& coordinates, unsigned like) {
    const unsigned position = where_t<M>::position_of(like);
    const unsigned from = offset_of(coordinates_of(like).values), to = offset_of(coordinates.values);
    return where_t<M>::rank_at(position - from + to);
  }

  /// All groups along one axis, or along several flattened (the first named outermost), of the ranks that the mesh
  /// contains: in order of their first position, each in coordinate order.
  template <fixed_string... Keys>
  static constexpr auto groups() {
    using found = pick<Rule::some, Keys...>;
    if constexpr (!found::ok) static_assert(false, found::explain("groups"));
    return groups_t<M, found>({world_if<value.ranks == dynamic>()});
  }
  template <fixed_string... Keys>
  static constexpr auto groups(unsigned world) {
    using found = pick<Rule::some, Keys...>;
    if constexpr (!found::ok) static_assert(false, found::explain("groups"));
    return groups_t<M, found>({world});
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  static constexpr auto groups(axis_tag<Keys>...) {
    return groups<Keys...>();
  }
  template <fixed_string Key>
  static constexpr auto groups(axis_tag<Key>, unsigned world) {
    return groups<Key>(world);
  }

  /// The group that holds a rank. Precondition: contains(rank).
  template <fixed_string... Keys>
  static constexpr auto group_of(unsigned rank) {
    using found = pick<Rule::some, Keys...>;
    if constexpr (found::ok) {
      rank_is_below_world<value.any ? 0 : value.ranks>(rank);
      return group_t<M, found>({first_of<found>(rank), world_if<found::is_dynamic>()});
    } else {
      static_assert(false, found::explain("group_of"));
      return group_t<M, found>{};
    }
  }
  template <fixed_string... Keys>
  static constexpr auto group_of(unsigned rank, unsigned world) {
    using found = pick<Rule::some, Keys...>;
    if constexpr (!found::ok) static_assert(false, found::explain("group_of"));
    rank_is_below_world<value.any ? 0 : value.ranks>(rank);
    return group_t<M, found>({first_of<found>(rank), world});
  }
  template <fixed_string Key, class... World>
  static constexpr auto group_of(axis_tag<Key>, unsigned rank, World... world) {
    return group_of<Key>(rank, world...);
  }

  /// The place in groups() of the group that holds a rank. Precondition: contains(rank).
  template <fixed_string... Keys>
  static constexpr unsigned group_index(unsigned rank) {
    using found = pick<Rule::some, Keys...>;
    if constexpr (found::ok) {
      rank_is_below_world<value.any ? 0 : value.ranks>(rank);
      return axial::index_of(found::firsts, where_t<M>::position_of(rank));
    } else {
      static_assert(false, found::explain("group_index"));
      return 0;
    }
  }
  template <fixed_string Key>
  static constexpr unsigned group_index(axis_tag<Key>, unsigned rank) {
    return group_index<Key>(rank);
  }

  /// The number of groups: that of the ranks that the mesh contains, over the number in each.
  template <fixed_string... Keys>
  static constexpr unsigned group_count() {
    using found = pick<Rule::some, Keys...>;
    if constexpr (found::ok) {
      return size_of(found::firsts, world_if<size_of(found::firsts) == dynamic>());
    } else {
      static_assert(false, found::explain("group_count"));
      return 1;
    }
  }
  template <fixed_string... Keys>
  static constexpr unsigned group_count(unsigned world) {
    using found = pick<Rule::some, Keys...>;
    if constexpr (!found::ok) static_assert(false, found::explain("group_count"));
    return size_of(found::firsts, world);
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  static constexpr unsigned group_count(axis_tag<Keys>...) {
    return group_count<Keys...>();
  }
  template <fixed_string Key>
  static constexpr unsigned group_count(axis_tag<Key>, unsigned world) {
    return group_count<Key>(world);
  }

  /// The rank `offset` steps along an axis: around its end when periodic, else `no_rank` beyond it. Any offset is
  /// legal, also INT_MIN. Precondition: contains(rank).
  template <fixed_string... Key>
  static constexpr unsigned neighbor(unsigned rank, int offset, bool periodic = true) {
    using found = pick<Rule::one, Key...>;
    if constexpr (found::ok) {
      rank_is_below_world<value.any ? 0 : value.ranks>(rank);
      return shifted<found>(rank, offset, periodic, world_if<found::is_dynamic>());
    } else {
      static_assert(false, found::explain("neighbor"));
      return 0;
    }
  }
  template <fixed_string... Key>
  static constexpr unsigned neighbor(unsigned rank, int offset, bool periodic, unsigned world) {
    using found = pick<Rule::one, Key...>;
    if constexpr (!found::ok) static_assert(false, found::explain("neighbor"));
    rank_is_below_world<value.any ? 0 : value.ranks>(rank);
    return shifted<found>(rank, offset, periodic, world);
  }
  template <fixed_string Key, class... World>
  static constexpr unsigned neighbor(axis_tag<Key>, unsigned rank, int offset, bool periodic = true, World... world) {
    return neighbor<Key>(rank, offset, periodic, world...);
  }

  /// The share that a coordinate of an axis has of n items: chunks of ceil(n / extent), the last ones shorter or empty
  /// (an empty one is at n). The rule of torch.chunk and DTensor's Shard.
  template <fixed_string... Key>
  static constexpr Shard shard(std::size_t n, unsigned coordinate) {
    using found = pick<Rule::one, Key...>;
    if constexpr (found::ok) {
      coordinate_is_below_extent<axis_name<M, found::axis>, size_of(found::layout)>(coordinate);
      return shard_of(n, coordinate, size_of(found::layout, world_if<found::is_dynamic>()));
    } else {
      static_assert(false, found::explain("shard"));
      return {};
    }
  }
  template <fixed_string... Key>
  static constexpr Shard shard(std::size_t n, unsigned coordinate, unsigned world) {
    using found = pick<Rule::one, Key...>;
    if constexpr (!found::ok) static_assert(false, found::explain("shard"));
    coordinate_is_below_extent<axis_name<M, found::axis>, size_of(found::layout)>(coordinate);
    return shard_of(n, coordinate, size_of(found::layout, world));
  }
  template <fixed_string Key, class... World>
  static constexpr Shard shard(axis_tag<Key>, std::size_t n, unsigned coordinate, World... world) {
    return shard<Key>(n, coordinate, world...);
  }

  /// Every coordinate of a copy, in increasing order of its rank in copy 0.
  static constexpr auto all_coordinates() { return all_coordinates(world_if<value.size() == dynamic>()); }
  static constexpr auto all_coordinates(unsigned world) { return View<CoordinatesSource<M>>({world}); }

  // The return types of these are deduced, so that a mistake is an error in decltype(M::submesh<"tp">()), too.

  /// The mesh of these axes, in this order, on the same ranks; the dropped axes stay free.
  template <fixed_string... Keys>
  static constexpr auto submesh() {
    using computed = submesh_of<M, Keys...>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return made<M, computed>{};
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  static constexpr auto submesh(axis_tag<Keys>...) {
    return submesh<Keys...>();
  }

  /// The same axes in another order; names each exactly once.
  template <fixed_string... Keys>
  static constexpr auto permute() {
    using computed = permute_of<M, Keys...>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return made<M, computed>{};
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  static constexpr auto permute(axis_tag<Keys>...) {
    return permute<Keys...>();
  }

  /// The sub-mesh of all axes but these, in mesh order.
  template <fixed_string... Keys>
  static constexpr auto others() {
    using computed = others_of<M, Keys...>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return made<M, computed>{};
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  static constexpr auto others(axis_tag<Keys>...) {
    return others<Keys...>();
  }

  /// These axes as one, the first named outermost, named `dp_tp` after them, at the place of the first of them in mesh
  /// order; the others stay. Without names all of them.
  template <fixed_string... Keys>
  static constexpr auto flatten() {
    using computed = flatten_of<M, joined_name<M, Keys...>, Keys...>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return made<M, computed>{};
  }
  template <fixed_string... Keys>
    requires(sizeof...(Keys) > 0)
  static constexpr auto flatten(axis_tag<Keys>...) {
    return flatten<Keys...>();
  }

  /// The same under a name of your choice.
  template <fixed_string Name, fixed_string... Keys>
  static constexpr auto flatten_as() {
    using computed = flatten_of<M, given_name<Name>, Keys...>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return made<M, computed>{};
  }
  template <fixed_string Name, fixed_string... Keys>
  static constexpr auto flatten_as(axis_tag<Name>, axis_tag<Keys>...) {
    return flatten_as<Name, Keys...>();
  }

  /// One axis as several, row-major, at its place: `unflatten<"tp", Dim<"a", 2>, Dim<"b", 2>>()`. Their product is its
  /// extent, and each cut falls between two modes or divides one.
  template <fixed_string Key, class... Dims>
  static constexpr auto unflatten() {
    return unflattened<DimList<Dims...>, (is_dim<Dims> && ...), Key>();
  }
  template <class First, class... Dims>
  static constexpr auto unflatten() {
    return unflattened<DimList<First, Dims...>, (is_dim<First> && ... && is_dim<Dims>)>();
  }
  template <fixed_string Key, class... Dims>
  static constexpr auto unflatten(axis_tag<Key>, Dims...) {
    return unflattened<DimList<Dims...>, (is_dim<Dims> && ...), Key>();
  }

  /// Fixes a coordinate and drops the axis: what is left holds only the ranks at this coordinate.
  template <fixed_string Key, long long Coordinate>
  static constexpr auto slice() {
    using computed = slice_of<M, Coordinate, Key>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return made<M, computed>{};
  }
  template <long long Coordinate>
  static constexpr auto slice() {
    using computed = slice_of<M, Coordinate>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return made<M, computed>{};
  }
  template <fixed_string Key, class Coordinate>
  static constexpr auto slice(axis_tag<Key>, Coordinate) {
    if constexpr (requires { Coordinate::value; }) {
      return slice<Key, Coordinate::value>();
    } else {
      static_assert(false, "slice takes a constant: slice<\"tp\", 1>() or slice(tp, axial::at<1>)");
      return std::conditional_t<is_mesh<Coordinate>, void, Harmless>{};
    }
  }

  /// The same axis under another name: `rename<"tp", "tensor">()`.
  template <fixed_string... Names>
    requires(sizeof...(Names) > 0)
  static constexpr auto rename() {
    using computed = rename_of<M, Names...>;
    if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
    return made<M, computed>{};
  }
  template <fixed_string Key, fixed_string Name>
  static constexpr auto rename(axis_tag<Key>, axis_tag<Name>) {
    return rename<Key, Name>();
  }

  /// The same mesh with this global rank at each position: a permutation of 0 .. size()-1. Of a Mesh only, whose
  /// positions are its ranks. What is bit-linear has the type that with_xor gives it.
  template <long long... Ranks>
  static constexpr auto with_ranks() {
    using map = numbered<M, TableOf<value.ranks, Ranks...>>;
    if constexpr (map::problem.length != 0) static_assert(false, map::problem);
    return typename map::type{};
  }

  /// The same mesh with a bit-linear order: position p has the exclusive or of the ranks given for the bits of p, the
  /// lowest bit first. with_xor<1, 3>() is the ring 0, 1, 3, 2.
  template <long long... Ranks>
  static constexpr auto with_xor() {
    using map = numbered<M, BitLinearOf<value.ranks, Ranks...>>;
    if constexpr (map::problem.length != 0) static_assert(false, map::problem);
    return typename map::type{};
  }
};

/// `dp=2, tp=4`
template <class Sink, class NameList, class ExtentList>
constexpr void put_extents(Sink& sink, const NameList& names, const ExtentList& extents, NameView between = ", ") {
  for (std::size_t i = 0; i < names.size(); ++i) {
    put(sink, i ? between : NameView(), names[i], NameView("="));
    put_extent(sink, extents[i]);
  }
}

/// ` of 8 at 4 with ranks 0, 1, 3, 2`: the ranks of the root, the position at which a slice fixed it, its base map.
template <class Where, class Sink>
constexpr void put_root(Sink& sink) {
  put(sink, NameView("of "));
  put_extent(sink, Where::ranks);
  if (Where::pinned.count) put(sink, NameView(" at "), Where::offset, NameView(" along "), Where::pinned);
  const auto list = [&](NameView before, const unsigned* ranks, unsigned count) {
    put(sink, before);
    for (unsigned i = 0; i < count; ++i) put(sink, NameView(i ? "," : ""), ranks[i]);
  };
  using Base = typename Where::base_type;
  if constexpr (Base::map.bit_linear)
    list(" with xor ", Base::map.ranks, high_bit(Where::ranks));
  else if constexpr (Base::map.ranks != nullptr)
    list(" with ranks ", Base::map.ranks, Where::ranks);
}

/// Axes of a root that are not row-major over all of it: what operations on a mesh return.
export template <class Where, class... Axes>
struct SubMesh : MeshBase<SubMesh<Where, Axes...>> {
  /// `SubMesh(tp=4:1 of 8)`: each axis with its extent:stride, and the number of ranks of the root.
  template <class Sink>
  friend constexpr void put(Sink& sink, const SubMesh&) {
    put(sink, NameView("SubMesh("));
    bool first = true;
    ((put(sink, NameView(first ? "" : ", "), Axes::name.view(), NameView("="), Axes::layout), first = false), ...);
    put(sink, NameView(sizeof...(Axes) ? " " : ""));
    put_root<Where>(sink);
    put(sink, NameView(")"));
  }
};

// At class scope a computed text needs a function around it.
template <class... Dims>
consteval bool are_valid() {
  if constexpr (value_of<Mesh<Dims...>>.any)
    static_assert(false,
                  explain_dimensions(DimList<Dims...>::names, DimList<Dims...>::extents, DimList<Dims...>::count));
  return true;
}

template <class... Dims>
consteval bool are_dimensions() {
  if constexpr (!(is_dim<Dims> && ...))
    static_assert(false, "Mesh takes dimensions only: Mesh<Dim<\"dp\", 2>, Dim<\"tp\", 4>>");
  return true;
}

/// Named dimensions over the ranks 0 .. product-1, row-major: the last dimension varies fastest.
export template <class... Dims>
struct Mesh : MeshBase<Harmless> {
  static_assert(are_dimensions<Dims...>());
};
template <fixed_string... Names, unsigned... Extents>
struct Mesh<Dim<Names, Extents>...> : MeshBase<Mesh<Dim<Names, Extents>...>> {
  static_assert(are_valid<Dim<Names, Extents>...>());

  /// `Mesh(dp=2, tp=4)`
  template <class Sink>
  friend constexpr void put(Sink& sink, const Mesh&) {
    put(sink, NameView("Mesh("));
    put_extents(sink, Mesh::names(), Mesh::shape(dynamic));
    put(sink, NameView(")"));
  }
};

/// Meshes are equal when their types are.
export template <mesh_type A, mesh_type B>
constexpr bool operator==(const A&, const B&) {
  return std::is_same_v<A, B>;
}

// decltype of a parameter `const auto& mesh` is a reference.
template <class M>
using bare = __remove_cvref(M);

/// True when M, a mesh or a DeviceMesh, has a dimension of this name.
export template <class M, fixed_string Name>
concept has_dimension = requires { bare<M>::names(); } && bare<M>::template pick<Rule::one, Name>::ok;

/// The extent of a dimension as a constant of the type.
export template <class M, fixed_string Name>
inline constexpr unsigned extent_of = bare<M>::template extent<Name>();

/// The stride of a dimension as a constant of the type.
export template <class M, fixed_string Name>
inline constexpr unsigned stride_of = bare<M>::template stride<Name>();

/// The axes of both, those of `a` outermost: disjoint axes of one root, sliced alike.
export template <mesh_type A, mesh_type B>
constexpr auto concat(const A&, const B&) {
  using computed = concat_of<typename A::mesh, typename B::mesh>;
  if constexpr (!computed::result.ok()) static_assert(false, computed::result.problem);
  return made<typename A::mesh, computed>{};
}

template <class M, fixed_string Key>
consteval Groups groups_along() {
  using found = typename M::template pick<Rule::one, Key>;
  if constexpr (!found::ok) static_assert(false, found::explain("same_groups"));
  using where = where_t<typename M::mesh>;
  return {found::layout, where::pinned, where::offset, where::ranks, where::base_type::map};
}

/// True when the groups along an axis of A and along one of B are the same sets of ranks: what two factorisations of
/// one world must have in common on an axis that they share.
export template <class A, fixed_string X, class B, fixed_string Y>
inline constexpr bool same_groups = equal_groups(groups_along<A, X>(), groups_along<B, Y>());

}  // namespace axial
