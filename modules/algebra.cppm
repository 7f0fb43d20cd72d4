// SPDX-License-Identifier: BSL-1.0
// The mesh algebra on values: a mesh as names and modes, and every operation on it. The compiler evaluates these
// functions for the mesh types, a program may call them on meshes that it has read. They neither throw nor allocate.
module;
#include <cstddef>

export module axial:algebra;
export import :base_map;
export import :selection;

namespace axial {

/// A mesh as a value: named axes in a root of `ranks` positions, and the modes at which a slice has fixed it. Names are
/// views of characters that must outlive it. The base map is not part of it: no operation changes that.
export struct MeshLayout {
  NameView names[max_dimensions] = {};
  unsigned char ends[max_dimensions] = {};  // axis i has the modes from ends[i - 1] to before ends[i]
  Mode modes[max_modes] = {};
  unsigned ndim = 0;
  unsigned ranks = 1;   ///< of the root; `dynamic` when only the run time knows
  Layout pinned = {};   ///< sorted and coalesced
  unsigned offset = 0;  ///< the position at the pinned coordinates and coordinate 0 everywhere else
  bool any = false;     ///< takes every name: what a failed operation returns

  /// The modes of one axis, coalesced, outer first; none when its extent is 1.
  constexpr Layout axis(unsigned i) const {
    Layout layout;
    for (unsigned m = i == 0 ? 0 : ends[i - 1]; m < ends[i]; ++m) layout.push(modes[m]);
    return layout;
  }
  constexpr unsigned extent(unsigned i) const {
    unsigned extent = 1;
    for (unsigned m = i == 0 ? 0 : ends[i - 1]; m < ends[i]; ++m)
      extent = modes[m].extent == dynamic ? dynamic : extent * modes[m].extent;
    return extent;
  }
  /// Adds an axis, innermost.
  constexpr void push(NameView name, const Layout& layout) {
    unsigned end = ndim == 0 ? 0 : ends[ndim - 1];
    for (const Mode mode : layout) modes[end++] = mode;
    names[ndim] = name;
    ends[ndim++] = static_cast<unsigned char>(end);
  }
  constexpr unsigned mode_count(unsigned i) const { return ends[i] - (i == 0 ? 0u : ends[i - 1]); }
  constexpr Names list() const { return {names, ndim, any}; }
  /// All modes of the axes, largest stride first.
  constexpr Layout increasing() const {
    Layout all;
    for (unsigned m = 0; m < (ndim == 0 ? 0u : ends[ndim - 1]); ++m) all.push(modes[m]);
    return sorted(all);
  }
  /// The product of the extents, `dynamic` when one of them is.
  constexpr unsigned size() const {
    unsigned size = 1;
    for (unsigned m = 0; m < (ndim == 0 ? 0u : ends[ndim - 1]); ++m) {
      if (modes[m].extent == dynamic) return dynamic;
      size *= modes[m].extent;
    }
    return size;
  }
  /// True for the positions that the mesh holds: all but those that a slice left out.
  constexpr bool contains(unsigned position) const {
    return position < ranks && index_of(pinned, position) == index_of(pinned, offset);
  }
};

/// The positions of the coordinates 0 of all groups along an axis, less the offset: what is neither along the axis nor
/// pinned. Increasing. Precondition: axis and pinned modes are of one mesh.
export constexpr Layout firsts_of(const Layout& axis, const Layout& pinned, unsigned ranks) {
  return complement(concatenate(axis, pinned), ranks).layout;
}

/// True for a mesh of one copy, which holds all ranks.
constexpr bool is_whole(const MeshLayout& mesh) {
  return mesh.any || (mesh.pinned.count == 0 && firsts_of(mesh.increasing(), mesh.pinned, mesh.ranks).count == 0);
}

/// The number of axes of more than one rank, those of the same ranks counted once.
constexpr unsigned distinct_axes(const MeshLayout& mesh) {
  unsigned count = 0;
  for (unsigned i = 0; i < mesh.ndim; ++i) {
    bool is_new = mesh.mode_count(i) != 0;
    for (unsigned j = 0; j < i; ++j) is_new = is_new && !(mesh.axis(i) == mesh.axis(j));
    count += is_new;
  }
  return count;
}

/// A mesh, or one line that says what was wrong and what would be right.
export struct MeshResult {
  MeshLayout mesh = {};
  Message problem = {};
  constexpr bool ok() const { return problem.length == 0; }
};

/// True when a mode other than the outermost has the dynamic extent: such an axis has no formulas.
constexpr bool has_dynamic_inside(const Layout& layout) {
  for (unsigned i = 1; i < layout.count; ++i)
    if (layout.modes[i].extent == dynamic) return true;
  return false;
}

/// What stands for a mesh that there is none: it takes every name.
constexpr MeshLayout harmless_mesh() {
  MeshLayout mesh;
  mesh.push(NameView{}, Layout{});
  mesh.any = true;
  return mesh;
}

// `problem` as a result, and the sentence on the place of the dynamic dimension, which every operation may break.
constexpr MeshResult failed(const Message& problem) { return {.mesh = {}, .problem = problem}; }

constexpr MeshResult checked(const MeshLayout& mesh, NameView operation) {
  for (unsigned i = 0; i < mesh.ndim; ++i) {
    const Layout axis = mesh.axis(i);
    for (unsigned m = 0; m < axis.count; ++m) {
      if (axis.modes[m].extent != dynamic || (i == 0 && m == 0)) continue;
      Message text;
      put(text, operation, NameView(" would put the dynamic dimension "));
      if (m == 0)
        put(text, NameView("\""), mesh.names[i], NameView("\" behind \""), mesh.names[0], NameView("\""));
      else
        put(text, NameView("inside \""), mesh.names[i], NameView("\""));
      put(text, NameView("; it must stay outermost"));
      return failed(text);
    }
  }
  return {.mesh = mesh};
}

/// A mesh without axes in the same root and at the same pinned coordinates.
constexpr MeshLayout emptied(const MeshLayout& mesh) {
  MeshLayout result;
  result.ranks = mesh.ranks;
  result.pinned = mesh.pinned;
  result.offset = mesh.offset;
  return result;
}

constexpr MeshResult picked(const MeshLayout& mesh, const Selection& axes, const Key* keys, NameView operation) {
  if (!axes.ok()) return failed(explain(axes, mesh.list(), keys, operation));
  MeshLayout result = emptied(mesh);
  for (unsigned i = 0; i < axes.count; ++i) result.push(mesh.names[axes.at[i]], mesh.axis(axes.at[i]));
  return checked(result, operation);
}

/// `Mesh(dp=2, tp=4)`
template <class Sink>
constexpr void put_mesh(Sink& sink, const NameView* names, const unsigned* extents, unsigned count) {
  put(sink, NameView("Mesh("));
  for (unsigned i = 0; i < count; ++i) {
    put(sink, NameView(i ? ", " : ""), names[i], NameView("="));
    put_extent(sink, extents[i]);
  }
  put(sink, NameView(")"));
}

/// What can be wrong with a list of dimensions, and with which of them.
enum class Flaw { none, too_many, empty_name, repeated_name, extent_0, dynamic_inside, too_large };
struct Dimensions {
  Flaw flaw = Flaw::none;
  unsigned culprit = 0;
  unsigned product = 1;  ///< of the extents but a dynamic one
};

constexpr Dimensions examine(const NameView* names, const unsigned* extents, unsigned count) {
  if (count > max_dimensions) return {.flaw = Flaw::too_many};
  unsigned long long product = 1;
  for (unsigned i = 0; i < count; ++i) {
    if (names[i].empty()) return {.flaw = Flaw::empty_name, .culprit = i};
    for (unsigned j = 0; j < i; ++j)
      if (names[i].equals(names[j])) return {.flaw = Flaw::repeated_name, .culprit = i};
    if (extents[i] == 0) return {.flaw = Flaw::extent_0, .culprit = i};
    if (extents[i] == dynamic && i != 0) return {.flaw = Flaw::dynamic_inside, .culprit = i};
    if (extents[i] != dynamic && product <= max_ranks) product *= extents[i];
  }
  if (product > max_ranks) return {.flaw = Flaw::too_large};
  return {.product = static_cast<unsigned>(product)};
}

/// One line on that; empty when nothing is wrong.
constexpr Message explain_dimensions(const NameView* names, const unsigned* extents, unsigned count) {
  const Dimensions found = examine(names, extents, count);
  Message text;
  const auto dimension = [&] { put(text, NameView("Mesh dimension \""), names[found.culprit], NameView("\"")); };
  switch (found.flaw) {
    case Flaw::none: break;
    case Flaw::too_many:
      put(text, NameView("Mesh has "), count, NameView(" dimensions; the most is "), max_dimensions);
      break;
    case Flaw::empty_name:
      put(text, NameView("Mesh dimension "), found.culprit, NameView(" has an empty name; the dimensions are "));
      put_quoted(text, names, count);
      break;
    case Flaw::repeated_name:
      put(text, NameView("Mesh names dimension \""), names[found.culprit], NameView("\" twice; the dimensions are "));
      put_quoted(text, names, count);
      break;
    case Flaw::extent_0: dimension(), put(text, NameView(" has extent 0; the least is 1")); break;
    case Flaw::dynamic_inside:
      dimension(), put(text, NameView(" is dynamic, and only the outermost can be: \""), names[0], NameView("\""));
      break;
    case Flaw::too_large:
      put_mesh(text, names, extents, count);
      put(text, NameView(" has more than "), max_ranks, NameView(" ranks"));
      break;
  }
  return text;
}

/// Row-major, in a world that gives a dynamic extent its value. Precondition: nothing is wrong with the dimensions.
constexpr MeshLayout lay_out(const NameView* names, const unsigned* extents, unsigned count, unsigned product,
                             unsigned world) {
  MeshLayout mesh;
  mesh.ndim = count;
  mesh.ranks = count != 0 && extents[0] == dynamic ? world : product;
  unsigned stride = product;
  unsigned end = 0;
  for (unsigned i = 0; i < count; ++i) {
    const bool open = extents[i] == dynamic;
    if (!open) stride /= extents[i];
    const unsigned extent = !open ? extents[i] : world == dynamic ? dynamic : world / product;
    if (extent != 1) mesh.modes[end++] = {extent, stride};
    mesh.names[i] = names[i];
    mesh.ends[i] = static_cast<unsigned char>(end);
  }
  return mesh;
}

/// These dimensions over the ranks 0 .. product-1, row-major: the last one varies fastest. `world`, unless it is
/// `dynamic`, is the number of ranks that there are: it says what a dynamic extent is, and must fit the others.
export constexpr MeshResult row_major(const NameView* names, const unsigned* extents, unsigned count,
                                      unsigned world = dynamic) {
  if (const Message problem = explain_dimensions(names, extents, count); problem.length) return failed(problem);
  const unsigned product = examine(names, extents, count).product;
  const bool open = count != 0 && extents[0] == dynamic;
  if (world != dynamic && (open ? world == 0 || world % product != 0 : world != product)) {
    Message text;
    put_mesh(text, names, extents, count);
    put(text, NameView(open ? " needs a multiple of " : " needs "), product, NameView(" ranks, and there are "), world);
    return failed(text);
  }
  return {.mesh = lay_out(names, extents, count, product, world)};
}

/// The same for the compiler, in few steps.
constexpr MeshLayout row_major_or_harmless(const NameView* names, const unsigned* extents, unsigned count) {
  const Dimensions found = examine(names, extents, count);
  return found.flaw == Flaw::none ? lay_out(names, extents, count, found.product, dynamic) : harmless_mesh();
}

/// True when the axes are row-major over the whole root, as those of a Mesh are; `multiple` is what a dynamic extent is
/// multiplied by there.
export constexpr bool is_row_major(const MeshLayout& mesh, unsigned multiple = 1) {
  if (mesh.pinned.count != 0) return false;
  unsigned long long span = mesh.ranks == dynamic ? 1ull * dynamic * multiple : mesh.ranks;
  for (unsigned i = 0, m = 0; i < mesh.ndim; m = mesh.ends[i++]) {
    if (m == mesh.ends[i]) continue;
    if (mesh.ends[i] - m > 1 || span != 1ull * mesh.modes[m].extent * mesh.modes[m].stride) return false;
    span = mesh.modes[m].stride;
  }
  return span == 1;
}

/// The characters of an axis's name, and one for the end.
constexpr std::size_t name_size(const MeshLayout& mesh, unsigned axis) { return mesh.names[axis].size() + 1; }

/// The names of the axes picked, with a `_` between each two, written to `to` unless that is null; returns how many
/// characters they are.
constexpr std::size_t join_names(const MeshLayout& mesh, const Selection& axes, char* to) {
  std::size_t size = 0;
  const auto write = [&](char c) {
    if (to != nullptr) to[size] = c;
    ++size;
  };
  for (unsigned i = 0; i < axes.count; ++i) {
    if (i != 0) write('_');
    for (const char c : mesh.names[axes.at[i]]) write(c);
  }
  return size;
}

/// The modes of the axes picked, one axis after another.
constexpr Layout join(const MeshLayout& mesh, const Selection& axes) {
  Layout joined;
  for (unsigned i = 0; i < axes.count; ++i) joined = concatenate(joined, mesh.axis(axes.at[i]));
  return joined;
}

// True for what a slice left, and where the number of ranks is dynamic.
constexpr bool is_slice(const MeshLayout& mesh) { return mesh.pinned.count != 0; }
constexpr bool is_open(const MeshLayout& mesh) { return mesh.ranks == dynamic; }

/// True when a mesh with this base map is a Mesh.
constexpr bool is_mesh_of(const BaseMap& map, const MeshLayout& mesh, unsigned multiple) {
  return map.is_identity() && is_row_major(mesh, multiple);
}

/// The axis that one name or index means, or that none means on a mesh of one axis; max_dimensions when it is a
/// mistake, of which select() knows more.
constexpr unsigned find_axis(const MeshLayout& mesh) { return mesh.ndim == 1 ? 0 : max_dimensions; }
constexpr unsigned find_axis(const MeshLayout& mesh, const Key& key) {
  if (mesh.any) return 0;
  const unsigned axis = mesh.list().find(key);
  return axis < mesh.ndim ? axis : max_dimensions;
}
template <class... Keys>
constexpr unsigned find_axis(const MeshLayout& mesh, const Key&, const Key&, const Keys&...) {
  return mesh.any ? 0 : max_dimensions;
}
/// Of the axis that was found: its extent, 0 where none was; ...
constexpr unsigned extent_at(const MeshLayout& mesh, unsigned axis) {
  return axis == max_dimensions ? 0 : mesh.extent(axis);
}
/// ... the stride of its one mode, 0 where its extent is 1, `dynamic` where it has several or none was found.
constexpr unsigned stride_at(const MeshLayout& mesh, unsigned axis) {
  if (axis == max_dimensions || mesh.mode_count(axis) > 1) return dynamic;
  return mesh.mode_count(axis) == 0 ? 0 : mesh.modes[mesh.ends[axis] - 1].stride;
}

/// The mesh of these axes, in this order; the dropped ones stay free.
export constexpr MeshResult submesh(const MeshLayout& mesh, const Key* keys, unsigned count) {
  if (mesh.any) return {.mesh = mesh};
  return picked(mesh, select(mesh.list(), keys, count, Rule::some), keys, "submesh");
}

/// The same axes in another order.
export constexpr MeshResult permute(const MeshLayout& mesh, const Key* keys, unsigned count) {
  if (mesh.any) return {.mesh = mesh};
  return picked(mesh, select(mesh.list(), keys, count, Rule::all), keys, "permute");
}

/// The mesh of all axes but these, in mesh order.
export constexpr MeshResult others(const MeshLayout& mesh, const Key* keys, unsigned count) {
  if (mesh.any) return {.mesh = mesh};
  const Selection dropped = select(mesh.list(), keys, count, Rule::some);
  return picked(mesh, rest_of(dropped, mesh.ndim), keys, "others");
}

/// What is wrong with a new name beside the names of the axes that stay; empty when nothing is.
constexpr Message explain_name(const MeshLayout& mesh, const Selection& replaced, NameView name, NameView operation) {
  Message text;
  if (name.empty()) put(text, operation, NameView(" needs a name that is not empty"));
  for (unsigned i = 0; i < mesh.ndim; ++i) {
    if (replaced.has(i) || !mesh.names[i].equals(name)) continue;
    put(text, operation, NameView(" makes a dimension \""), name,
        NameView("\", and the mesh has one of that name; its dimensions are "));
    put_quoted(text, mesh.names, mesh.ndim);
  }
  return text;
}

/// The axes that a flattening means: those named, or all when none is.
constexpr Selection flattened(const Names& mesh, const Key* keys, unsigned count) {
  return select(mesh, keys, count, Rule::all_by_default);
}

/// These axes as one, the first named outermost, at the place of the first of them in mesh order; the others stay.
/// Without keys all of them.
export constexpr MeshResult flatten(const MeshLayout& mesh, const Key* keys, unsigned count, NameView name) {
  if (mesh.any) return {.mesh = mesh};
  const Selection axes = flattened(mesh.list(), keys, count);
  if (!axes.ok()) return failed(explain(axes, mesh.list(), keys, "flatten"));
  if (const Message problem = explain_name(mesh, axes, name, "flatten"); problem.length) return failed(problem);
  const Layout joined = join(mesh, axes);
  MeshLayout result = emptied(mesh);
  bool placed = false;
  for (unsigned i = 0; i < mesh.ndim; ++i) {
    if (!axes.has(i))
      result.push(mesh.names[i], mesh.axis(i));
    else if (!placed)
      result.push(name, joined), placed = true;
  }
  return checked(result, "flatten");
}

/// The same axis under another name.
export constexpr MeshResult rename(const MeshLayout& mesh, const Key* keys, unsigned count, NameView name) {
  if (mesh.any) return {.mesh = mesh};
  const Selection axis = select(mesh.list(), keys, count, Rule::one);
  if (axis.problem == Problem::left_out || axis.problem == Problem::too_many) {
    Message text;
    put(text, NameView("rename takes a dimension and its new name; the dimensions are "));
    put_quoted(text, mesh.names, mesh.ndim);
    return failed(text);
  }
  if (!axis.ok()) return failed(explain(axis, mesh.list(), keys, "rename"));
  if (const Message problem = explain_name(mesh, axis, name, "rename"); problem.length) return failed(problem);
  MeshLayout result = mesh;
  result.names[axis.at[0]] = name;
  return {.mesh = result};
}

/// `2*3`
template <class Sink>
constexpr void put_product(Sink& sink, const unsigned* extents, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    if (i) put(sink, NameView("*"));
    put_extent(sink, extents[i]);
  }
}

