// SPDX-License-Identifier: BSL-1.0
// creation SHAPE WAY TIMES: makes the communicators of all axes of a mesh in one way, so many times, and frees them
// each time; for what counts calls and messages from outside. A way that this build of axial does not have makes
// nothing. creation SHAPE time SEED ROUNDS BLOCK: times all ways in turn, in blocks of so many creations, in an order
// that is drawn anew for each of the rounds. Rank 0 prints `library TEXT` and for each way `WAY median p10`:
// microseconds from a barrier until the last rank has its communicators.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

import axial;

namespace {

using axial::Dim, axial::Mesh;

/// Makes the communicators of all axes; frees them.
struct Way {
  const char* name;
  std::function<void()> make, release;
};

int world_rank() {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// Calls f.operator()<I>() for the index of each axis.
template <class M, class F>
void each_axis(F f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (f.template operator()<I>(), ...);
  }(std::make_index_sequence<M::ndim()>{});
}

std::vector<int> integers(const auto& list) {
  std::vector<int> all;
  for (const unsigned value : list) all.push_back(static_cast<int>(value));
  return all;
}

/// What axial does once the ranks agree: for each axis its group and MPI_Comm_create_group over the members.
template <class M>
void create_groups(std::vector<MPI_Comm>& made) {
  const auto me = static_cast<unsigned>(world_rank());
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  each_axis<M>([&]<std::size_t I> {
    if (M::template extent<I>() == 1) return;
    const std::vector<int> ranks = integers(M::template group_of<I>(me));
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &group);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &comm);
    MPI_Group_free(&group);
    made.push_back(comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_name(comm, ("axial:" + std::string(std::string_view(M::names()[I]))).c_str());
    int rank = -1;
    MPI_Comm_rank(comm, &rank);
    if (rank != static_cast<int>(M::template coordinate_of<I>(me))) std::abort();
  });
  MPI_Group_free(&world);
}

/// A split for each axis, unless it has one rank alone or is the whole world, whose communicator serves it.
template <class M>
void split(std::vector<MPI_Comm>& made) {
  const auto me = static_cast<unsigned>(world_rank());
  each_axis<M>([&]<std::size_t I> {
    if (M::template extent<I>() == 1 || M::template extent<I>() == M::size()) return;
    const auto color = static_cast<int>(M::template group_index<I>(me));
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, color, static_cast<int>(M::template coordinate_of<I>(me)), &comm);
    made.push_back(comm);
  });
}

/// MPI_Cart_create, and MPI_Cart_sub for each axis of more than one rank.
template <class M>
void cart(std::vector<MPI_Comm>& made) {
  constexpr int ndim = M::ndim();
  const std::vector<int> extents = integers(M::shape()), periods(ndim, 0);
  MPI_Comm grid = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, ndim, extents.data(), periods.data(), 0, &grid);
  made.push_back(grid);
  each_axis<M>([&]<std::size_t I> {
    if (M::template extent<I>() == 1) return;
    std::vector<int> kept(ndim, 0);
    kept[I] = 1;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Cart_sub(grid, kept.data(), &comm);
    made.push_back(comm);
  });
}

/// All groups of all axes by all ranks, as torch's DeviceMesh calls new_group, which its MPI backend answers with
/// MPI_Comm_create and a barrier before it, left out here. An axis that is the whole world takes its communicator.
template <class M>
void create_all(std::vector<MPI_Comm>& made) {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  each_axis<M>([&]<std::size_t I> {
    if (M::template extent<I>() == M::size()) return;
    for (const auto& ranks_of_group : M::template groups<I>()) {
      const std::vector<int> ranks = integers(ranks_of_group);
      MPI_Group group = MPI_GROUP_NULL;
      MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &group);
      MPI_Comm comm = MPI_COMM_NULL;
      MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
      MPI_Group_free(&group);
      if (comm != MPI_COMM_NULL) made.push_back(comm);
    }
  });
  MPI_Group_free(&world);
}

