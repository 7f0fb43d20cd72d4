// SPDX-License-Identifier: BSL-1.0
#include "expect.hpp"

import axial;

using axial::Dim, axial::Mesh;

int main() {
  using Ordered = axial::mesh_from_order<"tp-cp-dp", Dim<"dp", 2>, Dim<"cp", 1>, Dim<"tp", 4>>;
  EXPECT(Ordered{} == Mesh<Dim<"dp", 2>, Dim<"cp", 1>, Dim<"tp", 4>>{} && Ordered::stride<"tp">() == 1 &&
         Ordered::groups<"dp">()[3][1] == 7);
  using Grid = axial::balanced_mesh<72, "x", "y">;
  EXPECT(Grid{} == Mesh<Dim<"x", 9>, Dim<"y", 8>>{} && Grid::shape() == axial::List{9, 8} &&
         Grid::neighbor<"x">(71, 1) == 7);
  unsigned extents[] = {0, 5, 0};
  EXPECT(axial::balanced_extents(60, extents, 3) && extents[0] == 4 && extents[1] == 5 && extents[2] == 3 &&
         !axial::balanced_extents(7, extents, 3));
  printf("%s %s\n", axial::to_string(Ordered{}).c_str(), axial::to_string(Grid{}).c_str());
  return 0;
}