/// What is wrong with cutting an axis into these extents, apart from their names.
constexpr Message explain_cut(NameView name, const Layout& axis, const NameView* names, const unsigned* extents,
                              unsigned count) {
  const unsigned extent = size_of(axis);
  Message text;
  const auto dimension = [&] {
    put(text, NameView("unflatten of \""), name, NameView("\" = ")), put_extent(text, extent);
  };
  if (extent == dynamic) {
    dimension();
    put(text, NameView(": a dynamic dimension has no parts; declare them as dimensions of the Mesh"));
    return text;
  }
  unsigned long long product = 1;
  for (unsigned i = 0; i < count; ++i) {
    if (extents[i] == dynamic || extents[i] == 0) {
      dimension();
      put(text, NameView(" needs extents from 1 to the product, and \""), names[i],
          NameView(extents[i] == 0 ? "\" has 0" : "\" is dynamic"));
      return text;
    }
    if (product <= max_ranks) product *= extents[i];
  }
  dimension();
  put(text, NameView(" into "));
  put_product(text, extents, count);
  if (product == extent) {
    put(text, NameView(" cuts across its modes "), axis,
        NameView("; from the outermost on, each part must divide what is left of a mode or take whole modes"));
    return text;
  }
  put(text, NameView(": the product is "));
  if (product > max_ranks)
    put(text, NameView("larger than any mesh"));
  else
    put(text, product, NameView(", not "), extent);
  unsigned fits = 0;
  for (unsigned i = 0; i < count && product <= max_ranks; ++i) {
    const unsigned long long rest = product / extents[i];
    if (extent % rest != 0) continue;
    put(text, NameView(fits++ ? " or " : "; "), names[i], NameView("="), extent / rest);
  }
  if (fits) put(text, NameView(" would fit"));
  return text;
}

