// SPDX-License-Identifier: BSL-1.0
#include "expect.hpp"

import axial;

using namespace axial;

using M = Mesh<Dim<"pp", 2>, Dim<"dp", 2>, Dim<"tp", 8>>;
using Experts = Mesh<Dim<"pp", 2>, Dim<"ep", 16>>;
using Legal = check<M, divides<along<"dp", "tp">, 32>, splits<"tp", 4>, multiple<"hidden", 32, "heads", 4>,
                    kv_heads<"tp", 4>, vocabulary<"tp", 17, padded>, sequence<"dp", 64, "tp">,
                    layers<"pp", 5, Stages{.first = 2, .last = 3}>, stage_sizes<"pp", 5, 2, 3>, batch<"dp", 8, 2, 2>,
                    parts<"tp", 2, 4>, needs<"tp", "it">, exclusive<"tp", along<>>, within<"tp", 8>, world<32>,
                    same_size<Experts>, memory<"tp", Memory{100, 2, 4, 200}, "dp">,
                    mapping<maps<"rows", 8, "dp">, maps<"columns", 8, "tp">>, same_groups_as<Experts, "pp">>;
static_assert(Legal::require());

int main() {
  EXPECT(Legal::ok && Legal::report().ok());
  using Checked = check<M, divides<"tp", 28, "heads">, world<16>, kv_heads<"tp", 4>>;
  const auto report = Checked::report();
  EXPECT(!Checked::ok && report.size() == 2 && report[0].rule == "divides" && report.end() - report.begin() == 2);
  EXPECT(report[0].nearest_right == Nearest{7, 14} && report[0].left.value() == 28 && !report[0].ok());
  for (const Finding& finding : report) printf("%s\n", to_string(finding).c_str());
  printf("%s\n%s\n", to_string(report).c_str(), to_string(report[0].right).c_str());
  const Report numbers{numbers::divides({"heads", report[0].left.value()}, {{"tp", 7}, {"cp", 2}}),
                       numbers::world({"dp", 4}, 4), numbers::one_open({{"dp", 0}, {"tp", 0}})};
  EXPECT(numbers.size() == 1 && numbers[0].rule == "one_open" && to_string(numbers[0].left) == "dp = 0 and tp = 0");
  try {
    report.require();
    return __LINE__;
  } catch (const ConfigError& error) {
    printf("%s\n", error.what());
  }
  return 0;
}
