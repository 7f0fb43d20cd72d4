// SPDX-License-Identifier: BSL-1.0
// Base maps: which global rank sits at each position of a root. Layouts stay affine in positions; whatever a launcher,
// a ring or a table says about ranks is said here. Plain constexpr functions on arrays, as in :layout.
module;
#include <cstddef>

export module axial:base_map;
import :fixed_string;
import :layout;

namespace axial {

/// How much a list of ranks needs to be written down: modes alone; one rank for each bit of the position, whose
/// exclusive or is the rank (XOR swizzles and Gray codes: the rings of accelerator boards); or all of it.
export enum class RankOrder { strided, bit_linear, table };

/// The exclusive or of the columns of the bits that are set.
constexpr unsigned xor_of(const unsigned* columns, unsigned bits) {
  unsigned sum = 0;
  for (; bits != 0; bits >>= 1, ++columns) sum ^= *columns & -(bits & 1);
  return sum;
}

/// The global rank at each position and back. Without arrays both are the same; bit-linear ones hold one number for
/// each bit, tables one for each position.
export struct BaseMap {
  const unsigned* ranks = nullptr;
  const unsigned* positions = nullptr;
  bool bit_linear = false;

  constexpr bool is_identity() const { return ranks == nullptr; }
  constexpr unsigned rank_at(unsigned position) const { return read(ranks, position); }
  constexpr unsigned position_of(unsigned rank) const { return read(positions, rank); }

