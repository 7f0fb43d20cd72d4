// SPDX-License-Identifier: BSL-1.0
// A mesh written out, with every operation done on the coordinates of one position after the other: no formula, and
// nothing of axial. What properties.cpp compares the algebra on values with, and type_laws.cpp the one on types.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using Numbers = std::vector<unsigned>;

/// Groups of positions along some axes, and the number of the group at each position.
struct CountedGroups {
  std::vector<Numbers> groups;  // in order of their smallest position, each in coordinate order
  Numbers index;                // by position; `none` where the mesh holds nothing
  static constexpr unsigned none = ~0u;
};

struct Counted {
  std::vector<std::string> names;
  Numbers extents;
  std::vector<Numbers> coordinates;      // by position
  std::vector<unsigned long long> copy;  // by position: what tells the copies of a mesh apart
  std::vector<bool> held;                // by position: false once a slice has left it out

  /// The row-major mesh of a shape, counted up like the digits of an odometer; names are a, b, c ...
  static Counted row_major(const Numbers& shape) {
    Counted mesh;
    mesh.extents = shape;
    unsigned size = 1;
    for (unsigned axis = 0; axis < shape.size(); ++axis) {
      mesh.names.emplace_back(1, static_cast<char>('a' + axis));
      size *= shape[axis];
    }
    for (Numbers digits(shape.size()); mesh.coordinates.size() < size;) {
      mesh.coordinates.push_back(digits);
      for (std::size_t i = shape.size(); i-- > 0;) {
        if (++digits[i] < shape[i]) break;
        digits[i] = 0;
      }
    }
    mesh.copy.resize(size);
    mesh.held.assign(size, true);
    return mesh;
  }

  unsigned positions() const { return static_cast<unsigned>(held.size()); }
  unsigned ndim() const { return static_cast<unsigned>(extents.size()); }

  /// The number of one of many coordinates along these axes, the first outermost.
  unsigned long long number(unsigned position, const Numbers& axes) const {
    unsigned long long value = 0;
    for (const unsigned axis : axes) value = value * extents[axis] + coordinates[position][axis];
    return value;
  }
  Numbers rest(const Numbers& axes) const {
    Numbers left;
    for (unsigned axis = 0; axis < ndim(); ++axis)
      if (std::find(axes.begin(), axes.end(), axis) == axes.end()) left.push_back(axis);
    return left;
  }

  /// These axes, in this order; the others tell copies apart.
  Counted picked(const Numbers& axes) const {
    Counted mesh{.names = {}, .extents = {}, .coordinates = {}, .copy = {}, .held = held};
    for (const unsigned axis : axes) mesh.names.push_back(names[axis]), mesh.extents.push_back(extents[axis]);
    const Numbers dropped = rest(axes);
    for (unsigned position = 0; position < positions(); ++position) {
      Numbers& kept = mesh.coordinates.emplace_back();
      for (const unsigned axis : axes) kept.push_back(coordinates[position][axis]);
      mesh.copy.push_back(copy[position] * positions() + number(position, dropped));
    }
    return mesh;
  }

  /// These axes as one, at the place of the first of them.
  Counted flattened(const Numbers& axes, const std::string& name) const {
    const unsigned place = *std::min_element(axes.begin(), axes.end());
    Counted mesh{.names = {}, .extents = {}, .coordinates = {}, .copy = copy, .held = held};
    mesh.coordinates.resize(positions());
    for (unsigned axis = 0; axis < ndim(); ++axis) {
      if (axis != place && std::find(axes.begin(), axes.end(), axis) != axes.end()) continue;
      mesh.names.push_back(axis == place ? name : names[axis]);
      mesh.extents.push_back(axis == place ? 1 : extents[axis]);
      for (const unsigned joined : axes) mesh.extents.back() *= axis == place ? extents[joined] : 1;
      for (unsigned position = 0; position < positions(); ++position)
        mesh.coordinates[position].push_back(axis == place ? static_cast<unsigned>(number(position, axes))
                                                           : coordinates[position][axis]);
    }
    return mesh;
  }

