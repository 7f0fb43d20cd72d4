// SPDX-License-Identifier: BSL-1.0
// The layout algebra by example. Layouts are written as they print, outer mode first: (2,2):(4,1).
#include <string_view>

#include "../support/first_wrong.hpp"

import axial;

namespace {

using axial::Layout, axial::LayoutError;

consteval Layout operator""_l(const char* text, std::size_t size) {
  Layout layout;
  const std::string_view all(text, size), extents = all.substr(0, all.find(':')), strides = all.substr(extents.size());
  const auto numbers = [&layout](std::string_view list, unsigned axial::Mode::* member) {
    unsigned count = 0;
    bool inside = false;
    for (const char c : list) {
      const bool digit = c >= '0' && c <= '9';
      if (digit && !inside) layout.modes[count++].*member = 0;
      if (digit)
        layout.modes[count - 1].*member = layout.modes[count - 1].*member * 10 + static_cast<unsigned>(c - '0');
      inside = digit;
    }
    return count;
  };
  layout.count = numbers(extents, &axial::Mode::extent);
  if (numbers(strides, &axial::Mode::stride) != layout.count) throw "as many extents as strides";
  return layout;
}
constexpr Layout none;

static_assert(none.count == 0 && axial::size_of(none) == 1 && axial::position_of(none, 0) == 0);
static_assert("(2,3):(8,1)"_l == Layout{.modes = {{2, 8}, {3, 1}}, .count = 2} && "4:1"_l != "4:2"_l &&
              "2:1"_l != none);
static_assert("(2,2):(4,1)"_l != "(2,2,2):(4,1,0)"_l);
static_assert(axial::size_of("(2,3,5):(1,1,1)"_l) == 30 && axial::size_of("2147483647:1"_l) == axial::max_ranks);

// Outer mode slowest: i of (2,2):(4,1) is at 4*(i/2) + i%2.
constexpr unsigned positions[] = {0, 1, 4, 5};
static_assert(first_wrong(positions, [i = 0u](unsigned position) mutable {
                return axial::position_of("(2,2):(4,1)"_l, i) == position &&
                       axial::index_of("(2,2):(4,1)"_l, position) == i++;
              }) == all);
static_assert(axial::position_of("(2,2):(1,4)"_l, 1) == 4 && axial::index_of("(2,2):(1,4)"_l, 4) == 1);
// The layout's coordinate of a position that is not its own: 7 = 4*1 + 2*1 + 1, 2 = 2*1.
static_assert(axial::index_of("(2,2):(4,1)"_l, 7) == 3 && axial::index_of("(2,2):(4,1)"_l, 2) == 0);
static_assert(axial::index_of("(1,2,1):(0,4,9)"_l, 5) == 1 && axial::index_of(none, 5) == 0);
static_assert(axial::position_of("(32768,65536):(1,32768)"_l, 2147483646) == 2147450879);

struct Pair {
  Layout from, to;
};

constexpr Pair coalesced[] = {
    {"(2,1,2):(2,7,1)"_l, "4:1"_l},  // extent 1 goes whatever its stride, neighbours merge
    {"(2,2):(1,2)"_l, "(2,2):(1,2)"_l},
    {"(2,2):(4,1)"_l, "(2,2):(4,1)"_l},
    {"(2,2,2):(4,2,1)"_l, "8:1"_l},
    {"(2,3,4):(24,4,1)"_l, "(2,12):(24,1)"_l},
    {"(1,1):(5,0)"_l, none},
    {none, none},
    {"(2,2):(0,0)"_l, "4:0"_l},
    {"(3,2):(131072,65536)"_l, "6:65536"_l},
    {"(2,65536):(0,65536)"_l, "(2,65536):(0,65536)"_l},  // 65536*65536 is not 0
};
static_assert(first_wrong(coalesced, [](const Pair& c) { return axial::coalesce(c.from) == c.to; }) == all);

static_assert(axial::concatenate("2:4"_l, "2:1"_l) == "(2,2):(4,1)"_l);  // dp, tp of (dp,cp,tp) = 2x2x2
static_assert(axial::concatenate("2:1"_l, "2:4"_l) == "(2,2):(1,4)"_l);  // order matters
static_assert(axial::concatenate("2:2"_l, "2:1"_l) == "4:1"_l);
static_assert(axial::concatenate(none, "2:1"_l) == "2:1"_l && axial::concatenate("2:1"_l, none) == "2:1"_l);

static_assert(axial::sorted("(2,3,4):(1,8,2)"_l) == "(3,4,2):(8,2,1)"_l && axial::sorted(none) == none);

constexpr Layout separable[] = {none,
                                "4:1"_l,
                                "4:3"_l,
                                "(2,2):(4,1)"_l,
                                "(2,2):(1,4)"_l,
                                "(3,2):(2,1)"_l,
                                "(2,1):(4,0)"_l,
                                "(2,3):(6,1)"_l,
                                "(2,3,5):(30,5,1)"_l};
constexpr Layout inseparable[] = {
    "(2,2):(1,3)"_l,               // equal or exceed is not enough: 3 is no multiple of 2
    "(2,3):(3,2)"_l,               // six distinct positions, yet no digits of one number
    "(2,2):(1,1)"_l,     "2:0"_l,  // positions meet
    "(5,5,5):(2,6,7)"_l, "(0,2):(1,4)"_l,
};
static_assert(first_wrong(separable, axial::radix_separable) == all);
static_assert(first_wrong(inseparable, [](const Layout& layout) { return !axial::radix_separable(layout); }) == all);

struct Complement {
  Layout layout;
  unsigned world;
  Layout copies;
  LayoutError error = LayoutError::none;
};
constexpr Complement complements[] = {
    {"2:1"_l, 8, "4:2"_l},          // tp of (dp,cp,tp) = 2x2x2
    {"2:2"_l, 8, "(2,2):(4,1)"_l},  // cp
    {"2:4"_l, 8, "4:1"_l},          // dp
    {"(2,2):(4,1)"_l, 8, "2:2"_l},  // dp and tp
    {"(2,2):(1,4)"_l, 8, "2:2"_l},  // copies have no order
    {"8:1"_l, 8, none},
    {none, 8, "8:1"_l},
    {none, 1, none},
    {"(2,1):(2,5)"_l, 4, "2:1"_l},
    {"2:1"_l, 1u << 30, "536870912:2"_l},
    {"2:1073741824"_l, 1u << 31, "1073741824:1"_l},
    {"2:1"_l, 7, {}, LayoutError::out_of_range},
    {"2:8"_l, 8, {}, LayoutError::out_of_range},
    {"2:1"_l, 0, {}, LayoutError::out_of_range},
    {"65536:65536"_l, 8, {}, LayoutError::out_of_range},  // its span is 2^32, not 0
    {"(2,3):(3,2)"_l, 12, {}, LayoutError::overlap},
    {"(2,2):(1,3)"_l, 12, {}, LayoutError::overlap},
    {"0:1"_l, 8, {}, LayoutError::overlap},
};
static_assert(first_wrong(complements, [](const Complement& c) {
                const axial::LayoutResult result = axial::complement(c.layout, c.world);
                return result.layout == c.copies && result.error == c.error &&
                       bool(result) == (c.error == LayoutError::none);
              }) == all);

struct Composition {
  Layout outer, inner, result;
  LayoutError error = LayoutError::none;
};
constexpr Composition compositions[] = {
    {"(2,2):(4,1)"_l, "2:1"_l, "2:1"_l},
    {"(2,2):(4,1)"_l, "2:2"_l, "2:4"_l},
    {"(2,2):(4,1)"_l, "(2,2):(2,1)"_l, "(2,2):(4,1)"_l},  // split into 2 x 2
    {"(2,2):(4,1)"_l, "(2,2):(1,2)"_l, "(2,2):(1,4)"_l},
    {"(2,2):(4,1)"_l, "4:1"_l, "(2,2):(4,1)"_l},
    {"(2,2):(4,1)"_l, none, none},
    {"12:2"_l, "(2,3):(6,2)"_l, "6:4"_l},
    {"6:1"_l, "4:1"_l, "4:1"_l},  // inside one mode any extent will do
    {"(2,6):(6,1)"_l, "2:3"_l, "2:3"_l},
    {"(3,4):(16,2)"_l, "6:2"_l, "(3,2):(16,4)"_l},
    {"1073741824:2"_l, "2:536870912"_l, "2:1073741824"_l},
    // Column-major (4,6):(1,8) of CuTe is (6,4):(8,1) here. Its ports answer 4:1 and 2:2, layouts of another size.
    {"(6,4):(8,1)"_l, "6:1"_l, {}, LayoutError::shape_divisibility},
    {"(6,4):(8,1)"_l, "3:2"_l, {}, LayoutError::shape_divisibility},
    {"(6,4):(8,1)"_l, "8:1"_l, "(2,4):(8,1)"_l},
    {"(6,4):(8,1)"_l, "(2,3):(12,4)"_l, "6:8"_l},
    {"(6,4):(8,1)"_l, "2:3"_l, {}, LayoutError::stride_divisibility},
    {"(6,4):(8,1)"_l, "2:6"_l, {}, LayoutError::stride_divisibility},
    {"(6,4):(8,1)"_l, "2:24"_l, {}, LayoutError::out_of_range},
    {"4:1"_l, "8:1"_l, {}, LayoutError::out_of_range},
    {none, "2:1"_l, {}, LayoutError::out_of_range},
    {"12:1"_l, "(2,3):(3,2)"_l, {}, LayoutError::overlap},
    {"12:1"_l, "2:0"_l, {}, LayoutError::overlap},
};
static_assert(first_wrong(compositions, [](const Composition& c) {
                const axial::LayoutResult result = axial::compose(c.outer, c.inner);
                return result.layout == c.result && result.error == c.error;
              }) == all);

}  // namespace
