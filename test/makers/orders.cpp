// SPDX-License-Identifier: BSL-1.0
// Orders of dimensions as Megatron spells them: the mesh types, and what is said of an order that is none.
module;
#include <concepts>
#include <string_view>

module axial;

namespace axial {
namespace {

template <class A, class B>
consteval bool same(A, B) {
  return std::same_as<A, B>;
}

// The leftmost varies fastest, so it comes last; in which order the dimensions are given does not matter.
using TpFirst = mesh_from_order<"tp-cp-ep-dp-pp", Dim<"tp", 2>, Dim<"cp", 1>, Dim<"ep", 1>, Dim<"dp", 2>, Dim<"pp", 4>>;
static_assert(same(TpFirst{}, Mesh<Dim<"pp", 4>, Dim<"dp", 2>, Dim<"ep", 1>, Dim<"cp", 1>, Dim<"tp", 2>>{}));
static_assert(
    same(TpFirst{},
         mesh_from_order<"tp-cp-ep-dp-pp", Dim<"dp", 2>, Dim<"ep", 1>, Dim<"pp", 4>, Dim<"cp", 1>, Dim<"tp", 2>>{}));
static_assert(same(mesh_from_order<"tp-pp-dp", Dim<"tp", 2>, Dim<"dp", 3>, Dim<"pp", 4>>{},
                   Mesh<Dim<"dp", 3>, Dim<"pp", 4>, Dim<"tp", 2>>{}));
static_assert(same(mesh_from_order<"tp", Dim<"tp", 8>>{}, Mesh<Dim<"tp", 8>>{}));

// The published example of 16 ranks with tp=2, pp=4.
static_assert(TpFirst::groups<"tp">() == List{List{0, 1}, List{2, 3}, List{4, 5}, List{6, 7}, List{8, 9}, List{10, 11},
                                              List{12, 13}, List{14, 15}});
static_assert(TpFirst::groups<"dp">() == List{List{0, 2}, List{1, 3}, List{4, 6}, List{5, 7}, List{8, 10}, List{9, 11},
                                              List{12, 14}, List{13, 15}});
static_assert(TpFirst::groups<"pp">() ==
              List{List{0, 4, 8, 12}, List{1, 5, 9, 13}, List{2, 6, 10, 14}, List{3, 7, 11, 15}});

// Whole tokens are compared, case counts, and one name may be a part of another.
static_assert(same(mesh_from_order<"gtp_remat-tp", Dim<"tp", 2>, Dim<"gtp_remat", 3>>{},
                   Mesh<Dim<"tp", 2>, Dim<"gtp_remat", 3>>{}));
static_assert(same(mesh_from_order<"tp-TP-t-p", Dim<"t", 2>, Dim<"p", 3>, Dim<"tp", 4>, Dim<"TP", 5>>{},
                   Mesh<Dim<"p", 3>, Dim<"t", 2>, Dim<"TP", 5>, Dim<"tp", 4>>{}));

// As a value: token i from the left is dimension at[i].
constexpr NameView names[] = {"tp", "dp", "pp"};
constexpr ParsedOrder parsed = parse_order("pp-tp-dp", names, 3);
static_assert(parsed.picked.ok() && parsed.picked.count == 3 && parsed.picked.at[0] == 2 && parsed.picked.at[1] == 0 &&
              parsed.picked.at[2] == 1 && parsed.tokens[1].name == "tp");

consteval bool says(NameView order, std::string_view wanted, unsigned count = 3) {
  const ParsedOrder wrong = parse_order(order, names, count);
  const Message text = explain(wrong, order, names, count);
  return wrong.picked.ok() == wanted.empty() && std::string_view(text.data(), text.size()) == wanted;
}
static_assert(says("tp-dp-pp", "") && says("pp-dp-tp", "") && says("tp", "", 1));
static_assert(says("tp-dpp-pp",
                   R"(mesh has no dimension "dpp"; its dimensions are "tp", "dp", "pp" (did you mean "dp"?))"));
static_assert(says("gtp_remat-dp-pp", R"(mesh has no dimension "gtp_remat"; its dimensions are "tp", "dp", "pp")"));
static_assert(says("tp_dp_pp", R"(mesh has no dimension "tp_dp_pp"; its dimensions are "tp", "dp", "pp")"));
static_assert(says("tp- dp-pp",
                   R"(mesh has no dimension " dp"; its dimensions are "tp", "dp", "pp" (did you mean "dp"?))"));
static_assert(says("tp", R"(mesh has no dimension "tp"; it has no dimensions)", 0));
static_assert(says("tp-tp-dp-pp",
                   R"(order "tp-tp-dp-pp" names dimension "tp" twice; the dimensions are "tp", "dp", "pp")"));
static_assert(says("tp-dp-pp-dp-tp-x-y",
                   R"(order "tp-dp-pp-dp-tp-x-y" names dimension "dp" twice; the dimensions are "tp", "dp", "pp")"));
static_assert(says("tp-pp",
                   R"(order "tp-pp" leaves out dimension "dp"; it names each of them once: "tp", "dp", "pp")"));
static_assert(says("tp", R"(order "tp" leaves out dimension "dp"; it names each of them once: "tp", "dp", "pp")"));
static_assert(says("tp--dp-pp", R"(order "tp--dp-pp" has an empty token; the dimensions are "tp", "dp", "pp")"));
static_assert(says("-tp-dp-pp", R"(order "-tp-dp-pp" has an empty token; the dimensions are "tp", "dp", "pp")"));
static_assert(says("tp-dp-pp-", R"(order "tp-dp-pp-" has an empty token; the dimensions are "tp", "dp", "pp")"));
static_assert(says("-", R"(order "-" has an empty token; the dimensions are "tp", "dp", "pp")"));
static_assert(says("", R"(order "" has an empty token; the dimensions are "tp", "dp", "pp")"));
static_assert(says("", R"(order "" has an empty token)", 0));
// The first mistake from the left is said.
static_assert(says("dpp--tp",
                   R"(mesh has no dimension "dpp"; its dimensions are "tp", "dp", "pp" (did you mean "dp"?))"));
static_assert(says("--dpp", R"(order "--dpp" has an empty token; the dimensions are "tp", "dp", "pp")"));

// The culprit as a number: of a token, or of the dimension left out.
static_assert(parse_order("tp-dpp-pp", names, 3).picked.culprit == 1 &&
              parse_order("tp-dp-tp", names, 3).picked.culprit == 2 &&
              parse_order("tp-pp", names, 3).picked.culprit == 1);

// As many dimensions as a mesh can have, and one token more.
consteval bool names_all_dimensions(bool and_one_again) {
  char text[2 * (max_dimensions + 1)] = {};
  NameView many[max_dimensions];
  for (unsigned i = 0; i <= max_dimensions; ++i) text[2 * i] = static_cast<char>('0' + i), text[2 * i + 1] = '-';
  text[2 * max_dimensions] = '0';
  for (unsigned i = 0; i < max_dimensions; ++i) many[i] = NameView(text + 2 * i, 1);
  const ParsedOrder order =
      parse_order(NameView(text, 2 * max_dimensions - 1 + 2 * and_one_again), many, max_dimensions);
  if (and_one_again) return order.picked.problem == Problem::repeated && order.picked.culprit == max_dimensions;
  return order.picked.ok() && order.picked.count == max_dimensions && order.picked.at[63] == 63;
}
static_assert(names_all_dimensions(false) && names_all_dimensions(true));

}  // namespace
}  // namespace axial
