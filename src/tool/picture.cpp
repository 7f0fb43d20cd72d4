// SPDX-License-Identifier: BSL-1.0
module;
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

module tool.picture;
import axial;

namespace tool {
namespace {

// Everything is in whole pixels.
constexpr unsigned rank_size = 14, small_size = 10, label_size = 12, title_size = 16;
constexpr unsigned line = 20, margin = 20, swatch = 14;

/// How wide a text can become: a monospaced font's characters are 0.6 of its size wide, at most a little more.
unsigned text_width(std::size_t characters, unsigned size) {
  return static_cast<unsigned>(std::ceil(0.62 * size * static_cast<double>(characters)));
}

// Light enough for dark text; chosen one after the other, each as far as can be in OKLab from those before it.
constexpr std::string_view palette[] = {"#7aaeef", "#da720d", "#33ac5a", "#fe82b6", "#d0b80e", "#09dcb8",
                                        "#fbf163", "#b670d5", "#7afdaf", "#9dab89", "#dcaefe", "#fea47c",
                                        "#19a4b7", "#e06285", "#6d8af3", "#60d4fe", "#a0fffe", "#a8879c",
                                        "#a09600", "#f8ca65", "#c6a6be", "#7dc052", "#c190f6", "#abc89b"};
constexpr std::string_view outside_colour = "#d9d9d9";

struct Legend {
  std::vector<std::string> lines;
  std::string nodes;    // empty where nodes are not shown
  std::string outside;  // empty where all ranks are in the mesh
};

class Picture {
 public:
  Picture(Output& out, const NamedMesh& mesh, const Groups& groups, std::string_view along, unsigned node)
      : out_(out), mesh_(mesh), axes_(mesh.axes()), groups_(groups), node_(node), panels_(panels_of(mesh)) {
    colours_ = count_of_colours();
    title_ = shortened(mesh.text(), 90);
    subtitle_ = std::to_string(mesh.layout().size() * size_of(mesh.copies())) + " ranks, " +
                std::to_string(groups.count()) + (groups.count() == 1 ? " group of " : " groups of ") +
                std::to_string(groups.extent()) + " along " + shortened(along, 40);
    explain();
    measure();
  }

  void put() {
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width_ << "\" height=\"" << height_
         << "\" viewBox=\"0 0 " << width_ << " " << height_ << "\">\n";
    put_style();
    out_ << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    put_text(margin, margin + title_size, "title", title_);
    put_text(margin, margin + title_size + line, "label", subtitle_);
    for (unsigned i = 0; i < panels_.size(); ++i)
      put_panel(panels_[i], margin + i % across_ * (panel_width_ + margin),
                top_ + i / across_ * (panel_height_ + margin));
    put_legend();
    out_ << "</svg>\n";
  }

 private:
  bool clash(unsigned colours, std::optional<unsigned> a, std::optional<unsigned> b) const {
    if (!a || !b || !mesh_.contains(*a) || !mesh_.contains(*b)) return false;
    const unsigned one = groups_.group_of(*a), other = groups_.group_of(*b);
    return one != other && one % colours == other % colours;
  }

  /// True when two cells of one colour and of different groups touch.
  bool clash(unsigned colours) const {
    for (const Panel& panel : panels_)
      for (unsigned row = 0; row < panel.rows(); ++row)
        for (unsigned column = 0; column < panel.columns; ++column)
          for (const auto& [down, right] : {std::pair(0u, 1u), std::pair(1u, 0u), std::pair(1u, 1u)})
            if (clash(colours, panel.at(row, column), panel.at(row + down, column + right)) ||
                clash(colours, panel.at(row, column + 1), panel.at(row + 1, column)))
              return true;
    return false;
  }

  /// The most colours that can take turns without a clash.
  unsigned count_of_colours() const {
    constexpr unsigned most = std::size(palette);
    if (groups_.count() <= most) return groups_.count();
    for (unsigned colours = most; colours > most / 2; --colours)
      if (!clash(colours)) return colours;
    return most - 1;
  }

