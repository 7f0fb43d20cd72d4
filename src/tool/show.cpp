// SPDX-License-Identifier: BSL-1.0
// `axial show`: a mesh at a glance.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "subcommands.hpp"

import axial;
import tool.mesh;
import tool.output;

namespace {

std::string number(unsigned n) { return n == axial::dynamic ? "*" : std::to_string(n); }

struct AxisRow {
  std::string name;
  axial::Layout layout;
  unsigned groups;
};

std::vector<AxisRow> rows_of(const tool::NamedMesh& mesh) {
  const axial::MeshLayout& layout = mesh.layout();
  std::vector<AxisRow> rows;
  for (unsigned i = 0; i < layout.ndim; ++i) {
    const axial::Layout axis = layout.axis(i);
    const unsigned groups = size_of(axial::firsts_of(axis, layout.pinned, layout.ranks));
    rows.push_back({std::string(layout.names[i]), axis, groups});
  }
  return rows;
}

/// The first of `count` pieces, " ... " for those left out, and the last one where there is a last.
std::string listed(unsigned count, unsigned most, std::string_view separator, const auto& piece) {
  std::string text;
  const unsigned shown = count > most ? most - 1 : count;
  for (unsigned i = 0; i < shown; ++i) text.append(i == 0 ? "" : separator).append(piece(i));
  if (count > most) text.append(separator).append("...");
  if (count > most && count != axial::dynamic) text.append(separator).append(piece(count - 1));
  return text;
}

/// `0 1 2 3 | 4 5 6 7`
std::string first_groups(const tool::Groups& groups) {
  return listed(groups.count(), 3, " | ", [&](unsigned group) {
    return listed(groups.extent(), 8, " ", [&](unsigned i) { return std::to_string(groups.rank(group, i)); });
  });
}

void print_axes(tool::Output& out, const tool::NamedMesh& mesh) {
  std::vector<std::vector<std::string>> table = {{"axis", "extent", "modes", "groups", "ranks of the groups"}};
  for (const AxisRow& row : rows_of(mesh))
    table.push_back({row.name, number(size_of(row.layout)), axial::to_string(row.layout), number(row.groups),
                     first_groups(mesh.groups_along(row.layout))});
  if (table.size() == 1) return;
  out << "\n";
  std::vector<std::size_t> widths(4);
  for (const auto& row : table)
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const auto& row : table) {
    for (std::size_t i = 0; i < widths.size(); ++i) out << tool::padded(row[i], widths[i], true) << "  ";
    out << row.back() << "\n";
  }
}

void print_summary(tool::Output& out, const tool::NamedMesh& mesh) {
  const axial::MeshLayout& layout = mesh.layout();
  out << "mesh     ";
  put_list(out, rows_of(mesh), ", ",
           [&](const AxisRow& row) { out << row.name << "=" << number(size_of(row.layout)); });
  out << "\nsize     " << number(layout.size());
  out << "\nworld    " << number(layout.ranks);
  out << "\ncopies   " << number(size_of(mesh.copies()));
  out << "\nranks    " << mesh.numbering() << (layout.pinned.count > 0 ? ", sliced: not all are in the mesh\n" : "\n");
  print_axes(out, mesh);
}

void print_lines(tool::Output& out, const tool::NamedMesh& mesh) {
  for (const AxisRow& row : rows_of(mesh))
    out << row.name << "\t" << number(size_of(row.layout)) << "\t" << axial::to_string(row.layout) << "\t"
        << number(row.groups) << "\n";
}

void print_json(tool::Output& out, const tool::NamedMesh& mesh) {
  const auto put_count = [&](unsigned count) { out << (count == axial::dynamic ? "null" : std::to_string(count)); };
  const auto rows = rows_of(mesh);
  put_json_head(out, mesh);
  out << ", \"world\": ";
  put_count(mesh.layout().ranks);
  out << ", \"copies\": ";
  put_count(size_of(mesh.copies()));
  out << ", \"ranks\": " << tool::json(mesh.numbering()) << ", \"modes\": [";
  put_list(out, rows, ", ", [&](const AxisRow& row) { out << tool::json(axial::to_string(row.layout)); });
  out << "], \"group_counts\": [";
  put_list(out, rows, ", ", [&](const AxisRow& row) { put_count(row.groups); });
  out << "]}\n";
}

void print(const MeshArguments& arguments) {
  const tool::NamedMesh mesh(arguments.words, tool::read_world(arguments.world));
  tool::Output out;
  (arguments.json ? print_json : arguments.tsv ? print_lines : print_summary)(out, mesh);
  out.finish();
}

}  // namespace

void add_show(CLI::App& program) {
  const auto arguments = std::make_shared<MeshArguments>();
  CLI::App& show = add_mesh_subcommand(program, "show", "a mesh at a glance", arguments);
  add_formats(show, *arguments);
  show.callback([arguments] { print(*arguments); });
}
