// SPDX-License-Identifier: BSL-1.0
module;
#include <algorithm>
#include <charconv>
#include <deque>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/drop.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/transform.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

module tool.mesh;
import axial;

namespace tool {
namespace {

namespace views = ranges::views;

constexpr std::string_view mesh_form =
    "write NAME=EXTENT, commas between, each extent from 1 to 2147483647; the first may be *";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

template <class Range>
std::string joined(Range&& pieces, std::string_view separator) {
  std::string text;
  for (const std::string_view piece : pieces) text.append(text.empty() ? std::string_view() : separator).append(piece);
  return text;
}

/// The pieces of a list that may be empty.
std::vector<std::string_view> names_of(std::string_view list) {
  if (trimmed(list).empty()) return {};
  return parts(list, ',');
}

std::vector<axial::Key> keys_of(std::string_view list) {
  const auto names = names_of(list);
  return names | views::transform([](std::string_view name) { return axial::Key{.name = name}; }) |
         ranges::to<std::vector>();
}

std::string name_in_cpp(std::string_view name) { return "\"" + std::string(name) + "\""; }

std::string names_in_cpp(std::string_view list) {
  std::string text;
  for (const std::string_view name : names_of(list)) text += (text.empty() ? "" : ", ") + name_in_cpp(name);
  return text;
}

std::string dim_in_cpp(std::string_view name, unsigned extent) {
  const std::string number = extent == axial::dynamic ? "axial::dynamic" : std::to_string(extent);
  return "axial::Dim<" + name_in_cpp(name) + ", " + number + ">";
}

std::string mesh_in_cpp(const axial::MeshLayout& mesh) {
  std::string text = "axial::Mesh<";
  for (unsigned i = 0; i < mesh.ndim; ++i) text += (i == 0 ? "" : ", ") + dim_in_cpp(mesh.names[i], mesh.extent(i));
  return text + ">";
}

unsigned count_of(const auto& list) { return static_cast<unsigned>(list.size()); }

/// An argument that is not written as its step's are.
struct WrongForm {};

/// What is before and behind a separator that must be there.
std::pair<std::string_view, std::string_view> cut(std::string_view text, char separator) {
  const auto at = text.find(separator);
  if (at == text.npos) throw WrongForm();
  return {trimmed(text.substr(0, at)), trimmed(text.substr(at + 1))};
}

std::string text_of(const axial::MeshResult& failed) { return {failed.problem.data(), failed.problem.size()}; }

axial::MeshLayout read_mesh(std::string_view text, unsigned world) {
  const axial::ParsedMesh parsed = axial::parse_mesh(text);
  if (!parsed.ok && parsed.count == axial::max_dimensions)
    throw BadInput(in_quotes(parsed.wrong) + " is one dimension too many; the most is " + std::to_string(parsed.count));
  if (!parsed.ok) throw BadInput(in_quotes(trimmed(parsed.wrong)) + " is no dimension; " + std::string(mesh_form));
  const axial::MeshResult result = row_major(parsed.names, parsed.extents, parsed.count, world);
  if (!result.ok()) throw BadInput(text_of(result));
  return result.mesh;
}

}  // namespace

std::string in_quotes(std::string_view word) {
  constexpr std::size_t most = 60;
  std::string text = "\"";
  if (word.size() <= most)
    text += word;
  else
    text.append(word.substr(0, most / 2)).append("...").append(word.substr(word.size() - most / 2));
  return text + "\"";
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most - 2;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not inside a character
  return std::string(text.substr(0, end)) + "..";
}

std::vector<std::string_view> parts(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const auto end = text.find(separator);
    pieces.push_back(trimmed(text.substr(0, end)));
    if (end == text.npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::string listed(const std::vector<std::string>& names) { return joined(names, ", "); }

std::string no_such(std::string_view word, std::string_view kind, const std::vector<std::string>& legal) {
  const auto names = legal | views::transform([](const std::string& name) { return axial::NameView(name); }) |
                     ranges::to<std::vector>();
  const std::size_t nearest = axial::nearest_name(word, names.data(), names.size());
  return in_quotes(word) + " is no " + std::string(kind) + "; there are " + listed(legal) +
         (nearest == names.size() ? "" : " (did you mean " + in_quotes(names[nearest]) + "?)");
}

long long read_number(std::string_view what, std::string_view text, long long least, long long most) {
  long long number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end || number < least || number > most)
    throw BadInput(std::string(what) + ": " + in_quotes(text) + " is no whole number from " + std::to_string(least) +
                   " to " + std::to_string(most));
  return number;
}

unsigned read_world(std::string_view text) {
  return text.empty() ? axial::dynamic : static_cast<unsigned>(read_number("--world", text, 1, axial::max_ranks));
}

struct NamedMesh::Step {
  std::string_view name;
  std::string_view form;
  std::string_view meaning;
  axial::MeshResult (NamedMesh::*apply)(std::string_view argument);
};

const NamedMesh::Step NamedMesh::steps[] = {
    {"ranks", "ranks:3,1,2,0", "the rank at each position; the first step", &NamedMesh::ranks},
    {"submesh", "submesh:tp,dp", "these axes, in this order; the others stay free", &NamedMesh::submesh},
    {"others", "others:tp", "all axes but these", &NamedMesh::others},
    {"permute", "permute:tp,dp,pp", "all axes, in this order", &NamedMesh::permute},
    {"flatten", "flatten:dp,tp=batch", "one axis of these, the first outermost; without =batch it is dp_tp",
     &NamedMesh::flatten},
    {"unflatten", "unflatten:tp=a:2,b:2", "several axes of one", &NamedMesh::unflatten},
    {"slice", "slice:dp=1", "the ranks at one coordinate", &NamedMesh::slice},
    {"rename", "rename:tp=tensor", "another name", &NamedMesh::rename},
};

std::string NamedMesh::steps_help() {
  std::string text = "Steps, applied left to right:";
  for (const Step& step : steps)
    text.append("\n  ").append(step.form).append(22 - step.form.size(), ' ').append(step.meaning);
  return text;
}

NamedMesh::NamedMesh(std::vector<std::string> words, unsigned world) : words_(std::move(words)) {
  if (words_.empty()) throw BadInput("the mesh is missing; " + std::string(mesh_form));
  layout_ = root_ = read_mesh(words_[0], world);
  for (const std::string& word : words_ | views::drop(1)) apply(word);
}

void NamedMesh::apply(std::string_view word) {
  const std::string_view name = word.substr(0, word.find(':'));
  const std::string_view argument = name.size() == word.size() ? std::string_view() : word.substr(name.size() + 1);
  const auto names =
      steps | views::transform([](const Step& step) { return axial::NameView(step.name); }) | ranges::to<std::vector>();
  const auto found = std::ranges::find(steps, name, &Step::name);
  if (found == std::end(steps)) {
    const std::size_t nearest = axial::nearest_name(name, names.data(), names.size());
    throw BadInput(in_quotes(word) + " is no step; the steps are " + joined(names, ", ") +
                   (nearest == names.size() ? "" : " (did you mean " + in_quotes(names[nearest]) + "?)"));
  }
  try {
    const axial::MeshResult result = (this->*found->apply)(argument);
    if (!result.ok()) throw BadInput(text_of(result));
    layout_ = result.mesh;
  } catch (const WrongForm&) {
    throw BadInput(in_quotes(word) + " is no step; write it as in " + std::string(found->form));
  } catch (const BadInput& problem) {
    throw BadInput(in_quotes(word) + ": " + problem.what());
  }
}

axial::MeshResult NamedMesh::submesh(std::string_view names) {
  calls_ += ".submesh<" + names_in_cpp(names) + ">()";
  const auto keys = keys_of(names);
  return axial::submesh(layout_, keys.data(), count_of(keys));
}

axial::MeshResult NamedMesh::permute(std::string_view names) {
  calls_ += ".permute<" + names_in_cpp(names) + ">()";
  const auto keys = keys_of(names);
  return axial::permute(layout_, keys.data(), count_of(keys));
}

axial::MeshResult NamedMesh::others(std::string_view names) {
  calls_ += ".others<" + names_in_cpp(names) + ">()";
  const auto keys = keys_of(names);
  return axial::others(layout_, keys.data(), count_of(keys));
}

axial::MeshResult NamedMesh::flatten(std::string_view argument) {
  const bool is_named = argument.find('=') != argument.npos;
  const auto [list, given] = is_named ? cut(argument, '=') : std::pair(argument, std::string_view());
  auto names = names_of(list);
  calls_ += is_named ? ".flatten_as<" + name_in_cpp(given) + (names.empty() ? "" : ", ") : ".flatten<";
  calls_ += names_in_cpp(list) + ">()";
  const auto keys = keys_of(list);
  if (names.empty())
    for (unsigned i = 0; i < layout_.ndim; ++i) names.push_back(layout_.names[i]);
  const std::string_view name = is_named ? given : made_names_.emplace_back(joined(names, "_"));
  return axial::flatten(layout_, keys.data(), count_of(keys), name);
}

axial::MeshResult NamedMesh::unflatten(std::string_view argument) {
  const auto [axis, dims] = cut(argument, '=');
  std::vector<axial::NameView> names;
  std::vector<unsigned> extents;
  calls_ += ".unflatten<" + name_in_cpp(axis);
  for (const std::string_view dim : parts(dims, ',')) {
    const auto [name, extent] = cut(dim, ':');
    names.emplace_back(name);
    extents.push_back(static_cast<unsigned>(read_number(name, extent, 1, axial::max_ranks)));
    calls_ += ", " + dim_in_cpp(name, extents.back());
  }
  calls_ += ">()";
  const auto keys = keys_of(axis);
  return axial::unflatten(layout_, keys.data(), count_of(keys), names.data(), extents.data(), count_of(names));
}

axial::MeshResult NamedMesh::slice(std::string_view argument) {
  const auto [axis, coordinate] = cut(argument, '=');
  const long long at =
      read_number("coordinate", coordinate, -static_cast<long long>(axial::max_ranks), axial::max_ranks);
  calls_ += ".slice<" + name_in_cpp(axis) + ", " + std::to_string(at) + ">()";
  const auto keys = keys_of(axis);
  return axial::slice(layout_, keys.data(), count_of(keys), at);
}

axial::MeshResult NamedMesh::rename(std::string_view argument) {
  const auto [axis, name] = cut(argument, '=');
  calls_ += ".rename<" + name_in_cpp(axis) + ", " + name_in_cpp(name) + ">()";
  const auto keys = keys_of(axis);
  return axial::rename(layout_, keys.data(), count_of(keys), name);
}

axial::MeshResult NamedMesh::ranks(std::string_view argument) {
  if (!calls_.empty()) throw BadInput("ranks numbers the positions of the whole mesh, so it is the first step");
  need_world();
  const auto texts = names_of(argument);
  const auto rank = [](std::string_view text) { return read_number("rank", text, 0, axial::max_ranks - 1); };
  const auto given = texts | views::transform(rank) | ranges::to<std::vector>();
  ranks_.resize(given.size());
  positions_.resize(given.size());
  axial::MeshResult result{.mesh = layout_};
  result.problem =
      axial::explain_ranks("ranks", given.data(), count_of(given), layout_.ranks, ranks_.data(), positions_.data());
  map_ = {.ranks = ranks_.data(), .positions = positions_.data()};
  for (const long long number : given) calls_ += (calls_.empty() ? ".with_ranks<" : ", ") + std::to_string(number);
  calls_ += ">()";
  return result;
}

std::string NamedMesh::text() const { return joined(words_, " "); }

std::string NamedMesh::cpp() const {
  return is_row_major() ? mesh_in_cpp(layout_) : mesh_in_cpp(root_) + "{}" + calls_;
}

std::vector<axial::Layout> NamedMesh::axes() const {
  return views::iota(0u, layout_.ndim) | views::transform([&](unsigned i) { return layout_.axis(i); }) |
         ranges::to<std::vector>();
}

axial::Layout NamedMesh::copies() const {
  return axial::firsts_of(layout_.increasing(), layout_.pinned, layout_.ranks);
}

bool NamedMesh::is_row_major() const {
  const auto extents = views::iota(0u, layout_.ndim) | views::transform([&](unsigned i) { return layout_.extent(i); }) |
                       ranges::to<std::vector>();
  const axial::MeshLayout plain = axial::row_major(layout_.names, extents.data(), layout_.ndim).mesh;
  bool same = !map_.ranks && layout_.pinned.count == 0 && plain.ranks == layout_.ranks;
  for (unsigned i = 0; i < plain.ndim; ++i) same = same && plain.axis(i) == layout_.axis(i);
  return same && plain.ndim == layout_.ndim;
}

std::string_view NamedMesh::numbering() const {
  if (!map_.ranks) return "strided";
  switch (axial::classify(ranks_)) {
    case axial::RankOrder::strided: return "strided";
    case axial::RankOrder::bit_linear: return "bit-linear";
    case axial::RankOrder::table: return "table";
  }
  return {};
}

void NamedMesh::need_world() const {
  if (layout_.ranks == axial::dynamic)
    throw BadInput(in_quotes(words_[0]) + " is dynamic; give the number of ranks with --world N");
}

Groups NamedMesh::groups(std::string_view axes) const {
  need_world();
  const auto keys = keys_of(axes);
  std::string names;
  for (unsigned i = 0; i < layout_.ndim; ++i) names += (i == 0 ? "\"" : ", \"") + std::string(layout_.names[i]) + "\"";
  if (keys.empty() && layout_.ndim != 1)
    throw BadInput("--axis NAME is missing; " +
                   (layout_.ndim == 0 ? "the mesh has no dimensions" : "the dimensions are " + names));
  const axial::MeshResult picked = axial::submesh(layout_, keys.data(), count_of(keys));
  if (!picked.ok()) throw BadInput("--axis " + std::string(axes) + ": " + text_of(picked));
  return groups_along(axial::flatten(picked.mesh, nullptr, 0, "axis").mesh.axis(0));
}

Groups NamedMesh::groups_along(const axial::Layout& axis) const {
  return {.axis = axis,
          .firsts = axial::firsts_of(axis, layout_.pinned, layout_.ranks),
          .offset = layout_.offset,
          .map = map_};
}

}  // namespace tool
