// SPDX-License-Identifier: BSL-1.0
// Programs in which a call of MPI fails on one rank, or one rank does not come, where the ranks cannot agree on it:
// each must end in time, with the text of what happened.
#include <axial/ledger.hpp>
#include <optional>

#include "scenario.hpp"

using axial::ledger::delay_next, axial::ledger::fail_next;
using namespace std::chrono_literals;

namespace {

/// All ranks run f; on rank 1 the k-th call of a function of MPI fails.
template <class F>
int run_failing(const char* function, int k, F f) {
  return run([&](Environment& env) {
    if (is(1, env)) fail_next(function, k, MPI_ERR_NO_MEM);
    f(env.world());
    if (is(1, env)) std::fputs("failed: nothing was thrown\n", stderr);
    wait_for_ever();
  });
}

void create(const axial::CommunicatorView& world) { init_device_mesh<M>(world); }
void create_in_time(const axial::CommunicatorView& world) { init_device_mesh<M>(world, {.timeout = 2s}); }

/// All but rank 2 run f on a mesh with a deadline; what rank 0 throws leaves it, while the others wait.
template <class F>
int run_without_rank_2(F f) {
  return run([&](Environment& env) {
    const auto mesh = init_device_mesh<M>(env.world(), {.timeout = 800ms, .lazy = true});
    if (is(2, env)) wait_for_ever();
    try {
      f(env.world(), mesh);
    } catch (const axial::Timeout&) {
      if (is(0, env)) throw;
    }
    wait_for_ever();
  });
}

/// The first creation on a rank that is held up where MPI cannot be left.
void hold_up(const Environment& env) {
  if (is(2, env)) delay_next("MPI_Comm_create_group", 1, 1h);
}

const Scenario scenarios[] = {
    // The agreement itself fails on one rank.
    {"agreement_fails_on_one", [] { return run_failing("MPI_Allreduce", 1, create); }},
    {"completion_fails_on_one", [] { return run_failing("MPI_Allreduce", 2, create); }},
    {"receive_of_agreement_fails_on_one", [] { return run_failing("MPI_Irecv", 1, create_in_time); }},
    {"send_of_agreement_fails_on_one", [] { return run_failing("MPI_Isend", 3, create_in_time); }},
    {"test_of_agreement_fails_on_one", [] { return run_failing("MPI_Testall", 1, create_in_time); }},
    {"receive_of_completion_fails_on_one",
     [] {
       return run_failing("MPI_Irecv", 1, [](const axial::CommunicatorView& world) {
         axial::init_device_mesh_on<M>(world, {3, 2, 1, 0});
       });
     }},
    {"telling_the_difference_fails_on_one",
     [] {
       return run_failing("MPI_Bcast", 1, [](const axial::CommunicatorView& world) {
         init_device_mesh<M>(world, {.name = world.rank() ? "a" : "b"});
       });
     }},
    // What only some ranks do, without an agreement.
    {"lazy_axis_fails_on_one",
     [] {
       return run_failing("MPI_Group_incl", 1, [](const axial::CommunicatorView& world) {
         init_device_mesh<M>(world, {.lazy = true}).all_reduce<"tp">(1, plus);
       });
     }},
    {"lazy_axis_fails_on_one_afterwards",
     [] {
       return run_failing("MPI_Comm_set_name", 1, [](const axial::CommunicatorView& world) {
         init_device_mesh<M>(world, {.lazy = true}).all_reduce<"tp">(1, plus);
       });
     }},
    {"flatten_fails_on_one",
     [] {
       return run_failing("MPI_Group_incl", 3, [](const axial::CommunicatorView& world) {
         init_device_mesh<M>(world).flatten<"dp", "tp">().barrier();
       });
     }},
    {"flatten_fails_on_one_afterwards",
     [] {
       return run_failing("MPI_Comm_create_group", 3, [](const axial::CommunicatorView& world) {
         init_device_mesh<M>(world).flatten<"dp", "tp">().barrier();
       });
     }},
    {"subset_fails_on_one",
     [] {
       return run_failing("MPI_Comm_create_group", 1,
                          [](const axial::CommunicatorView& world) { create(world.subset({0, 1, 2, 3})); });
     }},
    {"adoption_fails_on_one",
     [] {
       return run_failing("MPI_Iallgather", 2, [](const axial::CommunicatorView& world) {
         const auto mesh = init_device_mesh<M>(world);
         axial::from_communicators<M>(axial::borrow(mesh.communicator<"dp">().native_handle<MPI_Comm>()),
                                      axial::borrow(mesh.communicator<"tp">().native_handle<MPI_Comm>()));
       });
     }},
    {"operation_fails_on_one",
     [] {
       return run_failing("MPI_Allreduce", 3, [](const axial::CommunicatorView& world) {
         init_device_mesh<M>(world).all_reduce<"tp">(1, plus);
       });
     }},
    {"operation_in_time_fails_on_one",
     [] {
       return run_failing("MPI_Test", 1, [](const axial::CommunicatorView& world) {
         init_device_mesh<M>(world, {.timeout = 2s}).all_reduce<"tp">(1, plus);
       });
     }},
    // A rank does not come.
    {"rank_misses_creation",
     [] {
       return run_without_rank_2(
           [](const axial::CommunicatorView& world, const auto&) { init_device_mesh<M>(world, {.timeout = 800ms}); });
     }},
    {"rank_misses_first_axis",  // it took part in the agreement
     [] {
       return run([](Environment& env) {
         if (is(2, env)) delay_next("MPI_Irecv", 4, 1h);
         try {
           init_device_mesh<M>(env.world(), {.timeout = 800ms});
         } catch (const axial::Timeout&) {
           if (is(0, env)) throw;
         }
         wait_for_ever();
       });
     }},
    {"rank_misses_lazy_axis",
     [] {
       return run_without_rank_2(
           [](const axial::CommunicatorView&, const auto& mesh) { mesh.template all_reduce<"dp">(1, plus); });
     }},
    {"rank_misses_operation",
     [] {
       return run([](Environment& env) {
         const auto mesh = init_device_mesh<M>(env.world(), {.timeout = 800ms});
         if (is(0, env)) mesh.all_gather<"dp">(1);
         wait_for_ever();
       });
     }},
    {"rank_misses_adoption",
     [] {
       return run([](Environment& env) {
         const auto mesh = init_device_mesh<M>(env.world());
         if (is(0, env))
           axial::from_communicators<M>({.timeout = 800ms},
                                        axial::borrow(mesh.communicator<"dp">().native_handle<MPI_Comm>()),
                                        axial::borrow(mesh.communicator<"tp">().native_handle<MPI_Comm>()));
         wait_for_ever();
       });
     }},
    {"rank_has_no_deadline",  // it cannot be told of the difference: the job ends with what the others see
     [] {
       return run([](Environment& env) {
         try {
           init_device_mesh<M>(env.world(), {.timeout = is(2, env) ? 0ms : 800ms});
         } catch (const axial::Timeout&) {
           if (is(0, env)) throw;
         }
         wait_for_ever();
       });
     }},
    {"rank_is_held_up_in_a_creation",
     [] {
       return run([](Environment& env) {
         hold_up(env);
         init_device_mesh<M>(env.world(), {.timeout = 800ms});
       });
     }},
    {"rank_is_held_up_in_an_order_by_node",
     [] {
       return run([](Environment& env) {
         if (is(2, env)) delay_next("MPI_Allgather", 1, 1h);
         init_device_mesh<M>(env.world(), {.timeout = 800ms, .rank_map = axial::order::by_node});
       });
     }},
    {"rank_is_held_up_in_a_lazy_axis",
     [] {
       return run([](Environment& env) {
         hold_up(env);
         const auto mesh = init_device_mesh<M>(env.world(), {.timeout = 800ms, .lazy = true});
         mesh.all_reduce<"dp">(1, plus);
         wait_for_ever();
       });
     }},
    // Good ends.
    {"timeouts_are_caught_and_the_program_ends",
     [] {
       return run([](Environment& env) {
         const auto mesh = init_device_mesh<M>(env.world(), {.timeout = 800ms});
         if (is(2, env)) {
           std::this_thread::sleep_for(1600ms);
         } else {
           const std::string text = text_of<axial::Timeout>([&] { mesh.all_reduce<"dp">(1, plus); });
           EXPECT(text.starts_with("all_reduce along \"dp\", call 1") == is(0, env));
           mesh.abort();
         }
       });
     }},
    {"outsiders_end_while_members_create",
     [] {
       return run([](Environment& env) {
         if (env.world().rank() < 2) delay_next("MPI_Comm_create_group", 1, 500ms);
         const auto mesh = axial::init_device_mesh_on<Mesh<Dim<"tp", 2>>>(env.world(), {1, 0});
         if (mesh) EXPECT(mesh->all_reduce<"tp">(1, plus) == 2);
         EXPECT(mesh.has_value() == (env.world().rank() < 2));
       });
     }},
    {"aborted_on_one_rank_alone",
     [] {
       return run([](Environment& env) {
         const auto mesh = init_device_mesh<M>(env.world());
         if (is(1, env)) mesh.abort();
         EXPECT(init_device_mesh<M>(env.world()).all_reduce<"tp">(1, plus) == 2);
       });
     }},
};

}  // namespace

int main(int count, char** arguments) { return run_scenario(scenarios, count, arguments); }
