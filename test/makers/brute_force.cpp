// SPDX-License-Identifier: BSL-1.0
// Balanced extents against every way to write a number as a product.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <iostream>
#include <tuple>
#include <vector>

import axial;

namespace {

using Numbers = std::vector<unsigned>;

/// Calls f(factors) for all ways to write n as a product of `count` factors that do not increase.
template <class F>
void each_product(unsigned n, unsigned count, const F& f, const Numbers& before = {}) {
  if (count == 0) {
    if (n == 1) f(before);
    return;
  }
  const unsigned most = before.empty() ? n : std::min(n, before.back());
  for (unsigned factor = 1; factor <= most; ++factor) {
    if (n % factor != 0) continue;
    Numbers longer = before;
    longer.push_back(factor);
    each_product(n / factor, count - 1, f, longer);
  }
}

/// True when a is more balanced than b: its largest is smaller, then its smallest larger, then the first that differs.
bool better(const Numbers& a, const Numbers& b) {
  return std::tuple(a.front(), b.back(), a) < std::tuple(b.front(), a.back(), b);
}

Numbers best(unsigned n, unsigned count) {
  Numbers best;
  each_product(n, count, [&best](const Numbers& factors) {
    if (best.empty() || better(factors, best)) best = factors;
  });
  return best;
}

BOOST_AUTO_TEST_CASE(no_other_product_is_more_balanced) {
  unsigned asked = 0;
  for (unsigned count = 1; count <= 5; ++count)
    for (unsigned n = 1; n <= 10000; n += n < 2000 ? 1 : 40) {  // beyond 2000 the many divisors of 3600, 3960 ...
      Numbers extents(count);
      const bool possible = axial::balanced_extents(n, extents.data(), count);
      BOOST_TEST((possible && extents == best(n, count)), n << " over " << count << " dimensions");
      ++asked;
    }
  std::cout << asked << " balanced\n";
  BOOST_TEST(asked == 11000u);
}

/// Every request of 4 extents from 0 to 6, of every number up to 64.
BOOST_AUTO_TEST_CASE(requests_keep_what_is_fixed_and_balance_what_is_left) {
  constexpr unsigned choices = 7;
  unsigned possible = 0, refused = 0;
  for (unsigned n = 1; n <= 64; ++n)
    for (unsigned number = 0; number < choices * choices * choices * choices; ++number) {
      Numbers request;
      for (unsigned rest = number, i = 0; i < 4; ++i, rest /= choices) request.push_back(rest % choices);
      unsigned product = 1;
      for (const unsigned extent : request) product *= std::max(extent, 1u);
      const auto open = static_cast<unsigned>(std::ranges::count(request, 0u));
      const bool legal = n % product == 0 && (open > 0 || n == product);

      Numbers wanted = request;
      if (legal && open > 0) {
        const Numbers left = best(n / product, open);
        auto next = left.begin();
        for (unsigned& extent : wanted)
          if (extent == 0) extent = *next++;
      }
      Numbers extents = request;
      const bool done = axial::balanced_extents(n, extents.data(), 4);
      BOOST_TEST((done == legal && extents == wanted), n << ", request " << number);
      ++(done ? possible : refused);
    }
  std::cout << possible << " requests balanced, " << refused << " refused\n";
  BOOST_TEST(possible == 6864u);
  BOOST_TEST(refused == 146800u);
}

}  // namespace