  /// One axis as several, the first the slowest.
  Counted unflattened(unsigned cut, const std::vector<std::pair<std::string, unsigned>>& parts) const {
    Counted mesh{.names = {}, .extents = {}, .coordinates = {}, .copy = copy, .held = held};
    mesh.coordinates.resize(positions());
    const auto push = [&](const std::string& name, unsigned extent, auto coordinate) {
      mesh.names.push_back(name);
      mesh.extents.push_back(extent);
      for (unsigned position = 0; position < positions(); ++position)
        mesh.coordinates[position].push_back(coordinate(coordinates[position]));
    };
    for (unsigned axis = 0; axis < ndim(); ++axis) {
      if (axis != cut) push(names[axis], extents[axis], [=](const Numbers& at) { return at[axis]; });
      unsigned inner = extents[axis];
      for (std::size_t part = 0; axis == cut && part < parts.size(); ++part) {
        const unsigned extent = parts[part].second;
        inner /= extent;
        push(parts[part].first, extent, [=](const Numbers& at) { return at[axis] / inner % extent; });
      }
    }
    return mesh;
  }

  /// The positions that have this coordinate, without the axis.
  Counted sliced(unsigned axis, unsigned coordinate) const {
    Counted mesh = *this;
    mesh.names.erase(mesh.names.begin() + axis);
    mesh.extents.erase(mesh.extents.begin() + axis);
    for (unsigned position = 0; position < positions(); ++position) {
      mesh.held[position] = held[position] && coordinates[position][axis] == coordinate;
      mesh.coordinates[position].erase(mesh.coordinates[position].begin() + axis);
    }
    return mesh;
  }

  Counted renamed(unsigned axis, const std::string& name) const {
    Counted mesh = *this;
    mesh.names[axis] = name;
    return mesh;
  }

  CountedGroups groups(const Numbers& axes) const {
    const Numbers others = rest(axes);
    unsigned size = 1;
    for (const unsigned axis : axes) size *= extents[axis];
    std::vector<std::pair<unsigned long long, unsigned long long>> seen;  // what tells a group from the others
    CountedGroups result{.groups = {}, .index = Numbers(positions(), CountedGroups::none)};
    for (unsigned position = 0; position < positions(); ++position) {
      if (!held[position]) continue;
      const std::pair group(copy[position], number(position, others));
      const auto at = static_cast<unsigned>(std::find(seen.begin(), seen.end(), group) - seen.begin());
      if (at == seen.size()) seen.push_back(group), result.groups.emplace_back(size, CountedGroups::none);
      result.groups[at][number(position, axes)] = position;
      result.index[position] = at;
    }
    return result;
  }
};

/// Calls f for every list of up to `most` extents of at least `least` whose product is at most `largest`.
template <class F>
void each_shape(unsigned most, unsigned least, unsigned largest, F f, Numbers shape = {}, unsigned size = 1) {
  f(shape);
  if (shape.size() == most) return;
  shape.push_back(0);
  for (shape.back() = least; shape.back() * size <= largest; ++shape.back())
    each_shape(most, least, largest, f, shape, size * shape.back());
}

/// Calls f for every order of 0 .. count-1.
template <class F>
void each_order(unsigned count, F f) {
  Numbers order(count);
  for (unsigned i = 0; i < count; ++i) order[i] = i;
  do f(order);
  while (std::next_permutation(order.begin(), order.end()));
}

/// Whether any choice of modes gives the list: all ways to factor its length, the innermost first.
inline bool can_be_strided(const Numbers& ranks, unsigned span = 1) {
  if (ranks.empty() || ranks[0] != 0) return false;
  if (span == ranks.size()) return true;
  for (unsigned extent = 2; span * extent <= ranks.size(); ++extent) {
    bool fits = ranks.size() % (span * extent) == 0;
    for (unsigned i = 0; fits && i < span * extent; ++i) fits = ranks[i] == ranks[i % span] + i / span * ranks[span];
    if (fits && can_be_strided(ranks, span * extent)) return true;
  }
  return false;
}

/// The definition: the rank at an exclusive or is the exclusive or of the ranks.
inline bool can_be_bit_linear(const Numbers& ranks) {
  for (unsigned a = 0; a < ranks.size(); ++a)
    for (unsigned b = 0; b < ranks.size(); ++b)
      if ((a ^ b) >= ranks.size() || ranks[a ^ b] != (ranks[a] ^ ranks[b])) return false;
  return !ranks.empty();
}

inline std::string text_of(const Numbers& numbers) {
  std::string text;
  for (const unsigned number : numbers) text += (text.empty() ? "" : "x") + std::to_string(number);
  return text.empty() ? "no dimension" : text;
}
