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
  agrees_with_enumeration<decltype(M::flatten<"c", "a">()), "c_a">(levels);
}

BOOST_AUTO_TEST_CASE(within_agrees_with_an_enumeration_on_slices) {
  constexpr auto levels = std::make_integer_sequence<Count, 24>{};
  using M = Mesh<Dim<"a", 2>, Dim<"b", 3>, Dim<"c", 4>>;
  using Parted = decltype(M::unflatten<"c", Dim<"d", 2>, Dim<"e", 2>>());
  agrees_with_enumeration<decltype(M::slice<"b", 0>()), "a">(levels);
  agrees_with_enumeration<decltype(M::slice<"b", 1>()), "a">(levels);
  agrees_with_enumeration<decltype(M::slice<"b", 2>()), "a", "c">(levels);
  agrees_with_enumeration<decltype(M::slice<"a", 1>()), "b">(levels);
  agrees_with_enumeration<decltype(M::slice<"c", 3>()), "a">(levels);
  agrees_with_enumeration<decltype(M::slice<"c", 1>().template submesh<"b">()), "b">(levels);
  agrees_with_enumeration<decltype(Parted::slice<"d", 1>()), "b", "e">(levels);
  agrees_with_enumeration<decltype(Parted::slice<"b", 1>().template slice<"d", 0>()), "a", "e">(levels);
}

BOOST_AUTO_TEST_CASE(within_agrees_with_an_enumeration_under_base_maps) {
  constexpr auto levels = std::make_integer_sequence<Count, 8>{};
  using M = Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>>;
  using Ring = decltype(M::with_xor<1, 3, 6>());
  using Table = decltype(M::with_ranks<5, 0, 7, 1, 2, 4, 6, 3>());
  agrees_with_enumeration<Ring, "a">(levels);
  agrees_with_enumeration<Ring, "b">(levels);
  agrees_with_enumeration<Ring, "c", "a">(levels);
  agrees_with_enumeration<decltype(Ring::slice<"b", 1>()), "c">(levels);
  agrees_with_enumeration<Table, "a">(levels);
  agrees_with_enumeration<Table, "b", "c">(levels);
  agrees_with_enumeration<decltype(Table::slice<"a", 1>()), "c">(levels);
}
