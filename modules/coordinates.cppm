// SPDX-License-Identifier: BSL-1.0
// What queries on a mesh return: coordinates, groups of ranks, shares. All of it is computed when it is looked at.
module;
#include <compare>
#include <cstddef>

export module axial:coordinates;
export import :dimension;

#pragma clang diagnostic ignored "-Wc++26-extensions"  // static_assert with a computed text

namespace axial {

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
