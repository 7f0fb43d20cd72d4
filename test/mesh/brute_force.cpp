// SPDX-License-Identifier: BSL-1.0
// Meshes as types, an even sample of those in layouts.cpp, against the model that counts: every axis, every pair of
// axes and every permutation.
#include <climits>
#include <iostream>
#include <string_view>
#include <utility>

#include "model.hpp"

import axial;

namespace {

constexpr unsigned most_ranks = 64;

struct Shape {
  unsigned extents[4] = {1, 1, 1, 1};
  unsigned ndim = 0;
};

/// Calls f(shape) for every shape of `ndim` dimensions with at most 64 ranks, in lexicographic order.
template <class F>
consteval void each_shape(unsigned ndim, F f, Shape shape = {}, unsigned ranks = 1) {
  if (shape.ndim == ndim) return f(shape);
  for (unsigned extent = 1; extent * ranks <= most_ranks; ++extent) {
    shape.extents[shape.ndim] = extent;
    Shape longer = shape;
    ++longer.ndim;
    each_shape(ndim, f, longer, extent * ranks);
  }
}

consteval unsigned count_shapes(unsigned ndim) {
  unsigned count = 0;
  each_shape(ndim, [&count](const Shape&) { ++count; });
  return count;
}

/// The middle one of each of `parts` equal parts of all shapes of `ndim` dimensions.
template <unsigned Parts>
struct Sample {
  Shape shapes[Parts];
  consteval explicit Sample(unsigned ndim) {
    const unsigned count = count_shapes(ndim);
    unsigned i = 0, part = 0;
    each_shape(ndim, [&](const Shape& shape) {
      if (part < Parts && i++ == (2 * part + 1) * count / (2 * Parts)) shapes[part++] = shape;
    });
  }
};

template <unsigned Ndim, unsigned Parts>
constexpr Sample<Parts> sample(Ndim);

constexpr axial::fixed_string<2> names[] = {"a", "b", "c", "d"};

template <unsigned Ndim, unsigned Parts, std::size_t I, std::size_t... Axis>
auto mesh_of(std::index_sequence<Axis...>)
    -> axial::Mesh<axial::Dim<names[Axis], sample<Ndim, Parts>.shapes[I].extents[Axis]>...>;

template <class Names>
std::string joined(const Names& names) {
  std::string text;
  for (const auto name : names) text += std::string_view(name);
  return text;
}

/// What a type answers, without the type, so that the loops are compiled once.
struct Members {
  unsigned groups, group_size, copies, size;
  unsigned (*group)(unsigned i, unsigned position);
  unsigned (*group_of)(unsigned rank, unsigned position);
  unsigned (*group_index)(unsigned rank);
  unsigned (*coordinates_of)(unsigned rank);
  unsigned (*coordinates)(unsigned i);
  unsigned (*rank_of)(unsigned i);
  unsigned (*rank_like)(unsigned i, unsigned like);
};

template <class M, std::size_t... Picked>
constexpr Members members{
    .groups = M::template groups<Picked...>().size(),
    .group_size = M::template groups<Picked...>()[0].size(),
    .copies = M::template submesh<Picked...>().copies(),
    .size = M::template submesh<Picked...>().all_coordinates().size(),
    .group = [](unsigned i, unsigned position) { return M::template groups<Picked...>()[i][position]; },
    .group_of = [](unsigned rank, unsigned position) { return M::template group_of<Picked...>(rank)[position]; },
    .group_index = [](unsigned rank) { return M::template group_index<Picked...>(rank); },
    .coordinates_of = [](unsigned rank) { return code(M::template submesh<Picked...>().coordinates_of(rank)); },
    .coordinates = [](unsigned i) { return code(M::template submesh<Picked...>().all_coordinates()[i]); },
    .rank_of =
        [](unsigned i) {
          const auto sub = M::template submesh<Picked...>();
          return sub.rank_of(sub.all_coordinates()[i]);
        },
    .rank_like =
        [](unsigned i, unsigned like) {
          const auto sub = M::template submesh<Picked...>();
          return sub.rank_of(sub.all_coordinates()[i], like);
        },
};

Answers answers_of(const Members& type, unsigned world) {
  Answers given;
  given.group_count = type.groups;
  given.copies = type.copies;
  for (unsigned i = 0; i < type.groups; ++i)
    for (unsigned j = 0; j < type.group_size; ++j) given.groups.push_back(type.group(i, j));
  for (unsigned i = 0; i < type.size; ++i) {
    given.all_coordinates.push_back(type.coordinates(i));
    given.copy_0.push_back(type.rank_of(i));
  }
  for (unsigned rank = 0; rank < world; ++rank) {
    given.group_index.push_back(type.group_index(rank));
    given.coordinates.push_back(type.coordinates_of(rank));
    for (unsigned j = 0; j < type.group_size; ++j) given.group_of.push_back(type.group_of(rank, j));
    for (unsigned i = 0; i < type.size; ++i) given.copy_of.push_back(type.rank_like(i, rank));
  }
  return given;
}

template <std::size_t... Axis>
struct Axes {
  static constexpr std::size_t count = sizeof...(Axis);
};

unsigned meshes = 0, choices = 0;

void check_neighbors(const Numbers& shape, unsigned axis, unsigned (*neighbor)(unsigned, int, bool)) {
  for (const int offset : {-65, -3, -2, -1, 0, 1, 2, 64, INT_MAX, INT_MIN})
    for (unsigned rank = 0; rank < product(shape); ++rank)
      for (const bool periodic : {true, false}) {
        const long long once_around = offset % static_cast<long long>(shape[axis]);
        if (neighbor(rank, offset, periodic) !=
            model_neighbor(shape, axis, rank, periodic ? once_around : offset, periodic, axial::no_rank))
          BOOST_ERROR("mesh " << text_of(shape) << ", axis " << axis << ", rank " << rank << ", offset " << offset);
      }
}

/// A mesh, and the shape that it should have.
template <class M>
struct Check {
  Numbers shape;
  std::vector<Numbers> all = count_up(shape);

