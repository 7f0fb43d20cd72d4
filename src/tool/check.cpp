// SPDX-License-Identifier: BSL-1.0
// `axial check`: does a model fit a mesh? Both as a TOML file says them, by the rules of the library.
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <range/v3/algorithm/contains.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "subcommands.hpp"

import axial;
import tool.mesh;
import tool.output;

namespace {

namespace numbers = axial::numbers;
using axial::Count, axial::Finding, axial::Terms;

constexpr std::string_view mesh_example = "mesh = \"pp=2,dp=4,tp=8\"";
constexpr std::array<std::string_view, 5> parts = {"pp", "dp", "tp", "cp", "ep"};

constexpr std::string_view keys_help = R"(Keys of the file; what is absent is not checked:
  mesh = "pp=2,dp=4,tp=8"       or "dp=*,tp=8" with world
  world = 64                    the number of ranks
  [axes]                        pp, dp, tp, cp, ep: the axis that plays this part, or a list of axes, where it has
                                another name: dp = ["dp_replicate", "dp_shard"]
  [model]                       heads, kv_heads, hidden, intermediate, vocab, sequence, layers, virtual_stages, experts;
                                vocab_padding = "exact", "padded" or a number of rows; sequence_parallel = true
  [batch]                       global, micro, accumulation
  [machine]                     ranks_per_node, within = ["tp"]
  [memory]                      parameters; bytes and optimizer_bytes for each of them; limit, the bytes of a rank;
                                over = ["pp", "tp"] and, for the optimizer alone, optimizer_over = ["dp"])";

/// All characters of a file; of the standard input where the name is -.
std::string contents(const std::string& name) {
  constexpr std::size_t most = 1 << 20;
  const auto fail = [&](const char* reason) {
    throw tool::BadInput(tool::in_quotes(name) + " cannot be read: " + reason);
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(name == "-" ? nullptr : std::fopen(name.c_str(), "r"),
                                                               std::fclose);
  std::FILE* file = name == "-" ? stdin : opened.get();
  if (!file) fail(std::strerror(errno));
  std::string text(most + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  if (std::ferror(file)) fail(std::strerror(errno));
  if (text.size() > most) fail("it is larger than 1 MiB");
  return text;
}

std::string place(const std::string& file, const toml::source_position& at) {
  return file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
}

toml::table parse(const std::string& file, const std::string& text) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw tool::BadInput(place(file, error.source().begin) + std::string(error.description()));
  }
}

std::string written(const toml::node& value) {
  if (value.is_table()) return "a table";
  if (value.is_array()) return "a list";
  if (const auto text = value.value<std::string_view>()) return tool::in_quotes(*text);
  std::ostringstream out;
  out << toml::node_view(value);
  return out.str();
}

/// One table of the file. What is asked for is known; `finish` refuses all other keys. Absent numbers are 0.
class Section {
 public:
  Section(std::string file, const toml::table& table, std::string name = {})
      : file_(std::move(file)), table_(table), name_(std::move(name)) {}

  bool empty() const { return table_.empty(); }

  Count number(std::string_view key, std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
    const toml::node* value = find(key);
    if (!value) return 0;
    const auto number = value->value_exact<std::int64_t>();
    if (!number || *number < 1 || *number > most) refuse(key, "a whole number from 1 to " + std::to_string(most));
    return static_cast<Count>(*number);
  }

  bool flag(std::string_view key) {
    const toml::node* value = find(key);
    if (value && !value->is_boolean()) refuse(key, "true or false");
    return value && *value->value_exact<bool>();
  }

  /// A word, or several in a list, none of them twice.
  std::vector<std::string> words(std::string_view key) {
    const toml::node* value = find(key);
    if (!value) return {};
    if (const auto word = value->value_exact<std::string>()) return {*word};
    const toml::array none;
    std::vector<std::string> list;
    for (const toml::node& item : value->is_array() ? *value->as_array() : none) {
      const auto word = item.value_exact<std::string>();
      if (!word || ranges::contains(list, *word)) refuse(key, "each name in quotes, and once", item);
      list.push_back(*word);
    }
    if (list.empty()) refuse(key, "a name in quotes, or a list of them");
    return list;
  }