/// One axis as several, row-major, at its place: their product is its extent, and each cut falls between two modes or
/// divides one. The inverse of flatten.
export constexpr MeshResult unflatten(const MeshLayout& mesh, const Key* keys, unsigned key_count,
                                      const NameView* names, const unsigned* extents, unsigned count) {
  if (mesh.any) return {.mesh = mesh};
  const Selection axis = select(mesh.list(), keys, key_count, Rule::one);
  if (!axis.ok()) return failed(explain(axis, mesh.list(), keys, "unflatten"));
  const unsigned at = axis.at[0];
  Message text;
  if (count == 0 || mesh.ndim - 1 + count > max_dimensions) {
    put(text, NameView("unflatten of \""), mesh.names[at], NameView("\" takes 1 to "), max_dimensions + 1 - mesh.ndim,
        NameView(" dimensions, not "), count);
    return failed(text);
  }
  for (unsigned i = 0; i < count; ++i) {
    if (const Message problem = explain_name(mesh, axis, names[i], "unflatten"); problem.length) return failed(problem);
    for (unsigned j = 0; j < i; ++j) {
      if (!names[j].equals(names[i])) continue;
      put(text, NameView("unflatten names dimension \""), names[i], NameView("\" twice; the new dimensions are "));
      put_quoted(text, names, count);
      return failed(text);
    }
  }
  const Layout whole = mesh.axis(at);
  unsigned long long product = size_of(whole) == dynamic ? 0 : 1;
  for (unsigned i = 0; i < count && product <= max_ranks; ++i) product *= extents[i] == dynamic ? 0 : extents[i];
  MeshLayout result = emptied(mesh);
  bool ok = product == size_of(whole);
  unsigned stride = size_of(whole);
  for (unsigned i = 0; i < mesh.ndim; ++i) {
    if (i != at) result.push(mesh.names[i], mesh.axis(i));
    for (unsigned part = 0; i == at && part < count && ok; ++part) {
      stride /= extents[part];
      Layout wanted;
      wanted.push({extents[part], stride});
      const LayoutResult modes = compose(whole, coalesce(wanted));
      result.push(names[part], modes.layout);
      ok = static_cast<bool>(modes);
    }
  }
  if (!ok) return failed(explain_cut(mesh.names[at], whole, names, extents, count));
  return {.mesh = result};
}

