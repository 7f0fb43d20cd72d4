// SPDX-License-Identifier: BSL-1.0
// ranks ROUNDS: asks for each of 2^20 ranks and each axis of three meshes, by axial's formulas and by tables of all
// groups. Prints a line for each mesh and question: `mesh question axial_ns table_ns axial_bytes differences`, times
// for each rank and axis; and one for making the tables: `mesh tables table_ns table_bytes`.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <utility>
#include <vector>

import axial;

namespace {

std::size_t allocated = 0;

using axial::Dim;
using Root = axial::Mesh<Dim<"pp", 16>, Dim<"dp", 1024>, Dim<"cp", 8>, Dim<"tp", 8>>;
constexpr unsigned world = Root::size();
static_assert(world == 1u << 20);

// Two modes with another axis between them.
using Flattened = decltype(Root::flatten<"pp", "cp">());
// A Gray code: neighbouring positions are ranks that differ in one bit.
template <std::size_t... Bit>
auto gray_coded(std::index_sequence<Bit...>) -> decltype(Root::with_xor<(1ll << Bit ^ 1ll << Bit >> 1)...>());
using Gray = decltype(gray_coded(std::make_index_sequence<20>{}));

/// All groups along one axis, and where in them each rank is: what a framework makes that asks its ranks for nothing.
struct AxisTable {
  std::vector<std::vector<unsigned>> groups;
  std::vector<unsigned> group, coordinate;  // of each rank

  /// `strides` and `extents` of the axis's modes, outer first, and of all others.
  AxisTable(const std::vector<axial::Mode>& own, const std::vector<axial::Mode>& others,
            const std::vector<unsigned>& rank_at)
      : group(world), coordinate(world) {
    for (const unsigned first : positions(others)) {
      std::vector<unsigned> ranks;
      for (const unsigned step : positions(own)) {
        const unsigned rank = rank_at[first + step];
        group[rank] = static_cast<unsigned>(groups.size());
        coordinate[rank] = static_cast<unsigned>(ranks.size());
        ranks.push_back(rank);
      }
      groups.push_back(std::move(ranks));
    }
  }

 private:
  static std::vector<unsigned> positions(const std::vector<axial::Mode>& modes) {
    std::vector<unsigned> all{0};
    for (const axial::Mode mode : modes) {
      std::vector<unsigned> longer;
      for (const unsigned position : all)
        for (unsigned i = 0; i < mode.extent; ++i) longer.push_back(position + i * mode.stride);
      all = std::move(longer);
    }
    return all;
  }
};
using Tables = std::vector<AxisTable>;

/// What the tables are made from, written down by hand: of each dimension of Root its mode, of each axis its
/// dimensions.
struct Description {
  std::vector<std::vector<unsigned>> axes;
  unsigned rank_at(unsigned position) const { return gray ? position ^ position >> 1 : position; }
  bool gray = false;