  axial::Padding padding(std::string_view key) {
    const toml::node* value = find(key);
    if (!value || value->value<std::string_view>() == "exact") return axial::exact;
    if (value->value<std::string_view>() == "padded") return axial::padded;
    if (value->value_exact<std::int64_t>().value_or(0) < 1) refuse(key, "\"exact\", \"padded\" or a number of rows");
    return axial::padded_to(static_cast<Count>(*value->value_exact<std::int64_t>()));
  }

  Section section(std::string_view key) {
    static const toml::table none;
    const toml::node* value = find(key);
    if (value && !value->is_table()) refuse(key, "a table, [" + std::string(key) + "]");
    return {file_, value ? *value->as_table() : none, std::string(key)};
  }

  void finish() const {
    const std::string kind = name_.empty() ? "key" : "key of [" + name_ + "]";
    for (const auto& [key, value] : table_)
      if (!ranges::contains(known_, key.str()))
        throw tool::BadInput(place(file_, key.source().begin) + tool::no_such(key.str(), kind, known_));
  }

  /// Says where the value of a key is, and what is wrong with it.
  [[noreturn]] void complain(std::string_view key, const std::string& problem) const {
    const toml::node* value = table_.get(key);
    throw tool::BadInput(value ? place(file_, value->source().begin) + path(key) + ": " + problem
                               : file_ + ": " + path(key) + " is missing; " + problem);
  }

 private:
  const toml::node* find(std::string_view key) {
    known_.emplace_back(key);
    return table_.get(key);
  }
  std::string path(std::string_view key) const { return (name_.empty() ? "" : name_ + ".") + std::string(key); }
  [[noreturn]] void refuse(std::string_view key, const std::string& legal) const {
    refuse(key, legal, *table_.get(key));
  }
  [[noreturn]] void refuse(std::string_view key, const std::string& legal, const toml::node& at) const {
    throw tool::BadInput(place(file_, at.source().begin) + path(key) + " = " + written(at) + "; write " + legal);
  }

  std::string file_;
  const toml::table& table_;
  std::string name_;
  std::vector<std::string> known_;
};

/// Axes that a rule asks for as one: their extents, and their names as `NamedMesh::groups` takes them. An extent of 0
/// is not known.
struct Axes {
  Terms extents;
  std::string names;
};

std::vector<std::string> names_of(const tool::NamedMesh& mesh) {
  return {mesh.layout().names, mesh.layout().names + mesh.layout().ndim};
}

/// A file, checked.
class Check {
 public:
  Check(const std::string& file, const toml::table& table) {
    Section all(file, table);
    world_ = all.number("world", axial::max_ranks);
    read_mesh(all);
    read_axes(all.section("axes"));
    check_model(all.section("model"));
    check_batch(all.section("batch"));
    check_machine(all.section("machine"));
    check_memory(all.section("memory"));
    all.finish();
  }

  const auto& report() const { return report_; }
  /// The axes that no rule on the model knows, although there are such rules.
  std::vector<std::string> idle() const {
    std::vector<std::string> names;
    for (const std::string& name : names_of(*mesh_))
      if (asks_parts_ && !ranges::contains(used_, name)) names.push_back(name);
    return names;
  }

 private:
  void read_mesh(Section& all) {
    const auto words = all.words("mesh");
    if (words.size() != 1) all.complain("mesh", "write " + std::string(mesh_example));
    try {
      mesh_.emplace(words, axial::dynamic);
    } catch (const tool::BadInput& problem) {
      all.complain("mesh", problem.what());
    }
    const bool open = mesh_->layout().ranks == axial::dynamic;
    if (open && world_ == 0)
      all.complain("mesh", tool::in_quotes(words[0]) + " is dynamic; give the number of ranks, world = N");
    Terms extents;
    for (unsigned i = open; i < mesh_->layout().ndim; ++i)
      extents.append('*', {.name = mesh_->layout().names[i], .value = mesh_->layout().extent(i), .fixed = i > 0});
    Finding finding;
    if (open)
      finding = numbers::divides({"world", world_}, extents), finding.rule = "world";
    else if (world_ != 0)
      finding = numbers::world(extents, world_);
    if (open && finding.ok()) mesh_.emplace(words, static_cast<unsigned>(world_));
    report_.add(finding);
  }

