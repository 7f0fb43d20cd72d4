// SPDX-License-Identifier: BSL-1.0
// The tool `axial`: what the library knows of a mesh that is given as text.
// Exit codes: 0; 1 where `check` finds a rule violated; 2 for bad input, with one line that says what is wrong.
#include <cstdio>
#include <exception>
#include <new>
#include <range/v3/algorithm/contains.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/transform.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "subcommands.hpp"

import tool.mesh;
import tool.output;

namespace {

namespace views = ranges::views;

constexpr int bad_input = 2;

/// Prints one line, whatever the words hold that it quotes.
int complain(std::string_view text) {
  std::string line = "axial: ";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    constexpr std::string_view digits = "0123456789abcdef";
    if (byte >= ' ' && byte != 0x7f)
      line += c;
    else
      line.append("\\x") += {digits[byte / 16], digits[byte % 16]};
  }
  std::fprintf(stderr, "%s\n", line.c_str());
  return bad_input;
}

std::vector<std::string> names_of_subcommands(const CLI::App& program) {
  const auto all = program.get_subcommands({});
  return all | views::transform([](const CLI::App* one) { return one->get_name(); }) | ranges::to<std::vector>();
}

std::vector<std::string> names_of_options(const CLI::App& subcommand) {
  const auto all = subcommand.get_options();
  return all | views::filter([](const CLI::Option* one) { return one->nonpositional(); }) |
         views::transform([](const CLI::Option* one) { return one->get_name(); }) | ranges::to<std::vector>();
}

int refuse(const CLI::App& program, const CLI::ParseError& error) {
  const auto called = program.get_subcommands();
  const CLI::App& at_fault = called.empty() ? program : *called.front();
  const auto left = at_fault.remaining();
  if (!left.empty())
    return complain(tool::no_such(left.front(), "option of " + at_fault.get_name(), names_of_options(at_fault)));
  return complain(error.what());
}

int run(int argc, char** argv, int& status) {
  CLI::App program("Named device meshes: what axial knows of a mesh that is given as text.", "axial");
  program.set_version_flag("--version", "axial " AXIAL_VERSION);
  program.require_subcommand(1);
  add_show(program);
  add_groups(program);
  add_coords(program);
  add_order(program);
  add_draw(program);
  add_check(program, status);

  const auto subcommands = names_of_subcommands(program);
  if (argc < 2)
    return complain("the subcommand is missing; there are " + tool::listed(subcommands) + "; see axial --help");
  const std::string_view first = argv[1];
  if (!first.starts_with('-') && !ranges::contains(subcommands, first))
    return complain(tool::no_such(first, "subcommand", subcommands));
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& shown) {  // --help, --version
    return program.exit(shown);
  } catch (const CLI::ParseError& error) {
    return refuse(program, error);
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  int status = 0;
  try {
    return run(argc, argv, status);
  } catch (const tool::BadInput& problem) {
    return complain(problem.what());
  } catch (const tool::OutputClosed&) {
    return status;
  } catch (const std::bad_alloc&) {
    return complain("not enough memory");
  }
}
