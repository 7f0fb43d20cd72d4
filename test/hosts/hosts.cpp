// SPDX-License-Identifier: BSL-1.0
// Which ranks share a node, from any key for each rank.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

import axial;

namespace {

using axial::Hosts;
using Keys = std::vector<unsigned>;

Hosts hosts_of(const Keys& keys) { return Hosts(keys.data(), keys.size()); }

std::vector<unsigned> by_node(const Hosts& hosts) {
  std::vector<unsigned> order(hosts.ranks(), ~0u);
  hosts.order_by_node(order.data());
  return order;
}

template <class F>
std::string error_of(F f) {
  try {
    f();
    return "no error";
  } catch (const axial::MeshError& error) {
    return error.what();
  }
}

BOOST_AUTO_TEST_CASE(hosts_are_numbered_by_their_first_rank) {
  const Hosts hosts = hosts_of({70, 5, 70, 5, 0, 70});
  BOOST_TEST((hosts.size() == 3 && hosts.ranks() == 6));
  BOOST_TEST((hosts.ranks_on(0) == std::vector{0, 2, 5}));
  BOOST_TEST((hosts.ranks_on(1) == std::vector{1, 3}));
  BOOST_TEST((hosts.ranks_on(2) == std::vector{4}));
  BOOST_TEST(by_node(hosts) == Keys({0, 2, 5, 1, 3, 4}), boost::test_tools::per_element());
}

/// Key lists: none, one rank, blocks, round robin, uneven, each rank alone, all together, in an odd order.
const std::vector<Keys> layouts = {
    {},           {7},          {1, 1, 1, 1, 2, 2, 2, 2}, {1, 2, 1, 2, 1, 2, 1, 2}, {3, 3, 3, 1, 1, 1, 2, 2},
    {4, 3, 2, 1}, {9, 9, 9, 9}, {2, 0, 2, 1, 0, 2, 2, 1}, {~0u, 0, ~0u, 0, 5, 5, 5}};

BOOST_AUTO_TEST_CASE(the_queries_agree_with_the_keys) {
  for (const Keys& keys : layouts) {
    const Hosts hosts = hosts_of(keys);
    BOOST_TEST(hosts.ranks() == keys.size());
    for (unsigned rank = 0; rank < keys.size(); ++rank) {
      unsigned before = 0, first = 0;
      while (keys[first] != keys[rank]) ++first;
      for (unsigned other = 0; other < rank; ++other) before += keys[other] == keys[rank];
      BOOST_TEST(hosts.local_rank(rank) == before);
      BOOST_TEST(hosts.host_of(rank) == hosts.host_of(first));
      BOOST_TEST(hosts.ranks_on(hosts.host_of(rank))[before] == rank);
      BOOST_TEST(hosts.count_on(hosts.host_of(rank)) == std::count(keys.begin(), keys.end(), keys[rank]));
    }
    unsigned total = 0;
    for (unsigned host = 0; host < hosts.size(); ++host) {
      BOOST_TEST(hosts.ranks_on(host).size() == hosts.count_on(host));
      BOOST_TEST(hosts.count_on(host) > 0u);
      total += hosts.count_on(host);
    }
    BOOST_TEST(total == hosts.ranks());
  }
}

BOOST_AUTO_TEST_CASE(the_order_by_node_is_sorted_by_host_then_by_rank) {
  for (const Keys& keys : layouts) {
    const Hosts hosts = hosts_of(keys);
    std::vector<unsigned> sorted(keys.size());
    std::iota(sorted.begin(), sorted.end(), 0u);
    std::sort(sorted.begin(), sorted.end(),
              [&](unsigned a, unsigned b) { return std::pair(hosts.host_of(a), a) < std::pair(hosts.host_of(b), b); });
    BOOST_TEST(by_node(hosts) == sorted, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(hosts_are_even_when_all_have_equally_many_ranks) {
  BOOST_TEST((hosts_of({}).is_even() && hosts_of({7}).is_even() && hosts_of({1, 2, 1, 2}).is_even()));
  BOOST_TEST((!hosts_of({1, 1, 2}).is_even() && !hosts_of({1, 2, 2}).is_even() && !hosts_of({1, 2, 2, 3}).is_even()));
}

BOOST_AUTO_TEST_CASE(hosts_print) {
  const auto expect = [](const Keys& keys, const char* text) { BOOST_TEST(axial::to_string(hosts_of(keys)) == text); };
  expect({}, "0 hosts");
  expect({7}, "1 host of 1 rank");
  expect({7, 7, 7}, "1 host of 3 ranks");
  expect({1, 2}, "2 hosts of 1 rank");
  expect({1, 1, 1, 1, 2, 2, 2, 2}, "2 hosts of 4 ranks");
  expect({1, 1, 2}, "2 hosts of 2 and 1 ranks");
  expect({3, 3, 3, 1, 1, 1, 2, 2}, "3 hosts of 3, 3 and 2 ranks");
  expect({0, 1, 2, 3, 4, 5, 6, 7, 7}, "8 hosts of 1, 1, 1, 1, 1, 1, 1 and 2 ranks");
  expect({0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8}, "9 hosts of 1 to 3 ranks");
  expect({0, 1, 2, 3, 4, 5, 6, 7, 8}, "9 hosts of 1 rank");

  std::ostringstream stream;
  stream << hosts_of({1, 1, 2, 2}) << ": " << hosts_of({1, 1, 2, 2}).ranks_on(1);
  BOOST_TEST(stream.str() == "2 hosts of 2 ranks: [2, 3]");
}

BOOST_AUTO_TEST_CASE(a_rank_or_host_that_is_not_there_is_an_error) {
  const Hosts hosts = hosts_of({1, 1, 2});
  const char* const no_rank = "rank 3 is out of range: 3 ranks, counted from 0";
  BOOST_TEST(error_of([&] { hosts.host_of(3); }) == no_rank);
  BOOST_TEST(error_of([&] { hosts.local_rank(3); }) == no_rank);
  const char* const no_host = "host 2 is out of range: 2 hosts, counted from 0";
  BOOST_TEST(error_of([&] { hosts.count_on(2); }) == no_host);
  BOOST_TEST(error_of([&] { hosts.ranks_on(2); }) == no_host);
  BOOST_TEST(error_of([&] { hosts.host_of(2), hosts.count_on(1); }) == "no error");
  BOOST_TEST(error_of([] { hosts_of({}).host_of(0); }) == "rank 0 is out of range: 0 ranks, counted from 0");
  BOOST_TEST(error_of([] { hosts_of({}).ranks_on(0); }) == "host 0 is out of range: 0 hosts, counted from 0");
}

BOOST_AUTO_TEST_CASE(the_ranks_on_a_host_live_as_long_as_any_copy) {
  std::optional<Hosts> first = hosts_of({1, 1, 2, 2});
  const auto ranks = first->ranks_on(1);
  const Hosts copy = *first;
  first.emplace(hosts_of({5, 6, 7}));
  BOOST_TEST((first->size() == 3 && copy.size() == 2));
  BOOST_TEST((ranks == std::vector{2, 3}));

  Hosts moved_from = copy, other = hosts_of({1});
  other = std::move(moved_from);
  BOOST_TEST((other.size() == 2 && moved_from.size() == 2));  // a move is a copy
}

}  // namespace
