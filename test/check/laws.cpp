// SPDX-License-Identifier: BSL-1.0
// Nearest legal values and blocks of a machine against a search over all numbers and all ranks.
#include <boost/test/unit_test.hpp>

import axial;

using axial::Count, axial::Dim, axial::Finding, axial::Mesh, axial::Nearest, axial::Terms;

namespace {

/// The nearest numbers below and above `now`, up to `last`, that `legal` accepts.
template <class Legal>
Nearest search(Count now, Count last, Legal legal) {
  Nearest nearest;
  for (Count x = 1; x <= last; ++x)
    if (legal(x)) nearest.offer(now, x);
  return nearest;
}

/// `rule(number, extent)` offers exactly what a search finds, for all small numbers.
template <class Rule>
void offers_the_nearest(Rule rule) {
  unsigned refused = 0;
  for (Count number = 1; number <= 60; ++number)
    for (Count extent = 1; extent <= 60; ++extent) {
      const Finding finding = rule(number, extent);
      if (finding) continue;
      ++refused;
      BOOST_TEST((finding.nearest_left == search(number, 200, [&](Count x) { return rule(x, extent).ok(); })),
                 "beside " << number << " of " << number << ", " << extent);
      BOOST_TEST((finding.nearest_right == search(extent, 200, [&](Count x) { return rule(number, x).ok(); })),
                 "beside " << extent << " of " << number << ", " << extent);
    }
  BOOST_TEST(refused > 1000);
}

/// True when every group along the axes lies in one block of `level` ranks.
template <class M, axial::fixed_string... Names>
bool inside_blocks(unsigned level) {
  for (const auto group : M::template groups<Names...>())
    for (const unsigned rank : group)
      if (rank / level != group[0] / level) return false;
  return true;
}

template <class M, axial::fixed_string... Names, Count... Level>
void agrees_with_enumeration(std::integer_sequence<Count, Level...>) {
  const auto agrees = [](bool ok, unsigned level) {
    BOOST_TEST((ok == inside_blocks<M, Names...>(level)), "blocks of " << level << " ranks");
  };
  (agrees(axial::check<M, axial::within<axial::along<Names...>, Level + 1>>::ok, Level + 1), ...);
}

}  // namespace

BOOST_AUTO_TEST_CASE(divides_offers_the_nearest_legal_values) {
  offers_the_nearest([](Count number, Count extent) { return axial::numbers::divides({"n", number}, {"x", extent}); });
}

BOOST_AUTO_TEST_CASE(kv_heads_offers_the_nearest_legal_values) {
  offers_the_nearest([](Count number, Count extent) { return axial::numbers::kv_heads({"n", number}, {"x", extent}); });
}

BOOST_AUTO_TEST_CASE(layers_with_a_first_and_a_last_stage_offers_the_nearest_number_of_layers) {
  for (Count layers = 1; layers <= 40; ++layers)
    for (Count pp = 2; pp <= 8; ++pp) {
      const auto rule = [&](Count x) {
        return axial::numbers::layers({"n", x}, {"pp", pp}, {.virtual_stages = 2, .first = 2, .last = 4, .loss = true});
      };
      if (const Finding finding = rule(layers); !finding)
        BOOST_TEST((finding.nearest_left == search(layers, 200, [&](Count x) { return rule(x).ok(); })),
                   layers << ", " << pp);
    }
}

BOOST_AUTO_TEST_CASE(memory_offers_the_least_extent_that_fits) {
  for (Count extent = 1; extent <= 20; ++extent) {
    const auto rule = [](Count x) {
      return axial::numbers::memory({.parameters = 97, .bytes = 4, .optimizer_bytes = 12, .limit = 53}, {"x", x},
                                    {"dp", 3});
    };
    if (const Finding finding = rule(extent); !finding)
      BOOST_TEST((finding.nearest_right == search(extent, 200, [&](Count x) { return rule(x).ok(); })), extent);
  }
}

BOOST_AUTO_TEST_CASE(within_agrees_with_an_enumeration_of_all_groups) {
  constexpr auto levels = std::make_integer_sequence<Count, 24>{};
  using M = Mesh<Dim<"a", 2>, Dim<"b", 3>, Dim<"c", 4>>;
  agrees_with_enumeration<M, "a">(levels);
  agrees_with_enumeration<M, "b">(levels);
  agrees_with_enumeration<M, "c">(levels);
  agrees_with_enumeration<M, "a", "c">(levels);
  agrees_with_enumeration<M, "c", "b">(levels);
  agrees_with_enumeration<M, "a", "b", "c">(levels);
  agrees_with_enumeration<decltype(M::submesh<"c", "a">()), "c">(levels);
}