  void read_axes(Section section) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto given = section.words(parts[i]);
      axes_of_[i].extents = Terms(parts[i], 1);
      const auto names = names_of(*mesh_);
      for (const std::string& name : given)
        if (!ranges::contains(names, name)) section.complain(parts[i], tool::no_such(name, "axis", names));
      const bool by_name = given.empty() && ranges::contains(names, parts[i]);
      if (by_name || !given.empty()) axes_of_[i] = axes(by_name ? std::vector{std::string(parts[i])} : given);
    }
    section.finish();
  }

  void check_model(Section section) {
    const Count heads = section.number("heads"), kv_heads = section.number("kv_heads");
    const Count hidden = section.number("hidden"), intermediate = section.number("intermediate");
    const Count vocab = section.number("vocab"), sequence = section.number("sequence");
    const Count layers = section.number("layers"), virtual_stages = section.number("virtual_stages");
    const Count experts = section.number("experts");
    const axial::Padding padding = section.padding("vocab_padding");
    const bool sequence_parallel = section.flag("sequence_parallel");
    section.finish();
    asks_parts_ = asks_parts_ || !section.empty();

    const Terms pp = part("pp").extents, tp = part("tp").extents, cp = part("cp").extents, ep = part("ep").extents;
    if (asked(heads, tp)) report_.add(numbers::divides({"heads", heads}, tp));
    if (asked(kv_heads, tp)) report_.add(numbers::kv_heads({"kv_heads", kv_heads}, tp));
    if (heads != 0 && kv_heads != 0) report_.add(numbers::divides({"heads", heads}, {"kv_heads", kv_heads}));
    if (heads != 0 && hidden != 0) report_.add(numbers::divides({"hidden", hidden}, {"heads", heads}));
    if (asked(hidden, tp)) report_.add(numbers::divides({"hidden", hidden}, tp));
    if (asked(intermediate, tp)) report_.add(numbers::divides({"intermediate", intermediate}, tp));
    if (asked(vocab, tp)) report_.add(numbers::vocabulary({"vocabulary", vocab}, tp, padding));
    const Terms shared = sequence_parallel ? tp : Terms();
    if (asked(sequence, cp, shared)) report_.add(numbers::sequence({"sequence", sequence}, cp, shared));
    if (asked(sequence_parallel, tp)) report_.add(numbers::needs(tp, "sequence parallelism"));
    if (asked(layers, pp))
      report_.add(numbers::layers({"layers", layers}, pp, {.virtual_stages = std::max(virtual_stages, Count{1})}));
    if (asked(virtual_stages > 1 && layers == 0, pp)) report_.add(numbers::needs(pp, "virtual stages"));
    if (asked(experts, ep)) report_.add(numbers::divides({"experts", experts}, ep));
  }

  void check_batch(Section section) {
    const Count global = section.number("global"), micro = section.number("micro");
    const Count accumulation = section.number("accumulation");
    section.finish();
    asks_parts_ = asks_parts_ || !section.empty();
    const Terms dp = part("dp").extents;
    if (!asked(global, dp)) return;
    if (accumulation == 0 || micro != 0)
      return report_.add(numbers::batch(global, std::max(micro, Count{1}), accumulation, dp));
    Terms steps("accumulation", accumulation);
    for (const axial::Term& extent : dp) steps.append('*', extent);
    report_.add(numbers::divides({"global_batch", global}, steps));
  }

  void check_machine(Section section) {
    const Count ranks_per_node = section.number("ranks_per_node");
    const auto within = section.words("within");
    if (!within.empty() && ranks_per_node == 0) section.complain("ranks_per_node", "within asks for it");
    for (const std::string& name : within) {
      const Axes axes = named(section, "within", name);
      if (axes.names.empty() || mesh_->layout().ranks == axial::dynamic) continue;
      const axial::Groups groups{mesh_->groups(axes.names).axis, {}, 0, mesh_->layout().ranks, {}};
      report_.add(numbers::within(axes.extents, groups, {"ranks_per_node", ranks_per_node}));
    }
    section.finish();
  }

  void check_memory(Section section) {
    const axial::Memory memory{.parameters = section.number("parameters"),
                               .bytes = section.number("bytes"),
                               .optimizer_bytes = section.number("optimizer_bytes"),
                               .limit = section.number("limit")};
    const auto product = [&](std::string_view key) {
      Terms terms;
      for (const std::string& name : section.words(key))
        for (const axial::Term& extent : named(section, key, name).extents) terms.append('*', extent);
      return terms;
    };
    const Terms over = product("over"), optimizer_over = product("optimizer_over");
    section.finish();
    if (asked(memory.parameters != 0 && memory.limit != 0, over, optimizer_over))
      report_.add(numbers::memory(memory, over, optimizer_over));
  }

  /// True where there is a number, and all extents are known.
  static bool asked(Count number, const auto&... extents) { return number != 0 && ((extents.value() != 0) && ...); }

  const Axes& part(std::string_view name) const {
    return axes_of_[static_cast<std::size_t>(std::ranges::find(parts, name) - parts.begin())];
  }

  Axes axes(const std::vector<std::string>& names) {
    Axes axes;
    const axial::MeshLayout& layout = mesh_->layout();
    for (const std::string& name : names) {
      const auto at = static_cast<unsigned>(std::ranges::find(layout.names, axial::NameView(name)) - layout.names);
      const unsigned extent = layout.extent(at);
      axes.extents.append('*', {.name = layout.names[at], .value = extent == axial::dynamic ? 0 : extent});
      axes.names += (axes.names.empty() ? "" : ",") + name;
      used_.push_back(name);
    }
    return axes;
  }

  /// The axes of a part, or the axis of this name.
  Axes named(Section& section, std::string_view key, const std::string& name) {
    if (ranges::contains(parts, name)) return part(name);
    const auto names = names_of(*mesh_);
    if (ranges::contains(names, name)) return axes({name});
    std::vector<std::string> legal(parts.begin(), parts.end());
    for (const std::string& axis : names)
      if (!ranges::contains(legal, axis)) legal.push_back(axis);
    section.complain(key, tool::no_such(name, "part or axis", legal));
  }

  Count world_ = 0;
  std::optional<tool::NamedMesh> mesh_;
  std::array<Axes, parts.size()> axes_of_;
  std::vector<std::string> used_;
  bool asks_parts_ = false;
  axial::Report<128> report_;  // 18 rules, and `within` for each part and axis
};