 private:
  constexpr unsigned read(const unsigned* array, unsigned at) const {
    if (array == nullptr) return at;
    return bit_linear ? xor_of(array, at) : array[at];
  }
};

/// Fills `positions` with the inverse of `ranks`; both have `count` elements. Returns the first place whose rank is out
/// of range or stands at an earlier place, too; `count` when the list is a permutation of 0 .. count-1.
export constexpr unsigned invert(const unsigned* ranks, unsigned count, unsigned* positions) {
  for (unsigned i = 0; i < count; ++i) positions[i] = count;
  for (unsigned i = 0; i < count; ++i) {
    if (ranks[i] >= count || positions[ranks[i]] != count) return i;
    positions[ranks[i]] = i;
  }
  return count;
}

/// The same for a bit-linear map: the inverse columns by elimination over GF(2), `bits` of each. Returns the first
/// column that is out of range or an exclusive or of earlier ones; `bits` when the map is a permutation.
export constexpr unsigned invert_columns(const unsigned* columns, unsigned bits, unsigned* inverse) {
  unsigned reduced[32] = {};  // columns[] in reduced echelon form, each with the combination of columns that makes it
  unsigned made_of[32] = {};
  unsigned pivots[32] = {};
  for (unsigned i = 0; i < bits; ++i) {
    unsigned column = columns[i];
    unsigned combination = 1u << i;
    for (unsigned j = 0; j < i; ++j)
      if (column >> pivots[j] & 1) column ^= reduced[j], combination ^= made_of[j];
    if (column == 0 || column >> bits != 0) return i;
    while (~column >> pivots[i] & 1) ++pivots[i];
    for (unsigned j = 0; j < i; ++j)
      if (reduced[j] >> pivots[i] & 1) reduced[j] ^= column, made_of[j] ^= combination;
    reduced[i] = column;
    made_of[i] = combination;
  }
  for (unsigned i = 0; i < bits; ++i) inverse[pivots[i]] = made_of[i];
  return bits;
}

/// The ranks of a bit-linear map at the positions offset + layout, in increasing order.
struct RankSpan {
  unsigned basis[32] = {};  // reduced: each has its highest bit alone, the smallest first
  unsigned count = 0;
  unsigned smallest = 0;
  constexpr unsigned nth(unsigned i) const { return smallest ^ xor_of(basis, i); }
};

constexpr unsigned high_bit(unsigned value) {
  unsigned bit = 0;
  while (value >>= 1) ++bit;
  return bit;
}

/// Precondition: all extents and strides are powers of two, as every layout's in a world of that many ranks.
constexpr RankSpan span_of(const BaseMap& map, const Layout& layout, unsigned offset) {
  RankSpan span;
  const auto reduce = [&](unsigned rank) {
    for (unsigned i = 0; i < span.count; ++i)
      if (rank >> high_bit(span.basis[i]) & 1) rank ^= span.basis[i];
    return rank;
  };
  for (const Mode mode : layout) {
    for (unsigned step = 1; step < mode.extent; step *= 2) {
      const unsigned added = reduce(map.rank_at(step * mode.stride));
      unsigned at = span.count++;
      for (; at > 0 && span.basis[at - 1] > added; --at) span.basis[at] = span.basis[at - 1];
      span.basis[at] = added;
      for (unsigned i = at + 1; i < span.count; ++i)
        if (span.basis[i] >> high_bit(added) & 1) span.basis[i] ^= added;
    }
  }
  span.smallest = reduce(map.rank_at(offset));
  return span;
}

/// The layout with position_of(layout, i) == ranks[i] for all i, if there is one: 0,4,2,6,1,5,3,7 is (2,2,2):(1,2,4).
export constexpr LayoutResult strided_order(const unsigned* ranks, unsigned count) {
  constexpr LayoutResult none{.layout = {}, .error = LayoutError::stride_divisibility};
  if (count == 0 || ranks[0] != 0) return none;
  Layout inner_first;
  for (unsigned span = 1; span < count;) {  // the next mode is the longest run of multiples of ranks[span]
    const unsigned stride = ranks[span];
    unsigned extent = 1;
    while (1ull * extent * span < count && ranks[extent * span] == 1ull * extent * stride) ++extent;
    if (count % (extent * span) != 0 || inner_first.count == max_modes) return none;
    inner_first.push({extent, stride});
    span *= extent;
  }
  Layout layout;
  for (unsigned i = inner_first.count; i-- > 0;) layout.push(inner_first.modes[i]);
  for (unsigned i = 0; i < count; ++i)
    if (position_of(layout, i) != ranks[i]) return none;
  return {.layout = coalesce(layout)};
}

/// True when each rank is at its own position.
constexpr bool is_identity(const unsigned* ranks, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    if (ranks[i] != i) return false;
  return true;
}

/// True when rank[a ^ b] == rank[a] ^ rank[b] for all positions: 0,1,3,2 is, with the columns 1,3.
export constexpr bool is_bit_linear(const unsigned* ranks, unsigned count) {
  if (count == 0 || (count & (count - 1)) != 0 || ranks[0] != 0) return false;
  for (unsigned i = 1; i < count; ++i)
    if (ranks[i] != (ranks[i & (i - 1)] ^ ranks[i & (~i + 1)])) return false;
  return true;
}

/// The least that a list of ranks needs: the first of the orders that says it.
export constexpr RankOrder classify(const unsigned* ranks, unsigned count) {
  if (strided_order(ranks, count)) return RankOrder::strided;
  return is_bit_linear(ranks, count) ? RankOrder::bit_linear : RankOrder::table;
}
/// The same for a list of ours, or anything with data() and size().
export template <class List>
  requires requires(const List& list) { *list.data() + list.size(); }
constexpr RankOrder classify(const List& ranks) {
  return classify(ranks.data(), static_cast<unsigned>(ranks.size()));
}

/// Numbers as ranks; what can be none becomes the largest number, which is out of range.
constexpr void take_ranks(const long long* given, unsigned count, unsigned* ranks) {
  for (unsigned i = 0; i < count; ++i)
    ranks[i] = given[i] < 0 || given[i] > static_cast<long long>(max_ranks) ? ~0u : static_cast<unsigned>(given[i]);
}

/// What is wrong with `given` as the table of a mesh of `size` ranks; empty when nothing is. `ranks` and `positions`
/// have room for `count` numbers and are left as the table and its inverse.
export constexpr Message explain_ranks(NameView operation, const long long* given, unsigned count, unsigned size,
                                       unsigned* ranks, unsigned* positions) {
  Message text;
  take_ranks(given, count, ranks);
  const unsigned culprit = invert(ranks, count, positions);
  if (count != size) {
    put(text, operation, NameView(" takes one rank for each of the mesh's "), size, NameView(" positions, not "),
        count);
  } else if (culprit < count && ranks[culprit] >= count) {
    put(text, operation, NameView(" gives position "), culprit, NameView(" the rank "), given[culprit],
        NameView(", and the mesh has the ranks 0 to "), size - 1);
  } else if (culprit < count) {
    put(text, operation, NameView(" gives rank "), ranks[culprit], NameView(" to the positions "),
        positions[ranks[culprit]], NameView(" and "), culprit, NameView("; each rank stands once"));
  }
  return text;
}

/// Likewise for the columns of a bit-linear map: the ranks at the positions 1, 2, 4, ...
export constexpr Message explain_columns(const long long* given, unsigned count, unsigned size, unsigned* columns,
                                         unsigned* inverse) {
  Message text;
  take_ranks(given, count, columns);
  unsigned bits = 0;
  while (size >> bits > 1) ++bits;
  if ((size & (size - 1)) != 0) {
    put(text, NameView("with_xor needs a power of two ranks, and the mesh has "), size);
  } else if (count != bits) {
    put(text, NameView("with_xor takes one rank for each of the "), bits, NameView(" bits of a position below "), size,
        NameView(", not "), count);
  } else if (const unsigned culprit = invert_columns(columns, bits, inverse); culprit < bits) {
    put(text, NameView("with_xor gives position "), 1u << culprit, NameView(" the rank "), given[culprit]);
    if (columns[culprit] >= size)
      put(text, NameView(", and the mesh has the ranks 0 to "), size - 1);
    else
      put(text, NameView(", the exclusive or of earlier ones; each rank stands once"));
  }
  return text;
}

}  // namespace axial