/// Fixes one coordinate and drops the axis: the ranks of the result are those that have this coordinate.
export constexpr MeshResult slice(const MeshLayout& mesh, const Key* keys, unsigned count, long long coordinate) {
  if (mesh.any) return {.mesh = mesh};
  const Selection axis = select(mesh.list(), keys, count, Rule::one);
  if (!axis.ok()) return failed(explain(axis, mesh.list(), keys, "slice"));
  const unsigned at = axis.at[0];
  const Layout modes = mesh.axis(at);
  const unsigned extent = size_of(modes);
  if (extent == dynamic || coordinate < 0 || coordinate >= extent) {
    Message text;
    put(text, NameView("slice of \""), mesh.names[at], NameView("\" at "), coordinate);
    if (extent == dynamic)
      put(text, NameView(": the dimension is dynamic, and whether it has that coordinate is known at run time only"));
    else
      put(text, NameView(" is out of range; its extent is "), extent, NameView(", so the coordinates are 0 to "),
          extent - 1);
    return failed(text);
  }
  MeshLayout result = emptied(mesh);
  for (unsigned i = 0; i < mesh.ndim; ++i)
    if (i != at) result.push(mesh.names[i], mesh.axis(i));
  result.pinned = coalesce(sorted(concatenate(mesh.pinned, modes)));
  result.offset += position_of(modes, static_cast<unsigned>(coordinate));
  return {.mesh = result};
}

