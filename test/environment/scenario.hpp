// SPDX-License-Identifier: BSL-1.0
// What the programs of this folder share: scenarios chosen by the first argument. What fails inside one that must end
// well shows as `failed: ...` and another exit status. Include it last, since it imports.
#pragma once
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

import axial;

using axial::Dim, axial::Mesh, axial::Environment, axial::ThreadLevel, axial::init_device_mesh, axial::plus;

using M = Mesh<Dim<"dp", 2>, Dim<"tp", 2>>;

inline bool all_well = true;
#define EXPECT(...) \
  if (!(__VA_ARGS__)) all_well = (std::fprintf(stderr, "failed: line %d: %s\n", __LINE__, #__VA_ARGS__), false)

template <class Error = axial::Error, class F>
std::string text_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

inline int argc;
inline char** argv;
template <class F>
int run(F&& f, ThreadLevel level = ThreadLevel::funneled) {
  return axial::run(argc, argv, static_cast<F&&>(f), level);
}

inline bool is(unsigned rank, const Environment& env) { return env.world().rank() == rank; }
inline void wait_for_ever() { std::this_thread::sleep_for(std::chrono::hours(1)); }

struct Scenario {
  std::string_view name;
  int (*main)();
};

/// Runs the scenario that the program's first argument names.
template <std::size_t N>
int run_scenario(const Scenario (&scenarios)[N], int count, char** arguments) {
  argc = count;
  argv = arguments;
  for (const Scenario& scenario : scenarios)
    if (count > 1 && scenario.name == arguments[1]) {
      const int status = scenario.main();
      return status ? status : !all_well;
    }
  std::fprintf(stderr, "failed: no such scenario\n");
  return EXIT_FAILURE;
}
