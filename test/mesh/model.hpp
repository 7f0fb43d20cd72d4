// SPDX-License-Identifier: BSL-1.0
// What a mesh must answer, found by counting ranks one by one: no formula, and nothing of axial. Both tests that
// include this compare the same answers, one for types, one for the layouts behind them.
#pragma once
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <vector>

using Numbers = std::vector<unsigned>;

/// Names of the dimensions of all meshes here.
inline const std::string letters = "abcd";

/// About the axes picked from a mesh in some order: their groups, the sub-mesh of them, and the axes left over. Lists
/// of ranks are written one behind the other, coordinates as one number each.
struct Answers {
  unsigned group_count;
  Numbers groups;       // in order of the first rank
  Numbers group_index;  // by rank
  Numbers group_of;     // by rank
  unsigned copies;
  Numbers coordinates;      // by rank, in the sub-mesh
  Numbers all_coordinates;  // of the sub-mesh
  Numbers copy_0;           // the ranks at all_coordinates
  Numbers copy_of;          // by rank, the same in the copy that holds it
  std::string names, others;
  Numbers extents;

  bool operator==(const Answers&) const = default;
};

inline void append(Numbers& to, const Numbers& from) { to.insert(to.end(), from.begin(), from.end()); }

/// Coordinates as one number, in the same order: 64 is the largest extent.
template <class Coordinates>
unsigned code(const Coordinates& coordinates) {
  unsigned number = 0;
  for (const unsigned coordinate : coordinates) number = number * 64 + coordinate;
  return number;
}

inline unsigned product(const Numbers& shape) {
  unsigned ranks = 1;
  for (const unsigned extent : shape) ranks *= extent;
  return ranks;
}

/// The coordinates of all ranks of a row-major mesh, counted like the digits of an odometer.
inline std::vector<Numbers> count_up(const Numbers& shape) {
  std::vector<Numbers> all;
  for (Numbers digits(shape.size()); all.size() < product(shape);) {
    all.push_back(digits);
    for (std::size_t i = shape.size(); i-- > 0;) {
      if (++digits[i] < shape[i]) break;
      digits[i] = 0;
    }
  }
  return all;
}

/// The right answers about `picked` axes of the row-major mesh of a shape, given the coordinates of all ranks.
inline Answers model(const Numbers& shape, const std::vector<Numbers>& all, const Numbers& picked) {
  Answers right;
  Numbers rest;
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    if (std::find(picked.begin(), picked.end(), axis) == picked.end()) rest.push_back(axis);
  for (const unsigned axis : picked) right.names += letters[axis], right.extents.push_back(shape[axis]);
  for (const unsigned axis : rest) right.others += letters[axis];

  const auto choose = [](const Numbers& coordinates, const Numbers& axes) {
    unsigned number = 0;
    for (const unsigned axis : axes) number = number * 64 + coordinates[axis];
    return number;
  };
  std::map<unsigned, unsigned> index_of_rest;
  std::vector<std::array<unsigned, 3>> places;  // group, coordinate, rank
  for (unsigned rank = 0; rank < all.size(); ++rank) {
    const unsigned next = static_cast<unsigned>(index_of_rest.size());
    const unsigned index = index_of_rest.try_emplace(choose(all[rank], rest), next).first->second;
    right.group_index.push_back(index);
    right.coordinates.push_back(choose(all[rank], picked));
    places.push_back({index, right.coordinates[rank], rank});
  }
  right.group_count = right.copies = static_cast<unsigned>(index_of_rest.size());
  // Those of one group, in the order in which they stand.
  const auto append_group = [&places](Numbers& ranks, unsigned index) {
    for (const auto& [group, coordinate, rank] : places)
      if (group == index) ranks.push_back(rank);
  };
  append_group(right.copy_0, 0);
  for (const unsigned rank : right.copy_0) right.all_coordinates.push_back(right.coordinates[rank]);
  for (const unsigned index : right.group_index) append_group(right.copy_of, index);
  std::sort(places.begin(), places.end());
  for (const unsigned index : right.group_index) append_group(right.group_of, index);
  for (const auto& [group, coordinate, rank] : places) right.groups.push_back(rank);
  return right;
}

/// The rank whose coordinate is `offset` further along an axis, or none: found by looking at all ranks.
inline unsigned model_neighbor(const Numbers& shape, unsigned axis, unsigned rank, long long offset, bool periodic,
                               unsigned none) {
  const std::vector<Numbers> all = count_up(shape);
  long long wanted = all[rank][axis] + offset;
  while (periodic && wanted < 0) wanted += shape[axis];
  while (periodic && wanted >= shape[axis]) wanted -= shape[axis];
  for (unsigned other = 0; other < all.size(); ++other) {
    Numbers moved = all[rank];
    moved[axis] = static_cast<unsigned>(wanted);
    if (all[other] == moved && wanted >= 0) return other;
  }
  return none;
}

inline std::string text_of(const Numbers& numbers) {
  std::string text;
  for (const unsigned number : numbers) text += (text.empty() ? "" : "x") + std::to_string(number);
  return text;
}

/// Fails, naming the mesh, the axes and what differs, unless the answers are those of the model.
inline void check_answers(const Numbers& shape, const std::vector<Numbers>& all, const Numbers& picked,
                          const Answers& answers) {
  const Answers right = model(shape, all, picked);
  if (answers == right) return;
  BOOST_TEST_CONTEXT("mesh " << text_of(shape) << ", axes " << text_of(picked)) {
    BOOST_CHECK(answers.groups == right.groups);
    BOOST_CHECK(answers.group_index == right.group_index);
    BOOST_CHECK(answers.group_of == right.group_of);
    BOOST_CHECK(answers.group_count == right.group_count);
    BOOST_CHECK(answers.coordinates == right.coordinates);
    BOOST_CHECK(answers.all_coordinates == right.all_coordinates);
    BOOST_CHECK(answers.copy_0 == right.copy_0);
    BOOST_CHECK(answers.copy_of == right.copy_of);
    BOOST_CHECK(answers.copies == right.copies);
    BOOST_CHECK(answers.names == right.names);
    BOOST_CHECK(answers.others == right.others);
    BOOST_CHECK(answers.extents == right.extents);
    BOOST_ERROR("the answers differ");
  }
}

/// All shapes of at most 4 dimensions with at most 64 ranks.
inline std::vector<Numbers> all_shapes() {
  std::vector<Numbers> shapes{{}};
  for (std::size_t done = 0; done < shapes.size(); ++done)
    for (unsigned extent = 1; shapes[done].size() < 4 && extent * product(shapes[done]) <= 64; ++extent) {
      Numbers longer = shapes[done];
      longer.push_back(extent);
      shapes.push_back(longer);
    }
  return shapes;
}

/// All choices of axes out of `ndim`, in every order, the empty choice included.
inline std::vector<Numbers> all_choices(unsigned ndim) {
  std::vector<Numbers> choices{{}};
  for (std::size_t done = 0; done < choices.size(); ++done)
    for (unsigned axis = 0; axis < ndim; ++axis) {
      Numbers longer = choices[done];
      if (std::find(longer.begin(), longer.end(), axis) != longer.end()) continue;
      longer.push_back(axis);
      choices.push_back(longer);
    }
  return choices;
}
