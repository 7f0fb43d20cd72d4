// SPDX-License-Identifier: BSL-1.0
// Programs that end in all the ways a program can; CMakeLists.txt says how each must end.
#include <future>
#include <optional>
#include <stdexcept>

#include "scenario.hpp"

namespace {

using M24 = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;

std::optional<axial::DeviceMesh<M>> static_mesh;
thread_local std::optional<axial::DeviceMesh<M>> thread_mesh;

void plain_function(Environment& env) { EXPECT(env.world().size() == 4); }

const Scenario scenarios[] = {
    // An exception leaves one rank.
    {"throw_while_others_reduce",
     [] {
       return run([](Environment& env) {
         const auto mesh = init_device_mesh<M>(env.world());
         if (is(1, env)) throw std::runtime_error("the disk is full");
         mesh.all_reduce<"tp">(1, plus);
         mesh.all_reduce<"dp">(1, plus);
         wait_for_ever();
       });
     }},
    {"throw_while_others_create",
     [] {
       return run([](Environment& env) {
         if (is(0, env)) throw std::runtime_error("the disk is full");
         init_device_mesh<M>(env.world());
       });
     }},
    {"throw_while_others_finalise",
     [] {
       return run([](Environment& env) {
         {
           const auto mesh = init_device_mesh<M>(env.world());
         }
         if (is(3, env)) throw std::runtime_error("the disk is full");
       });
     }},
    {"throw_while_others_compute",
     [] {
       return run([](Environment& env) {
         const auto mesh = init_device_mesh<M>(env.world());
         if (is(2, env)) throw std::runtime_error("the disk is full");
         wait_for_ever();
       });
     }},
    {"throw_what_is_no_exception",
     [] {
       return run([](Environment& env) {
         const auto mesh = init_device_mesh<M>(env.world());
         if (is(1, env)) throw 7;
         mesh.barrier<"tp">();
         wait_for_ever();
       });
     }},
    {"throw_on_all", [] { return run([](Environment&) { throw std::runtime_error("the disk is full"); }); }},
    {"wrong_length_on_one",
     [] {
       return run([](Environment& env) {
         const auto mesh = init_device_mesh<M>(env.world());
         int in[2] = {}, out[3] = {};
         if (is(1, env)) mesh.all_reduce<"tp">(in, out, plus);
         mesh.all_reduce<"tp">(axial::in_place(in), plus);
         wait_for_ever();
       });
     }},
    {"mpi_error_on_one",
     [] {
       return run([](Environment& env) {
         const auto mesh = init_device_mesh<M>(env.world());
         int handle = 0;
         if (is(1, env)) throw axial::MpiError(5, 5, "all_reduce", "tp", "rank 1 (dp=0, tp=1)", "out of memory");
         mesh.all_reduce<"tp">(handle, plus);
         wait_for_ever();
       });
     }},
    {"environment_left_by_an_exception",  // caught in main, without run: nothing waits in a destructor
     [] {
       try {
         const Environment env(argc, argv);
         const auto mesh = init_device_mesh<M>(env.world());
         if (is(1, env)) throw std::runtime_error("the disk is full");
         wait_for_ever();
       } catch (const std::exception& error) {
         std::fprintf(stderr, "caught: %s\n", error.what());
         std::_Exit(EXIT_FAILURE);
       }
       return 0;
     }},
    // An error that all ranks have agreed on.
    {"wrong_world", [] { return run([](Environment& env) { init_device_mesh<M24>(env.world()); }); }},
    {"other_mesh_on_one",
     [] {
       return run([](Environment& env) {
         if (is(5, env)) return void(init_device_mesh<Mesh<Dim<"tp", 4>, Dim<"dp", 2>>>(env.world()));
         init_device_mesh<M24>(env.world());
       });
     }},
    {"agreed_error_caught_by_some_that_wait",
     [] {
       return run([](Environment& env) {
         try {
           init_device_mesh<M24>(env.world());
         } catch (const axial::MeshError&) {
           if (is(2, env)) throw;
           MPI_Barrier(MPI_COMM_WORLD);  // for rank 2, in vain
         }
       });
     }},
    {"agreed_error_caught_by_some_that_end",
     [] {
       return run([](Environment& env) {
         try {
           init_device_mesh<M24>(env.world());
         } catch (const axial::MeshError&) {
           if (is(2, env)) throw;
         }
       });
     }},
    {"agreed_error_caught_by_all",
     [] {
       return run([](Environment& env) {
         EXPECT(text_of([&] { init_device_mesh<M24>(env.world()); }).starts_with("Mesh(dp=2, tp=4) needs"));
         const auto mesh = init_device_mesh<M>(env.world());
         EXPECT(mesh.all_reduce<"tp">(1, plus) == 2);
       });
     }},
    {"agreed_error_then_a_long_end",  // what main does afterwards is its own affair
     [] {
       const int status = run([](Environment& env) { init_device_mesh<M24>(env.world()); });
       EXPECT(status == EXIT_FAILURE);
       std::this_thread::sleep_for(std::chrono::milliseconds(3500));
       std::fputs("went on\n", stderr);
       return 0;
     }},
    {"agreed_error_under_borrowed_mpi",
     [] {
       MPI_Init(nullptr, nullptr);
       const auto refused = [] {
         return run([](Environment& env) { init_device_mesh<M24>(env.world()); }, ThreadLevel::single);
       };
       EXPECT(refused() == EXIT_FAILURE);
       std::this_thread::sleep_for(std::chrono::milliseconds(3500));
       MPI_Barrier(MPI_COMM_WORLD);
       EXPECT(refused() == EXIT_FAILURE);
       return MPI_Finalize();
     }},
    // Good ends.
    {"returns_nothing", [] { return run(plain_function); }},
    {"returns_zero", [] { return run([](const Environment&) { return 0; }); }},
    {"returns_seven",
     [] {
       return run([](Environment& env) {
         const auto mesh = init_device_mesh<M>(env.world());
         return 7;
       });
     }},
    {"runs_what_cannot_be_copied",
     [] {
       struct Once {
         Once() = default;
         Once(const Once&) = delete;
         int operator()(Environment&) const { return 0; }
       };
       const Once once;
       return run(once);
     }},
    // Environments.
    {"inner_environment_borrows",
     [] {
       Environment outer(argc, argv, ThreadLevel::multiple);
       EXPECT(outer.owns_mpi());
       EXPECT(outer.thread_level() == ThreadLevel::multiple);
       {
         const Environment inner;
         EXPECT(!inner.owns_mpi());
         EXPECT(inner.world().size() == 4);
         EXPECT(init_device_mesh<M>(inner.world()).all_reduce<"tp">(1, plus) == 2);
       }
       EXPECT(run([](Environment& env) { return env.owns_mpi() ? 1 : 5; }) == 5);
       EXPECT(init_device_mesh<M>(outer.world()).all_reduce<"tp">(1, plus) == 2);
       return 0;
     }},
    {"each_thread_level_is_given",  // the outermost decides
     [] {
       using enum ThreadLevel;
       const Environment most(multiple);
       for (const ThreadLevel level : {single, funneled, serialized, multiple}) {
         const Environment env(level);
         EXPECT(env.thread_level() == multiple);
       }
       return 0;
     }},
    {"users_mpi_goes_on",
     [] {
       int provided;
       MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
       {
         const Environment env(argc, argv);
         EXPECT(!env.owns_mpi());
         EXPECT(env.thread_level() == ThreadLevel::serialized);
         const auto mesh = init_device_mesh<M>(env.world());
         EXPECT(mesh.all_reduce<"tp">(1, plus) == 2);
         EXPECT(text_of([] { const Environment more(ThreadLevel::multiple); }) ==
                "thread level multiple was asked for, and MPI offers serialized");
       }
       MPI_Barrier(MPI_COMM_WORLD);
       EXPECT(run([](Environment& env) { init_device_mesh<M>(env.world()); }) == 0);
       int finalised = 1;
       MPI_Finalized(&finalised);
       EXPECT(!finalised);
       return MPI_Finalize();
     }},
    {"thread_level_too_low",
     [] {
       MPI_Init(nullptr, nullptr);
       EXPECT(text_of([] { const Environment env; }) == "thread level funneled was asked for, and MPI offers single");
       EXPECT(text_of([] { const Environment env(ThreadLevel::single); }) == "nothing was thrown");
       return MPI_Finalize();
     }},
    {"run_with_thread_level_too_low",
     [] {
       MPI_Init(nullptr, nullptr);
       return run([](Environment&) {}, ThreadLevel::serialized);
     }},
    {"run_twice",
     [] {
       EXPECT(run([](Environment&) {}) == 0);
       return run([](Environment&) {});
     }},
    {"threads_on_different_axes",  // also make and drop meshes of their own of what all share
     [] {
       return run(
           [](Environment& env) {
             const auto mesh = init_device_mesh<M>(env.world());
             const auto use = [&](auto tag) {
               int wrong = 0;
               for (int i = 0; i < 1000; ++i) {
                 const auto part = mesh.submesh(tag);
                 wrong += part.all_reduce(i, plus) != 2 * i || part.all_reduce(i, axial::max) != i;
               }
               EXPECT(wrong == 0);
             };
             std::thread other([&] { use(axial::axis<"dp">); });
             use(axial::axis<"tp">);
             other.join();
           },
           ThreadLevel::multiple);
     }},
    {"threads_make_lazy_axes",  // on one communicator of the user at the same time
     [] {
       return run(
           [](Environment& env) {
             for (int round = 0; round < 50; ++round) {
               const auto mesh = init_device_mesh<M>(env.world(), {.lazy = true});
               int sum = 0;
               std::thread other([&] { sum = mesh.all_reduce<"dp">(1, plus); });
               EXPECT(mesh.all_reduce<"tp">(1, plus) == 2);
               other.join();
               EXPECT(sum == 2);
             }
           },
           ThreadLevel::multiple);
     }},
    // Before and after MPI.
    {"before_and_after",
     [] {
       const std::string early = "MPI is not initialised: make an Environment first";
       const std::string late = "MPI was finalised, and its communicators went with it";
       const std::string once = "MPI was finalised before; it starts only once in a process";
       EXPECT(text_of([] { axial::borrow(MPI_COMM_WORLD); }) == early);
       std::optional<axial::DeviceMesh<M>> kept;
       std::optional<axial::CommunicatorView> world;
       {
         const Environment env(argc, argv);
         world = env.world();
         kept = init_device_mesh<M>(*world);
       }
       EXPECT(text_of([] { const Environment env; }) == once);
       EXPECT(text_of([] { axial::borrow(MPI_COMM_WORLD); }) == late);
       EXPECT(text_of([&] { init_device_mesh<M>(*world); }) == late);
       EXPECT(text_of([&] { world->native_handle<MPI_Comm>(); }) == late);
       EXPECT(world->size() == 4);
       EXPECT(text_of([&] { kept->all_reduce<"tp">(1, plus); }) == "all_reduce along \"tp\": the mesh is closed");
       EXPECT(kept->submesh<"tp">().extent() == 2);
       EXPECT(kept->local_rank<"tp">() == kept->rank().value() % 2);
       auto copy = *kept;
       copy.close();
       return 0;
     }},
    {"static_mesh_at_the_end",
     [] { return run([](Environment& env) { static_mesh = init_device_mesh<M>(env.world(), {.name = "kept"}); }); }},
    {"thread_local_mesh_at_the_end",
     [] { return run([](Environment& env) { thread_mesh = init_device_mesh<M>(env.world()); }); }},
    {"mesh_of_a_thread_that_ends_after_mpi",
     [] {
       std::thread other;
       std::promise<void> is_over;
       const int status = run([&](Environment& env) {
         const auto mesh = init_device_mesh<M>(env.world());
         other = std::thread([mesh, over = is_over.get_future()]() mutable {
           thread_mesh = mesh;
           over.wait();
         });
       });
       is_over.set_value();
       other.join();
       return status;
     }},
    {"static_lazy_mesh_and_subset_at_the_end",
     [] {
       return run([](Environment& env) {
         static_mesh = init_device_mesh<M>(env.world().subset({3, 2, 1, 0}), {.lazy = true});
         EXPECT(static_mesh->all_reduce<"tp">(1, plus) == 2);
       });
     }},
    {"mesh_lost_to_a_caught_exception",
     [] {
       return run([](Environment& env) {
         for (int i = 0; i < 3; ++i) try {
             const auto mesh = init_device_mesh<M>(env.world());
             throw std::runtime_error("on all ranks");
           } catch (const std::runtime_error&) {
           }
       });
     }},
    {"mesh_lost_on_one_rank_alone",
     [] {
       return run([](Environment& env) {
         const auto others = init_device_mesh<M>(env.world());
         try {
           const auto mesh = init_device_mesh<M>(env.world());
           if (is(1, env)) throw std::runtime_error("on one rank");
         } catch (const std::runtime_error&) {
         }
         EXPECT(others.all_reduce<"dp">(1, plus) == 2);
         EXPECT(init_device_mesh<M>(env.world()).all_reduce<"dp">(1, plus) == 2);
       });
     }},
};

}  // namespace

int main(int count, char** arguments) { return run_scenario(scenarios, count, arguments); }
