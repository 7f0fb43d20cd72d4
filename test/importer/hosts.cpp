// SPDX-License-Identifier: BSL-1.0
#include "expect.hpp"

import axial;

int main() {
  const unsigned keys[] = {8, 9, 8, 9, 8};
  const axial::Hosts hosts(keys, 5);
  EXPECT(hosts.size() == 2 && hosts.ranks() == 5 && !hosts.is_even());
  EXPECT(hosts.host_of(3) == 1 && hosts.local_rank(3) == 1 && hosts.count_on(1) == 2);

  const auto ranks = hosts.ranks_on(0);
  EXPECT(ranks == axial::List{0, 2, 4} && axial::List{0u, 2u, 4u} == ranks && ranks != hosts.ranks_on(1));
  const int array[] = {0, 2, 4};
  EXPECT(ranks == array && ranks.size() == 3 && ranks[1] == 2 && ranks.back() == 4);
  unsigned sum = 0;
  for (const unsigned rank : ranks) sum += rank;
  EXPECT(sum == 6);

  unsigned order[5];
  hosts.order_by_node(order);
  EXPECT(order[0] == 0 && order[1] == 2 && order[2] == 4 && order[3] == 1 && order[4] == 3);
  axial::Hosts copy = hosts;
  copy = axial::Hosts(keys, 1);
  EXPECT(axial::to_string(copy) == "1 host of 1 rank" && axial::to_string(hosts) == "2 hosts of 3 and 2 ranks");
  EXPECT(axial::to_string(ranks) == "[0, 2, 4]");
  try {
    hosts.ranks_on(2);
  } catch (const axial::MeshError& error) {
    printf("%s\n", error.what());
    return 0;
  }
  return 1;
}
