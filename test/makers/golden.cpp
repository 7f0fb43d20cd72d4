// SPDX-License-Identifier: BSL-1.0
// The groups that Megatron Core makes from an order of dimensions, and what MPI_Dims_create is asked with the most
// balanced answer, replayed on the value functions: test/data.
module;
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/join.hpp>
#include <range/v3/view/split.hpp>
#include <range/v3/view/transform.hpp>
#include <string>
#include <vector>

module axial;

namespace axial {
namespace {

using Numbers = std::vector<unsigned>;

template <class Row>
std::vector<Row> rows_of(const std::string& file) {
  std::ifstream in(AXIAL_TEST_DATA "/" + file);
  std::string columns;
  std::getline(in, columns);
  return {std::istream_iterator<Row>(in), {}};
}
std::vector<std::string> split(const std::string& text, char at) {
  return text | ranges::views::split(at) | ranges::to<std::vector<std::string>>();
}
unsigned number(const std::string& text) { return static_cast<unsigned>(std::stoll(text)); }
std::string joined(const Numbers& numbers, char between) {
  const auto text_of = [](unsigned value) { return std::to_string(value); };
  return numbers | ranges::views::transform(text_of) | ranges::views::join(between) | ranges::to<std::string>();
}

struct OrderRow {
  std::string name, world, order, view, extents, token, count, group_size, groups;
  friend std::istream& operator>>(std::istream& in, OrderRow& row) {
    return in >> row.name >> row.world >> row.order >> row.view >> row.extents >> row.token >> row.count >>
           row.group_size >> row.groups;
  }
};

/// The dimensions by name, with their strides in this order. They are given to it in the order of the alphabet.
std::map<std::string, Mode> strides_in(const OrderRow& row) {
  std::map<std::string, Mode> axes;
  for (const std::string& dimension : split(row.extents, ',')) {
    const auto sides = split(dimension, '=');
    axes[sides.at(0)].extent = number(sides.at(1));
  }
  std::vector<NameView> names;
  for (const auto& [name, axis] : axes) names.emplace_back(name);
  const ParsedOrder parsed =
      parse_order(std::string_view(row.order), names.data(), static_cast<unsigned>(names.size()));
  BOOST_REQUIRE(parsed.picked.ok());
  BOOST_REQUIRE(parsed.picked.count == names.size());
  unsigned ranks = 1;
  for (unsigned i = 0; i < parsed.picked.count; ++i) {
    Mode& axis = axes.at(std::string(std::string_view(names[parsed.picked.at[i]])));
    axis.stride = ranks;
    ranks *= axis.extent;
  }
  BOOST_TEST(ranks == number(row.world));
  return axes;
}

/// The groups of some axes flattened, in order of their first rank, each in increasing order.
std::string groups_of(const std::map<std::string, Mode>& axes, const OrderRow& row) {
  std::map<unsigned, Numbers> groups;  // by first rank
  for (unsigned rank = 0; rank < number(row.world); ++rank) {
    unsigned first = rank;
    for (const std::string& name : split(row.token, '-')) {
      const Mode& axis = axes.at(name);
      first -= rank / axis.stride % axis.extent * axis.stride;
    }
    groups[first].push_back(rank);
  }
  const auto text_of = [](const auto& group) { return joined(group.second, ','); };
  return groups | ranges::views::transform(text_of) | ranges::views::join(';') | ranges::to<std::string>();
}

BOOST_AUTO_TEST_CASE(orders_give_the_groups_of_megatron) {
  const auto rows = rows_of<OrderRow>("rank_orders.tsv");
  unsigned experts = 0;
  for (const OrderRow& row : rows) {
    experts += row.view == "expert";
    BOOST_TEST(groups_of(strides_in(row), row) == row.groups, row.name << " " << row.view << " " << row.token);
  }
  std::cout << "rank_orders.tsv: " << rows.size() << " rows replayed, " << experts << " of them experts' views\n";
  BOOST_TEST(rows.size() == 178u);
  BOOST_TEST(experts == 49u);
}

struct DimsRow {
  std::string ranks, ndim, request, mpich, balanced, min_sum, least_spread, mpich_spread, mpich_is_balanced;
  friend std::istream& operator>>(std::istream& in, DimsRow& row) {
    return in >> row.ranks >> row.ndim >> row.request >> row.mpich >> row.balanced >> row.min_sum >> row.least_spread >>
           row.mpich_spread >> row.mpich_is_balanced;
  }
};

BOOST_AUTO_TEST_CASE(requests_of_mpi_have_the_most_balanced_answer) {
  const auto rows = rows_of<DimsRow>("dims_create.tsv");
  unsigned fixed = 0, refused = 0;
  for (const DimsRow& row : rows) {
    // A request of -2 is one of 4294967294 here, which divides no number of ranks: an error as well.
    const auto request = split(row.request, 'x');
    auto extents = request | ranges::views::transform(number) | ranges::to<Numbers>();
    fixed += row.request.find_first_not_of("0x") != std::string::npos;
    const bool possible = balanced_extents(number(row.ranks), extents.data(), static_cast<unsigned>(extents.size()));
    refused += !possible;
    const std::string answer = possible ? joined(extents, 'x') : "error";
    BOOST_TEST(answer == row.balanced,
               row.ranks << " as " << row.request << ": " << answer << ", not " << row.balanced);
  }
  std::cout << "dims_create.tsv: " << rows.size() << " rows replayed, " << fixed << " with fixed extents, " << refused
            << " refused\n";
  BOOST_TEST(rows.size() == 482u);
  BOOST_TEST(fixed == 18u);
  BOOST_TEST(refused == 5u);
}

}  // namespace
}  // namespace axial
