// SPDX-License-Identifier: BSL-1.0
// `axial coords`: the coordinates of each rank.
#include <algorithm>
#include <memory>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/transform.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "subcommands.hpp"

import axial;
import tool.mesh;
import tool.output;

namespace {

namespace views = ranges::views;

/// The coordinates of the rank at a position, one for each axis.
auto coordinates(const std::vector<axial::Layout>& axes, unsigned position) {
  return axes | views::transform([position](const axial::Layout& axis) { return index_of(axis, position); });
}

void print_table(tool::Output& out, const tool::NamedMesh& mesh) {
  const axial::MeshLayout& layout = mesh.layout();
  const auto axes = mesh.axes();
  const std::size_t rank_width = std::max<std::size_t>(4, std::to_string(layout.ranks - 1).size());
  std::vector<std::size_t> widths;
  out << tool::padded("rank", rank_width);
  for (unsigned i = 0; i < layout.ndim; ++i) {
    const std::string_view name = layout.names[i];
    widths.push_back(2 + std::max(name.size(), std::to_string(size_of(axes[i]) - 1).size()));
    out << tool::padded(name, widths[i]);
  }
  out << "\n";
  for (unsigned rank = 0; rank < layout.ranks; ++rank) {
    out << tool::padded(std::to_string(rank), rank_width);
    const unsigned position = mesh.position_of(rank);
    for (unsigned i = 0; i < layout.ndim; ++i)
      out << tool::padded(mesh.contains(rank) ? std::to_string(index_of(axes[i], position)) : "-", widths[i]);
    out << (layout.ndim == 0 && !mesh.contains(rank) ? "  -\n" : "\n");
  }
}

void print_lines(tool::Output& out, const tool::NamedMesh& mesh) {
  const auto axes = mesh.axes();
  for (unsigned rank = 0; rank < mesh.layout().ranks; ++rank) {
    out << rank << "\t";
    if (mesh.contains(rank))
      put_numbers(out, coordinates(axes, mesh.position_of(rank)), ",");
    else
      out << "-";
    out << "\n";
  }
}

void print_json(tool::Output& out, const tool::NamedMesh& mesh) {
  const auto axes = mesh.axes();
  put_json_head(out, mesh);
  out << ", \"coords\": [";
  put_list(out, views::iota(0u, mesh.layout().ranks), ",", [&](unsigned rank) {
    if (!mesh.contains(rank)) {
      out << "\n  null";
      return;
    }
    out << "\n  [";
    put_numbers(out, coordinates(axes, mesh.position_of(rank)), ", ");
    out << "]";
  });
  out << "\n]}\n";
}

void print(const MeshArguments& arguments) {
  const tool::NamedMesh mesh(arguments.words, tool::read_world(arguments.world));
  mesh.need_world();
  tool::Output out;
  (arguments.json ? print_json : arguments.tsv ? print_lines : print_table)(out, mesh);
  out.finish();
}

}  // namespace

void add_coords(CLI::App& program) {
  const auto arguments = std::make_shared<MeshArguments>();
  CLI::App& coords = add_mesh_subcommand(program, "coords", "the coordinates of each rank", arguments);
  add_formats(coords, *arguments);
  coords.callback([arguments] { print(*arguments); });
}
