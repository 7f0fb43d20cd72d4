// SPDX-License-Identifier: BSL-1.0
// `axial draw`: a mesh as an SVG picture.
#include <memory>
#include <string>

#include "subcommands.hpp"

import axial;
import tool.mesh;
import tool.output;
import tool.picture;

namespace {

constexpr unsigned most_ranks = 4096;

struct DrawArguments : MeshArguments {
  std::string node;
  std::string file;
};

void print(const DrawArguments& arguments) {
  const tool::NamedMesh mesh(arguments.words, tool::read_world(arguments.world));
  const tool::Groups groups = mesh.groups(arguments.axis);
  const unsigned ranks = mesh.layout().ranks;
  if (ranks > most_ranks)
    throw tool::BadInput("draw shows up to " + std::to_string(most_ranks) + " ranks, and the mesh has " +
                         std::to_string(ranks));
  const auto node = arguments.node.empty() ? 0 : tool::read_number("--node", arguments.node, 1, axial::max_ranks);
  tool::Output out(arguments.file);
  const std::string along = arguments.axis.empty() ? std::string(mesh.layout().names[0]) : arguments.axis;
  put_picture(out, mesh, groups, along, static_cast<unsigned>(node));
  out.finish();
}

}  // namespace

void add_draw(CLI::App& program) {
  const auto arguments = std::make_shared<DrawArguments>();
  CLI::App& draw = add_mesh_subcommand(program, "draw", "an SVG picture of the mesh, coloured by group", arguments);
  add_axis_option(draw, *arguments);
  draw.add_option("--node", arguments->node, "outline the nodes, each of N consecutive ranks")->type_name("N");
  draw.add_option("-o,--output", arguments->file, "a file in place of the standard output")->type_name("FILE");
  draw.callback([arguments] { print(*arguments); });
}
