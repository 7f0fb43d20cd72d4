// SPDX-License-Identifier: BSL-1.0
// Lists and views in algorithms and adaptors of the standard library.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <iterator>
#include <list>
#include <numeric>
#include <ranges>
#include <set>
#include <string>
#include <vector>

import axial;

namespace {

using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"cp", 3>, axial::Dim<"tp", 4>>;
constexpr auto group = Mesh::group_of<"cp">(13);  // 13, 17, 21
constexpr auto by_tp = Mesh::groups<"tp">();

BOOST_AUTO_TEST_CASE(algorithms_read_a_view) {
  BOOST_TEST(*std::ranges::find(Mesh::group_of<"cp">(13), 17u) == 17u);  // borrowed: no dangling iterator
  BOOST_TEST((std::ranges::lower_bound(group, 18u) - group.begin() == 2));
  BOOST_TEST(std::ranges::binary_search(group, 21u));
  BOOST_TEST(std::ranges::max(group) == 21u);
  BOOST_TEST(std::ranges::distance(by_tp) == 6);
  BOOST_TEST(std::accumulate(group.begin(), group.end(), 0u) == 51u);
  BOOST_TEST(std::count(by_tp.begin(), by_tp.end(), by_tp[2]) == 1);
  BOOST_TEST(std::ranges::equal(by_tp | std::views::join, std::views::iota(0u, Mesh::world())));
  BOOST_TEST(*std::next(group.begin(), 2) == 21u);
}

BOOST_AUTO_TEST_CASE(a_copy_is_sorted) {
  const auto all = Mesh::permute<"tp", "dp", "cp">().all_coordinates();
  std::vector<decltype(all)::value_type> sorted(all.begin(), all.end());
  BOOST_TEST(!std::ranges::is_sorted(sorted));
  std::ranges::sort(sorted);
  BOOST_TEST(std::ranges::is_permutation(sorted, all));
  BOOST_TEST((sorted[1] == decltype(all)::value_type{0, 0, 1}));
  std::vector<unsigned> ranks(group.begin(), group.end());
  std::ranges::sort(ranks, std::greater{});
  BOOST_TEST((axial::List{21, 17, 13} == ranks));
  auto shape = Mesh::shape();
  std::ranges::sort(shape, std::greater{});
  BOOST_TEST(shape == (axial::List{4, 3, 2}));
}

BOOST_AUTO_TEST_CASE(adaptors_take_views_and_lists_by_value_and_by_reference) {
  const auto twice = [](unsigned x) { return 2 * x; };
  const auto reversed = Mesh::group_of<"cp">(13) | std::views::transform(twice) | std::views::reverse;
  BOOST_TEST((axial::List{42, 34, 26} == reversed));
  const auto shape = Mesh::shape();
  BOOST_TEST((axial::List{3, 4} == (shape | std::views::drop(1))));
  BOOST_TEST((axial::List{6, 8} == (Mesh::shape() | std::views::drop(1) | std::views::transform(twice))));
  unsigned sum = 0;
  for (const auto& names = Mesh::names(); const auto name : names | std::views::take(2)) sum += name.size();
  BOOST_TEST(sum == 4u);
  const auto coordinates = Mesh::coordinates_of(13);
  BOOST_TEST(std::ranges::equal(coordinates | std::views::reverse, axial::List{1u, 0u, 1u}));
}

BOOST_AUTO_TEST_CASE(containers_are_compared_with_and_made_from_views) {
  BOOST_TEST(group == (std::vector<int>{13, 17, 21}));
  BOOST_TEST(group == (std::list<short>{13, 17, 21}));
  BOOST_TEST((std::set<long>{13, 17, 21}) == group);
  BOOST_TEST(group != (std::vector<int>{13, 17}));
  BOOST_TEST((Mesh::groups<"dp", "tp">() == std::vector<std::vector<int>>{{0, 1, 2, 3, 12, 13, 14, 15},
                                                                          {4, 5, 6, 7, 16, 17, 18, 19},
                                                                          {8, 9, 10, 11, 20, 21, 22, 23}}));
  BOOST_TEST(Mesh::names() == (std::vector<std::string>{"dp", "cp", "tp"}));
  BOOST_TEST(group == (std::vector<unsigned>{13, 17, 21}), boost::test_tools::per_element());
  BOOST_CHECK_EQUAL_COLLECTIONS(group.begin(), group.end(), group.begin(), group.end());
  BOOST_CHECK_EQUAL(by_tp, by_tp);
  BOOST_TEST(Mesh::coordinates_of(13) == Mesh::coordinates_of(13));
  BOOST_TEST(Mesh{} == Mesh{});
}

}  // namespace