  Tables tables() const {
    static constexpr axial::Mode modes[] = {{16, 65536}, {1024, 64}, {8, 8}, {8, 1}};
    std::vector<unsigned> ranks(world);
    for (unsigned i = 0; i < world; ++i) ranks[i] = rank_at(i);
    Tables made;
    for (const std::vector<unsigned>& axis : axes) {
      std::vector<axial::Mode> own, others;
      for (unsigned i = 0; i < 4; ++i)
        (std::find(axis.begin(), axis.end(), i) != axis.end() ? own : others).push_back(modes[i]);
      made.emplace_back(own, others, ranks);
    }
    return made;
  }
};

/// The answers to one question for a rank, handed to `take` axis by axis.
struct Coordinates {
  static constexpr const char* name = "coordinates_of";
  template <class M, std::size_t... I, class Take>
  static void ask(unsigned rank, std::index_sequence<I...>, Take take) {
    const auto coordinates = M::coordinates_of(rank);
    (take(coordinates[I]), ...);
  }
  template <class Take>
  static void look_up(const AxisTable& axis, unsigned rank, Take take) {
    take(axis.coordinate[rank]);
  }
};
struct EndsOfGroup {
  static constexpr const char* name = "group_of,_first_and_last";
  template <class M, std::size_t... I, class Take>
  static void ask(unsigned rank, std::index_sequence<I...>, Take take) {
    const auto ends = [take](const auto& group) { take(group[0]), take(group[group.size() - 1]); };
    (ends(M::template group_of<I>(rank)), ...);
  }
  template <class Take>
  static void look_up(const AxisTable& axis, unsigned rank, Take take) {
    const std::vector<unsigned>& group = axis.groups[axis.group[rank]];
    take(group.front()), take(group.back());
  }
};
struct GroupIndex {
  static constexpr const char* name = "group_index";
  template <class M, std::size_t... I, class Take>
  static void ask(unsigned rank, std::index_sequence<I...>, Take take) {
    (take(M::template group_index<I>(rank)), ...);
  }
  template <class Take>
  static void look_up(const AxisTable& axis, unsigned rank, Take take) {
    take(axis.group[rank]);
  }
};
struct Neighbor {
  static constexpr const char* name = "neighbor";
  template <class M, std::size_t... I, class Take>
  static void ask(unsigned rank, std::index_sequence<I...>, Take take) {
    (take(M::template neighbor<I>(rank, 1)), ...);
  }
  template <class Take>
  static void look_up(const AxisTable& axis, unsigned rank, Take take) {
    const std::vector<unsigned>& group = axis.groups[axis.group[rank]];
    const std::size_t next = axis.coordinate[rank] + 1u;
    take(group[next == group.size() ? 0 : next]);
  }
};

/// The optimizer may not leave out what is made here, nor make several at once.
void keep(unsigned value) { asm volatile("" : : "r"(value)); }

struct Cost {
  double ns;  // for each rank and axis
  std::size_t bytes;
};
template <class Work>
Cost cost_of(unsigned axes, Work work) {
  const std::size_t before = allocated;
  const std::clock_t begin = std::clock();
  work();
  const std::clock_t end = std::clock();
  return {1e9 * static_cast<double>(end - begin) / CLOCKS_PER_SEC / world / axes, allocated - before};
}
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class M, class Question, class Take>
void ask_all(Take take) {
  for (unsigned rank = 0; rank < world; ++rank)
    Question::template ask<M>(rank, std::make_index_sequence<M::ndim()>{}, take);
}
template <class Question, class Take>
void look_up_all(const Tables& tables, Take take) {
  for (unsigned rank = 0; rank < world; ++rank)
    for (const AxisTable& axis : tables) Question::look_up(axis, rank, take);
}

template <class M, class Question>
void compare(const char* mesh, const Tables& tables, int rounds) {
  std::vector<unsigned> answers;
  ask_all<M, Question>([&](unsigned answer) { answers.push_back(answer); });
  std::size_t i = 0, differences = 0;
  look_up_all<Question>(tables, [&](unsigned answer) { differences += i >= answers.size() || answers[i++] != answer; });
  std::vector<double> formulas, lookups;
  std::size_t bytes = 0;
  for (int round = 0; round < rounds; ++round) {
    const Cost formula = cost_of(M::ndim(), [] { ask_all<M, Question>(keep); });
    const Cost lookup = cost_of(M::ndim(), [&] { look_up_all<Question>(tables, keep); });
    formulas.push_back(formula.ns);
    lookups.push_back(lookup.ns);
    bytes += formula.bytes;
  }
  std::printf("%s %s %.3f %.3f %zu %zu\n", mesh, Question::name, median(formulas), median(lookups), bytes,
              differences + (answers.size() - i));
}

template <class M>
void measure(const char* mesh, const Description& description, int rounds) {
  std::vector<double> times;
  std::size_t bytes = 0;
  for (int round = 0; round < std::min(rounds, 3); ++round) {
    const Cost cost = cost_of(M::ndim(), [&] { keep(static_cast<unsigned>(description.tables().size())); });
    times.push_back(cost.ns);
    bytes = cost.bytes;
  }
  std::printf("%s tables %.3f %zu\n", mesh, median(times), bytes);
  const Tables tables = description.tables();
  compare<M, Coordinates>(mesh, tables, rounds);
  compare<M, EndsOfGroup>(mesh, tables, rounds);
  compare<M, GroupIndex>(mesh, tables, rounds);
  compare<M, Neighbor>(mesh, tables, rounds);
}

}  // namespace

void* operator new(std::size_t size) {
  allocated += size;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  measure<Root>("four_axes", {.axes = {{0}, {1}, {2}, {3}}}, rounds);
  measure<Flattened>("flattened", {.axes = {{0, 2}, {1}, {3}}}, rounds);
  measure<Gray>("gray_code", {.axes = {{0}, {1}, {2}, {3}}, .gray = true}, rounds);
}
