// SPDX-License-Identifier: BSL-1.0
// Integer layouts: short lists of (extent, stride) that map an index to a position. No names and no processes here:
// plain constexpr functions that neither throw nor allocate, for the compiler, the run time and device code alike.
module;
#include <cstddef>

export module axial:layout;
import :fixed_string;

namespace axial {

/// The number of modes that a coalesced layout of at most 2^31-1 positions can have: each is at least 2 long.
export inline constexpr unsigned max_modes = 31;

/// The largest number of ranks: an MPI communicator's size is an int.
export inline constexpr unsigned long long max_ranks = 2147483647;

/// An extent that is known at run time only: what the others leave of the number of ranks. It belongs to the outermost
/// mode, and reads as an endless one there: whatever does not ask for the end is a formula without it.
export inline constexpr unsigned dynamic = ~0u;

/// `4`, or `*` for a dynamic extent.
template <class Sink>
constexpr void put_extent(Sink& sink, unsigned extent) {
  if (extent == dynamic) return put(sink, NameView("*"));
  put(sink, extent);
}

/// `extent` positions, `stride` apart. No initialisers of its own: the compiler would run them for every element of
/// every array of modes.
export struct Mode {
  unsigned extent;
  unsigned stride;
  friend constexpr bool operator==(Mode, Mode) = default;
  /// `4:1`
  template <class Sink>
  friend constexpr void put(Sink& sink, const Mode& mode) {
    put_extent(sink, mode.extent);
    put(sink, NameView(":"), mode.stride);
  }
};

/// Modes, the outer one first: index i of (2,2):(4,1) is at 4*(i/2) + i%2.
export struct Layout {
  Mode modes[max_modes] = {};
  unsigned count = 0;

