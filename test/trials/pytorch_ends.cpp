// SPDX-License-Identifier: BSL-1.0
// Reports on PyTorch's DeviceMesh about ranks that leave or do not come, as programs, chosen by the first argument.
// TRIALS.md lists all of them, CMakeLists.txt says how each must end.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string_view>
#include <thread>

import axial;

using axial::Dim, axial::Mesh, axial::Environment, axial::init_device_mesh, axial::plus;
using std::chrono::milliseconds, std::chrono::seconds;

namespace {

using M22 = Mesh<Dim<"dp", 2>, Dim<"tp", 2>>;
using M24 = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;

void say(const char* text) {
  std::fprintf(stderr, "%s\n", text);  // one call, one line
}

/// flashinfer PR #4206: creation does not return on one rank while another still needs it.
void rank_0_ends_at_once(Environment& env) {
  const auto mesh = init_device_mesh<M22>(env.world());
  if (mesh.rank() == 0) return;
  std::this_thread::sleep_for(milliseconds(5));
  if (mesh.local_rank<"dp">() == 1 && mesh.all_reduce<"tp">(mesh.rank().value(), plus) != 5) say("failed: the sum");
}

/// pytorch#173815, PR #189655, #119797: one abort of all axes, flattened ones included, though a rank is gone.
void abort_while_a_rank_is_gone(Environment& env) {
  const auto mesh = init_device_mesh<M24>(env.world());
  const auto flat = mesh.flatten();
  if (mesh.rank() == 3) _exit(0);
  mesh.abort();
  try {
    flat.all_reduce(1, plus);
  } catch (const axial::MeshError& error) {
    say(error.what());
  }
  _exit(0);  // MPI_Finalize would wait for the rank that is gone
}

/// All ranks but one reduce, under a deadline of one second; the last does not come.
template <class M>
void reduce_without_rank_3(const axial::DeviceMesh<M>& mesh) {
  if (mesh.rank() != 3) try {
      mesh.all_reduce(1, plus);
    } catch (const axial::Timeout& timeout) {
      say(timeout.what());
    }
  mesh.abort();
}

/// Automodel PR #2846, pytorch#119574, #119613, #120847, PR #180967: a flattened axis has the deadline of its mesh.
void a_flattened_axis_times_out(Environment& env) {
  reduce_without_rank_3(init_device_mesh<M22>(env.world(), {.timeout = seconds(1)}).flatten());
}

/// pytorch#156593: so has the only axis of a mesh on all ranks.
void the_only_axis_times_out(Environment& env) {
  reduce_without_rank_3(init_device_mesh<Mesh<Dim<"x", 4>>>(env.world(), {.timeout = seconds(1)}));
}

struct Scenario {
  std::string_view name;
  void (*main)(Environment&);
};
const Scenario scenarios[] = {{"rank_0_ends_at_once", rank_0_ends_at_once},
                              {"abort_while_a_rank_is_gone", abort_while_a_rank_is_gone},
                              {"a_flattened_axis_times_out", a_flattened_axis_times_out},
                              {"the_only_axis_times_out", the_only_axis_times_out}};

}  // namespace

int main(int argc, char** argv) {
  for (const Scenario& scenario : scenarios)
    if (argc > 1 && scenario.name == argv[1]) return axial::run(argc, argv, scenario.main);
  return 2;
}
