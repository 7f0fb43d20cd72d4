// SPDX-License-Identifier: BSL-1.0
// The arguments that several subcommands share.
#include <memory>
#include <string>

#include "subcommands.hpp"

import tool.mesh;

CLI::App& add_mesh_subcommand(CLI::App& program, const std::string& name, const std::string& meaning,
                              const std::shared_ptr<MeshArguments>& arguments) {
  CLI::App& subcommand = *program.add_subcommand(name, meaning);
  subcommand.add_option("MESH", arguments->words, "as in pp=2,dp=4,tp=8 or dp=*,tp=8; then the steps")->type_name("");
  subcommand.add_option("--world", arguments->world, "the number of ranks")->type_name("N");
  subcommand.footer(tool::NamedMesh::steps_help());
  return subcommand;
}

void add_axis_option(CLI::App& subcommand, MeshArguments& arguments) {
  subcommand.add_option("--axis", arguments.axis, "the axis, or several as in tp,dp, the first outermost")
      ->type_name("NAME");
}

void add_formats(CLI::App& subcommand, MeshArguments& arguments) {
  CLI::Option* tsv = subcommand.add_flag("--tsv", arguments.tsv, "print lines for machines");
  subcommand.add_flag("--json", arguments.json, "print JSON")->excludes(tsv);
}
