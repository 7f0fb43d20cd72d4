// SPDX-License-Identifier: BSL-1.0
// Lists and views: what they are to the standard library and to range-v3, what they compare with, their iterators.
#include <array>
#include <concepts>
#include <initializer_list>
#include <iterator>
#include <range/v3/range/concepts.hpp>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <vector>

import axial;

namespace {

using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using Groups = decltype(Mesh::groups<"dp">());
using Group = Groups::value_type;
using AllCoordinates = decltype(Mesh::all_coordinates());
using Shape = decltype(Mesh::shape());
using Names = decltype(Mesh::names());
using Coordinates = axial::Coordinates<Mesh>;

template <class R>
concept range_of_both =
    std::ranges::random_access_range<const R> && std::ranges::sized_range<const R> &&
    std::ranges::common_range<const R> && std::regular<std::ranges::iterator_t<const R>> &&
    ranges::random_access_range<const R> && ranges::sized_range<const R> && ranges::common_range<const R>;
template <class R>
concept view_of_both = range_of_both<R> && std::ranges::view<R> && std::ranges::borrowed_range<R> && ranges::view_<R> &&
                       ranges::borrowed_range<R>;
template <class R>
concept list_of_both = range_of_both<R> && std::ranges::contiguous_range<R> && ranges::contiguous_range<R> &&
                       !std::ranges::view<R> && !std::ranges::borrowed_range<R>;

static_assert(view_of_both<Groups> && view_of_both<Group> && view_of_both<AllCoordinates>);
static_assert(list_of_both<Shape> && list_of_both<Names> && list_of_both<axial::List<double, 0>>);
static_assert(range_of_both<Coordinates> && std::ranges::contiguous_range<Coordinates>);
static_assert(std::totally_ordered<Coordinates> && std::equality_comparable_with<Shape, Shape>);
static_assert(std::is_trivially_copyable_v<Group> && std::is_trivially_copyable_v<Shape> && sizeof(Group) == 4);
static_assert(std::same_as<std::iter_value_t<Groups::iterator>, Group> &&
              std::same_as<std::iter_reference_t<Group::iterator>, unsigned>);
// Its elements are values: an input iterator to the algorithms of C++17.
static_assert(std::derived_from<std::iterator_traits<Group::iterator>::iterator_category, std::input_iterator_tag>);

// Lists are made from their values.
static_assert(axial::List{2u, 4u} == Mesh::shape() && axial::List<unsigned, 2>{2, 4} == Mesh::shape());
static_assert(std::same_as<decltype(axial::List{1, 2, 3}), axial::List<int, 3>> &&
              axial::List<int, 3>{1} == axial::List{1, 0, 0});

// Equal means equal elements, whatever holds them, on either side.
constexpr Group group = Mesh::groups<"dp">()[1];
constexpr Groups groups = Mesh::groups<"dp">();
constexpr int ints[] = {1, 5};
constexpr unsigned nested[][2] = {{0, 4}, {1, 5}, {2, 6}, {3, 7}};
constexpr auto literals = {1, 5};
static_assert(group == group && group == Mesh::group_of<"dp">(5) && group != groups[2] &&
              group != Mesh::group_of<"tp">(5));
static_assert(group == ints && ints == group && group == literals && literals == group && group == axial::List{1, 5});
static_assert(group == std::array<long long, 2>{1, 5} && std::array<unsigned char, 2>{1, 5} == group);
static_assert(group != axial::List{1, 6} && group != axial::List{1} && group != axial::List{1, 5, 9});
static_assert(axial::List{1, 5} != axial::List{1, 5, 9} && axial::List{1, 5, 9} != axial::List{1, 5});
static_assert(group == std::views::iota(1, 6) == false && Mesh::group_of<"tp">(5) == std::views::iota(4u, 8u));
static_assert(groups == nested && nested == groups && groups == groups && groups != Mesh::groups<"tp">());
static_assert(groups == axial::List{axial::List{0, 4}, axial::List{1, 5}, axial::List{2, 6}, axial::List{3, 7}});
static_assert(groups == std::array<std::array<int, 2>, 4>{{{0, 4}, {1, 5}, {2, 6}, {3, 7}}});
static_assert([] { return group == std::vector{1u, 5u} && std::vector<std::vector<int>>{{0, 4}} != groups; }());
static_assert(Mesh::groups<"dp">() == Mesh::groups<0>() && Mesh::groups<"dp">() == Mesh::submesh<"dp">().groups());
static_assert(Mesh::names() == axial::List{"dp", "tp"} && Mesh::names() == std::array<std::string_view, 2>{"dp", "tp"});
static_assert(Mesh::names() != axial::List{"tp", "dp"} && axial::Mesh<>::names() == axial::Mesh<>::names());
template <class A, class B>
concept comparable = requires(A a, B b) { a == b; };
static_assert(!comparable<Names, Shape> && !comparable<Names, axial::List<int, 0>> && !comparable<Groups, Shape> &&
              !comparable<Shape, int>);
static_assert(Mesh::all_coordinates() == Mesh::all_coordinates() && Mesh::all_coordinates() != groups);

// Integers are equal by value, not by bits.
static_assert(axial::List{-1} != axial::List{~0u} && axial::List{~0u} != axial::List{-1} &&
              axial::List{-1} == axial::List{-1L});
static_assert(axial::List{1u} != axial::List{1ull << 32 | 1} && axial::List{1ull << 32 | 1} != axial::List{1});
static_assert(axial::List{true, false} == axial::List{1, 0} && axial::List{true} != axial::List{2});
static_assert(axial::List{1.5, 2.0} == axial::List{1.5f, 2.0f} && axial::List{2.0} == axial::List{2});

// Structured bindings.
static_assert([] {
  const auto [dp, tp] = Mesh::shape();
  auto list = axial::List{1, 2};
  const auto& [a, b] = list;
  list[0] = 7;
  return dp == 2 && tp == 4 && a == 7 && b == 2;
}());

// Iterators count from their view's beginning, in both directions, and outlive it.
static_assert([](auto i) {
  const auto first = i;
  bool ok = *i == 4 && i[3] == 7 && *(i + 2) == 6 && *(2 + i) == 6 && i + 4 - i == 4 && i - (i + 4) == -4;
  ok = ok && *i++ == 4 && *i == 5 && *++i == 6 && *i-- == 6 && *--i == 4 && i == first;
  i += 3;
  ok = ok && *i == 7 && i > first && first < i && i >= first && i != first && (i <=> first) > 0;
  i -= 3;
  return ok && i == first && i <= first && decltype(i){} == decltype(i){} && *(i + 3 - 1) == 6;
}(Mesh::group_of<"tp">(5).begin()));
static_assert(*Mesh::groups<"tp">().begin()[1].begin() == 4 && Mesh::groups<"dp">().back().front() == 3);
static_assert(Group{}.size() == 2 && Group{} == groups[0] && groups.size() == 4 && !groups.empty());

}  // namespace
