// SPDX-License-Identifier: BSL-1.0
// The answers of torch and of MPICH on whole meshes, replayed on types: test/data. Each row's cells are written again
// by axial and compared as text.
#include <iostream>
#include <range/v3/view/join.hpp>
#include <range/v3/view/transform.hpp>
#include <utility>

#include "golden.hpp"

import axial;

namespace {

using namespace golden;
using axial::Dim, axial::Mesh;

/// What a mesh answers along an axis, or several flattened, without its type: so what writes cells is compiled once.
struct Along {
  unsigned size;
  unsigned (*group_of)(unsigned rank, unsigned position);
  unsigned (*groups)(unsigned rank, unsigned position);  // the same by way of all groups
  unsigned (*coordinate_of)(unsigned rank);              // of the first axis
  unsigned (*neighbor)(unsigned rank, int offset, bool periodic);

  std::vector<unsigned> group(unsigned rank) const {
    std::vector<unsigned> ranks;
    for (unsigned position = 0; position < size; ++position) {
      ranks.push_back(group_of(rank, position));
      BOOST_TEST(groups(rank, position) == ranks.back());
    }
    return ranks;
  }
};

/// A whole mesh.
struct Answers {
  unsigned ndim;
  bool (*contains)(unsigned rank);
  unsigned (*coordinate)(unsigned rank, unsigned axis);
  const Along* const* sets;  // along set number `bits`, the last axis being bit 0; null where not asked for