  std::string_view colour_of(unsigned rank) const {
    return mesh_.contains(rank) ? palette[groups_.group_of(rank) % colours_] : outside_colour;
  }

  std::string name(unsigned axis) const { return shortened(mesh_.layout().names[axis], 14); }

  void explain() {
    const unsigned ndim = mesh_.layout().ndim;
    std::string directions = "to the right: " + name(ndim - 1);
    if (ndim > 1) directions += "; down: " + name(ndim - 2);
    if (ndim > 2) directions += "; panels: ";
    for (unsigned i = 0; i + 2 < ndim; ++i) directions += (i == 0 ? "" : ", ") + name(i);
    legend_.lines.push_back(directions);
    std::string cell = "a cell: its rank, and below it (";
    for (unsigned i = 0; i < ndim; ++i) cell += (i == 0 ? "" : ",") + name(i);
    legend_.lines.push_back(cell + ")");
    std::string colours = "a colour: a group, numbered below";
    if (colours_ < groups_.count()) colours += "; group g has the colour of g mod " + std::to_string(colours_);
    legend_.lines.push_back(colours);
    if (node_ != 0)
      legend_.nodes = "a node of " + std::to_string(node_) +
                      " consecutive ranks: n0 has the ranks from 0, n1 those from " + std::to_string(node_) + ", ...";
    if (mesh_.layout().pinned.count > 0) legend_.outside = "a rank that is not in the mesh";
  }

  void measure() {
    std::size_t characters = mesh_.layout().ndim - 1;
    for (const axial::Layout& axis : axes_) characters += std::to_string(size_of(axis) - 1).size();
    const std::size_t digits = std::to_string(mesh_.layout().ranks - 1).size();
    cell_width_ = 12 + std::max({text_width(characters, small_size), text_width(digits, rank_size), 24u});
    cell_height_ = node_ == 0 ? 38 : 48;
    std::size_t columns = 0, rows = 0, labels = 0, titles = 0;
    for (const Panel& panel : panels_) {
      columns = std::max<std::size_t>(columns, panel.columns);
      rows = std::max<std::size_t>(rows, panel.rows());
      titles = std::max(titles, panel.title.size());
      for (const std::string& row : panel.row_labels) labels = std::max(labels, row.size());
    }
    if (axes_.size() > 1) labels = std::max(labels, name(static_cast<unsigned>(axes_.size()) - 2).size() + 2);
    const std::size_t widest = std::max(titles, name(static_cast<unsigned>(axes_.size()) - 1).size() + 2);
    gutter_ = labels == 0 ? 0 : 8 + text_width(labels, label_size);
    panel_width_ = gutter_ + std::max<unsigned>(columns * cell_width_, text_width(widest, label_size));
    head_ = (titles == 0 ? 2 : 3) * line;
    panel_height_ = head_ + rows * cell_height_;
    top_ = margin + title_size + 2 * line;
    arrange();
  }

  /// As many panels side by side as make the picture about three wide to two high, in whole rows where that is near.
  void arrange() {
    const auto count = static_cast<unsigned>(panels_.size());
    const unsigned inner = axes_.size() > 2 ? size_of(axes_[axes_.size() - 3]) : 1;
    double best = 1e9;
    for (unsigned across = 1; across <= count; ++across) {
      const double wide = across * (panel_width_ + margin);
      const double high = ((count + across - 1) / across) * (panel_height_ + margin);
      const bool whole = across % inner == 0 || inner % across == 0;
      const double cost = std::abs(std::log(wide / high / 1.5)) + (whole ? 0 : 1);
      if (cost < best) best = cost, across_ = across;
    }
    std::size_t longest = std::max(legend_.nodes.size(), legend_.outside.size());
    for (const std::string& text : legend_.lines) longest = std::max(longest, text.size());
    width_ = std::max({across_ * (panel_width_ + margin) - margin, text_width(title_.size(), title_size),
                       text_width(subtitle_.size(), label_size), 3 * swatch + text_width(longest, label_size)});
    const unsigned deep = (count + across_ - 1) / across_;
    legend_top_ = top_ + deep * (panel_height_ + margin);
    swatch_width_ = swatch + 12 + text_width(std::to_string(colours_).size(), label_size);
    swatches_across_ = std::max(1u, width_ / swatch_width_);
    const unsigned swatch_rows = (colours_ + swatches_across_ - 1) / swatches_across_;
    const auto extra = static_cast<unsigned>(legend_.lines.size()) + !legend_.nodes.empty() + !legend_.outside.empty();
    width_ += 2 * margin;
    height_ = legend_top_ + (extra + swatch_rows) * line + margin;
  }