/// The axes of both, those of `a` outermost: disjoint axes of one root at the same pinned coordinates. `same_root` is
/// what the caller knows of the roots beyond their number of ranks.
export constexpr MeshResult concat(const MeshLayout& a, const MeshLayout& b, bool same_root = true) {
  if (a.any || b.any) return {.mesh = a.any ? a : b};
  Message text;
  if (!same_root || a.ranks != b.ranks) {
    put(text, NameView("concat needs two meshes of one root"));
    if (a.ranks == b.ranks)
      put(text, NameView(", and these number their ranks differently"));
    else
      put(text, NameView(", and these are of ")), put_extent(text, a.ranks), put(text, NameView(" and of ")),
          put_extent(text, b.ranks), put(text, NameView(" ranks"));
    return failed(text);
  }
  if (!(a.pinned == b.pinned) || a.offset != b.offset) {
    put(text, NameView("concat needs two meshes that are sliced alike, and these hold different ranks"));
    return failed(text);
  }
  if (a.ndim + b.ndim > max_dimensions) {
    put(text, NameView("concat would make "), a.ndim + b.ndim, NameView(" dimensions; the most is "), max_dimensions);
    return failed(text);
  }
  MeshLayout result = a;
  for (unsigned i = 0; i < b.ndim; ++i) {
    const Layout added = b.axis(i);
    for (unsigned j = 0; j < a.ndim; ++j) {
      const bool twice = a.names[j].equals(b.names[i]);
      Layout both = a.axis(j);
      const bool fits = both.count + added.count <= max_modes;
      for (unsigned m = 0; m < added.count && fits; ++m) both.push(added.modes[m]);
      if (!twice && fits && radix_separable(both)) continue;
      put(text, NameView("concat: dimension \""), b.names[i]);
      if (twice)
        put(text, NameView("\" is in both meshes; the second has "));
      else
        put(text, NameView("\" = "), added, NameView(" shares ranks with \""), a.names[j], NameView("\" = "), a.axis(j),
            NameView("; the second mesh has "));
      put_quoted(text, b.names, b.ndim);
      return failed(text);
    }
    result.push(b.names[i], added);
  }
  return checked(result, "concat");
}