  const Along& axis(unsigned number) const { return *sets[1u << (ndim - 1 - number)]; }
};

template <class M, std::size_t First, std::size_t... Rest>
constexpr Along along{
    .size = M::template group_of<First, Rest...>(0).size(),
    .group_of = [](unsigned rank, unsigned at) { return M::template group_of<First, Rest...>(rank)[at]; },
    .groups =
        [](unsigned rank, unsigned at) {
          return M::template groups<First, Rest...>()[M::template group_index<First, Rest...>(rank)][at];
        },
    .coordinate_of = &M::template coordinate_of<First>,
    .neighbor = &M::template neighbor<First>,
};

enum class Sets { of_one_axis, all };

/// Along the axes of set `Bits`, which are collected in `Kept`.
template <class M, Sets Asked, unsigned Bits, std::size_t Next = 0, std::size_t... Kept>
consteval const Along* along_set() {
  if constexpr (Next == M::ndim()) {
    if constexpr (sizeof...(Kept) == 1 || (Asked == Sets::all && sizeof...(Kept) > 1)) return &along<M, Kept...>;
    return nullptr;
  } else if constexpr (Bits >> (M::ndim() - 1 - Next) & 1) {
    return along_set<M, Asked, Bits, Next + 1, Kept..., Next>();
  } else {
    return along_set<M, Asked, Bits, Next + 1, Kept...>();
  }
}

template <class M, Sets Asked, class = std::make_index_sequence<1u << M::ndim()>>
constexpr Answers answers{};
template <class M, Sets Asked, std::size_t... Bits>
constexpr const Along* sets[] = {along_set<M, Asked, Bits>()...};
template <class M, Sets Asked, std::size_t... Bits>
constexpr Answers answers<M, Asked, std::index_sequence<Bits...>>{
    .ndim = M::ndim(),
    .contains = [](unsigned rank) { return M::try_coordinates_of(rank).has_value(); },
    .coordinate = [](unsigned rank, unsigned axis) { return (*M::try_coordinates_of(rank))[axis]; },
    .sets = sets<M, Asked, Bits...>,
};

std::string place_in(const std::vector<unsigned>& group, unsigned rank) {
  return std::to_string(ranges::find(group, rank) - group.begin());
}
std::string coordinates(const Answers& mesh, unsigned rank) {
  return join(mesh.ndim, ",", [&](unsigned axis) { return std::to_string(mesh.coordinate(rank, axis)); });
}

Row mesh_cells(const Answers& mesh, unsigned rank) {
  if (!mesh.contains(rank)) return {{"coord", "none"}, {"local_ranks", "none"}, {"groups", "none"}};
  const auto local_rank = [&](unsigned axis) {
    const auto coordinate = std::to_string(mesh.axis(axis).coordinate_of(rank));
    BOOST_TEST(place_in(mesh.axis(axis).group(rank), rank) == coordinate);
    return coordinate;
  };
  return {{"coord", coordinates(mesh, rank)},
          {"local_ranks", join(mesh.ndim, ",", local_rank)},
          {"groups", join(mesh.ndim, ";", [&](unsigned axis) { return list(mesh.axis(axis).group(rank)); })}};
}

Row grid_cells(const Answers& grid, unsigned rank, const std::vector<std::string>& periodic) {
  if (!grid.contains(rank)) return {{"coord", "none"}, {"sub_groups", "none"}, {"shifts", "none"}};
  const auto sub_group = [&](unsigned number) {
    const unsigned bits = number + 1;
    const auto kept =
        join(grid.ndim, "", [&](unsigned axis) { return std::to_string(bits >> (grid.ndim - 1 - axis) & 1); });
    const auto group = grid.sets[bits]->group(rank);
    return kept + "@" + place_in(group, rank) + "=" + list(group);
  };
  const auto shift = [&](unsigned number) {
    const unsigned axis = number / 2;
    const int step = number % 2 + 1;
    const auto at = [&](int offset) {
      const unsigned neighbor = grid.axis(axis).neighbor(rank, offset, periodic[axis] == "1");
      return neighbor == axial::no_rank ? "-1" : std::to_string(neighbor);
    };
    return std::to_string(axis) + "/" + std::to_string(step) + ":" + at(-step) + ">" + at(step);
  };
  return {{"coord", coordinates(grid, rank)},
          {"sub_groups", join((1u << grid.ndim) - 1, ";", sub_group)},
          {"shifts", join(2 * grid.ndim, ";", shift)}};
}

/// The one of `Meshes` that has these names and this shape.
template <Sets Asked, class... Meshes>
const Answers& find(const std::vector<std::string>& names, const std::string& shape) {
  const auto extents = split(shape, 'x');
  const auto dimension = [](const auto& pair) { return pair.first + "=" + pair.second; };
  const auto text = ranges::views::zip(names, extents) | ranges::views::transform(dimension) |
                    ranges::views::join(',') | ranges::to<std::string>();
  return axial::dispatch<Meshes...>(text, []<class M>(M) -> const Answers& { return answers<M, Asked>; });
}

template <unsigned A>
using X = Mesh<Dim<"x", A>>;
template <unsigned A, unsigned B>
using XY = Mesh<Dim<"x", A>, Dim<"y", B>>;
template <unsigned A, unsigned B, unsigned C>
using XYZ = Mesh<Dim<"x", A>, Dim<"y", B>, Dim<"z", C>>;
template <unsigned A>
using Dp = Mesh<Dim<"dp", A>>;
template <unsigned A, unsigned B>
using DpTp = Mesh<Dim<"dp", A>, Dim<"tp", B>>;
template <unsigned A, unsigned B, unsigned C>
using PpDpTp = Mesh<Dim<"pp", A>, Dim<"dp", B>, Dim<"tp", C>>;
template <unsigned A, unsigned B, unsigned C, unsigned D>
using PpDpCpTp = Mesh<Dim<"pp", A>, Dim<"dp", B>, Dim<"cp", C>, Dim<"tp", D>>;
template <unsigned A, unsigned B>
using NodeGpu = Mesh<Dim<"node", A>, Dim<"gpu", B>>;
template <unsigned A, unsigned B, unsigned C>
using IJK = Mesh<Dim<"i", A>, Dim<"j", B>, Dim<"k", C>>;
template <unsigned A, unsigned B, unsigned C, unsigned D>
using IJKL = Mesh<Dim<"i", A>, Dim<"j", B>, Dim<"k", C>, Dim<"l", D>>;

BOOST_AUTO_TEST_CASE(meshes_with_ranks_in_order_answer_as_torch_does) {
  unsigned replayed = 0, with_table = 0;
  for (const Row& row : rows_of("mesh_coords.tsv")) {
    if (row.at("table") != "-") {  // in golden_types.cpp
      ++with_table;
      continue;
    }
    ++replayed;
    const auto rank = static_cast<unsigned>(std::stoul(row.at("rank")));
    const Answers& mesh =
        find<Sets::of_one_axis, Dp<1>, Dp<4>, Dp<8>, X<7>, DpTp<1, 8>, DpTp<2, 2>, DpTp<2, 4>, DpTp<4, 2>, DpTp<8, 1>,
             NodeGpu<8, 8>, NodeGpu<128, 8>, Mesh<Dim<"row", 3>, Dim<"col", 5>>,
             Mesh<Dim<"a", 2>, Dim<"b", 3>, Dim<"c", 4>>, XYZ<1, 1, 1>, XYZ<1, 1, 5>, XYZ<3, 1, 2>, XYZ<4, 1, 1>,
             Mesh<Dim<"dp", 2>, Dim<"pp", 2>, Dim<"tp", 2>>, PpDpTp<4, 4, 4>, PpDpTp<8, 16, 8>, PpDpCpTp<2, 2, 2, 2>,
             PpDpCpTp<2, 4, 1, 4>, PpDpCpTp<4, 8, 4, 8>,
             Mesh<Dim<"dp_replicate", 2>, Dim<"dp_shard", 2>, Dim<"cp", 2>, Dim<"tp", 1>>,
             Mesh<Dim<"pp", 2>, Dim<"dp", 2>, Dim<"ep", 2>, Dim<"cp", 2>, Dim<"tp", 2>>,
             Mesh<Dim<"a", 1>, Dim<"b", 3>, Dim<"c", 1>, Dim<"d", 2>, Dim<"e", 2>>,
             // all factorisations of 12
             IJK<1, 1, 12>, IJK<1, 2, 6>, IJK<1, 3, 4>, IJK<1, 4, 3>, IJK<1, 6, 2>, IJK<1, 12, 1>, IJK<2, 1, 6>,
             IJK<2, 2, 3>, IJK<2, 3, 2>, IJK<2, 6, 1>, IJK<3, 1, 4>, IJK<3, 2, 2>, IJK<3, 4, 1>, IJK<4, 1, 3>,
             IJK<4, 3, 1>, IJK<6, 1, 2>, IJK<6, 2, 1>, IJK<12, 1, 1>,
             // and of 8
             IJKL<1, 1, 1, 8>, IJKL<1, 1, 2, 4>, IJKL<1, 1, 4, 2>, IJKL<1, 1, 8, 1>, IJKL<1, 2, 1, 4>, IJKL<1, 2, 2, 2>,
             IJKL<1, 2, 4, 1>, IJKL<1, 4, 1, 2>, IJKL<1, 4, 2, 1>, IJKL<1, 8, 1, 1>, IJKL<2, 1, 1, 4>, IJKL<2, 1, 2, 2>,
             IJKL<2, 1, 4, 1>, IJKL<2, 2, 1, 2>, IJKL<2, 2, 2, 1>, IJKL<2, 4, 1, 1>, IJKL<4, 1, 1, 2>, IJKL<4, 1, 2, 1>,
             IJKL<4, 2, 1, 1>, IJKL<8, 1, 1, 1>>(split(row.at("names"), ','), row.at("shape"));
    compare(row, mesh_cells(mesh, rank), row.at("mesh"));
  }
  std::cout << "mesh_coords.tsv: " << replayed << " rows replayed, " << with_table << " with a table\n";
  BOOST_TEST(replayed == 674u);
  BOOST_TEST(with_table == 153u);
}

BOOST_AUTO_TEST_CASE(grids_answer_as_mpi_does) {
  const auto rows = rows_of("cart.tsv");
  for (const Row& row : rows) {
    const auto rank = static_cast<unsigned>(std::stoul(row.at("rank")));
    const auto periodic = split(row.at("periodic"), ',');
    const Answers& grid =
        find<Sets::all, X<4>, X<5>, XY<1, 1>, XY<1, 8>, XY<2, 2>, XY<2, 3>, XY<2, 4>, XY<3, 2>, XY<3, 4>, XY<8, 1>,
             XYZ<2, 2, 2>, XYZ<2, 2, 3>, XYZ<4, 1, 2>, XYZ<3, 2, 2>>({"x", "y", "z"}, row.at("dims"));
    compare(row, grid_cells(grid, rank, periodic), row.at("case"));
  }
  std::cout << "cart.tsv: " << rows.size() << " rows replayed\n";
  BOOST_TEST(rows.size() == 133u);
}

}  // namespace
