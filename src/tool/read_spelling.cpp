// SPDX-License-Identifier: BSL-1.0
module;
#include <algorithm>
#include <cctype>
#include <range/v3/algorithm/contains.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

module tool.spelling;
import axial;

namespace tool {
namespace {

/// A piece of Python or C: a number, a text, a word, a list in any brackets, or a call, whose items are its arguments.
struct Piece {
  enum class Kind { number, text, word, list, call } kind = Kind::call;
  unsigned number = 0;
  std::string text;
  std::vector<Piece> items;
};

bool is_all(const Piece& list, Piece::Kind kind) {
  return list.kind == Piece::Kind::list && !list.items.empty() &&
         std::ranges::all_of(list.items, [&](const Piece& item) { return item.kind == kind; });
}

/// Reads as much of the syntax of Python and C as the spellings of a mesh use. The functions that may be called are
/// given, without what is before their last dot.
class Reader {
 public:
  Reader(std::string_view system, std::string_view text, std::vector<std::string_view> functions)
      : system_(system), text_(text), functions_(std::move(functions)) {}

  Piece read() {
    Piece all;
    read_items(all, '\0', 0);
    return all;
  }
  bool called(std::string_view function) const { return ranges::contains(called_, function); }

 private:
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

  [[noreturn]] void refuse(std::string_view piece, const std::string& legal) const {
    throw BadInput("--from " + std::string(system_) + ": " + in_quotes(piece) + " is not understood; " + legal);
  }

  void read_items(Piece& list, char closing, unsigned depth) {
    constexpr std::string_view skipped = " \t\r\n,;=&";
    if (depth > axial::max_dimensions + 4) refuse(text_.substr(at_), "brackets are nested too deep");
    while (at_ < text_.size() && text_[at_] != closing) {
      const char c = text_[at_];
      if (skipped.find(c) != skipped.npos)
        ++at_;
      else if (c >= '0' && c <= '9')
        list.items.push_back(read_number_piece());
      else if (c == '"' || c == '\'')
        list.items.push_back(read_text(c));
      else if (is_word(c))
        read_word(list, depth);
      else
        list.items.push_back(read_brackets(Piece::Kind::list, depth));
    }
    if (closing && at_ == text_.size()) refuse(text_, "a " + in_quotes(std::string(1, closing)) + " is missing");
    if (closing) ++at_;
  }

  Piece read_brackets(Piece::Kind kind, unsigned depth) {
    constexpr std::string_view opening = "([{";
    constexpr std::string_view closing = ")]}";
    const auto bracket = opening.find(text_[at_]);
    if (bracket == opening.npos) refuse(text_.substr(at_), "write numbers, names in quotes and brackets");
    ++at_;
    Piece piece{.kind = kind, .number = 0, .text = {}, .items = {}};
    read_items(piece, closing[bracket], depth + 1);
    return piece;
  }

  std::string_view take_word() {
    const auto from = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }

  Piece read_number_piece() {
    const auto number = read_number("--from " + std::string(system_), take_word(), 0, axial::max_ranks);
    return {.kind = Piece::Kind::number, .number = static_cast<unsigned>(number), .text = {}, .items = {}};
  }

  Piece read_text(char quote) {
    const auto end = text_.find(quote, at_ + 1);
    if (end == text_.npos) refuse(text_.substr(at_), "a quote is missing");
    Piece piece{.kind = Piece::Kind::text, .number = 0, .text = {}, .items = {}};
    piece.text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return piece;
  }

  /// A word, with the arguments and subscripts behind it.
  void read_word(Piece& list, unsigned depth) {
    const std::string_view word = take_word();
    if (at_ < text_.size() && text_[at_] == '(') {
      const std::string_view function = word.substr(word.rfind('.') + 1);
      if (!ranges::contains(functions_, function)) refuse(word, "the functions are " + functions());
      called_.push_back(function);
    }
    if (at_ == text_.size() || (text_[at_] != '(' && text_[at_] != '['))
      list.items.push_back({.kind = Piece::Kind::word, .number = 0, .text = std::string(word), .items = {}});
    while (at_ < text_.size() && (text_[at_] == '(' || text_[at_] == '['))
      list.items.push_back(read_brackets(Piece::Kind::call, depth));
  }

  std::string functions() const {
    std::string text;
    for (const std::string_view function : functions_) text.append(text.empty() ? "" : ", ").append(function);
    return text;
  }

