// SPDX-License-Identifier: BSL-1.0
// Meshes as text: reading them, and calling a function with the mesh type that a text names.
module;
#include <cstddef>
#include <string_view>

export module axial:dispatch;
export import :mesh;

namespace axial {

/// A mesh as text, `dp=4,tp=2`, taken apart; names are views of the text.
export struct ParsedMesh {
  NameView names[max_dimensions] = {};
  unsigned extents[max_dimensions] = {};  ///< `dynamic` where the text has `*`
  unsigned count = 0;
  std::string_view wrong = {};  ///< where `ok` is false: the piece that is no dimension
  bool ok = false;
};

constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  while (!text.empty() && blanks.find(text.front()) != blanks.npos) text.remove_prefix(1);
  while (!text.empty() && blanks.find(text.back()) != blanks.npos) text.remove_suffix(1);
  return text;
}

/// `*`, or a number from 1 to max_ranks; 0 for anything else.
constexpr unsigned parse_extent(std::string_view digits) {
  if (digits == "*") return dynamic;
  unsigned long long extent = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9' || extent > max_ranks) return 0;
    extent = extent * 10 + static_cast<unsigned>(digit - '0');
  }
  return extent > max_ranks ? 0 : static_cast<unsigned>(extent);
}

/// Reads `NAME=EXTENT,...`, blanks allowed around each.
export constexpr ParsedMesh parse_mesh(std::string_view text) {
  ParsedMesh parsed;
  while (true) {
    const std::string_view item = text.substr(0, text.find(','));
    const std::size_t equals = item.find('=');
    const std::string_view name = trimmed(item.substr(0, equals));
    const unsigned extent = equals == item.npos ? 0 : parse_extent(trimmed(item.substr(equals + 1)));
    parsed.wrong = item;
    if (name.empty() || extent == 0 || parsed.count == max_dimensions) return parsed;
    parsed.names[parsed.count] = name;
    parsed.extents[parsed.count++] = extent;
    if (item.size() == text.size()) break;
    text.remove_prefix(item.size() + 1);
  }
  parsed.ok = true;
  return parsed;
}

template <mesh_type M>
constexpr bool matches(const ParsedMesh& parsed) {
  if (!parsed.ok || parsed.count != M::ndim()) return false;
  for (unsigned i = 0; i < parsed.count; ++i)
    if (parsed.names[i] != M::names()[i] || parsed.extents[i] != M::shape(dynamic)[i]) return false;
  return true;
}

[[noreturn]] void throw_no_such_mesh(std::string_view text, bool well_formed, TextSink& legal);

template <class Result, mesh_type First, mesh_type... Rest, class F>
Result dispatch_to(const ParsedMesh& parsed, F&& f) {
  if constexpr (sizeof...(Rest) > 0)
    if (!matches<First>(parsed)) return dispatch_to<Result, Rest...>(parsed, static_cast<F&&>(f));
  return static_cast<F&&>(f)(First{});
}

/// Calls f(mesh) with the one of `Meshes` that `text` names, as "dp=4,tp=2" (dimensions in order), and returns what f
/// returns for the first of them. Throws MeshError listing the set when the text names none of them.
export template <mesh_type... Meshes, class F>
auto dispatch(std::string_view text, F&& f) -> decltype(static_cast<F&&>(f)(__type_pack_element<0, Meshes...>{})) {
  const ParsedMesh parsed = parse_mesh(text);
  if (!(matches<Meshes>(parsed) || ...)) {
    TextSink legal;
    bool first = true;
    const auto list = [&]<class M>(M) {
      if (!first) put(legal, NameView("; "));
      first = false;
      put_extents(legal, M::names(), M::shape(dynamic), ",");
    };
    (list(Meshes{}), ...);
    throw_no_such_mesh(text, parsed.ok, legal);
  }
  return dispatch_to<decltype(f(__type_pack_element<0, Meshes...>{})), Meshes...>(parsed, static_cast<F&&>(f));
}

}  // namespace axial
