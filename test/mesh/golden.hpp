// SPDX-License-Identifier: BSL-1.0
// What the replays of test/data share: tables as rows of text, cells written as in them, programs taken apart.
#pragma once
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <map>
#include <optional>
#include <range/v3/algorithm/find.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/split.hpp>
#include <range/v3/view/zip.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace golden {

using Row = std::map<std::string, std::string>;  // by column

inline std::vector<std::string> split(const std::string& text, char at) {
  return text | ranges::views::split(at) | ranges::to<std::vector<std::string>>();
}

inline std::vector<Row> rows_of(const std::string& file) {
  std::ifstream stream(AXIAL_TEST_DATA "/" + file);
  std::string line;
  std::getline(stream, line);
  const auto columns = split(line, '\t');
  std::vector<Row> rows;
  while (std::getline(stream, line)) {
    const auto cells = split(line, '\t');
    BOOST_REQUIRE(cells.size() == columns.size());
    rows.push_back(ranges::views::zip(columns, cells) | ranges::to<Row>());
  }
  return rows;
}

inline unsigned number(const std::string& text) { return static_cast<unsigned>(std::stoul(text)); }
inline std::vector<unsigned> numbers(const std::string& text, char between) {
  std::vector<unsigned> all;
  for (const std::string& each : split(text, between)) all.push_back(number(each));
  return all;
}

/// f(0) ... f(count - 1), with something between; `-` for nothing.
template <class F>
std::string join(std::size_t count, const char* between, F f) {
  std::string text = count == 0 ? "-" : "";
  for (unsigned i = 0; i < count; ++i) text += (i ? between : "") + f(i);
  return text;
}
inline std::string list(const std::vector<unsigned>& numbers) {
  return join(numbers.size(), ",", [&](unsigned i) { return std::to_string(numbers[i]); });
}
inline std::string lists(const std::vector<std::vector<unsigned>>& all) {
  return join(all.size(), ";", [&](unsigned i) { return list(all[i]); });
}

/// Compares cells with those of a row, whose question is its first column.
inline void compare(const Row& row, const Row& cells, const std::string& question) {
  BOOST_TEST_CONTEXT(question << (row.contains("rank") ? ", rank " + row.at("rank") : ""))
  for (const auto& [column, cell] : cells)
    BOOST_TEST(cell == row.at(column), column << ": " << cell << ", not " << row.at(column));
}

/// The numbers of a table's mesh: its ranks in row-major order and, since it may be smaller than its world, the member
/// that each is: the ranks in increasing order are the members 0, 1, 2 ... of a root of their own.
struct Members {
  std::vector<unsigned> ranks;  // by member
  std::vector<unsigned> table;  // the member at each position

  Members(const std::string& text, unsigned size) {
    for (unsigned i = 0; i < size; ++i) ranks.push_back(i);
    table = ranks;
    if (text == "-") return;
    table = ranks = numbers(text, ',');
    std::sort(ranks.begin(), ranks.end());
    for (unsigned& rank : table) rank = *of(rank);
  }
  /// The member that a rank of the world is, if it is one.
  std::optional<unsigned> of(unsigned rank) const {
    const auto found = ranges::find(ranks, rank);
    if (found == ranks.end()) return std::nullopt;
    return static_cast<unsigned>(found - ranks.begin());
  }
};

/// One statement of a program, `result=operation(arguments)`; arguments of arguments are separated by + or x.
struct Statement {
  std::string_view result, operation;
  std::array<std::string_view, 6> arguments;
  std::size_t count = 0;
};
struct Program {
  std::array<Statement, 6> statements;
  std::size_t count = 0;
};

/// Cuts the text in front of a separator off, or all of it.
constexpr std::string_view cut(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view front = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return front;
}

constexpr Program parse(std::string_view text) {
  Program program;
  while (!text.empty()) {
    std::string_view statement = cut(text, ';');
    Statement& parsed = program.statements[program.count++];
    parsed.result = cut(statement, '=');
    parsed.operation = cut(statement, '(');
    statement = cut(statement, ')');
    while (!statement.empty()) parsed.arguments[parsed.count++] = cut(statement, ',');
  }
  return program;
}

constexpr unsigned to_unsigned(std::string_view digits) {
  unsigned value = 0;
  for (const char digit : digits) value = value * 10 + static_cast<unsigned>(digit - '0');
  return value;
}

}  // namespace golden
