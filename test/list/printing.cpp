// SPDX-License-Identifier: BSL-1.0
// Every type that a user receives has a text, and prints to any stream.
#include <boost/test/unit_test.hpp>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

import axial;

namespace {

using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"cp", 1>, axial::Dim<"tp", 4>>;
using Fold = decltype(Mesh::submesh<"tp", "dp">());

template <class T>
void expect(const T& x, const std::string& text) {
  std::ostringstream stream;
  stream << std::setfill('*') << x << x;
  BOOST_TEST(stream.str() == text + text);
  BOOST_TEST(axial::to_string(x) == text);
}

struct Opaque {};
template <class T>
concept prints = requires(std::ostream& stream, const T& x) { stream << x, axial::to_string(x); };
static_assert(prints<axial::List<double, 2>> && !prints<axial::List<Opaque, 2>>);
static_assert(!prints<axial::List<axial::List<Opaque, 2>, 2>> && !prints<Opaque>);

BOOST_AUTO_TEST_CASE(everything_prints) {
  expect(Mesh{}, "Mesh(dp=2, cp=1, tp=4)");
  expect(axial::Mesh<>{}, "Mesh()");
  expect(Mesh::submesh<"dp", "cp">(), "SubMesh(dp=2:4, cp=1 of 8)");
  expect(Fold{}, "SubMesh(tp=4:1, dp=2:4 of 8)");
  expect(Mesh::others<"dp", "cp", "tp">(), "SubMesh(of 8)");
  expect(Mesh::names(), "[dp, cp, tp]");
  expect(Mesh::names()[2], "tp");
  expect(Mesh::shape(), "[2, 1, 4]");
  expect(axial::Mesh<>::shape(), "[]");
  expect(Mesh::coordinates_of(6), "(1, 0, 2)");
  expect(axial::Coordinates<axial::Mesh<>>{}, "()");
  expect(Mesh::all_coordinates(),
         "[(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 0, 3), (1, 0, 0), (1, 0, 1), (1, 0, 2), (1, 0, 3)]");
  expect(Mesh::group_of<"dp">(6), "[2, 6]");
  expect(Mesh::groups<"dp">(), "[[0, 4], [1, 5], [2, 6], [3, 7]]");
  expect(Mesh::groups<"dp", "tp">(), "[[0, 1, 2, 3, 4, 5, 6, 7]]");
  expect(Mesh::shard<"dp">(5, 1), "[3, 5)");
  expect(axial::List{1.0, -0.25, 1e300, 0.1}, "[1, -0.25, 1e+300, 0.1]");
  expect(axial::List{0.1f, 3.0f}, "[0.1, 3]");
  expect(axial::List{0.1L, -1e-4000L}, "[0.1, -1e-4000]");
  expect(axial::List{true, false}, "[1, 0]");
  expect(axial::List{"a", "b"}, "[a, b]");
  expect(axial::List{axial::List{-1, 2}, axial::List{3, 4}}, "[[-1, 2], [3, 4]]");
  expect(axial::Layout{.modes = {{2, 4}, {2, 1}}, .count = 2}, "(2,2):(4,1)");
  expect(axial::Layout{.modes = {{4, 1}}, .count = 1}, "4:1");
  expect(axial::Layout{}, "1");
  expect(axial::Mode{4, 1}, "4:1");
}

/// Not a stream of the standard library: all that printing needs.
struct Tape {
  std::string text;
  Tape& write(const char* from, long count) { return text.append(from, static_cast<std::size_t>(count)), *this; }
  Tape& flush() { return *this; }
};

BOOST_AUTO_TEST_CASE(any_class_with_write_and_flush_is_a_stream) {
  Tape tape;
  tape << Mesh{} << Mesh::shape() << Mesh::names()[0];
  BOOST_TEST(tape.text == "Mesh(dp=2, cp=1, tp=4)[2, 1, 4]dp");
}

}  // namespace
