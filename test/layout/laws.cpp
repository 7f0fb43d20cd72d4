// SPDX-License-Identifier: BSL-1.0
// The laws of the layout algebra, on all small layouts, against sets of positions that are counted one by one.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

import axial;

namespace {

using axial::Layout, axial::LayoutError, axial::Mode, axial::size_of;
using Positions = std::vector<unsigned>;

/// All layouts of at most `most` modes out of these extents and strides.
std::vector<Layout> all_layouts(unsigned most, const Positions& extents, const Positions& strides) {
  std::vector<Layout> all{{}};
  for (std::size_t done = 0; done < all.size(); ++done) {
    if (all[done].count == most) continue;
    for (const unsigned extent : extents)
      for (const unsigned stride : strides) {
        Layout longer = all[done];
        longer.push({extent, stride});
        all.push_back(longer);
      }
  }
  return all;
}

/// The positions of a layout by nested loops.
Positions enumerate(const Layout& layout) {
  Positions positions{0};
  for (const Mode mode : layout) {
    Positions longer;
    for (const unsigned outer : positions)
      for (unsigned i = 0; i < mode.extent; ++i) longer.push_back(outer + i * mode.stride);
    positions = longer;
  }
  return positions;
}

Positions positions_of(const Layout& layout) {
  Positions positions(size_of(layout));
  for (unsigned i = 0; i < positions.size(); ++i) positions[i] = axial::position_of(layout, i);
  return positions;
}

/// One past the last position of all modes' spans.
unsigned span_of(const Layout& layout) {
  unsigned span = 1;
  for (const Mode mode : layout)
    if (mode.extent > 1) span = std::max(span, mode.extent * mode.stride);
  return span;
}

/// Of any two modes, one steps over the whole span of the other.
bool digits_of_one_number(const Layout& layout) {
  const auto steps_over = [](Mode a, Mode b) { return a.stride % (b.extent * b.stride) == 0; };
  for (const Mode* a = layout.begin(); a != layout.end(); ++a)
    for (const Mode* b = layout.begin(); b != a; ++b)
      if (a->extent > 1 && b->extent > 1 && a->stride && b->stride && !steps_over(*a, *b) && !steps_over(*b, *a))
        return false;
  return std::all_of(layout.begin(), layout.end(), [](Mode mode) { return mode.extent == 1 || mode.stride; });
}

void expect(bool holds, const char* law, const Layout& a, const Layout& b = {}) {
  if (!holds) BOOST_ERROR(law + (": " + axial::to_string(a)) + ", " + axial::to_string(b));
}

const std::vector<Layout> layouts = all_layouts(3, {1, 2, 3, 4}, {0, 1, 2, 3, 4, 6, 8, 12});

BOOST_AUTO_TEST_CASE(position_of_enumerates_the_outer_mode_slowest) {
  for (const Layout& layout : layouts) expect(positions_of(layout) == enumerate(layout), "positions", layout);
}

BOOST_AUTO_TEST_CASE(coalesce_keeps_every_position_and_is_the_shortest_form) {
  for (const Layout& layout : layouts) {
    const Layout result = axial::coalesce(layout);
    expect(positions_of(result) == positions_of(layout), "same positions", layout, result);
    expect(axial::coalesce(result) == result, "coalesced once is coalesced", layout, result);
    for (unsigned i = 0; i < result.count; ++i) {
      expect(result.modes[i].extent > 1, "no extent 1", layout, result);
      if (i > 0)
        expect(result.modes[i - 1].stride != result.modes[i].extent * result.modes[i].stride, "merged", layout, result);
    }
  }
}

BOOST_AUTO_TEST_CASE(sorted_enumerates_a_separable_layout_in_increasing_order) {
  for (const Layout& layout : layouts) {
    if (!axial::radix_separable(layout)) continue;
    Positions increasing = positions_of(layout);
    std::sort(increasing.begin(), increasing.end());
    expect(positions_of(axial::sorted(layout)) == increasing, "increasing", layout);
  }
}

BOOST_AUTO_TEST_CASE(separable_means_that_the_modes_are_digits_of_one_number) {
  unsigned separable = 0;
  for (const Layout& layout : layouts) {
    expect(axial::radix_separable(layout) == digits_of_one_number(layout), "separable", layout);
    if (!axial::radix_separable(layout)) continue;
    ++separable;
    for (unsigned i = 0; i < size_of(layout); ++i)
      expect(axial::index_of(layout, axial::position_of(layout, i)) == i, "inverse", layout);
  }
  BOOST_TEST(separable > 1000u);
}

BOOST_AUTO_TEST_CASE(complement_tiles_the_world_exactly_once) {
  for (const Layout& layout : layouts)
    for (const unsigned world : {1u, 2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u, 48u}) {
      const axial::LayoutResult result = axial::complement(layout, world);
      if (!digits_of_one_number(layout)) {
        expect(result.error == LayoutError::overlap, "overlap is refused", layout);
      } else if (world % span_of(layout) != 0) {
        expect(result.error == LayoutError::out_of_range, "a world that it does not tile is refused", layout);
      } else {
        expect(bool(result), "accepted", layout);
        const Positions firsts = positions_of(result.layout);
        expect(std::is_sorted(firsts.begin(), firsts.end()), "firsts increase", layout, result.layout);
        std::vector<unsigned> count(world);
        for (const unsigned first : firsts)
          for (const unsigned position : positions_of(layout)) ++count.at(first + position);
        expect(count == std::vector<unsigned>(world, 1), "a tiling", layout, result.layout);
        expect(axial::complement(result.layout, world).layout == axial::coalesce(axial::sorted(layout)),
               "the complement of the complement is the layout in increasing order", layout, result.layout);
        for (unsigned position = 0; position < world; ++position)
          expect(axial::position_of(layout, axial::index_of(layout, position)) +
                         axial::position_of(result.layout, axial::index_of(result.layout, position)) ==
                     position,
                 "every position is the sum of its coordinates'", layout, result.layout);
      }
    }
}

BOOST_AUTO_TEST_CASE(concatenate_runs_through_the_inner_layout_for_each_position_of_the_outer) {
  const std::vector<Layout> some = all_layouts(2, {1, 2, 3}, {0, 1, 2, 3, 4});
  for (const Layout& outer : some)
    for (const Layout& inner : some) {
      Positions wanted;
      for (const unsigned first : enumerate(outer))
        for (const unsigned position : enumerate(inner)) wanted.push_back(first + position);
      const Layout result = axial::concatenate(outer, inner);
      expect(positions_of(result) == wanted && axial::coalesce(result) == result, "concatenate", outer, inner);
    }
}

/// True when `mode` steps from a boundary of `outer`'s modes, or divides one of them, and does not end between two
/// boundaries that it goes beyond.
bool on_boundaries(const Layout& outer, const Mode mode) {
  const unsigned begin = mode.stride, end = mode.extent * mode.stride;
  unsigned boundary = 1;
  for (unsigned i = outer.count; i-- > 0;) {
    boundary *= outer.modes[i].extent;
    if (begin == 0 || (boundary % begin != 0 && begin % boundary != 0)) return false;
    if (begin < boundary && boundary < end && end % boundary != 0) return false;
  }
  return true;
}

BOOST_AUTO_TEST_CASE(compose_is_exactly_outer_of_inner_or_an_error_with_a_reason) {
  const std::vector<Layout> outers = all_layouts(2, {1, 2, 3, 4, 6}, {1, 5, 12});
  const std::vector<Layout> inners = all_layouts(2, {1, 2, 3, 4, 6}, {0, 1, 2, 3, 4, 6, 8, 9, 12});
  unsigned results = 0;
  for (const Layout& outer : outers)
    for (const Layout& inner : inners) {
      const axial::LayoutResult result = axial::compose(outer, inner);
      bool divisible = true, inside = true;
      for (const Mode mode : axial::coalesce(inner)) {
        divisible = divisible && on_boundaries(outer, mode);
        inside = inside && mode.extent * mode.stride <= size_of(outer);
      }
      if (!digits_of_one_number(inner)) {
        expect(result.error == LayoutError::overlap, "overlap is refused", outer, inner);
      } else if (!divisible || !inside) {
        expect(!result && result.error != LayoutError::overlap && result.layout == Layout{}, "refused", outer, inner);
        if (divisible) expect(result.error == LayoutError::out_of_range, "out of range", outer, inner);
      } else {
        expect(bool(result), "accepted", outer, inner);
        ++results;
        Positions wanted;
        for (const unsigned i : enumerate(inner)) wanted.push_back(enumerate(outer)[i]);
        expect(positions_of(result.layout) == wanted, "R(i) = outer(inner(i))", outer, inner);
      }
    }
  BOOST_TEST(results > 1000u);
}

BOOST_AUTO_TEST_CASE(splitting_an_axis_and_flattening_it_again_gives_the_axis) {
  for (const Layout& axis : layouts) {
    if (!axial::radix_separable(axis)) continue;
    const Layout whole{.modes = {{size_of(axis), 1}}, .count = 1};
    expect(axial::compose(axis, whole).layout == axial::coalesce(axis), "the axis of all its indices", axis);
    for (unsigned inner = 1; inner <= size_of(axis); ++inner) {
      if (size_of(axis) % inner != 0) continue;
      const auto b = axial::compose(axis, {.modes = {{inner, 1}}, .count = 1});
      const auto a = axial::compose(axis, {.modes = {{size_of(axis) / inner, inner}}, .count = 1});
      expect(!a || b, "where the outer part is whole, so is the inner one", axis);
      if (a)
        expect(axial::concatenate(a.layout, b.layout) == axial::coalesce(axis), "split, flattened", axis, b.layout);
    }
  }
}

}  // namespace