struct Text {
  std::string text;
  void write(const char* from, std::size_t count) { text.append(from, count); }
};

void put_side(tool::Output& out, const Terms& side, const axial::Nearest& nearest, std::string_view separator) {
  if (nearest == axial::Nearest{}) return;
  Text name;
  put_names(name, side, false);
  out << separator << tool::json(name.text) << ": [";
  if (nearest.below != 0) out << nearest.below;
  if (nearest.below != 0 && nearest.above != 0) out << ", ";
  if (nearest.above != 0) out << nearest.above;
  out << "]";
}

void print_json(tool::Output& out, const Check& check) {
  out << "{\"ok\": " << (check.report().ok() ? "true" : "false") << ", \"violations\": [";
  put_list(out, check.report(), ",", [&](const Finding& finding) {
    out << "\n  {\"rule\": " << tool::json(finding.rule) << ", \"text\": " << tool::json(axial::to_string(finding))
        << ", \"nearest\": {";
    put_side(out, finding.left, finding.nearest_left, "");
    put_side(out, finding.right, finding.nearest_right, finding.nearest_left == axial::Nearest{} ? "" : ", ");
    out << "}}";
  });
  out << "], \"idle_axes\": [";
  put_list(out, check.idle(), ", ", [&](const std::string& name) { out << tool::json(name); });
  out << "]}\n";
}

void print_lines(tool::Output& out, const Check& check) {
  for (const Finding& finding : check.report()) out << finding.rule << "\t" << axial::to_string(finding) << "\n";
}

void print_report(tool::Output& out, const Check& check) {
  out << axial::to_string(check.report()) << "\n";
  for (const std::string& name : check.idle())
    out << "note: axis " << tool::in_quotes(name) << " plays no part; [axes] can give it one\n";
}

}  // namespace

void add_check(CLI::App& program, int& status) {
  const auto arguments = std::make_shared<MeshArguments>();
  const auto file = std::make_shared<std::string>();
  CLI::App& check = *program.add_subcommand("check", "does the model of a file fit its mesh? 1 where it does not");
  check.add_option("FILE", *file, "a TOML file; - is the standard input")->type_name("");
  add_formats(check, *arguments);
  check.footer(std::string(keys_help));
  check.callback([arguments, file, &status] {
    if (file->empty()) throw tool::BadInput("the file is missing; write axial check FILE");
    const std::string name = *file == "-" ? "<stdin>" : *file;
    const toml::table table = parse(name, contents(*file));
    const Check checked(name, table);
    status = checked.report().ok() ? 0 : 1;
    tool::Output out;
    (arguments->json ? print_json : arguments->tsv ? print_lines : print_report)(out, checked);
    out.finish();
  });
}
