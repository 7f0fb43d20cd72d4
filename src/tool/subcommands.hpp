// SPDX-License-Identifier: BSL-1.0
// The subcommands. Each `add_...` declares one to the program, with what it does when it is called.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

/// What most subcommands take.
struct MeshArguments {
  std::vector<std::string> words;  ///< the mesh and its steps
  std::string world;
  std::string axis;
  bool tsv = false;
  bool json = false;
};

/// Adds a subcommand with `MESH [STEP...]` and `--world`; `use` gets the arguments that were given.
CLI::App& add_mesh_subcommand(CLI::App& program, const std::string& name, const std::string& meaning,
                              const std::shared_ptr<MeshArguments>& arguments);
void add_axis_option(CLI::App& subcommand, MeshArguments& arguments);
void add_formats(CLI::App& subcommand, MeshArguments& arguments);

void add_show(CLI::App& program);
void add_groups(CLI::App& program);
void add_coords(CLI::App& program);
void add_order(CLI::App& program);
void add_draw(CLI::App& program);
/// `status` becomes 1 where a rule is violated.
void add_check(CLI::App& program, int& status);
