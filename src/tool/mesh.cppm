// SPDX-License-Identifier: BSL-1.0
// A mesh as the command line says it: `pp=2,dp=4,tp=8`, then steps. Read here, computed by the library.
module;
#include <deque>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

export module tool.mesh;
import axial;

namespace tool {

/// Bad input: one line that names the bad word and the legal ones.
export struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The word in quotes, its middle left out where it is long.
export std::string in_quotes(std::string_view word);

/// The text, its end replaced by two dots where it is longer than `most` characters.
export std::string shortened(std::string_view text, std::size_t most);

/// The pieces between the separators, blanks around each left out; `parts("")` is one empty piece.
export std::vector<std::string_view> parts(std::string_view text, char separator);

/// `a, b, c`
export std::string listed(const std::vector<std::string>& names);

/// A word that is none of the legal ones; those, and the one that was probably meant.
export std::string no_such(std::string_view word, std::string_view kind, const std::vector<std::string>& legal);

/// A whole number from `least` to `most`; `what` says what it is for where `text` is none.
export long long read_number(std::string_view what, std::string_view text, long long least, long long most);

/// The number of ranks that `--world` gives; `axial::dynamic` where it is not given.
export unsigned read_world(std::string_view text);

/// The groups along some axes, in order of their index, and the ranks of each in coordinate order: formulas, no table.
export struct Groups {
  axial::Layout axis;
  axial::Layout firsts;
  unsigned offset = 0;
  axial::BaseMap map;

  unsigned count() const { return size_of(firsts); }
  unsigned extent() const { return size_of(axis); }
  unsigned rank(unsigned group, unsigned index) const {
    return map.rank_at(offset + position_of(firsts, group) + position_of(axis, index));
  }
  /// The group that holds a rank of the mesh.
  unsigned group_of(unsigned rank) const { return index_of(firsts, map.position_of(rank)); }
};

/// A mesh that was read, and the words it was read from.
export class NamedMesh {
 public:
  /// The mesh `words[0]` with the steps after it applied left to right. `world` is the number of ranks, or
  /// `axial::dynamic` when it was not given. Throws BadInput.
  NamedMesh(std::vector<std::string> words, unsigned world);
  NamedMesh(const NamedMesh&) = delete;  // names are views of the words
  NamedMesh& operator=(const NamedMesh&) = delete;

  const axial::MeshLayout& layout() const { return layout_; }
  const axial::BaseMap& map() const { return map_; }
  /// The words: the mesh and its steps.
  std::string text() const;
  /// The same in C++, as a type where the mesh is row-major and as an expression otherwise.
  std::string cpp() const;

  /// The modes of each axis, outer first.
  std::vector<axial::Layout> axes() const;
  /// The positions of the copies, less the offset.
  axial::Layout copies() const;
  /// Where the rank is in the root.
  unsigned position_of(unsigned rank) const { return map_.position_of(rank); }
  bool contains(unsigned rank) const { return layout_.contains(position_of(rank)); }
  /// True when the axes are row-major over the whole root and each rank is at its own position.
  bool is_row_major() const;
  /// The base table's class, as `axial show` names it.
  std::string_view numbering() const;

  /// Throws BadInput where the number of ranks is not known: lists of ranks need it.
  void need_world() const;
  /// The groups along the axes named, commas between them, the first outermost; those of the only axis when none is.
  Groups groups(std::string_view axes) const;
  Groups groups_along(const axial::Layout& axis) const;

  /// The steps, one a line, as `--help` lists them.
  static std::string steps_help();

 private:
  struct Step;
  static const Step steps[];

  void apply(std::string_view word);
  axial::MeshResult submesh(std::string_view names);
  axial::MeshResult permute(std::string_view names);
  axial::MeshResult others(std::string_view names);
  axial::MeshResult flatten(std::string_view argument);
  axial::MeshResult unflatten(std::string_view argument);
  axial::MeshResult slice(std::string_view argument);
  axial::MeshResult rename(std::string_view argument);
  axial::MeshResult ranks(std::string_view argument);

  std::vector<std::string> words_;
  std::deque<std::string> made_names_;  // of flattenings
  std::string calls_;                   // the steps in C++
  axial::MeshLayout root_;
  axial::MeshLayout layout_;
  axial::BaseMap map_;
  std::vector<unsigned> ranks_;
  std::vector<unsigned> positions_;
};

}  // namespace tool
