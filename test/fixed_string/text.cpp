// SPDX-License-Identifier: BSL-1.0
#include <boost/test/unit_test.hpp>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

import axial;

namespace {

using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
const std::string wanted = "Mesh(dp=2, tp=4)";

BOOST_AUTO_TEST_CASE(a_text_compares_with_all_that_spells_text) {
  const auto text = axial::to_string(Mesh{});
  BOOST_TEST(text == axial::to_string(Mesh{}));
  BOOST_TEST(text == wanted);
  BOOST_TEST(wanted == text);
  BOOST_TEST(axial::to_string(Mesh{}) == std::string(wanted));
  BOOST_TEST(std::string(wanted) == axial::to_string(Mesh{}));
  BOOST_TEST(text == "Mesh(dp=2, tp=4)");
  BOOST_TEST("Mesh(dp=2, tp=4)" == text);
  BOOST_TEST(text == std::string_view(wanted));
  BOOST_TEST(text != "Mesh(dp=2, tp=8)");
  BOOST_TEST(text != wanted + " ");
}

BOOST_AUTO_TEST_CASE(a_text_is_a_standard_string) {
  std::string text = axial::to_string(Mesh{});
  text += axial::to_string(Mesh::shape());
  BOOST_TEST(text == wanted + "[2, 4]");
  BOOST_TEST("mesh: " + axial::to_string(Mesh{}) == "mesh: " + wanted);
  std::map<std::string, int> counts;
  ++counts[axial::to_string(Mesh{})];
  BOOST_TEST(counts.count(wanted) == 1u);
}

BOOST_AUTO_TEST_CASE(a_name_goes_where_text_goes) {
  const auto name = Mesh::names()[1];
  std::string text(name);
  text += name;
  BOOST_TEST(text == "tptp");
  BOOST_TEST(axial::to_string(name) == "tp");
  std::ostringstream stream;
  stream << name << ' ' << axial::to_string(Mesh::names()) << ' ' << axial::NameView("b");
  BOOST_TEST(stream.str() == "tp [dp, tp] b");
  BOOST_TEST(name == std::string("tp"));
  BOOST_TEST(std::string("dp") != name);
}

}  // namespace
