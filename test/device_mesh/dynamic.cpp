// SPDX-License-Identifier: BSL-1.0
// Meshes whose outermost extent is the number of ranks over the rest: extents, groups and collectives on any number of
// ranks, operations, second factorisations, refusals.
#include <axial/ledger.hpp>
#include <numeric>

#include "../support/axes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::init_device_mesh_on, axial::borrow, axial::plus,
    axial::dynamic;
using axial::ledger::during, axial::ledger::live_count, axial::ledger::Object;

namespace {

using Line = Mesh<Dim<"dp", dynamic>>;
using Pairs = Mesh<Dim<"dp", dynamic>, Dim<"tp", 2>>;
using Triples = Mesh<Dim<"dp", dynamic>, Dim<"cp", 3>, Dim<"tp", 1>>;
using Quads = Mesh<Dim<"dp", dynamic>, Dim<"cp", 2>, Dim<"tp", 2>>;

auto world() { return borrow(MPI_COMM_WORLD); }

/// The product of the extents that the type knows.
template <class M>
constexpr unsigned rest = 1;
template <class Outer, class... Dims>
constexpr unsigned rest<Mesh<Outer, Dims...>> = (Dims::extent * ... * 1u);

/// Calls f(mesh) for each of the types that fits the number of ranks.
template <class F>
void each_that_fits(F f) {
  each(Types<Line, Pairs, Triples, Quads>{}, [&]<class M> {
    if (world_size() % rest<M> == 0) f(init_device_mesh<M>(world()));
  });
}

/// Seats along axis I of a row-major mesh of this shape.
template <class Shape>
auto seats(const Shape& shape, std::size_t axis) {
  unsigned inner = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  return [inner, extent = shape[axis]](unsigned rank) -> Seat {
    return {rank / inner % extent, rank / inner / extent * inner + rank % inner};
  };
}

/// All that a dynamic axis offers, against plain sums; element i of rank r is 10 * r + i.
template <class Axis>
void check_collectives(const Axis& axis, const std::vector<unsigned>& group) {
  const unsigned n = axis.size(), me = axis.rank().value();
  const unsigned sum = std::accumulate(group.begin(), group.end(), 0u);
  using Rank = typename Axis::rank_type;
  const auto all = axis.all_gather(world_rank());
  BOOST_TEST(std::vector<unsigned>(all.begin(), all.end()) == group, boost::test_tools::per_element());
  BOOST_TEST(axis.all_reduce(world_rank(), plus) == sum);
  BOOST_TEST(axis.all_reduce(world_rank(), axial::max) == *std::ranges::max_element(group));
  BOOST_TEST(axis.broadcast(world_rank(), Rank(n - 1)) == group[n - 1]);
  BOOST_TEST(axis.broadcast(world_rank(), 0) == group[0]);
  const auto reduced = axis.reduce(world_rank(), plus, Rank(n - 1));
  BOOST_TEST(reduced.has_value() == (me == n - 1));
  if (reduced) BOOST_TEST(*reduced == sum);
  std::vector<unsigned> parts(2 * n), part(2), gathered(2 * n);
  for (unsigned i = 0; i < 2 * n; ++i) parts[i] = 10 * world_rank() + i;
  axis.reduce_scatter(parts, part, plus);
  BOOST_TEST(part[0] == 10 * sum + n * 2 * me);
  BOOST_TEST(part[1] == 10 * sum + n * (2 * me + 1));
  axis.all_gather(part, gathered);
  for (unsigned i = 0; i < 2 * n; ++i) BOOST_TEST(gathered[i] == 10 * sum + n * i);
  axis.all_reduce(axial::in_place(parts), plus);
  BOOST_TEST(parts[2 * n - 1] == 10 * sum + n * (2 * n - 1));
  axis.barrier();
  BOOST_TEST(text_of([&] { axis.broadcast(1, Rank(n)); }).find(std::to_string(n)) != std::string::npos);
}

template <class M>
void check_queries(const DeviceMesh<M>& mesh) {
  const unsigned n = world_size(), outer = n / rest<M>;
  BOOST_TEST(mesh.template extent<"dp">() == outer);
  BOOST_TEST(mesh.extent(axial::axis<"dp">) == outer);
  BOOST_TEST(mesh.shape()[0] == outer);
  BOOST_TEST(mesh.size() == n);
  BOOST_TEST(mesh.world() == n);
  BOOST_TEST(mesh.copies() == 1);
  BOOST_TEST(mesh.template stride<"dp">() == rest<M>);
  BOOST_TEST(mesh.template group_count<"dp">() == rest<M>);
  BOOST_TEST(mesh.all_coordinates().size() == n);
  BOOST_TEST(mesh.contains(n - 1));
  BOOST_TEST(!mesh.contains(n));
  BOOST_TEST(!mesh.try_coordinates_of(n).has_value());
  for (unsigned rank = 0; rank < n; ++rank) {
    BOOST_TEST(mesh.template coordinate_of<"dp">(rank) == rank / rest<M>);
    BOOST_TEST(mesh.rank_of(mesh.coordinates_of(rank)) == rank);
    BOOST_TEST(mesh.all_coordinates()[rank] == mesh.coordinates_of(rank));
    BOOST_TEST(mesh.template group_index<"dp">(rank) == rank % rest<M>);
    BOOST_TEST(mesh.template neighbor<"dp">(rank, 1) == (rank + rest<M>) % n);
    BOOST_TEST(mesh.template neighbor<"dp">(rank, -1, false) == (rank < rest<M> ? axial::no_rank : rank - rest<M>));
    BOOST_TEST(mesh.template neighbor<"dp">(rank, 1, false) == (rank + rest<M> < n ? rank + rest<M> : axial::no_rank));
  }
  std::size_t items = 0;
  for (unsigned i = 0; i < outer; ++i) items += mesh.template shard<"dp">(17, i).size;
  BOOST_TEST(items == 17);
  BOOST_TEST(mesh.template shard<"dp">(17).offset ==
             std::min(17u, (17 + outer - 1) / outer * (world_rank() / rest<M>)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_outermost_extent_is_the_number_of_ranks_over_the_rest) {
  each_that_fits([]<class M>(const DeviceMesh<M>& mesh) {
    BOOST_TEST_CONTEXT(axial::to_string(M{})) {
      check_queries(mesh);
      each_index<M::ndim()>([&]<std::size_t I> { check_axis<I>(mesh, my_group(seats(mesh.shape(), I))); });
      BOOST_TEST(axial::to_string(mesh).starts_with("DeviceMesh(dp=" + std::to_string(world_size() / rest<M>)));
    }
  });
}

BOOST_AUTO_TEST_CASE(every_collective_works_along_each_axis) {
  each_that_fits([]<class M>(const DeviceMesh<M>& mesh) {
    BOOST_TEST_CONTEXT(axial::to_string(M{}))
    check_collectives(mesh.template communicator<"dp">(), my_group(seats(mesh.shape(), 0)));
  });
  if (world_size() % 2 != 0) return;
  const auto mesh = init_device_mesh<Pairs>(world());
  BOOST_TEST(mesh.all_gather<"tp">(world_rank())[1] == world_rank() / 2 * 2 + 1);  // a List of two
  static_assert(sizeof(mesh.all_gather<"tp">('x')) == 2);
  const auto empty = decltype(mesh.all_gather<"dp">('x'))();
  BOOST_TEST(empty.size() == 0);
}

BOOST_AUTO_TEST_CASE(an_extent_of_1_that_only_the_run_time_knows_calls_nothing) {
  const auto check = []<class M>() {
    if (world_size() != rest<M>) return;
    const auto mesh = init_device_mesh<M>(world());
    BOOST_TEST((handle_of(mesh.template communicator<"dp">()) == MPI_COMM_SELF));
    const auto counts = during([&] {
      BOOST_TEST(mesh.template all_gather<"dp">(7).size() == 1);
      BOOST_TEST(mesh.template all_gather<"dp">(7)[0] == 7);
      BOOST_TEST(mesh.template all_reduce<"dp">(7, plus) == 7);
      BOOST_TEST(mesh.template broadcast<"dp">(7, 0) == 7);
      mesh.template barrier<"dp">();
      mesh.template create<"dp">();
    });
    BOOST_TEST(counts.total() == 0, counts.text());
    BOOST_TEST(live_count(Object::communicator) == M::ndim() - 1 - (rest<M> == 3));
  };
  each(Types<Line, Pairs, Triples, Quads>{}, check);
}

BOOST_AUTO_TEST_CASE(operations_keep_the_dynamic_axis_outermost) {
  if (world_size() % 4 != 0) return;
  const unsigned outer = world_size() / 4;
  const auto mesh = init_device_mesh<Quads>(world());
  const auto dp = seats(mesh.shape(), 0);
  const auto cp = seats(mesh.shape(), 1);
  const auto tp = seats(mesh.shape(), 2);
  const auto dp_cp = mesh.flatten<"dp", "cp">();
  check_axes(dp_cp, [](unsigned rank) -> Seat { return {rank / 2, rank % 2}; }, tp);
  BOOST_TEST(axial::to_string(dp_cp) == "DeviceMesh(dp_cp=" + std::to_string(2 * outer) + ", tp=2)");
  check_axes(mesh.flatten(), [](unsigned rank) -> Seat { return {rank, 0}; });
  check_axes(mesh.flatten<"tp", "cp">(), dp,
             [](unsigned rank) -> Seat { return {rank % 2 * 2 + rank / 2 % 2, rank / 4}; });
  check_axes(mesh.permute<"dp", "tp", "cp">(), dp, tp, cp);
  check_axes(mesh.submesh<"dp", "tp">(), dp, tp);
  check_axes(mesh.others<"dp">(), cp, tp);
  check_axes(mesh.rename<"dp", "data">().submesh<"data">(), dp);
  check_axes(mesh.unflatten<"cp", Dim<"one", 1>, Dim<"two", 2>>().submesh<"dp", "two">(), dp, cp);
  check_axes(concat(mesh.submesh<"dp">(), mesh.submesh<"tp">()), dp, tp);
  BOOST_TEST(mesh.submesh<"tp">().copies() == 2 * outer);
  if (const auto slice = mesh.slice<"tp", 1>()) {
    check_axes(*slice, dp, cp);
    for (unsigned rank = 0; rank < world_size() + 3; ++rank)
      BOOST_TEST(slice->contains(rank) == (rank < world_size() && rank % 2 == 1));
    check_axes(slice->flatten(), [](unsigned rank) -> Seat { return {rank / 2, rank % 2}; });  // those of dp_cp
  }
}

BOOST_AUTO_TEST_CASE(a_dynamic_mesh_has_second_factorisations_that_divide_its_ranks) {
  if (world_size() % 2 != 0) return;
  const auto mesh = init_device_mesh<Pairs>(world());
  using Eights = Mesh<Dim<"edp", dynamic>, Dim<"ep", 8>>;
  if (world_size() == 8) {
    const auto expert = mesh.view_as<Eights>();
    check_axes(
        expert, [](unsigned rank) -> Seat { return {0, rank}; }, [](unsigned rank) -> Seat { return {rank, 0}; });
    BOOST_TEST((handle_of(mesh.view_as<Line>().communicator<"dp">()) == handle_of(expert.communicator<"ep">())));
    BOOST_TEST((expert.root() == mesh));
    BOOST_TEST((expert.view_as<Pairs>() == mesh));
    BOOST_TEST((&expert.view_as<Pairs>().communicator<"tp">() == &mesh.communicator<"tp">()));
    BOOST_TEST((handle_of(mesh.view_as<decltype(Quads::submesh<"tp">())>().communicator<"tp">()) ==
                handle_of(mesh.communicator<"tp">())));
  } else {
    const std::string size = std::to_string(world_size());
    BOOST_TEST(text_of([&] { mesh.view_as<Eights>(); }) ==
               "view_as: Mesh(edp=*, ep=8) needs a multiple of 8 ranks, and the mesh has " + size);
    // A part of such a mesh does not fit either.
    BOOST_TEST(text_of([&] {
                 mesh.view_as<decltype(Eights::submesh<"edp">())>();
               }).ends_with("needs a multiple of 8 ranks, and the mesh has " + size));
  }
}

BOOST_AUTO_TEST_CASE(a_number_of_ranks_that_is_no_multiple_is_refused_on_all_ranks) {
  const unsigned n = world_size();
  const auto wanted = [&](unsigned divisor) {
    const unsigned below = n / divisor * divisor;
    return " needs a multiple of " + std::to_string(divisor) + " ranks, and the communicator has " + std::to_string(n) +
           "; " + (below ? std::to_string(below) + " or " : "") + std::to_string(below + divisor) + " would fit";
  };
  const auto refused = [](auto make) { return text_of([&] { make(); }); };
  if (n % 3 != 0)
    check_same_text(MPI_COMM_WORLD, refused([] { init_device_mesh<Triples>(world()); }),
                    "Mesh(dp=*, cp=3, tp=1)" + wanted(3));
  if (n % 4 != 0)
    check_same_text(MPI_COMM_WORLD, refused([] { init_device_mesh<Quads>(world(), {.name = "dense"}); }),
                    "Mesh(dp=*, cp=2, tp=2) named \"dense\"" + wanted(4));
  // A part needs the ranks of its whole mesh.
  if (n % 4 != 0)
    BOOST_TEST(refused([] { init_device_mesh<decltype(Quads::submesh<"tp">())>(world()); }).ends_with(wanted(4)));
  BOOST_TEST(live_count(Object::communicator) == 0);
}

BOOST_AUTO_TEST_CASE(the_list_of_a_subset_gives_a_dynamic_mesh_its_size) {
  if (world_size() < 4) return;
  const auto mesh = init_device_mesh_on<Pairs>(world(), {3, 1, 0, 2}, {.rank_map = {2, 3, 0, 1}});
  BOOST_TEST(mesh.has_value() == (world_rank() < 4));
  if (mesh) {
    BOOST_TEST(mesh->extent<"dp">() == 2);
    BOOST_TEST((mesh->groups<"dp">() == std::vector<std::vector<unsigned>>{{0, 3}, {2, 1}}));
    BOOST_TEST(mesh->all_gather<"tp">(world_rank())[0] == (world_rank() == 0 || world_rank() == 2 ? 0 : 3));
  }
  const auto refused = [](const axial::RankMap& ranks) {
    return text_of([&] { init_device_mesh_on<Pairs>(world(), ranks); });
  };
  check_same_text(MPI_COMM_WORLD, refused({3, 1, 0}),
                  "Mesh(dp=*, tp=2) needs a multiple of 2 ranks, and the list names 3; 2 or 4 would fit");
  check_same_text(MPI_COMM_WORLD, refused({}),
                  "Mesh(dp=*, tp=2) needs a multiple of 2 ranks, and the list names 0; 2 would fit");
}
