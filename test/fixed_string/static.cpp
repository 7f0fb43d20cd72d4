// SPDX-License-Identifier: BSL-1.0
// Names, the text of diagnostics, and which name was probably meant.
module;
#include <climits>
#include <string_view>
#include <type_traits>

#include "../support/first_wrong.hpp"

module axial;

namespace axial {
namespace {

// Names compare by their letters, with all that spells a name.
constexpr NameView tp = "tp";
static_assert(tp == "tp" && "tp" == tp && tp != "tq" && "tp_" != tp && tp != "");
static_assert(tp == std::string_view("tp") && std::string_view("t") != tp);
static_assert(tp == fixed_string("tp") && fixed_string("tp") == tp && fixed_string("dp") != fixed_string("dp2"));
static_assert(tp.size() == 2 && !tp.empty() && tp[1] == 'p' && *tp.begin() == 't' && tp.end() == tp.data() + 2);
static_assert(NameView() == "" && NameView().empty());
static_assert([](NameView none) { return none.begin() == none.end(); }({}));
static_assert(NameView(std::string_view("a\0b", 3)).size() == 3 && NameView(std::string_view("a\0b", 3)) != "a");

// A name is a value of the type system; a position stands in for one.
static_assert(std::is_same_v<decltype(axis<"tp">), const axis_tag<"tp">> && std::is_empty_v<axis_tag<"tp">>);
static_assert(!std::is_same_v<axis_tag<"tp">, axis_tag<"tq">> && !std::is_same_v<axis_tag<"0">, axis_tag<0>>);
static_assert(std::is_same_v<axis_tag<0>, axis_tag<0u>> && std::is_same_v<axis_tag<0>, axis_tag<0ull>>);
static_assert(fixed_string(-1).index == -1 && fixed_string(-1).view().empty());

template <class... Parts>
consteval bool reads(std::string_view wanted, const Parts&... parts) {
  Message text;
  (put(text, parts), ...);
  return wanted == std::string_view(text.data(), text.size());
}
static_assert(reads("ranks: 0 of 8", NameView("ranks: "), 0u, NameView(" of "), 8));
static_assert(reads("-9223372036854775808 18446744073709551615", LLONG_MIN, NameView(" "), ULLONG_MAX));
static_assert(reads("-128 65 1", static_cast<signed char>(-128), NameView(" "), 'A', NameView(" "), true));
static_assert(reads(""));

constexpr NameView mesh_names[] = {"dp", "cp_shard", "tp"};
static_assert([] {
  Message text;
  put_quoted(text, mesh_names, 3);
  return std::string_view(text.data(), text.size()) == R"("dp", "cp_shard", "tp")";
}());

// A text that is too long ends in dots, and stays within its buffer whatever is written afterwards.
static_assert([] {
  Message text;
  for (int i = 0; i < 600; ++i) put(text, NameView("0123456789"));
  return text.size() < sizeof text.text && std::string_view(text.data(), text.size()).ends_with("6789...");
}());

struct Distance {
  NameView a, b;
  unsigned edits;
};
constexpr Distance distances[] = {
    {"", "", 0},           {"tp", "tp", 0},         {"tp", "", 2},    {"tp", "tq", 1},
    {"tp", "t", 1},        {"tp", "tpp", 1},        {"tp", "pt", 1},  {"tp", "TP", 0},
    {"dp", "tp", 1},       {"abc", "cab", 2},       {"dp", "pp", 1},  {"pipe", "pie", 1},
    {"model", "mdoel", 1}, {"data", "dtaa", 1},     {"ca", "abc", 3}, {"kitten", "sitting", 3},
    {"shard", "SHRAD", 1}, {"abcdef", "badcfe", 3}, {"x", "y", 1},
};
static_assert(first_wrong(distances, [](const Distance& d) {
                return edit_distance(d.a, d.b) == d.edits && edit_distance(d.b, d.a) == d.edits;
              }) == all);
static_assert(edit_distance("0123456789012345678901234567890", "0123456789012345678901234567890") == 0);
static_assert(edit_distance("01234567890123456789012345678901", "01234567890123456789012345678901") == ~0u);

struct Guess {
  NameView wanted, meant;  // an empty one: none is near
};
constexpr NameView names[] = {"dp", "cp", "tp", "pipeline", "x"};
constexpr Guess guesses[] = {
    {"tq", "tp"},
    {"TP", "tp"},
    {"pt", "tp"},
    {"t", "tp"},
    {"tpp", "tp"},
    {"dp_", "dp"},
    {"pipelin", "pipeline"},
    {"Pipeline", "pipeline"},
    {"pipelnie", "pipeline"},
    {"pieplnie", "pipeline"},
    {"batch", ""},
    {"", ""},
    {"y", ""},
    {"model", ""},
    {"line", ""},
    {"tensor", ""},
    {"xx", ""},
    {"d", "dp"},
    {"ep", "dp"},
};
static_assert(first_wrong(guesses, [](const Guess& guess) {
                const std::size_t nearest = nearest_name(guess.wanted, names, std::size(names));
                return (nearest == std::size(names) ? NameView() : names[nearest]) == guess.meant;
              }) == all);
static_assert(nearest_name("tp", nullptr, 0) == 0);

}  // namespace
}  // namespace axial
