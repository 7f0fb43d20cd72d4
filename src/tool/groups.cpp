// SPDX-License-Identifier: BSL-1.0
// `axial groups`: the ranks of each group along an axis.
#include <memory>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/transform.hpp>
#include <string>

#include "subcommands.hpp"

import axial;
import tool.mesh;
import tool.output;

namespace {

namespace views = ranges::views;

void print(const MeshArguments& arguments) {
  const tool::NamedMesh mesh(arguments.words, tool::read_world(arguments.world));
  const tool::Groups groups = mesh.groups(arguments.axis);
  const auto ranks_of = [&](unsigned group) {
    return views::iota(0u, groups.extent()) |
           views::transform([&, group](unsigned i) { return groups.rank(group, i); });
  };
  const auto all = views::iota(0u, groups.count());
  tool::Output out;
  if (arguments.json) {
    put_json_head(out, mesh);
    out << ", \"groups\": [";
    put_list(out, all, ",", [&](unsigned group) {
      out << "\n  [";
      put_numbers(out, ranks_of(group), ", ");
      out << "]";
    });
    out << "\n]}\n";
  } else {
    const std::size_t width = std::to_string(groups.count() - 1).size();
    for (const unsigned group : all) {
      if (!arguments.tsv) out << tool::padded(std::to_string(group), width) << ": ";
      put_numbers(out, ranks_of(group), " ");
      out << "\n";
    }
  }
  out.finish();
}

}  // namespace

void add_groups(CLI::App& program) {
  const auto arguments = std::make_shared<MeshArguments>();
  CLI::App& groups = add_mesh_subcommand(program, "groups", "the ranks of each group along an axis", arguments);
  add_axis_option(groups, *arguments);
  add_formats(groups, *arguments);
  groups.callback([arguments] { print(*arguments); });
}