  std::string_view system_;
  std::string_view text_;
  std::vector<std::string_view> functions_;
  std::vector<std::string_view> called_;
  std::size_t at_ = 0;
};

/// The first list, from the outside in, that `wanted` holds of.
const Piece* find_list(const Piece& piece, const auto& wanted) {
  if (wanted(piece)) return &piece;
  for (const Piece& item : piece.items)
    if (const Piece* found = find_list(item, wanted)) return found;
  return nullptr;
}

/// Numbers, or lists of such lists.
bool is_array(const Piece& list) {
  return is_all(list, Piece::Kind::number) ||
         (is_all(list, Piece::Kind::list) && std::ranges::all_of(list.items, is_array));
}

/// The extents and the elements of an array from a depth on; false where rows differ in length.
bool flatten_array(const Piece& list, std::size_t depth, std::vector<unsigned>& extents,
                   std::vector<unsigned>& elements) {
  if (list.kind == Piece::Kind::number) {
    elements.push_back(list.number);
    return depth == extents.size();
  }
  if (depth == extents.size() && elements.empty()) extents.push_back(static_cast<unsigned>(list.items.size()));
  return depth < extents.size() && extents[depth] == list.items.size() &&
         std::ranges::all_of(
             list.items, [&](const Piece& item) { return flatten_array(item, depth + 1, extents, elements); });
}

/// The words of a mesh of these extents; names that are not given are d0, d1, ...
std::vector<std::string> words_of(std::string_view system, const std::vector<unsigned>& extents,
                                  const std::vector<std::string>& names, const std::vector<unsigned>& ranks = {}) {
  if (!names.empty() && names.size() != extents.size())
    throw BadInput("--from " + std::string(system) + ": there are " + std::to_string(extents.size()) + " extents and " +
                   std::to_string(names.size()) + " names");
  std::string mesh;
  for (std::size_t i = 0; i < extents.size(); ++i)
    mesh +=
        (i == 0 ? "" : ",") + (names.empty() ? "d" + std::to_string(i) : names[i]) + "=" + std::to_string(extents[i]);
  std::string table;
  bool in_order = true;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    table += (i == 0 ? "ranks:" : ",") + std::to_string(ranks[i]);
    in_order = in_order && ranks[i] == i;
  }
  if (in_order) return {mesh};
  return {mesh, table};
}

/// An array of numbers and a list of names: the array is the shape, or the ranks where `of_ranks` says so.
std::vector<std::string> read_python(std::string_view system, std::string_view text, std::string_view form,
                                     std::vector<std::string_view> functions, std::string_view of_ranks) {
  Reader reader(system, text, std::move(functions));
  const Piece all = reader.read();
  const Piece* numbers = find_list(all, is_array);
  const Piece* texts = find_list(all, [](const Piece& piece) { return is_all(piece, Piece::Kind::text); });
  const auto refuse = [&](const std::string& problem) {
    throw BadInput("--from " + std::string(system) + ": " + in_quotes(text) + " has " + problem);
  };
  if (!numbers) refuse("no shape; write " + std::string(form));
  std::vector<unsigned> extents, elements;
  if (!flatten_array(*numbers, 0, extents, elements)) refuse("rows of different lengths");
  std::vector<std::string> names;
  if (texts)
    for (const Piece& item : texts->items) names.push_back(item.text);
  if (reader.called(of_ranks) || extents.size() > 1) return words_of(system, extents, names, elements);
  return words_of(system, elements, names);
}

constexpr std::string_view pytorch_form =
    "(2, 4), (\"dp\", \"tp\") or init_device_mesh(...) or DeviceMesh(...) of ranks";
constexpr std::string_view jax_form =
    "(2, 4), (\"dp\", \"tp\") or jax.make_mesh(...) or jax.sharding.Mesh(...) of ranks";
constexpr std::string_view mpi_form = "2,4 or dp=2,tp=4 or MPI_Cart_create(...)";
constexpr std::string_view megatron_form = "tp-cp-dp-pp with the extents in MESH, or order=\"tp-dp\", tp=4, dp=2";

std::vector<std::string> read_pytorch(std::string_view text) {
  return read_python("pytorch", text, pytorch_form, {"init_device_mesh", "DeviceMesh", "tensor"}, "DeviceMesh");
}

std::vector<std::string> read_jax(std::string_view text) {
  return read_python("jax", text, jax_form, {"make_mesh", "Mesh", "array", "devices"}, "Mesh");
}

/// `2,4` or `dp=2,tp=4`
std::vector<std::string> read_dims(std::string_view text) {
  if (text.find('=') != text.npos) return {std::string(text)};
  std::vector<unsigned> extents;
  for (const std::string_view item : parts(text, ','))
    extents.push_back(static_cast<unsigned>(read_number("--from mpi", item, 1, axial::max_ranks)));
  return words_of("mpi", extents, {});
}

/// `MPI_Cart_create(comm, 2, {2, 4}, ...)`, the names in a comment behind it.
std::vector<std::string> read_mpi(std::string_view text) {
  if (text.find('(') == text.npos) return read_dims(text);
  const auto comment = text.find("//");
  std::vector<std::string> names;
  if (comment != text.npos)
    for (const std::string_view name : parts(text.substr(comment + 2), ',')) names.emplace_back(name);
  const Piece all = Reader("mpi", text.substr(0, comment), {"MPI_Cart_create"}).read();
  const Piece* list = find_list(all, [](const Piece& piece) { return is_all(piece, Piece::Kind::number); });
  if (!list) throw BadInput("--from mpi: " + in_quotes(text) + " has no extents; write " + std::string(mpi_form));
  std::vector<unsigned> extents;
  for (const Piece& item : list->items) extents.push_back(item.number);
  const Piece& call = all.items.front();
  const auto ndims = std::ranges::find(call.items, Piece::Kind::number, &Piece::kind);
  if (ndims != call.items.end() && ndims->number != extents.size())
    throw BadInput("--from mpi: there are " + std::to_string(extents.size()) + " extents, and ndims is " +
                   std::to_string(ndims->number));
  return words_of("mpi", extents, names);
}

/// The dimensions, given in any order, in the order that Megatron spells: leftmost fastest.
std::string mesh_in_order(std::string_view order, std::string_view dimensions) {
  const axial::ParsedMesh parsed = axial::parse_mesh(dimensions);
  if (!parsed.ok) return std::string(dimensions);  // NamedMesh says what is wrong
  const unsigned count = parsed.count;
  const std::vector<unsigned> ones(count, 1);
  const axial::MeshResult mesh = axial::row_major(parsed.names, ones.data(), count);
  if (!mesh.ok()) throw BadInput("--from megatron: " + std::string(mesh.problem.data(), mesh.problem.size()));
  const axial::ParsedOrder wanted = axial::parse_order(order, parsed.names, count);
  if (!wanted.picked.ok()) {
    const auto problem = axial::explain(wanted, order, parsed.names, count);
    throw BadInput("--from megatron: " + std::string(problem.data(), problem.size()));
  }
  std::string text;
  for (unsigned i = count; i-- > 0;) {
    const unsigned at = wanted.picked.at[i], extent = parsed.extents[at];
    text += (text.empty() ? "" : ",") + std::string(parsed.names[at]) + "=";
    text += extent == axial::dynamic ? "*" : std::to_string(extent);
  }
  return text;
}

/// `order="tp-dp", tp=4, dp=2`; without an order that of the sizes.
std::string read_megatron_sizes(std::string_view text) {
  std::string order, sizes, listed;
  for (const std::string_view item : parts(text, ',')) {
    const std::string_view name = item.substr(0, item.find_first_of("= "));
    std::string_view value = item.substr(std::min(item.find('=') + 1, item.size()));
    if (name == "order") {
      for (const char quote : {'"', '\''})
        if (value.size() > 1 && value.front() == quote && value.back() == quote)
          value = value.substr(1, value.size() - 2);
      order = value;
      continue;
    }
    sizes.append(sizes.empty() ? "" : ",").append(item);
    listed.append(listed.empty() ? "" : "-").append(name);
  }
  return mesh_in_order(order.empty() ? listed : order, sizes);
}

}  // namespace

