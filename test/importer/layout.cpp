// SPDX-License-Identifier: BSL-1.0
#include "expect.hpp"

import axial;

int main() {
  using axial::Layout, axial::LayoutError;
  constexpr Layout outer{.modes = {{2, 4}, {2, 1}}, .count = 2}, two{.modes = {{2, 1}}, .count = 1};
  EXPECT(outer == outer && outer != two && outer.modes[0] == axial::Mode(2, 4) && axial::size_of(outer) == 4);
  unsigned extents = 1;
  for (const axial::Mode mode : outer) extents *= mode.extent;
  EXPECT(extents == 4 && axial::position_of(outer, 3) == 5 && axial::index_of(outer, 5) == 3);
  EXPECT(axial::compose(outer, two) && axial::compose(outer, two).layout == two);
  EXPECT(axial::compose(two, outer).error == LayoutError::out_of_range && !axial::complement(outer, 7));
  EXPECT(axial::complement(outer, 8).layout.modes[0] == axial::Mode(2, 2) && axial::radix_separable(outer));
  EXPECT(axial::coalesce(axial::concatenate(two, outer)) == axial::concatenate(two, outer) &&
         axial::sorted(outer) == outer);
  EXPECT(axial::to_string(outer) == "(2,2):(4,1)" && axial::to_string(two.modes[0]) == "2:1");
  printf("%s\n", axial::to_string(outer).c_str());
  return 0;
}
