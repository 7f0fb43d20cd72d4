// SPDX-License-Identifier: BSL-1.0
// Reports at run time: from numbers that a program was started with, and from a mesh.
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <string>

import axial;

namespace numbers = axial::numbers;

namespace {

auto report_on(axial::Count heads, axial::Count layers, unsigned tp, unsigned pp) {
  return axial::Report(numbers::divides({"heads", heads}, {"tp", tp}), numbers::layers({"layers", layers}, {"pp", pp}),
                       numbers::needs({"tp", tp}, "sequence parallelism"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_report_lists_all_violations_a_line_for_each) {
  const auto report = report_on(28, 30, 8, 4);
  BOOST_TEST(report.size() == 2u);
  BOOST_TEST(!report.ok());
  const std::string text =
      "1. divides: heads = 28 is not divisible by tp = 8; nearest legal heads: 24 and 32; nearest legal tp: 7 and 14\n"
      "2. layers: layers = 30 is not divisible by pp = 4; nearest legal layers: 28 and 32; nearest legal pp: 3 and 5";
  BOOST_TEST(axial::to_string(report) == text);
  std::ostringstream out;
  out << report;
  BOOST_TEST(out.str() == text);
  unsigned count = 0;
  for (const axial::Finding& finding : report) {
    BOOST_TEST(!finding.ok());
    BOOST_TEST(text.find(axial::to_string(finding)) != text.npos);
    ++count;
  }
  BOOST_TEST(count == 2u);
}

BOOST_AUTO_TEST_CASE(a_report_without_violations_says_ok_and_requires_nothing) {
  const auto report = report_on(32, 32, 8, 4);
  BOOST_TEST(report.ok());
  BOOST_TEST(report.size() == 0u);
  BOOST_TEST(axial::to_string(report) == "ok");
  BOOST_TEST(axial::to_string(axial::Report<0>()) == "ok");
  BOOST_CHECK_NO_THROW(report.require());
}

BOOST_AUTO_TEST_CASE(what_is_required_and_violated_throws_all_violations_in_one_line) {
  const auto thrown = [](const auto& report) -> std::string {
    try {
      report.require();
    } catch (const axial::ConfigError& error) {
      const axial::Error& base = error;
      return base.what();
    }
    return "nothing";
  };
  BOOST_TEST(thrown(report_on(32, 30, 1, 4)) ==
             "2 violations: (1) layers = 30 is not divisible by pp = 4; nearest legal layers: 28 and 32; nearest legal "
             "pp: 3 and 5; "
             "(2) tp = 1 must be more than 1 for sequence parallelism; nearest legal tp: 2");
  BOOST_TEST(thrown(report_on(32, 32, 1, 4)) ==
             "tp = 1 must be more than 1 for sequence parallelism; nearest legal tp: 2");
  using M = axial::Mesh<axial::Dim<"tp", 1>>;
  BOOST_TEST(thrown(axial::check<M, axial::needs<"tp", "sequence parallelism">>::report()) ==
             thrown(report_on(32, 32, 1, 4)));
  BOOST_TEST(thrown(report_on(32, 32, 8, 4)) == "nothing");
}

BOOST_AUTO_TEST_CASE(a_thrown_line_has_all_violations_also_where_a_compiler_would_see_the_first_ones) {
  const axial::Finding one = numbers::divides({"heads", 28}, {"tp", 8});
  const axial::Report report(one, one, one, one, one, one, one, one, one, one, one, one);
  try {
    report.require();
    BOOST_ERROR("nothing was thrown");
  } catch (const axial::ConfigError& error) {
    const std::string text = error.what();
    BOOST_TEST(
        text.find(
            "(12) heads = 28 is not divisible by tp = 8; nearest legal heads: 24 and 32; nearest legal tp: 7 and 14") !=
        text.npos);
  }
}