  void put_style() {
    out_ << "<style>\ntext{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#111}\n";
    for (const auto& [kind, size, more] :
         {std::tuple("title", title_size, ";font-weight:bold"), std::tuple("label", label_size, ""),
          std::tuple("row", label_size, ";text-anchor:end"), std::tuple("column", label_size, ";text-anchor:middle"),
          std::tuple("rank", rank_size, ";text-anchor:middle"), std::tuple("coords", small_size, ";text-anchor:middle"),
          std::tuple("node", small_size, ";font-weight:bold")})
      out_ << "." << kind << "{font-size:" << size << "px" << more << "}\n";
    out_ << ".cell{stroke:white}\n.outline{stroke:#111;stroke-width:2;stroke-linecap:square;fill:none}\n</style>\n";
  }

  void put_text(unsigned x, unsigned y, std::string_view kind, std::string_view text) {
    out_ << "<text class=\"" << kind << "\" x=\"" << x << "\" y=\"" << y << "\">" << xml(text) << "</text>\n";
  }

  void put_box(unsigned x, unsigned y, unsigned width, unsigned height, std::string_view kind, std::string_view fill) {
    out_ << "<rect class=\"" << kind << "\" x=\"" << x << "\" y=\"" << y << "\" width=\"" << width << "\" height=\""
         << height << "\" fill=\"" << fill << "\"/>\n";
  }

  void put_panel(const Panel& panel, unsigned x, unsigned y) {
    const auto last = static_cast<unsigned>(axes_.size()) - 1;
    const unsigned left = x + gutter_, top = y + head_, above = top - 6;
    const bool has_axes = !panel.column_labels.empty() || !panel.row_labels.empty();
    if (!panel.title.empty()) put_text(left, has_axes ? above - 2 * line : above, "label", panel.title);
    if (has_axes) put_text(left, above - line, "label", name(last) + " \u2192");
    if (has_axes && last > 0) put_text(left - 8, above, "row", name(last - 1) + " \u2193");
    for (unsigned i = 0; i < panel.column_labels.size(); ++i)
      put_text(left + i * cell_width_ + cell_width_ / 2, above, "column", panel.column_labels[i]);
    for (unsigned i = 0; i < panel.row_labels.size(); ++i)
      put_text(left - 8, top + i * cell_height_ + cell_height_ / 2 + 4, "row", panel.row_labels[i]);
    const auto each = [&](const auto& put_one) {
      for (unsigned row = 0; row < panel.rows(); ++row)
        for (unsigned column = 0; panel.at(row, column); ++column)
          put_one(row, column, left + column * cell_width_, top + row * cell_height_);
    };
    each([&](unsigned row, unsigned column, unsigned at_x, unsigned at_y) {
      put_cell(*panel.at(row, column), at_x, at_y);
    });
    if (node_ != 0)
      each([&](unsigned row, unsigned column, unsigned at_x, unsigned at_y) {
        put_outline(panel, row, column, at_x, at_y);
      });
  }

