// SPDX-License-Identifier: BSL-1.0
// Picking axes by name: which ones an operation means, and the one line that is said when it means none.
module;
#include <cstddef>

export module axial:selection;
import :fixed_string;

namespace axial {

/// The largest number of dimensions of a mesh (those of extent 1 count).
export inline constexpr unsigned max_dimensions = 64;

/// How many names an operation takes: one, one or more, all, or those given and else all. The name may be left out on a
/// mesh of one axis.
enum class Rule { one, some, all, all_by_default };

enum class Problem { none, unknown, left_out, too_many, repeated, missing };

/// A name, or an index in place of a name.
export struct Key {
  NameView name = {};
  long long index = -1;
  bool is_index = false;
};

template <std::size_t N>
constexpr Key key_of(const fixed_string<N>& name) {
  if constexpr (N == 0)
    return {.name = {}, .index = name.index, .is_index = true};
  else
    return {.name = name.view()};
}

/// The axes picked, in the order asked for; or what was wrong, with the number of the key or axis at fault.
struct Selection {
  unsigned char at[max_dimensions] = {};
  unsigned count = 0;
  Problem problem = Problem::none;
  unsigned culprit = 0;

  constexpr bool ok() const { return problem == Problem::none; }
  constexpr bool has(unsigned axis) const {
    for (unsigned i = 0; i < count; ++i)
      if (at[i] == axis) return true;
    return false;
  }
};

/// The names of a mesh's axes; `any` stands for a mesh that takes every name (Harmless).
export struct Names {
  const NameView* names;
  unsigned count;
  bool any = false;

  constexpr unsigned find(const Key& key) const {
    if (key.is_index) return key.index >= 0 && key.index < count ? static_cast<unsigned>(key.index) : count;
    unsigned i = 0;
    while (i < count && !names[i].equals(key.name)) ++i;
    return i;
  }
};

constexpr Selection select(const Names& mesh, const Key* keys, unsigned count, Rule rule) {
  Selection picked;
  if (mesh.any) return picked.count = 1, picked;
  const auto fail = [&](Problem problem, unsigned culprit) {
    return Selection{.at = {}, .count = 0, .problem = problem, .culprit = culprit};
  };
  if (count == 0 && (mesh.count == 1 || (rule == Rule::all_by_default && mesh.count != 0))) {
    for (unsigned axis = 0; axis < mesh.count; ++axis) picked.at[picked.count++] = static_cast<unsigned char>(axis);
    return picked;
  }
  if (count == 0 && rule != Rule::all) return fail(Problem::left_out, 0);
  if (count > 1 && rule == Rule::one) return fail(Problem::too_many, count);
  for (unsigned k = 0; k < count; ++k) {
    const unsigned axis = mesh.find(keys[k]);
    if (axis == mesh.count) return fail(Problem::unknown, k);
    if (picked.has(axis)) return fail(Problem::repeated, k);
    picked.at[picked.count++] = static_cast<unsigned char>(axis);
  }
  if (rule == Rule::all)
    for (unsigned axis = 0; axis < mesh.count; ++axis)
      if (!picked.has(axis)) return fail(Problem::missing, axis);
  return picked;
}

/// All axes that are not picked, in mesh order.
constexpr Selection rest_of(const Selection& picked, unsigned ndim) {
  Selection rest{.at = {}, .count = 0, .problem = picked.problem, .culprit = picked.culprit};
  for (unsigned axis = 0; axis < ndim && picked.ok(); ++axis)
    if (!picked.has(axis)) rest.at[rest.count++] = static_cast<unsigned char>(axis);
  return rest;
}

/// One line that says what was wrong and what would be right.
constexpr Message explain(const Selection& picked, const Names& mesh, const Key* keys, NameView operation) {
  Message text;
  const auto list = [&](NameView before) { put(text, before), put_quoted(text, mesh.names, mesh.count); };
  const auto key = [&] {
    const Key wanted = keys[picked.culprit];
    if (wanted.is_index)
      put(text, wanted.index);
    else
      put_quoted(text, &wanted.name, 1);
  };
  switch (picked.problem) {
    case Problem::none: break;
    case Problem::unknown: {
      put(text, NameView("mesh has no dimension ")), key();
      list(mesh.count ? "; its dimensions are " : "; it has no dimensions");
      const Key wanted = keys[picked.culprit];
      if (wanted.is_index && mesh.count) put(text, NameView(", numbered from 0"));
      const std::size_t nearest = wanted.is_index ? mesh.count : nearest_name(wanted.name, mesh.names, mesh.count);
      if (nearest < mesh.count) put(text, NameView(" (did you mean \""), mesh.names[nearest], NameView("\"?)"));
      break;
    }
    case Problem::left_out:
      put(text, operation, NameView(" needs a name, since the mesh has "), mesh.count);
      list(mesh.count ? " dimensions: " : " dimensions");
      break;
    case Problem::too_many:
      put(text, operation, NameView(" takes one name, not "), picked.culprit);
      list("; the dimensions are ");
      break;
    case Problem::repeated:
      put(text, operation, NameView(" names dimension ")), key();
      list(" twice; the dimensions are ");
      break;
    case Problem::missing:
      put(text, operation, NameView(" leaves out dimension "));
      put_quoted(text, mesh.names + picked.culprit, 1);
      list("; it names each of them once: ");
      break;
  }
  return text;
}

}  // namespace axial