Way by_hand(const char* name, void (*make)(std::vector<MPI_Comm>&)) {
  const auto made = std::make_shared<std::vector<MPI_Comm>>();
  return {name, [=] { make(*made); },
          [=] {
            for (MPI_Comm& comm : *made) MPI_Comm_free(&comm);
            made->clear();
          }};
}

template <class M>
Way by_axial(const char* name, const axial::Options& options) {
  const auto made = std::make_shared<std::optional<axial::DeviceMesh<M>>>();
  return {name, [=] { made->emplace(axial::init_device_mesh<M>(axial::borrow(MPI_COMM_WORLD), options)); },
          [=] {
            (*made)->close();
            made->reset();
          }};
}

/// Without communicators until they are used; nothing where axial's options do not have it.
template <class M, class Options = axial::Options>
void add_lazy(std::vector<Way>& ways) {
  if constexpr (requires(Options options) { options.lazy = true; }) {
    Options options;
    options.lazy = true;
    ways.push_back(by_axial<M>("lazy", options));
  }
}

template <class M>
std::vector<Way> all_ways() {
  std::vector<Way> ways = {by_axial<M>("axial", {}), by_hand("groups", create_groups<M>), by_hand("splits", split<M>),
                           by_hand("cart", cart<M>), by_hand("all_groups", create_all<M>)};
  add_lazy<M>(ways);
  return ways;
}

double quantile(std::vector<double>& values, double part) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size()));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

void time_all(const std::vector<Way>& ways, unsigned seed, int rounds, int block) {
  std::vector<std::vector<double>> samples(ways.size());
  std::vector<std::size_t> order(ways.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937 random(seed);  // the same order on all ranks
  for (int round = -1; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t way : order)
      for (int i = 0; i < block; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        ways[way].make();
        const double end = MPI_Wtime();
        ways[way].release();
        if (round >= 0) samples[way].push_back(1e6 * (end - begin));  // the first round warms up
      }
  }
  const bool root = world_rank() == 0;
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(library, &length);
  if (root) std::printf("library %s\n", library);
  for (std::size_t way = 0; way < ways.size(); ++way) {
    std::vector<double>& mine = samples[way];
    std::vector<double> latest(mine.size());
    MPI_Reduce(mine.data(), latest.data(), static_cast<int>(mine.size()), MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (root) std::printf("%s %.3f %.3f\n", ways[way].name, quantile(latest, 0.5), quantile(latest, 0.1));
  }
}

template <class M>
int measure(const std::vector<std::string>& words) {
  const std::vector<Way> ways = all_ways<M>();
  if (words[0] == "time" && words.size() == 4) {
    time_all(ways, static_cast<unsigned>(std::stoul(words[1])), std::stoi(words[2]), std::stoi(words[3]));
    return EXIT_SUCCESS;
  }
  for (const Way& way : ways)
    for (int i = 0; way.name == words[0] && i < std::stoi(words[1]); ++i) {
      way.make();
      way.release();
    }
  return EXIT_SUCCESS;
}

/// `measure` of the mesh of that shape.
int find(const std::string& shape, const std::vector<std::string>& words) {
  if (shape == "2x4") return measure<Mesh<Dim<"dp", 2>, Dim<"tp", 4>>>(words);
  if (shape == "1x8") return measure<Mesh<Dim<"dp", 1>, Dim<"tp", 8>>>(words);
  if (shape == "2x2x2") return measure<Mesh<Dim<"pp", 2>, Dim<"dp", 2>, Dim<"tp", 2>>>(words);
  if (shape == "3x1x2") return measure<Mesh<Dim<"pp", 3>, Dim<"dp", 1>, Dim<"tp", 2>>>(words);
  return EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + std::min(argc, 2), argv + argc);
  if (words.size() < 2) return EXIT_FAILURE;
  return axial::run(argc, argv, [&](axial::Environment&) { return find(argv[1], words); });
}