/// The groups along some modes of a mesh, with the base map of its root.
export struct Groups {
  Layout axis;
  Layout pinned;
  unsigned offset = 0;
  unsigned ranks = 1;  ///< `dynamic` as in MeshLayout
  BaseMap map = {};

  /// The rank at coordinate 0 of the group that holds a rank, or the number of ranks where none does.
  constexpr unsigned first_of(unsigned rank) const {
    const unsigned position = map.position_of(rank);
    if (index_of(pinned, position) != index_of(pinned, offset)) return ranks;
    return map.rank_at(position - position_of(axis, index_of(axis, position)));
  }
};

/// True when both are the same sets of ranks. By their modes where both number their ranks alike; else by asking enough
/// ranks: one for each bit where both maps are bit-linear, all of them otherwise.
export constexpr bool equal_groups(const Groups& a, const Groups& b) {
  if (a.ranks != b.ranks) return false;
  if (a.map.ranks == b.map.ranks)
    return coalesce(sorted(a.axis)) == coalesce(sorted(b.axis)) && a.pinned == b.pinned && a.offset == b.offset;
  if (size_of(a.axis) != size_of(b.axis) || size_of(a.pinned) != size_of(b.pinned)) return false;
  const auto agree = [&](unsigned rank) {
    const unsigned first = a.first_of(rank);
    return first == a.ranks || (b.first_of(rank) != b.ranks && b.first_of(rank) == b.first_of(first));
  };
  const bool linear = (a.map.bit_linear || !a.map.ranks) && (b.map.bit_linear || !b.map.ranks);
  if (!linear) {
    for (unsigned rank = 0; rank < a.ranks; ++rank)
      if (!agree(rank)) return false;
    return true;
  }
  if (!agree(a.map.rank_at(a.offset))) return false;
  for (unsigned step = 1; step < a.ranks; step *= 2)
    if (index_of(a.pinned, step) == 0 && !agree(a.map.rank_at(a.offset + step))) return false;
  return true;
}