  constexpr const Mode* begin() const { return modes; }
  constexpr const Mode* end() const { return modes + count; }
  constexpr void push(Mode mode) { modes[count++] = mode; }
  friend constexpr bool operator==(const Layout& a, const Layout& b) {
    if (a.count != b.count) return false;
    for (unsigned i = 0; i < a.count; ++i)
      if (a.modes[i] != b.modes[i]) return false;
    return true;
  }
  /// `4:1`, or `(2,2):(4,1)` for several modes, `1` for none.
  template <class Sink>
  friend constexpr void put(Sink& sink, const Layout& layout) {
    if (layout.count == 0) return put(sink, NameView("1"));
    if (layout.count == 1) return put(sink, layout.modes[0]);
    for (unsigned i = 0; i < layout.count; ++i) {
      put(sink, NameView(i ? "," : "("));
      put_extent(sink, layout.modes[i].extent);
    }
    for (unsigned i = 0; i < layout.count; ++i) put(sink, NameView(i ? "," : "):("), layout.modes[i].stride);
    put(sink, NameView(")"));
  }
};

/// Why two layouts do not compose or a list of modes is no layout of a world.
export enum class LayoutError { none, stride_divisibility, shape_divisibility, overlap, out_of_range };

/// A layout, or why there is none.
export struct LayoutResult {
  Layout layout;
  LayoutError error = LayoutError::none;
  constexpr explicit operator bool() const { return error == LayoutError::none; }
};

/// The number of positions: the product of the extents, `dynamic` when one of them is.
export constexpr unsigned size_of(const Layout& layout) {
  unsigned size = 1;
  for (const Mode mode : layout) {
    if (mode.extent == dynamic) return dynamic;
    size *= mode.extent;
  }
  return size;
}

/// The same in a world of this many ranks, which says what a dynamic extent is; in a dynamic one nothing does.
export constexpr unsigned size_of(const Layout& layout, unsigned world) {
  if (world == dynamic) return size_of(layout);
  unsigned size = 1;
  for (const Mode mode : layout) size *= mode.extent == dynamic ? world / mode.stride : mode.extent;
  return size;
}

/// The position of `index`, outer mode slowest. Precondition: index < size_of(layout).
export constexpr unsigned position_of(const Layout& layout, unsigned index) {
  unsigned position = 0;
  for (unsigned i = layout.count; i-- > 0;) {
    position += index % layout.modes[i].extent * layout.modes[i].stride;
    index /= layout.modes[i].extent;
  }
  return position;
}

/// The index in `layout` of a position of the world: position_of's inverse on the layout's own positions, and the
/// layout's coordinate of every other position. Precondition: the layout is radix-separable.
export constexpr unsigned index_of(const Layout& layout, unsigned position) {
  unsigned index = 0;
  for (const Mode mode : layout)
    if (mode.extent > 1) index = index * mode.extent + position / mode.stride % mode.extent;
  return index;
}

/// Modes of extent 1 dropped, neighbours merged: (2,1,2):(2,7,1) = 4:1; (2,2):(1,2) stays.
export constexpr Layout coalesce(const Layout& layout) {
  Layout result;
  for (const Mode mode : layout) {
    if (mode.extent == 1) continue;
    Mode* outer = result.count ? &result.modes[result.count - 1] : nullptr;
    if (outer && outer->stride == mode.stride * static_cast<unsigned long long>(mode.extent))
      *outer = {outer->extent == dynamic ? dynamic : outer->extent * mode.extent, mode.stride};
    else
      result.push(mode);
  }
  return result;
}

/// The modes of `outer`, then those of `inner`, coalesced. Precondition: together at most `max_modes`.
export constexpr Layout concatenate(const Layout& outer, const Layout& inner) {
  Layout result = outer;
  for (const Mode mode : inner) result.push(mode);
  return coalesce(result);
}

/// The same positions in increasing order: largest stride first.
export constexpr Layout sorted(Layout layout) {
  for (unsigned i = 1; i < layout.count; ++i)
    for (unsigned j = i; j > 0 && layout.modes[j - 1].stride < layout.modes[j].stride; --j) {
      const Mode mode = layout.modes[j];
      layout.modes[j] = layout.modes[j - 1];
      layout.modes[j - 1] = mode;
    }
  return layout;
}

/// True when coordinates can be read off a position by division and remainder alone: sorted by stride, each stride is
/// a multiple of the span before it. (2,3):(3,2) has six distinct positions and is refused; so is (2,2):(3,1).
export constexpr bool radix_separable(const Layout& layout) {
  const Layout modes = sorted(layout);
  unsigned long long span = 1;
  for (unsigned i = modes.count; i-- > 0;) {
    if (modes.modes[i].extent == 1) continue;
    if (modes.modes[i].extent == 0 || modes.modes[i].stride == 0 || modes.modes[i].stride % span != 0) return false;
    span = static_cast<unsigned long long>(modes.modes[i].extent) * modes.modes[i].stride;
  }
  return true;
}

/// The offsets of the copies of `layout` that tile [0, world), increasing: the complement of 2:1 in 8 is 4:2, in a
/// dynamic world *:2. Refuses a layout that is not radix-separable (overlap) and a world that its span does not divide
/// (out_of_range).
export constexpr LayoutResult complement(const Layout& layout, unsigned world) {
  if (!radix_separable(layout)) return {.layout = {}, .error = LayoutError::overlap};
  const Layout modes = coalesce(sorted(layout));
  Layout ascending;
  unsigned long long span = 1;
  for (unsigned i = modes.count; i-- > 0;) {
    ascending.push({static_cast<unsigned>(modes.modes[i].stride / span), static_cast<unsigned>(span)});
    span = static_cast<unsigned long long>(modes.modes[i].extent) * modes.modes[i].stride;
  }
  const bool endless = world == dynamic;
  const bool ends = modes.count != 0 && modes.modes[0].extent == dynamic;  // then nothing is beyond it
  if (!endless && (span > world || world % span != 0)) return {.layout = {}, .error = LayoutError::out_of_range};
  Layout result;
  if (!ends) result.push({endless ? dynamic : static_cast<unsigned>(world / span), static_cast<unsigned>(span)});
  for (unsigned i = ascending.count; i-- > 0;) result.push(ascending.modes[i]);
  return {.layout = coalesce(result)};
}

/// R with R(i) = outer(inner(i)) for every index i of `inner`: (2,2):(4,1) o 2:1 = 2:1.
/// Total or an error, never a layout of another size: each mode of `inner` must step over whole modes of `outer` or
/// divide one (stride_divisibility), must take whole ones where one is not enough (shape_divisibility), must stay
/// inside `outer` (out_of_range), and `inner` must be radix-separable (overlap), else R would not be a layout.
export constexpr LayoutResult compose(const Layout& outer, const Layout& inner) {
  if (!radix_separable(inner)) return {.layout = {}, .error = LayoutError::overlap};
  Layout result;
  for (const Mode wanted : coalesce(inner)) {
    // From the innermost mode of `outer`, first skip `stride` indices, then take `extent` of them.
    unsigned skip = wanted.stride;
    unsigned take = wanted.extent;
    Layout inner_first;
    for (unsigned i = outer.count; i-- > 0 && take > 1;) {
      const Mode mode = outer.modes[i];
      if (mode.extent == 1) continue;
      if (skip >= mode.extent) {
        if (skip % mode.extent != 0) return {.layout = {}, .error = LayoutError::stride_divisibility};
        skip /= mode.extent;
        continue;
      }
      if (skip == 0 || mode.extent % skip != 0) return {.layout = {}, .error = LayoutError::stride_divisibility};
      const unsigned rest = mode.extent / skip;
      if (take > rest && take % rest != 0) return {.layout = {}, .error = LayoutError::shape_divisibility};
      const unsigned here = take < rest ? take : rest;
      inner_first.push({here, mode.stride * skip});
      take /= here;
      skip = 1;
    }
    if (take > 1) return {.layout = {}, .error = LayoutError::out_of_range};
    if (result.count + inner_first.count > max_modes) return {.layout = {}, .error = LayoutError::overlap};
    for (unsigned i = inner_first.count; i-- > 0;) result.push(inner_first.modes[i]);
  }
  return {.layout = coalesce(result)};
}

}  // namespace axial