  void put_cell(unsigned rank, unsigned x, unsigned y) {
    put_box(x, y, cell_width_, cell_height_, "cell", colour_of(rank));
    const unsigned middle = x + cell_width_ / 2;
    put_text(middle, y + cell_height_ - 20, "rank", std::to_string(rank));
    if (!mesh_.contains(rank)) return;
    std::string coordinates;
    for (const axial::Layout& axis : axes_)
      coordinates += (coordinates.empty() ? "" : ",") + std::to_string(index_of(axis, mesh_.position_of(rank)));
    put_text(middle, y + cell_height_ - 7, "coords", coordinates);
  }

  /// The edges of a cell behind which another node is, and the node's name where its cells begin.
  void put_outline(const Panel& panel, unsigned row, unsigned column, unsigned x, unsigned y) {
    constexpr unsigned inset = 2;
    const unsigned node = *panel.at(row, column) / node_;
    const auto differs = [&](std::optional<unsigned> rank) { return !rank || *rank / node_ != node; };
    const bool above = row == 0 || differs(panel.at(row - 1, column)), below = differs(panel.at(row + 1, column));
    const bool before = column == 0 || differs(panel.at(row, column - 1)), behind = differs(panel.at(row, column + 1));
    const unsigned left = x + (before ? inset : 0), right = x + cell_width_ - (behind ? inset : 0);
    const unsigned top = y + (above ? inset : 0), bottom = y + cell_height_ - (below ? inset : 0);
    std::string path;
    const auto edge = [&](bool there, unsigned x1, unsigned y1, unsigned x2, unsigned y2) {
      if (there)
        path +=
            "M" + std::to_string(x1) + " " + std::to_string(y1) + "L" + std::to_string(x2) + " " + std::to_string(y2);
    };
    edge(above, left, top, right, top);
    edge(behind, right, top, right, bottom);
    edge(below, left, bottom, right, bottom);
    edge(before, left, top, left, bottom);
    if (!path.empty()) out_ << "<path class=\"outline\" d=\"" << path << "\"/>\n";
    if (above && before) put_text(x + 6, y + 14, "node", "n" + std::to_string(node));
  }

  void put_legend() {
    unsigned y = legend_top_;
    for (const std::string& text : legend_.lines) put_text(margin, y += line, "label", text);
    y += line;
    for (unsigned i = 0; i < colours_; ++i) {
      const unsigned x = margin + i % swatches_across_ * swatch_width_, at = y + i / swatches_across_ * line;
      put_box(x, at - swatch + 2, swatch, swatch, "swatch", palette[i]);
      put_text(x + swatch + 4, at, "label", std::to_string(i));
    }
    y += (colours_ - 1) / swatches_across_ * line;
    if (!legend_.nodes.empty()) {
      put_box(margin + 1, (y += line) - swatch + 3, swatch - 2, swatch - 2, "outline", "none");
      put_text(margin + swatch + 4, y, "label", legend_.nodes);
    }
    if (legend_.outside.empty()) return;
    put_box(margin, (y += line) - swatch + 2, swatch, swatch, "swatch", outside_colour);
    put_text(margin + swatch + 4, y, "label", legend_.outside);
  }

  Output& out_;
  const NamedMesh& mesh_;
  std::vector<axial::Layout> axes_;
  const Groups& groups_;
  unsigned node_;
  std::vector<Panel> panels_;
  unsigned colours_ = 1;
  std::string title_, subtitle_;
  Legend legend_;

  // Everything from here on is in pixels, but the numbers of panels and swatches side by side.
  unsigned cell_width_ = 0, cell_height_ = 0;
  unsigned gutter_ = 0;  // left of the cells, for the labels of the rows
  unsigned head_ = 0;    // above the cells
  unsigned panel_width_ = 0, panel_height_ = 0;
  unsigned across_ = 1;
  unsigned top_ = 0, legend_top_ = 0;
  unsigned swatch_width_ = 0, swatches_across_ = 1;
  unsigned width_ = 0, height_ = 0;
};

}  // namespace

void put_picture(Output& out, const NamedMesh& mesh, const Groups& groups, std::string_view along, unsigned node) {
  Picture(out, mesh, groups, along, node).put();
}

}  // namespace tool
