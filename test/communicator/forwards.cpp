// SPDX-License-Identifier: BSL-1.0
// The collectives as members of a mesh: with a literal, a tag, an index, and no name on a mesh of one axis.
#include "../support/meshes.hpp"

using axial::in_place, axial::List, axial::plus;

namespace {

using M = Mesh<Dim<"a", 2>, Dim<"b", 2>>;
using Values = std::vector<int>;

/// All collectives along axis "b", which `on` names in one way. Roots that are constants lose that on their way here.
template <class Members>
void check(unsigned a, unsigned b, Members on) {
  constexpr axial::Rank<"b"> zero(0), one(1);
  const int me = static_cast<int>(10 * a + b), first = static_cast<int>(10 * a);
  const Values in = {me, 1};
  Values out(2), all(4), both = in, row(1);

  BOOST_TEST(on.all_reduce(me, plus) == 2 * first + 1);
  on.all_reduce(in, out, plus);
  BOOST_TEST((out == Values{2 * first + 1, 2}));
  on.all_reduce(in_place(both), plus);
  BOOST_TEST((both == Values{2 * first + 1, 2}));

  BOOST_TEST((on.all_gather(me) == List<int, 2>{.values = {first, first + 1}}));
  on.all_gather(in, all);
  BOOST_TEST((all == Values{first, 1, first + 1, 1}));
  on.all_gather(in_place(all));
  BOOST_TEST((all == Values{first, 1, first + 1, 1}));

  BOOST_TEST(on.reduce_scatter(in, plus) == (b == 0 ? 2 * first + 1 : 2));
  on.reduce_scatter(in, row, plus);
  BOOST_TEST(row[0] == (b == 0 ? 2 * first + 1 : 2));
  both = in;
  on.reduce_scatter(in_place(both), plus);
  BOOST_TEST(both[0] == row[0]);

  BOOST_TEST(on.broadcast(me, one) == first + 1);
  BOOST_TEST(on.broadcast(me, zero) == first);
  on.broadcast(in, out, one);
  BOOST_TEST((out == Values{first + 1, 1}));
  both = in;
  on.broadcast(in_place(both), one);
  BOOST_TEST((both == Values{first + 1, 1}));

  const auto sum = on.reduce(me, plus, one);
  BOOST_TEST(sum.value_or(-1) == (b == 1 ? 2 * first + 1 : -1));
  out = {};
  out.resize(2);
  on.reduce(in, out, plus, one);
  BOOST_TEST((out == (b == 1 ? Values{2 * first + 1, 2} : Values{0, 0})));
  both = in;
  on.reduce(in_place(both), plus, zero);
  BOOST_TEST((both == (b == 0 ? Values{2 * first + 1, 2} : in)));

  BOOST_TEST(on.scan(me, plus) == (b == 0 ? first : 2 * first + 1));
  on.scan(in, out, plus);
  BOOST_TEST((out == (b == 0 ? in : Values{2 * first + 1, 2})));
  both = in;
  on.scan(in_place(both), plus);
  BOOST_TEST((both == out));
  BOOST_TEST(on.exclusive_scan(me, plus) == (b == 0 ? 0 : first));
  on.exclusive_scan(in, out, plus);
  BOOST_TEST((out == (b == 0 ? Values{0, 0} : Values{first, 1})));
  both = in;
  on.exclusive_scan(in_place(both), plus);
  BOOST_TEST((both == out));

  const Values column = b == 0 ? Values{first, first + 1} : Values{1, 1};
  BOOST_TEST((on.all_to_all(in) == List<int, 2>{.values = {column[0], column[1]}}));
  on.all_to_all(in, out);
  BOOST_TEST((out == column));
  both = in;
  on.all_to_all(in_place(both));
  BOOST_TEST((both == column));

  const auto gathered = on.gather(me, one);
  BOOST_TEST(gathered.has_value() == (b == 1));
  if (gathered) BOOST_TEST((*gathered == List<int, 2>{.values = {first, first + 1}}));
  all = {0, 0, 0, 0};
  on.gather(in, all, one);
  BOOST_TEST((all == (b == 1 ? Values{first, 1, first + 1, 1} : Values{0, 0, 0, 0})));
  on.gather(in_place(all), one);
  BOOST_TEST(all[3] == (b == 1 ? 1 : 0));
  BOOST_TEST(on.scatter(in, one) == (b == 0 ? first + 1 : 1));
  on.scatter(in, row, zero);
  BOOST_TEST(row[0] == (b == 0 ? first : 1));
  both = in;
  on.scatter(in_place(both), one);
  BOOST_TEST((both == (b == 0 ? Values{first + 1, 1} : in)));
  on.barrier();
}

// A mesh whose members name the axis by CALL(operation, arguments...).
#define WAY(Name, CALL)                                                                                     \
  template <class D>                                                                                        \
  struct Name {                                                                                             \
    const D& mesh;                                                                                          \
    auto all_reduce(auto&&... x) const { return CALL(all_reduce, static_cast<decltype(x)>(x)...); }         \
    auto all_gather(auto&&... x) const { return CALL(all_gather, static_cast<decltype(x)>(x)...); }         \
    auto reduce_scatter(auto&&... x) const { return CALL(reduce_scatter, static_cast<decltype(x)>(x)...); } \
    auto broadcast(auto&&... x) const { return CALL(broadcast, static_cast<decltype(x)>(x)...); }           \
    auto reduce(auto&&... x) const { return CALL(reduce, static_cast<decltype(x)>(x)...); }                 \
    auto scan(auto&&... x) const { return CALL(scan, static_cast<decltype(x)>(x)...); }                     \
    auto exclusive_scan(auto&&... x) const { return CALL(exclusive_scan, static_cast<decltype(x)>(x)...); } \
    auto all_to_all(auto&&... x) const { return CALL(all_to_all, static_cast<decltype(x)>(x)...); }         \
    auto gather(auto&&... x) const { return CALL(gather, static_cast<decltype(x)>(x)...); }                 \
    auto scatter(auto&&... x) const { return CALL(scatter, static_cast<decltype(x)>(x)...); }               \
    auto barrier(auto&&... x) const { return CALL(barrier, static_cast<decltype(x)>(x)...); }               \
  };
#define BY_LITERAL(operation, ...) mesh.template operation<"b">(__VA_ARGS__)
#define BY_INDEX(operation, ...) mesh.template operation<1>(__VA_ARGS__)
#define BY_TAG(operation, ...) mesh.operation(axial::axis<"b">, __VA_ARGS__)
#define BY_NONE(operation, ...) mesh.operation(__VA_ARGS__)
WAY(ByLiteral, BY_LITERAL)
WAY(ByIndex, BY_INDEX)
WAY(ByTag, BY_TAG)
WAY(ByNone, BY_NONE)

}  // namespace

