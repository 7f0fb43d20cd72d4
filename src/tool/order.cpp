// SPDX-License-Identifier: BSL-1.0
// `axial order`: the mesh in the spellings of other systems, and read from them.
#include <memory>
#include <string>

#include "subcommands.hpp"

import tool.mesh;
import tool.output;
import tool.spelling;

namespace {

void print_table(tool::Output& out, const tool::NamedMesh& mesh) {
  out << "axial     " << mesh.text() << "\n";
  for (const tool::System& system : tool::systems) {
    const tool::Spelling spelling = system.write(mesh);
    out << tool::padded(system.label, 10, true);
    out << (spelling.reason.empty() ? spelling.text : "cannot say it: " + spelling.reason) << "\n";
  }
}

void print_lines(tool::Output& out, const tool::NamedMesh& mesh) {
  out << "axial\t" << mesh.text() << "\n";
  for (const tool::System& system : tool::systems) {
    const tool::Spelling spelling = system.write(mesh);
    out << system.key << "\t" << (spelling.reason.empty() ? spelling.text : "-") << "\n";
  }
}

void print_json(tool::Output& out, const tool::NamedMesh& mesh) {
  out << "{\"axial\": " << tool::json(mesh.text());
  for (const tool::System& system : tool::systems) {
    const tool::Spelling spelling = system.write(mesh);
    out << ",\n \"" << system.key << "\": " << (spelling.reason.empty() ? tool::json(spelling.text) : "null");
  }
  out << "}\n";
}

void print(const MeshArguments& arguments, const std::string& from) {
  auto words = from.empty() ? arguments.words : tool::read_spelling(from, arguments.words);
  const tool::NamedMesh mesh(std::move(words), tool::read_world(arguments.world));
  tool::Output out;
  (arguments.json ? print_json : arguments.tsv ? print_lines : print_table)(out, mesh);
  out.finish();
}

}  // namespace

void add_order(CLI::App& program) {
  const auto arguments = std::make_shared<MeshArguments>();
  const auto from = std::make_shared<std::string>();
  CLI::App& order =
      add_mesh_subcommand(program, "order", "the mesh as PyTorch, JAX, Megatron, MPI and C++ spell it", arguments);
  order.add_option("--from", *from, "read the mesh in one of the spellings below; steps may follow")
      ->type_name("SYSTEM:SPELLING");
  add_formats(order, *arguments);
  order.footer(tool::NamedMesh::steps_help() + "\n" + tool::spellings_help());
  order.callback([arguments, from] { print(*arguments, *from); });
}
