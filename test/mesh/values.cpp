// SPDX-License-Identifier: BSL-1.0
// What meshes answer: worked examples, and the ends of the ranges of numbers.
#include <climits>
#include <cstddef>

#include "../support/first_wrong.hpp"

import axial;

namespace {

using axial::Dim, axial::Mesh, axial::List, axial::Shard, axial::no_rank;

// The running example: strides (4,2,1) on 8 ranks.
using M = Mesh<Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 2>>;
static_assert(List{M::stride<"dp">(), M::stride<"cp">(), M::stride<"tp">()} == List{4, 2, 1});
static_assert(M::coordinates_of(5) == axial::Coordinates<M>{1, 0, 1} && M::rank_of({1, 0, 1}) == 5);
static_assert(M::groups<"tp">() == List{List{0, 1}, List{2, 3}, List{4, 5}, List{6, 7}});
static_assert(M::groups<"cp">() == List{List{0, 2}, List{1, 3}, List{4, 6}, List{5, 7}});
static_assert(M::groups<"dp">() == List{List{0, 4}, List{1, 5}, List{2, 6}, List{3, 7}});
static_assert(M::groups<"dp", "tp">() == List{List{0, 1, 4, 5}, List{2, 3, 6, 7}});
static_assert(M::groups<"tp", "dp">() == List{List{0, 4, 1, 5}, List{2, 6, 3, 7}});  // order matters
static_assert(M::groups<"cp", "tp">() == List{List{0, 1, 2, 3}, List{4, 5, 6, 7}});
static_assert(List{M::group_index<"cp">(1), M::group_index<"cp">(3), M::group_index<"cp">(4)} == List{1, 1, 2});
static_assert(M::group_of<"tp", "dp">(3) == List{2, 6, 3, 7} && M::group_index<"tp", "dp">(3) == 1);

using Rows = decltype(M::others<"tp">());
static_assert(Rows::names() == List{"dp", "cp"} && Rows::shape() == List{2, 2} && Rows::copies() == 2);
static_assert(Rows::stride<"dp">() == 4 && Rows::stride<"cp">() == 2);
using Columns = decltype(M::submesh<"tp", "dp">());
static_assert(Columns::stride<0>() == 1 && Columns::stride<1>() == 4 && Columns::shape() == List{2, 2});
using Reversed = decltype(M::permute<"tp", "dp", "cp">());
static_assert(List{Reversed::stride<0>(), Reversed::stride<1>(), Reversed::stride<2>()} == List{1, 4, 2});
static_assert(Reversed::coordinates_of(5) == axial::Coordinates<Reversed>{1, 1, 0} &&
              Reversed::rank_of({1, 1, 0}) == 5);

// Copy 0 of (tp, dp) holds the ranks 0, 1, 4, 5, copy 1 holds 2, 3, 6, 7.
static_assert(Columns::rank_of({1, 0}) == 1 && Columns::rank_of({0, 1}) == 4);
static_assert(Columns::rank_of({1, 0}, 6) == 3 && Columns::rank_of({0, 1}, 2) == 6 && Columns::rank_of({1, 1}, 7) == 7);
static_assert(Columns::coordinates_of(6) == axial::Coordinates<Columns>{0, 1});
using C = axial::Coordinates<Columns>;
static_assert(Columns::all_coordinates() == Columns::all_coordinates() && Columns::all_coordinates()[1] == C{1, 0} &&
              Columns::all_coordinates()[2] == C{0, 1} && Columns::all_coordinates().back() == C{1, 1});
static_assert(M::others<"dp", "cp", "tp">().coordinates_of(5) == axial::Coordinates<decltype(M::others<0, 1, 2>())>{});
static_assert(M::others<"dp", "cp", "tp">().rank_of({}, 5) == 5 &&
              M::others<"dp", "cp", "tp">().all_coordinates().size() == 1);

// An axis of extent 1 is legal everywhere, and is its own neighbour.
using One = Mesh<Dim<"a", 1>, Dim<"b", 3>, Dim<"c", 1>>;
static_assert(One::groups<"a">() == List{List{0}, List{1}, List{2}} && One::groups<"b">()[0] == List{0, 1, 2});
static_assert(One::groups<"a", "c">() == One::groups<"c">() && One::groups<"c", "b">() == One::groups<"b">());
static_assert(One::stride<"a">() == 0 && One::stride<"b">() == 1 && One::coordinate_of<"c">(2) == 0);
static_assert(One::group_count<"a">() == 3 && One::group_index<"a">(2) == 2 && One::group_of<"c">(1) == List{1});
static_assert(One::submesh<"c", "a">().shape() == List{1, 1} && One::submesh<"c", "a">().copies() == 3);

// 2^30 ranks in 6 axes, and the most ranks that there can be.
using Large = Mesh<Dim<"a", 32>, Dim<"b", 32>, Dim<"c", 32>, Dim<"d", 32>, Dim<"e", 32>, Dim<"f", 32>>;
static_assert(Large::size() == 1u << 30 && Large::stride<"a">() == 1u << 25 && Large::stride<"f">() == 1);
static_assert(Large::coordinates_of((1u << 30) - 1) == axial::Coordinates<Large>{31, 31, 31, 31, 31, 31});
static_assert(Large::rank_of({31, 31, 31, 31, 31, 30}) == (1u << 30) - 2 &&
              Large::rank_of({1, 0, 0, 0, 0, 0}) == 1u << 25);
static_assert(Large::group_count<"c">() == 1u << 25 && Large::groups<"c">().size() == 1u << 25);
static_assert(Large::groups<"c">().back().back() == (1u << 30) - 1 && Large::groups<"a">().back()[1] == (1u << 26) - 1);
static_assert(Large::group_index<"a">((1u << 30) - 1) == (1u << 25) - 1 &&
              Large::group_of<"a", "f">(7)[33] == (1u << 25) + 1);
static_assert(Large::neighbor<"a">(0, -1) == 31u << 25 && Large::neighbor<"a">(31u << 25, 1) == 0);
static_assert(Large::others<"c">().copies() == 32 && Large::others<"c">().all_coordinates().size() == 1u << 25);
static_assert(Large::others<"c">().rank_of({31, 31, 31, 31, 31}, (1u << 30) - 1) == (1u << 30) - 1);
static_assert(Large::submesh<"f", "a">().all_coordinates().back() ==
              axial::Coordinates<decltype(Large::submesh<5, 0>())>{31, 31});
static_assert(Large::permute<5, 4, 3, 2, 1, 0>().coordinates_of(1) ==
              axial::Coordinates<decltype(Large::permute<5, 4, 3, 2, 1, 0>())>{1, 0, 0, 0, 0, 0});

using Most = Mesh<Dim<"x", 2147483647>>;
static_assert(Most::size() == axial::max_ranks && Most::coordinate_of(2147483646) == 2147483646 &&
              !Most::contains(2147483647));
static_assert(Most::groups()[0].back() == 2147483646 && Most::group_index(5) == 0 && Most::copies() == 1);
static_assert(Most::neighbor(0, -1) == 2147483646 && Most::neighbor(2147483646, 1) == 0);
static_assert(Most::neighbor(0, INT_MIN) == 2147483646 && Most::neighbor(0, INT_MIN, false) == no_rank);
static_assert(Most::neighbor(2147483646, INT_MAX) == 2147483646 &&
              Most::neighbor(2147483646, INT_MAX, false) == no_rank);
static_assert(Most::neighbor(0, 2147483646, false) == 2147483646 && Most::neighbor(0, INT_MAX, false) == no_rank);
using Halves = Mesh<Dim<"a", 2>, Dim<"b", 1073741823>>;
static_assert(Halves::groups<"a">().back().back() == 2147483645 && Halves::neighbor<"a">(1073741822, 1) == 2147483645);

struct Neighbor {
  unsigned rank;
  int offset;
  unsigned periodic, bounded;
};
// Along "x" of (3, 4), ranks 1, 5, 9.
constexpr Neighbor neighbors[] = {
    {1, 0, 1, 1},
    {1, 1, 5, 5},
    {1, 2, 9, 9},
    {1, 3, 1, no_rank},
    {1, -1, 9, no_rank},
    {9, 1, 1, no_rank},
    {9, -2, 1, 1},
    {5, 1, 9, 9},
    {5, -1, 1, 1},
    {5, 4, 9, no_rank},
    {5, -4, 1, no_rank},
    {5, 300, 5, no_rank},
    {5, INT_MAX, 9, no_rank},
    {5, INT_MIN, 9, no_rank},
    {1, INT_MIN, 5, no_rank},
};
template <class Grid>
consteval auto neighbors_are() {
  return [](const Neighbor& n) {
    return Grid::template neighbor<"x">(n.rank, n.offset) == n.periodic &&
           Grid::template neighbor<"x">(n.rank, n.offset, false) == n.bounded;
  };
}
using Grid = Mesh<Dim<"x", 3>, Dim<"y", 4>>;
static_assert(first_wrong(neighbors, neighbors_are<Grid>()) == all);
static_assert(first_wrong(neighbors, neighbors_are<decltype(Grid::submesh<"x">())>()) == all);
static_assert(first_wrong(neighbors, neighbors_are<decltype(Grid::permute<"y", "x">())>()) == all);
// An axis of 2: the same neighbour on both sides. An axis of 1: itself when periodic or not moved, else none.
constexpr Neighbor of_two[] = {{0, 1, 1, 1},  {0, -1, 1, no_rank},      {1, 1, 0, no_rank},
                               {1, -1, 0, 0}, {1, INT_MIN, 1, no_rank}, {0, INT_MAX, 1, no_rank}};
static_assert(first_wrong(of_two, neighbors_are<Mesh<Dim<"x", 2>>>()) == all);
constexpr Neighbor of_one[] = {
    {1, 0, 1, 1}, {1, 1, 1, no_rank}, {1, -1, 1, no_rank}, {2, INT_MIN, 2, no_rank}, {0, INT_MAX, 0, no_rank}};
static_assert(first_wrong(of_one, neighbors_are<Mesh<Dim<"y", 3>, Dim<"x", 1>>>()) == all);

struct Share {
  std::size_t n;
  unsigned coordinate;
  Shard shard;
};
// Chunks of ceil(n / 4); an empty share is at n.
constexpr Share shares[] = {
    {8, 0, {0, 2}},
    {8, 3, {6, 2}},
    {7, 3, {6, 1}},
    {9, 2, {6, 3}},
    {9, 3, {9, 0}},
    {5, 2, {4, 1}},
    {5, 3, {5, 0}},
    {3, 2, {2, 1}},
    {3, 3, {3, 0}},
    {1, 0, {0, 1}},
    {1, 1, {1, 0}},
    {0, 0, {0, 0}},
    {0, 3, {0, 0}},
    {6, 3, {6, 0}},
    {~std::size_t{}, 0, {0, 1ull << 62}},
    {~std::size_t{}, 3, {3ull << 62, (1ull << 62) - 1}},
    {(1ull << 63) + 1, 3, {3 * ((1ull << 61) + 1), (1ull << 61) - 2}},
};
static_assert(first_wrong(shares, [](const Share& s) {
                return Mesh<Dim<"dp", 4>>::shard(s.n, s.coordinate) == s.shard &&
                       Grid::shard<"y">(s.n, s.coordinate) == s.shard;
              }) == all);
static_assert(Mesh<Dim<"dp", 1>>::shard(~std::size_t{}, 0) == Shard{0, ~std::size_t{}});
static_assert(Large::shard<"a">(1437, 31) == Shard{1395, 42} && Most::shard(3, 2147483646) == Shard{3, 0});

// As many dimensions as there can be, all of extent 1 but two.
using Many =
    Mesh<Dim<"00", 1>, Dim<"01", 1>, Dim<"02", 1>, Dim<"03", 1>, Dim<"04", 1>, Dim<"05", 1>, Dim<"06", 1>, Dim<"07", 1>,
         Dim<"08", 1>, Dim<"09", 1>, Dim<"10", 1>, Dim<"11", 1>, Dim<"12", 1>, Dim<"13", 1>, Dim<"14", 1>, Dim<"15", 1>,
         Dim<"16", 1>, Dim<"17", 2>, Dim<"18", 1>, Dim<"19", 1>, Dim<"20", 1>, Dim<"21", 1>, Dim<"22", 1>, Dim<"23", 1>,
         Dim<"24", 1>, Dim<"25", 1>, Dim<"26", 1>, Dim<"27", 1>, Dim<"28", 1>, Dim<"29", 1>, Dim<"30", 1>, Dim<"31", 1>,
         Dim<"32", 1>, Dim<"33", 1>, Dim<"34", 1>, Dim<"35", 1>, Dim<"36", 1>, Dim<"37", 1>, Dim<"38", 1>, Dim<"39", 1>,
         Dim<"40", 1>, Dim<"41", 1>, Dim<"42", 1>, Dim<"43", 1>, Dim<"44", 1>, Dim<"45", 1>, Dim<"46", 1>, Dim<"47", 1>,
         Dim<"48", 1>, Dim<"49", 1>, Dim<"50", 1>, Dim<"51", 1>, Dim<"52", 1>, Dim<"53", 1>, Dim<"54", 1>, Dim<"55", 1>,
         Dim<"56", 1>, Dim<"57", 1>, Dim<"58", 1>, Dim<"59", 1>, Dim<"60", 1>, Dim<"61", 1>, Dim<"62", 1>,
         Dim<"63", 3>>;
static_assert(Many::ndim() == axial::max_dimensions && Many::size() == 6 && Many::index_of<"63">() == 63);
static_assert(Many::groups<"17">() == List{List{0, 3}, List{1, 4}, List{2, 5}} && Many::others<"17">().ndim() == 63);
static_assert(Many::coordinates_of(5)[17] == 1 && Many::coordinates_of(5).get<"63">() == 2);

// 31 axes of extent 2 would be too many ranks; 30 are not.
using Bits =
    Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>, Dim<"d", 2>, Dim<"e", 2>, Dim<"f", 2>, Dim<"g", 2>, Dim<"h", 2>,
         Dim<"i", 2>, Dim<"j", 2>, Dim<"k", 2>, Dim<"l", 2>, Dim<"m", 2>, Dim<"n", 2>, Dim<"o", 2>, Dim<"p", 2>,
         Dim<"q", 2>, Dim<"r", 2>, Dim<"s", 2>, Dim<"t", 2>, Dim<"u", 2>, Dim<"v", 2>, Dim<"w", 2>, Dim<"x", 2>,
         Dim<"y", 2>, Dim<"z", 2>, Dim<"A", 2>, Dim<"B", 2>, Dim<"C", 2>, Dim<"D", 2>>;
using Shuffled = decltype(Bits::submesh<"D", "A", "y", "w", "u", "s", "q", "o", "m", "k", "i", "g", "e", "c", "a">());
static_assert(Bits::size() == 1u << 30 && Shuffled::size() == 1u << 15 && Shuffled::copies() == 1u << 15);
static_assert(Shuffled::groups<0, 2, 4, 6, 8, 10, 12, 14>()[0].back() ==
              (1u << 29) + (1u << 25) + (1u << 21) + (1u << 17) + (1u << 13) + (1u << 9) + (1u << 5) + 1);
static_assert(Shuffled::rank_of(Shuffled::coordinates_of(123456789), 123456789) == 123456789);

}  // namespace
