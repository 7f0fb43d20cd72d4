// SPDX-License-Identifier: BSL-1.0
#include <boost/test/unit_test.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

import axial;

namespace {

using axial::Dim, axial::Mesh;
using A = Mesh<Dim<"dp", 4>, Dim<"tp", 2>>;
using B = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
using C = Mesh<Dim<"dp", 8>>;

std::string chosen(const std::string& text) {
  return axial::dispatch<A, B, C>(text, [](auto mesh) { return std::string(axial::to_string(mesh)); });
}

BOOST_AUTO_TEST_CASE(the_mesh_that_the_text_names_is_called) {
  BOOST_TEST(chosen("dp=4,tp=2") == "Mesh(dp=4, tp=2)");
  BOOST_TEST(chosen("dp=2,tp=4") == "Mesh(dp=2, tp=4)");
  BOOST_TEST(chosen("dp=8") == "Mesh(dp=8)");
  BOOST_TEST(chosen("  dp = 2 ,tp=4 ") == "Mesh(dp=2, tp=4)");
  BOOST_TEST(chosen("dp=02,tp=4") == "Mesh(dp=2, tp=4)");
}

BOOST_AUTO_TEST_CASE(the_body_uses_tags_without_the_word_template) {
  constexpr auto tp = axial::axis<"tp">;
  BOOST_TEST(
      (axial::dispatch<A, B>("dp=2,tp=4", [=](auto mesh) { return mesh.extent(tp) + mesh.submesh(tp).size(); })) == 8u);
}

BOOST_AUTO_TEST_CASE(the_result_is_what_the_function_returns) {
  unsigned calls = 0;
  axial::dispatch<A, B>("dp=2,tp=4", [&](auto) { ++calls; });
  BOOST_TEST(calls == 1u);
  axial::dispatch<A, B>("dp=2,tp=4", [&](auto) -> unsigned& { return calls; }) = 7;
  BOOST_TEST(calls == 7u);
  BOOST_TEST(*axial::dispatch<A>("dp=4,tp=2", [](auto mesh) { return std::make_unique<unsigned>(mesh.size()); }) == 8u);
  BOOST_TEST((axial::dispatch<A, B>("dp=2,tp=4",
                                    [own = std::make_unique<int>(3)](auto) mutable { return *std::move(own); })) == 3);
  BOOST_CHECK_THROW(axial::dispatch<A>("dp=4,tp=2", [](auto) { throw std::logic_error("mine"); }), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_sub_mesh_is_named_by_its_own_dimensions) {
  using Rows = decltype(B::submesh<"tp">());
  BOOST_TEST((axial::dispatch<A, Rows>("tp=4", [](auto mesh) { return mesh.copies(); })) == 2u);
}

struct Refusal {
  std::string text, message;
};

BOOST_AUTO_TEST_CASE(a_text_that_names_none_of_the_meshes_is_an_error_that_lists_them) {
  const std::string legal = "; the meshes are: dp=4,tp=2; dp=2,tp=4; dp=8";
  const std::string other = " is none of the meshes";
  const std::string form = " is no mesh: write NAME=EXTENT, separated by commas, each extent from 1 to 2147483647";
  const Refusal refusals[] = {
      {"dp=3,tp=2", "\"dp=3,tp=2\"" + other},
      {"tp=2,dp=4", "\"tp=2,dp=4\"" + other},  // order is part of a mesh
      {"dp=4", "\"dp=4\"" + other},
      {"dp=4,tp=2,x=1", "\"dp=4,tp=2,x=1\"" + other},
      {"DP=8", "\"DP=8\"" + other},
      {"dp=2147483647", "\"dp=2147483647\"" + other},
      {"dp=2147483648", "\"dp=2147483648\"" + form},
      {"", "\"\"" + form},
      {"4x2", "\"4x2\"" + form},
      {"dp=4,", "\"dp=4,\"" + form},
      {"dp=4 tp=2", "\"dp=4 tp=2\"" + form},
      {"=4", "\"=4\"" + form},
      {"dp=", "\"dp=\"" + form},
      {"dp=0", "\"dp=0\"" + form},
      {"dp=-8", "\"dp=-8\"" + form},
      {"dp=8.0", "\"dp=8.0\"" + form},
      {"dp=4294967304", "\"dp=4294967304\"" + form},                      // 2^32 + 8
      {"dp=18446744073709551624", "\"dp=18446744073709551624\"" + form},  // 2^64 + 8
  };
  for (const auto& [text, message] : refusals) {
    const auto says = [&, &wanted = message](const axial::MeshError& error) {
      BOOST_TEST(error.what() == wanted + legal);
      return !error.on_all_ranks();
    };
    BOOST_CHECK_EXCEPTION(chosen(text), axial::MeshError, says);
  }
}

BOOST_AUTO_TEST_CASE(a_text_of_more_dimensions_than_a_mesh_can_have_is_refused) {
  std::string text = "d=1";
  for (int i = 0; i < 200; ++i) text += ",d=1";
  BOOST_CHECK_THROW(chosen(text), axial::MeshError);
}

}  // namespace
