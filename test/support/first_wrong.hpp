// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <cstddef>

/// `static_assert(first_wrong(cases, right) == all)`: when it fails, the compiler shows the number of the first case
/// that is not right.
template <class Case, std::size_t N, class Right>
consteval std::size_t first_wrong(const Case (&cases)[N], Right right) {
  std::size_t i = 0;
  while (i < N && right(cases[i])) ++i;
  return i == N ? static_cast<std::size_t>(-1) : i;
}
inline constexpr auto all = static_cast<std::size_t>(-1);
