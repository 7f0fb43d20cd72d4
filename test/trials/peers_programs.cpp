// SPDX-License-Identifier: BSL-1.0
// Reports about wrappers of MPI that take a whole program: its beginning and its end, threads, an abort. The first
// argument chooses one. What fails shows as `failed: ...` and in the exit status. See test/TRIALS.md.
#include <mpi.h>

#include <axial/ledger.hpp>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

import axial;

using axial::Dim, axial::Mesh, axial::Environment, axial::ThreadLevel, axial::init_device_mesh, axial::plus;
using axial::ledger::during, axial::ledger::Object, axial::ledger::snapshot;

namespace {

using M = Mesh<Dim<"dp", 2>, Dim<"tp", 2>>;

bool all_well = true;
#define EXPECT(...) \
  if (!(__VA_ARGS__)) all_well = (std::fprintf(stderr, "failed: line %d: %s\n", __LINE__, #__VA_ARGS__), false)

int argc;
char** argv;

void expect_no_leaks() {
  for (const auto& leak : axial::ledger::leaks()) {
    all_well = false;
    std::fprintf(stderr, "failed: %s is left\n", axial::ledger::text(leak).c_str());
  }
}

// mpl#43, #44
void mpi_of_the_program_is_neither_initialised_nor_finalised() {
  MPI_Init(nullptr, nullptr);
  const auto counts = during([] {
    {
      const Environment environment(argc, argv, ThreadLevel::single);
      const auto mesh = init_device_mesh<M>(environment.world());
      EXPECT(mesh.all_reduce<"tp">(1, plus) == 2);
    }
    const int status = axial::run(
        argc, argv,
        [](Environment& environment) {
          EXPECT(init_device_mesh<M>(environment.world()).all_reduce<"dp">(1, plus) == 2);
          return 5;
        },
        ThreadLevel::single);
    EXPECT(status == 5);
  });
  for (const char* function : {"MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Abort"})
    EXPECT(counts.calls(function) == 0);
  EXPECT(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
  MPI_Finalize();
  EXPECT(snapshot().calls("MPI_Init") == 1 && snapshot().calls("MPI_Finalize") == 1);
}

std::optional<axial::DeviceMesh<M>> kept;

// ompi#12035, #12068, #13768, #13777, #13821
void communicators_kept_by_a_static_mesh_are_freed_in_finalise() {
  {
    const Environment environment(argc, argv);
    kept = init_device_mesh<M>(environment.world());
    const auto whole = kept->flatten();
    EXPECT(whole.all_reduce(1, plus) == 4);
    EXPECT(axial::ledger::live_count(Object::communicator) == 3);
    EXPECT(snapshot().calls("MPI_Comm_free") == 0);
  }
  EXPECT(snapshot().calls("MPI_Comm_free") == 3);
  EXPECT(axial::ledger::live_count(Object::communicator) == 0);
  expect_no_leaks();
}

// kamping#807, boostorg/mpi#150, #154, #171, #178
void types_and_operators_leave_nothing_at_the_end() {
  axial::run(argc, argv, [](Environment& environment) {
    kept = init_device_mesh<M>(environment.world());
    const auto use = [](auto value) {
      EXPECT(kept->all_reduce<"tp">(value, axial::max) == value && kept->all_reduce<"dp">(value, axial::min) == value);
      EXPECT(kept->all_gather<"tp">(value)[1] == value && kept->broadcast<"dp">(value, 1) == value);
    };
    use(1u), use(1ull), use(1.0), use('c'), use(1.0L);
    for (const bool value : {true, false}) {
      EXPECT(kept->all_reduce<"tp">(value, axial::logical_and) == value);
      EXPECT(kept->all_reduce<"dp">(value, axial::logical_or) == value);
      EXPECT(kept->all_reduce<"dp">(value, axial::max) == value);
      EXPECT(kept->all_gather<"tp">(value)[1] == value);
      EXPECT(kept->broadcast<"tp">(value, 0) == value);
      EXPECT(kept->reduce<"tp">(value, axial::plus, 0).value_or(value) == value);
    }
    EXPECT(axial::ledger::live_count(Object::datatype) == 0);
  });
  expect_no_leaks();
}

// ompi#2427, mpich#3234, #1913
void two_threads_on_two_axes_do_not_mix() {
  axial::run(
      argc, argv,
      [](Environment& environment) {
        const auto mesh = init_device_mesh<M>(environment.world());
        const int rank = static_cast<int>(mesh.rank().value());
        const auto use = [&](auto tag, int sum_of_ranks) {
          int wrong = 0;
          for (int i = 0; i < 10000; ++i) wrong += mesh.all_reduce(tag, rank + i, plus) != sum_of_ranks + 2 * i;
          EXPECT(wrong == 0);
        };
        std::thread other([&] { use(axial::axis<"dp">, 2 * (rank % 2) + 2); });
        use(axial::axis<"tp">, 4 * (rank / 2) + 1);
        other.join();
      },
      ThreadLevel::multiple);
}

// pytorch#189655, #173815
void an_abort_ends_all_axes_of_one_rank_and_waits_for_nobody() {
  axial::run(argc, argv, [](Environment& environment) {
    const auto mesh = init_device_mesh<M>(environment.world());
    const auto part = mesh.submesh<"dp">();
    const auto other = init_device_mesh<M>(environment.world());
    const auto refused = [](const auto& axis) {
      try {
        axis.all_reduce(1, plus);
      } catch (const axial::MeshError& error) {
        return std::string_view(error.what()).ends_with("the mesh was aborted");
      }
      return false;
    };
    if (mesh.rank() == 3) {
      const auto counts = during([&] { part.root().abort(); });
      EXPECT(counts.total() == 0);
      EXPECT(refused(mesh.communicator<"tp">()) && refused(mesh.communicator<"dp">()) && refused(part.communicator()));
    } else if (mesh.rank() == 0 || mesh.rank() == 1) {
      EXPECT(mesh.all_reduce<"tp">(1, plus) == 2);  // without rank 3
    }
    EXPECT(other.all_reduce<"tp">(1, plus) == 2 && other.all_reduce<"dp">(1, plus) == 2);
    if (mesh.rank() != 3) mesh.abort();
    EXPECT(refused(mesh.communicator<"dp">()));
    mesh.abort();
  });
}

struct Trial {
  std::string_view name;
  void (*run)();
};
#define TRIAL(NAME) {#NAME, NAME}
const Trial trials[] = {
    TRIAL(mpi_of_the_program_is_neither_initialised_nor_finalised),
    TRIAL(communicators_kept_by_a_static_mesh_are_freed_in_finalise),
    TRIAL(types_and_operators_leave_nothing_at_the_end),
    TRIAL(two_threads_on_two_axes_do_not_mix),
    TRIAL(an_abort_ends_all_axes_of_one_rank_and_waits_for_nobody),
};

}  // namespace

int main(int count, char** arguments) {
  argc = count;
  argv = arguments;
  for (const Trial& trial : trials)
    if (count > 1 && trial.name == arguments[1]) {
      trial.run();
      return !all_well;
    }
  std::fprintf(stderr, "failed: no such trial\n");
  return EXIT_FAILURE;
}
