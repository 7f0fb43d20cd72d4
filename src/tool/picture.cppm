// SPDX-License-Identifier: BSL-1.0
// A mesh as a picture. Every rank is a cell; the last axis goes to the right, the one before it down, and each
// coordinate along the others, as each copy, has a panel of its own. Ranks outside the mesh are grey, in the last
// panel.
module;
#include <optional>
#include <string>
#include <string_view>
#include <vector>

export module tool.picture;
import tool.mesh;
import tool.output;

namespace tool {

/// A rectangle of cells, row by row; the last row can be shorter.
struct Panel {
  std::string title;
  std::vector<std::string> row_labels;
  std::vector<std::string> column_labels;
  unsigned columns = 1;
  std::vector<unsigned> ranks;

  unsigned rows() const { return (static_cast<unsigned>(ranks.size()) + columns - 1) / columns; }
  std::optional<unsigned> at(unsigned row, unsigned column) const {
    if (column >= columns || row * columns + column >= ranks.size()) return std::nullopt;
    return ranks[row * columns + column];
  }
};

std::vector<Panel> panels_of(const NamedMesh& mesh);

/// Writes the picture as SVG, one colour for each of `groups`, which are those along the axes that `along` names, and
/// an outline around each run of cells of a node of `node` consecutive ranks unless that is 0. A few thousand ranks at
/// most are meant: all panels are in memory.
export void put_picture(Output& out, const NamedMesh& mesh, const Groups& groups, std::string_view along,
                        unsigned node);

}  // namespace tool