// groups_fit where positions are ranks: all groups reach equally far, and where in a block they begin repeats along
// each mode, which is asked for one period only.
constexpr bool groups_fit_by_modes(const Groups& groups, unsigned long long level) {
  const auto period = [level](unsigned long long stride) {
    unsigned long long a = level, b = stride;  // their greatest common divisor
    while (b != 0) {
      const unsigned long long rest = a % b;
      a = b;
      b = rest;
    }
    return level / a;
  };
  unsigned long long reach = 0;
  for (const Mode mode : groups.axis) reach += (mode.extent - 1ull) * mode.stride;
  Layout firsts = firsts_of(groups.axis, groups.pinned, groups.ranks);
  for (unsigned i = 0; i < firsts.count; ++i) {
    Mode& mode = firsts.modes[i];
    if (mode.extent == dynamic) mode.extent = static_cast<unsigned>(max_ranks / mode.stride);
    if (mode.extent > period(mode.stride)) mode.extent = static_cast<unsigned>(period(mode.stride));
  }
  const unsigned count = size_of(firsts);
  for (unsigned i = 0; i < count; ++i)
    if ((groups.offset + position_of(firsts, i)) % level + reach >= level) return false;
  return true;
}

/// True when every group stays inside one of the blocks of `level` consecutive ranks, such as nodes. By asking one rank
/// for each bit where the map is bit-linear and blocks are so, too; all of them where it is a table.
export constexpr bool groups_fit(const Groups& groups, unsigned long long level) {
  if (level >= groups.ranks) return true;
  if (level == 0) return false;
  if (!groups.map.ranks) return groups_fit_by_modes(groups, level);
  if (groups.map.bit_linear && (level & (level - 1)) == 0) {
    for (const Mode mode : groups.axis)
      for (unsigned step = 1; step < mode.extent; step *= 2)
        if (groups.map.rank_at(step * mode.stride) >= level) return false;
    return true;
  }
  for (unsigned rank = 0; rank < groups.ranks; ++rank) {
    const unsigned first = groups.first_of(rank);
    if (first != groups.ranks && first / level != rank / level) return false;
  }
  return true;
}

}  // namespace axial
