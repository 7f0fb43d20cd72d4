// SPDX-License-Identifier: BSL-1.0
// Lists and views in range-v3, as temporaries and by name.
#include <boost/test/unit_test.hpp>
#include <functional>
#include <range/v3/all.hpp>
#include <tuple>
#include <vector>

import axial;

namespace {

using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
namespace views = ranges::views;
constexpr auto twice = [](unsigned x) { return 2 * x; };

BOOST_AUTO_TEST_CASE(pipes_take_temporaries_and_names) {
  const auto group = Mesh::group_of<"tp">(5);
  const std::vector<unsigned> doubled{8, 10, 12, 14};
  BOOST_TEST((group | views::transform(twice) | ranges::to<std::vector>()) == doubled);
  BOOST_TEST((Mesh::group_of<"tp">(5) | views::transform(twice) | ranges::to<std::vector>()) == doubled);
  const auto shape = Mesh::shape();
  BOOST_TEST((shape | views::reverse | ranges::to<std::vector>()) == (std::vector<unsigned>{4, 2}));
  BOOST_TEST(ranges::accumulate(Mesh::shape(), 1u, std::multiplies{}) == 8u);
  const auto coordinates = Mesh::coordinates_of(6);
  BOOST_TEST((coordinates | views::transform(twice) | ranges::to<std::vector>()) == (std::vector<unsigned>{2, 4}));
}

BOOST_AUTO_TEST_CASE(all_groups_joined_are_all_ranks) {
  BOOST_TEST((Mesh::groups<"tp">() | views::join | ranges::to<std::vector>()) ==
             (views::iota(0u, 8u) | ranges::to<std::vector>()));
  const auto columns = Mesh::groups<"dp">();
  BOOST_TEST((columns | views::join | ranges::to<std::set>()).size() == 8u);
  BOOST_TEST((*ranges::find(Mesh::groups<"dp">(), columns[2]) == axial::List{2, 6}));
}

BOOST_AUTO_TEST_CASE(coordinates_zipped_with_ranks_are_those_ranks) {
  for (const auto& [coordinates, rank] : views::zip(Mesh::all_coordinates(), views::iota(0u)))
    BOOST_TEST(Mesh::rank_of(coordinates) == rank);
  for (const auto& [rank, coordinates] : Mesh::all_coordinates() | views::enumerate)
    BOOST_TEST(coordinates == Mesh::coordinates_of(static_cast<unsigned>(rank)));
  const auto all = Mesh::all_coordinates() | views::reverse | ranges::to<std::vector>();
  BOOST_TEST(all.front() == Mesh::coordinates_of(7));
}

BOOST_AUTO_TEST_CASE(rows_times_columns_are_the_mesh) {
  const auto meet = [](const auto& pair) {
    const auto& [row, column] = pair;
    return ranges::distance(views::set_intersection(row, column));
  };
  BOOST_TEST(ranges::all_of(views::cartesian_product(Mesh::groups<"tp">(), Mesh::groups<"dp">()),
                            [&](const auto& pair) { return meet(pair) == 1; }));
  const auto halves = Mesh::group_of<"tp">(0) | views::chunk(2) | ranges::to<std::vector<std::vector<unsigned>>>();
  BOOST_TEST((Mesh::submesh<"tp">().group_of(0) == (halves | views::join | ranges::to<std::vector>())));
}

BOOST_AUTO_TEST_CASE(a_copy_is_sorted_by_actions) {
  const auto sorted = Mesh::group_of<"tp">(4) | ranges::to<std::vector>() | ranges::actions::sort(std::greater{});
  BOOST_TEST((axial::List{7, 6, 5, 4} == sorted));
}

}  // namespace
