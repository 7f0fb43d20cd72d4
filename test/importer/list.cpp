// SPDX-License-Identifier: BSL-1.0
#include "expect.hpp"

import axial;

using axial::Dim;
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;

int main() {
  constexpr auto shape = Mesh::shape();
  const int array[] = {2, 4};
  EXPECT(shape == array && array == shape && shape == shape && shape != Mesh::submesh<"tp">().shape());
  EXPECT(shape == axial::List{2, 4} && axial::List{2u, 4u} == shape && shape != axial::List{4, 2});
  EXPECT(shape.size() == 2 && !shape.empty() && shape[1] == 4 && shape.data()[0] == 2);
  const auto [dp, tp] = shape;
  EXPECT(dp == 2 && tp == 4);
  const auto [first, second] = Mesh::names();
  EXPECT(first == "dp" && second == "tp");

  unsigned sum = 0;
  for (const unsigned extent : shape) sum += extent;
  EXPECT(sum == 6);
  auto list = axial::List{1.5, 2.5};
  for (double& x : list) x *= 2;
  list[0] += 1;
  EXPECT(axial::to_string(list) == "[4, 5]");
  EXPECT(list == axial::List{4, 5} && list.end() - list.begin() == 2);

  const char* const names[] = {"dp", "tp"};
  EXPECT(Mesh::names() == names && Mesh::names() != axial::Mesh<>::names());
  constexpr axial::List<int, 0> none;
  EXPECT(none.empty() && none.begin() == none.end() && none == axial::Mesh<>::shape());
  printf("%s %s %s\n", axial::to_string(shape).c_str(), axial::to_string(Mesh::names()).c_str(),
         axial::to_string(axial::List{axial::List{1, 2}, axial::List{3, 4}}).c_str());
  return 0;
}