std::vector<std::string> read_spelling(std::string_view text, std::vector<std::string> words) {
  const std::string_view key = text.substr(0, text.find(':'));
  const std::string_view spelling = text.substr(std::min(key.size() + 1, text.size()));
  std::vector<std::string> mesh;
  if (key == "pytorch") {
    mesh = read_pytorch(spelling);
  } else if (key == "jax") {
    mesh = read_jax(spelling);
  } else if (key == "mpi") {
    mesh = read_mpi(spelling);
  } else if (key == "megatron" && spelling.find('=') != spelling.npos) {
    mesh = {read_megatron_sizes(spelling)};
  } else if (key == "megatron") {
    if (words.empty())
      throw BadInput("--from " + in_quotes(text) + " needs the extents: write the mesh, its dimensions in any order");
    words.front() = mesh_in_order(spelling, words.front());
  } else {
    throw BadInput("--from: " + in_quotes(text) + " is no spelling; there are pytorch:, jax:, megatron: and mpi:");
  }
  words.insert(words.begin(), mesh.begin(), mesh.end());
  return words;
}

std::string spellings_help() {
  std::string text = "Spellings that --from reads:";
  for (const auto& [key, form] : {std::pair("pytorch", pytorch_form), std::pair("jax", jax_form),
                                  std::pair("megatron", megatron_form), std::pair("mpi", mpi_form)})
    text.append("\n  ").append(key).append(":").append(9 - std::string_view(key).size(), ' ').append(form);
  return text;
}

}  // namespace tool
