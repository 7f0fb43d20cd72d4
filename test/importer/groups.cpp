// SPDX-License-Identifier: BSL-1.0
#include "expect.hpp"

import axial;

using axial::Dim;
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 2>>;

/// Not a stream of the standard library.
struct Tape {
  unsigned length = 0;
  Tape& write(const char* from, long count) {
    return printf("%.*s", static_cast<int>(count), from), length += count, *this;
  }
  Tape& flush() { return *this; }
};

template <class Groups>
int use(Groups groups, const Groups& same) {
  unsigned ranks = 0, sum = 0;
  for (const auto group : groups)
    for (const unsigned rank : group) ++ranks, sum += rank;
  EXPECT(ranks == 8 && sum == 28);
  const auto first = groups[0];
  EXPECT(groups == same && first == groups.front() && first != groups.back() && !groups.empty() && !first.empty());
  EXPECT(groups.size() * first.size() == 8 && first[0] == 0 && first.front() == 0 && groups.back().back() == 7);

  auto i = first.begin();
  EXPECT(*i == 0 && *++i == first[1] && i[-1] == 0 && *(i - 1) == 0 && i != first.begin() && i > first.begin());
  EXPECT(first.end() - first.begin() == first.size() && first.begin() + first.size() == first.end());
  EXPECT(*--i == 0 && *i++ == 0 && *i-- == first[1] && (i += 1, *(i -= 1)) == 0 && i <= first.begin() &&
         *(1 + i) == first[1]);
  Tape tape;
  tape << groups << first;
  EXPECT(tape.length == axial::to_string(groups).size() + axial::to_string(first).size());
  printf("\n");
  return 0;
}

int main() {
  constexpr Mesh mesh;
  if (const int line = use(mesh.groups<"dp">(), mesh.groups<0>())) return line;
  if (const int line = use(mesh.groups<"tp", "dp">(), mesh.groups(axial::axis<"tp">, axial::axis<"dp">))) return line;
  if (const int line = use(mesh.others<"dp">().groups<"tp">(), mesh.groups<"tp">())) return line;
  const unsigned group[] = {2, 6, 3, 7};
  EXPECT(mesh.group_of<"tp", "dp">(3) == group && mesh.group_of<"tp">(3) == axial::List{2, 3});
  const int groups[][2] = {{0, 4}, {1, 5}, {2, 6}, {3, 7}};
  EXPECT(mesh.groups<"dp">() == groups && groups == mesh.groups<"dp">() && mesh.groups<"tp">() != groups);
  return 0;
}