BOOST_AUTO_TEST_CASE(all_collectives_of_an_axis_are_members_of_the_mesh) {
  if (world_size() != 4) return;
  const auto mesh = axial::init_device_mesh<M>(axial::borrow(MPI_COMM_WORLD));
  const unsigned a = mesh.local_rank<"a">().value(), b = mesh.local_rank<"b">().value();
  check(a, b, ByLiteral{mesh});
  check(a, b, ByIndex{mesh});
  check(a, b, ByTag{mesh});
  const auto row = mesh.submesh<"b">();
  check(a, b, ByNone{row});
  check(a, b, ByLiteral{row});
  const auto swapped = mesh.permute<"b", "a">();
  check(a, b, ByTag{swapped});
}

BOOST_AUTO_TEST_CASE(a_constant_root_is_taken_in_each_way_of_naming_the_axis) {
  if (world_size() != 4) return;
  const auto mesh = axial::init_device_mesh<M>(axial::borrow(MPI_COMM_WORLD));
  const auto row = mesh.submesh<"b">();
  const unsigned last = mesh.local_rank<"a">().value() * 2 + 1;
  BOOST_TEST(mesh.broadcast<"b">(world_rank(), 1) == last);
  BOOST_TEST(mesh.broadcast<1>(world_rank(), 1u) == last);
  BOOST_TEST(mesh.broadcast(axial::axis<"b">, world_rank(), 1) == last);
  BOOST_TEST(row.broadcast(world_rank(), std::size_t{1}) == last);
  const auto is_root = mesh.local_rank<"b">() == 1;
  BOOST_TEST(mesh.reduce<"b">(1, plus, 1).has_value() == is_root);
  BOOST_TEST(mesh.reduce<1>(1, plus, 1).has_value() == is_root);
  BOOST_TEST(mesh.reduce(axial::axis<"b">, 1, plus, 1).has_value() == is_root);
  BOOST_TEST(row.reduce(1, plus, 1).has_value() == is_root);
}

