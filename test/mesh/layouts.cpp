// SPDX-License-Identifier: BSL-1.0
// Every mesh of up to 4 dimensions with at most 64 ranks, every choice of axes in every order: what the layouts behind
// a mesh answer at run time, against the model that counts.
module;
#include <iostream>
#include <string_view>

#include "model.hpp"

module axial;

namespace axial {
namespace {

Answers answers_of_layouts(const Numbers& shape, const Numbers& picked) {
  unsigned world = 1;
  std::vector<Layout> axes(shape.size());
  std::vector<NameView> names;
  for (std::size_t axis = shape.size(); axis-- > 0; world *= shape[axis])
    axes[axis] = coalesce({.modes = {{shape[axis], world}}, .count = 1});
  for (unsigned axis = 0; axis < shape.size(); ++axis) names.emplace_back(std::string_view(&letters[axis], 1));

  std::vector<Key> keys;
  for (const unsigned axis : picked) keys.push_back({.name = names[axis]});
  const auto count = static_cast<unsigned>(keys.size());
  const Names of_mesh{names.data(), static_cast<unsigned>(names.size())};
  const Selection selected = select(of_mesh, keys.data(), count, count == names.size() ? Rule::all : Rule::some);
  const Selection others = rest_of(selected, static_cast<unsigned>(names.size()));

  Answers given;
  Layout joined;
  for (unsigned i = 0; i < selected.count; ++i) {
    joined = concatenate(joined, axes[selected.at[i]]);
    given.names += std::string_view(names[selected.at[i]]);
    given.extents.push_back(size_of(axes[selected.at[i]]));
  }
  for (unsigned i = 0; i < others.count; ++i) given.others += std::string_view(names[others.at[i]]);

  const Layout firsts = complement(joined, world).layout;
  const Layout increasing = sorted(joined);
  const auto group_at = [](unsigned first, const Layout& layout) {
    Numbers ranks(size_of(layout));
    for (unsigned i = 0; i < ranks.size(); ++i) ranks[i] = first + position_of(layout, i);
    return ranks;
  };
  given.group_count = given.copies = size_of(firsts);
  for (unsigned i = 0; i < given.group_count; ++i) append(given.groups, group_at(position_of(firsts, i), joined));
  for (unsigned rank = 0; rank < world; ++rank) {
    const unsigned first = rank - position_of(joined, index_of(joined, rank));
    given.group_index.push_back(index_of(firsts, rank));
    append(given.group_of, group_at(first, joined));
    append(given.copy_of, group_at(first, increasing));
    Numbers coordinates;
    for (const unsigned axis : picked) coordinates.push_back(index_of(axes[axis], rank));
    given.coordinates.push_back(code(coordinates));
  }
  given.copy_0 = group_at(0, increasing);
  for (const unsigned rank : given.copy_0) given.all_coordinates.push_back(given.coordinates[rank]);
  return given;
}

BOOST_AUTO_TEST_CASE(every_small_mesh_answers_as_the_model_does) {
  unsigned meshes = 0, choices = 0;
  for (const Numbers& shape : all_shapes()) {
    ++meshes;
    const auto all = count_up(shape);
    for (const Numbers& picked : all_choices(static_cast<unsigned>(shape.size()))) {
      if (picked.empty() && !shape.empty()) continue;  // no name at all picks the axis of a mesh that has one
      ++choices;
      check_answers(shape, all, picked, answers_of_layouts(shape, picked));
    }
  }
  std::cout << meshes << " meshes, " << choices << " choices of axes\n";
  BOOST_TEST(meshes == 2965u);
}

}  // namespace
}  // namespace axial