  template <std::size_t... Picked>
  void choice(Axes<Picked...>) const {
    ++choices;
    Answers given = answers_of(members<M, Picked...>, M::world());
    const auto sub = M::template submesh<Picked...>();
    given.names = joined(sub.names());
    given.others = joined(M::template others<Picked...>().names());
    for (const unsigned extent : sub.shape()) given.extents.push_back(extent);
    check_answers(shape, all, {Picked...}, given);
  }

  /// All orders of the axes that are left.
  template <std::size_t... Picked, std::size_t... Left>
  void permutations(Axes<Picked...> picked, Axes<Left...> left) const {
    if constexpr (left.count == 0)
      choice(picked);
    else
      (permutations(Axes<Picked..., Left>{}, without<Left>(left)), ...);
  }
  template <std::size_t Gone, std::size_t... Left>
  static auto without(Axes<Left...>) {
    return concatenated(std::conditional_t<Left == Gone, Axes<>, Axes<Left>>{}...);
  }
  template <std::size_t... A, std::size_t... B, class... Rest>
  static auto concatenated(Axes<A...>, Axes<B...>, Rest... rest) {
    return concatenated(Axes<A..., B...>{}, rest...);
  }
  template <std::size_t... A>
  static Axes<A...> concatenated(Axes<A...>) {
    return {};
  }

  template <std::size_t First, std::size_t Second>
  void pair() const {
    if constexpr (First != Second) choice(Axes<First, Second>{});
  }
  template <std::size_t First, std::size_t... Axis>
  void pairs_with() const {
    if constexpr (sizeof...(Axis) > 2) (pair<First, Axis>(), ...);
  }
  template <std::size_t... Axis>
  void everything(std::index_sequence<Axis...>) const {
    ++meshes;
    if constexpr (sizeof...(Axis) > 1) (choice(Axes<Axis>{}), ...);
    (pairs_with<Axis, Axis...>(), ...);
    permutations(Axes<>{}, Axes<Axis...>{});
    (check_neighbors(shape, Axis, &M::template neighbor<Axis>), ...);
  }
};

template <unsigned Ndim, unsigned Parts>
void check_sample() {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto check = []<std::size_t Number>() {
      constexpr auto axes = std::make_index_sequence<Ndim>{};
      const auto& extents = sample<Ndim, Parts>.shapes[Number].extents;
      Check<decltype(mesh_of<Ndim, Parts, Number>(axes))>{Numbers(extents, extents + Ndim)}.everything(axes);
    };
    (check.template operator()<I>(), ...);
  }(std::make_index_sequence<Parts>{});
}

BOOST_AUTO_TEST_CASE(meshes_of_one_dimension_answer_as_the_model_does) { check_sample<1, 16>(); }
BOOST_AUTO_TEST_CASE(meshes_of_two_dimensions_answer_as_the_model_does) { check_sample<2, 24>(); }
BOOST_AUTO_TEST_CASE(meshes_of_three_dimensions_answer_as_the_model_does) { check_sample<3, 20>(); }
BOOST_AUTO_TEST_CASE(meshes_of_four_dimensions_answer_as_the_model_does) { check_sample<4, 6>(); }
BOOST_AUTO_TEST_CASE(the_sample_is_large) {
  std::cout << meshes << " meshes, " << choices << " choices of axes\n";
  BOOST_TEST(choices == 652u);
}

}  // namespace