BOOST_AUTO_TEST_CASE(a_collective_over_several_axes_is_along_the_axis_that_they_are_flattened) {
  if (world_size() != 8) return;
  using Cube = Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>>;
  for (const axial::Options& options : {axial::Options{}, axial::Options{.lazy = true}}) {
    const auto mesh = axial::init_device_mesh<Cube>(axial::borrow(MPI_COMM_WORLD), options);
    const auto group = mesh.group_ranks<"a", "c">();
    BOOST_TEST((mesh.all_reduce<"a", "c">(world_rank(), plus)) == group[0] + group[1] + group[2] + group[3]);
    BOOST_TEST((mesh.broadcast<"a", "c">(world_rank(), 1)) == group[1]);
    const auto all = mesh.all_gather<"c", "a">(world_rank());
    static_assert(std::is_same_v<decltype(all), const List<unsigned, 4>>);
    BOOST_TEST(std::ranges::equal(all, mesh.group_ranks<"c", "a">()));
    std::vector<unsigned> out(8);
    mesh.all_gather<0, 1, 2>(std::vector{world_rank()}, out);
    for (unsigned rank = 0; rank < 8; ++rank) BOOST_TEST(out[rank] == rank);
    const auto gathered = mesh.gather<"a", "b">(world_rank(), 3);
    BOOST_TEST(gathered.has_value() == (mesh.local_rank<"a">() == 1 && mesh.local_rank<"b">() == 1));
    if (gathered) BOOST_TEST(std::ranges::equal(*gathered, mesh.group_ranks<"a", "b">()));
    mesh.barrier<"a", "b", "c">();
    const auto part = mesh.submesh<"b", "c">();
    BOOST_TEST((part.all_reduce<"b", "c">(1, plus) == 4));
  }
}

BOOST_AUTO_TEST_CASE(ranks_of_an_axis_compare_with_their_kind_and_with_integers) {
  using Rank = axial::Rank<"b">;
  constexpr Rank two(2);
  static_assert(two == Rank(2) && two != Rank(3) && two < Rank(3) && two > 1 && two <= 2u && 3 > two && 2 == two);
  static_assert(two != -1 && two > -1 && two < 5'000'000'000 && two < ~0ull && two != 4'294'967'298);
  static_assert(axial::GlobalRank(7) == 7 && axial::GlobalRank(7) < axial::GlobalRank(8));
  static_assert(!std::is_convertible_v<unsigned, Rank> && !std::is_convertible_v<Rank, unsigned>);
  static_assert(!std::is_convertible_v<Rank, axial::Rank<"a">> && !std::is_convertible_v<axial::GlobalRank, Rank>);
  BOOST_TEST(axial::to_string(two) == "2");
  BOOST_TEST(axial::to_string(axial::GlobalRank(7)) == "7");
}

BOOST_AUTO_TEST_CASE(operators_are_functions_too) {
  static_assert(axial::plus(1, 2) == 3 && axial::multiplies(3, 4) == 12 && axial::min(3, 4) == 3 &&
                axial::max(3, 4) == 4);
  static_assert(axial::bit_and(6, 3) == 2 && axial::bit_or(6, 3) == 7 && axial::bit_xor(6, 3) == 5);
  static_assert(axial::logical_and(true, false) == false && axial::logical_or(2, 0) == 1);
}
