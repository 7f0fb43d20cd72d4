// SPDX-License-Identifier: BSL-1.0
module;
#include <algorithm>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/chunk.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/stride.hpp>
#include <range/v3/view/transform.hpp>
#include <string>
#include <string_view>
#include <vector>

module tool.picture;
import axial;

namespace tool {
namespace {

namespace views = ranges::views;

constexpr unsigned most_cells = 32;  // of a panel, in a row and in a column

std::vector<std::string> numbers(unsigned from, unsigned count, unsigned step = 1) {
  return views::iota(from, from + count) | views::stride(step) |
         views::transform([](unsigned i) { return std::to_string(i); }) | ranges::to<std::vector>();
}

/// The ranks along a single axis, folded where it is long.
Panel line_of(std::vector<unsigned> ranks) {
  const auto count = static_cast<unsigned>(ranks.size());
  const unsigned columns = std::min(count, count > 256 ? most_cells : most_cells / 2);
  Panel panel{.title = {}, .row_labels = {}, .column_labels = {}, .columns = columns, .ranks = std::move(ranks)};
  if (columns == count)
    panel.column_labels = numbers(0, count);
  else
    panel.row_labels = numbers(0, count, columns);
  return panel;
}

/// The plane of the last two axes at a position, in blocks that fit a page.
void add_plane(std::vector<Panel>& panels, const NamedMesh& mesh, const std::string& title, unsigned position) {
  const auto axes = mesh.axes();
  if (axes.size() < 2) {
    const axial::Layout axis = axes.empty() ? axial::Layout() : axes[0];
    panels.push_back(line_of(views::iota(0u, size_of(axis)) | views::transform([&](unsigned i) {
                               return mesh.map().rank_at(position + axial::position_of(axis, i));
                             }) |
                             ranges::to<std::vector>()));
    panels.back().title = title;
    return;
  }
  const axial::Layout& down = axes[axes.size() - 2];
  const axial::Layout& right = axes.back();
  for (unsigned top = 0; top < size_of(down); top += most_cells)
    for (unsigned left = 0; left < size_of(right); left += most_cells) {
      const unsigned rows = std::min(most_cells, size_of(down) - top);
      Panel panel{.title = title, .row_labels = numbers(top, rows), .column_labels = {}, .columns = 1, .ranks = {}};
      panel.columns = std::min(most_cells, size_of(right) - left);
      panel.column_labels = numbers(left, panel.columns);
      for (unsigned row = top; row < top + rows; ++row)
        for (unsigned column = left; column < left + panel.columns; ++column)
          panel.ranks.push_back(
              mesh.map().rank_at(position + axial::position_of(down, row) + axial::position_of(right, column)));
      panels.push_back(std::move(panel));
    }
}

/// The planes at all coordinates of the axes from `axis` on but the last two.
void add_planes(std::vector<Panel>& panels, const NamedMesh& mesh, unsigned axis, const std::string& title,
                unsigned position) {
  const axial::MeshLayout& layout = mesh.layout();
  if (axis + 2 >= layout.ndim) return add_plane(panels, mesh, title, position);
  const axial::Layout modes = layout.axis(axis);
  for (unsigned i = 0; i < size_of(modes); ++i)
    add_planes(panels, mesh, axis + 1,
               title + (title.empty() ? "" : ", ") + shortened(layout.names[axis], 14) + "=" + std::to_string(i),
               position + axial::position_of(modes, i));
}

}  // namespace

std::vector<Panel> panels_of(const NamedMesh& mesh) {
  std::vector<Panel> panels;
  const axial::Layout copies = mesh.copies();
  for (unsigned copy = 0; copy < size_of(copies); ++copy)
    add_planes(panels, mesh, 0, size_of(copies) == 1 ? "" : "copy " + std::to_string(copy),
               mesh.layout().offset + axial::position_of(copies, copy));
  const auto outside = views::iota(0u, mesh.layout().ranks) |
                       views::filter([&](unsigned rank) { return !mesh.contains(rank); }) | ranges::to<std::vector>();
  const unsigned columns = std::max(panels[0].columns, 8u), rows = std::max(panels[0].rows(), 4u);
  for (const auto part : outside | views::chunk(rows * columns))
    panels.push_back({.title = "not in the mesh",
                      .row_labels = {},
                      .column_labels = {},
                      .columns = columns,
                      .ranks = part | ranges::to<std::vector>()});
  return panels;
}

}  // namespace tool
