// SPDX-License-Identifier: BSL-1.0
// Meshes on communicators that exist: what fits is adopted and stays the user's; what does not is refused on all ranks.
#include <axial/ledger.hpp>
#include <functional>

#include "../support/axes.hpp"

using axial::DeviceMesh, axial::from_communicators, axial::borrow, axial::plus, axial::Options;
using axial::ledger::during, axial::ledger::live_count, axial::ledger::Object;

namespace {

using Square = Mesh<Dim<"a", 2>, Dim<"b", 2>>;

axial::CommunicatorView view(const Split& comm) { return borrow<MPI_Comm>(comm); }

/// Rows and columns of a grid with this many columns, of the ranks of the world in row-major order.
struct Grid {
  explicit Grid(unsigned columns)
      : column(static_cast<int>(world_rank() % columns), world_rank()),
        row(static_cast<int>(world_rank() / columns), world_rank()) {}
  Split column, row;
};

template <class M>
DeviceMesh<M> adopt(const Grid& grid, const Options& options = {}) {
  return from_communicators<M>(options, view(grid.column), view(grid.row));
}

/// The text that all ranks have from f, which leaves no communicators.
std::string refused(const std::function<void()>& f) {
  const std::size_t before = live_count(Object::communicator);
  const std::string text = text_of(f);
  for (const std::string& other : gather_texts(MPI_COMM_WORLD, text)) BOOST_TEST(other == text);
  BOOST_TEST(live_count(Object::communicator) == before);
  return text;
}
void check_refused(const std::string& reason, const std::function<void()>& f) {
  const std::string text = refused(f);
  BOOST_TEST(text.find(reason) != text.npos, text << " does not say: " << reason);
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_and_columns_become_a_mesh_that_uses_them_and_never_frees_them) {
  const auto check = []<class M>() {
    constexpr unsigned columns = M::template extent<1>();
    if (M::size() != world_size()) return;
    const Grid grid(columns);
    const std::size_t before = live_count(Object::communicator);
    {
      auto mesh = adopt<M>(grid, {.name = "grid"});
      const auto along_column = [&](unsigned rank) -> Seat { return {rank / columns, rank % columns}; };
      const auto along_row = [&](unsigned rank) -> Seat { return {rank % columns, rank / columns}; };
      check_axes(mesh, along_column, along_row);
      check_axes(mesh.template permute<"b", "a">(), along_row, along_column);
      BOOST_TEST(mesh.rank() == world_rank());
      BOOST_TEST((handle_of(mesh.template communicator<"a">()) == grid.column));
      BOOST_TEST((handle_of(mesh.template communicator<"b">()) == grid.row));
      BOOST_TEST((handle_of(mesh.template rename<"b", "c">().template communicator<"c">()) == grid.row));
      BOOST_TEST(mesh.options().name == "grid");
      BOOST_TEST(text_of([&] { mesh.flatten(); }).find("was adopted from communicators") != std::string::npos);
      BOOST_TEST(live_count(Object::communicator) == before);
      const auto end = during([copy = mesh]() mutable { copy.close(); });
      BOOST_TEST(end.total() == 0, end.text());
      BOOST_TEST(text_of([&] { mesh.template barrier<"a">(); }).ends_with("is closed"));
    }
    BOOST_TEST(live_count(Object::communicator) == before);
    MPI_Barrier(grid.column);
    MPI_Barrier(grid.row);
    const auto end = during([&] {
      const auto dropped = adopt<M>(grid);
      check_axis<1>(dropped, my_group([&](unsigned rank) -> Seat { return {rank % columns, rank / columns}; }));
    });
    BOOST_TEST(end.calls("MPI_Comm_free") == 0);
    BOOST_TEST(end.calls("MPI_Comm_create_group") == 0);
  };
  each(Types<Square, Mesh<Dim<"a", 2>, Dim<"b", 3>>, Mesh<Dim<"a", 3>, Dim<"b", 2>>, Mesh<Dim<"a", 2>, Dim<"b", 4>>>{},
       check);
}

BOOST_AUTO_TEST_CASE(an_outermost_dimension_that_is_dynamic_takes_the_size_of_its_communicator) {
  using M = Mesh<Dim<"a", axial::dynamic>, Dim<"b", 2>>;
  if (world_size() % 2 != 0) return;
  const Grid grid(2);
  const auto mesh = adopt<M>(grid);
  BOOST_TEST(axial::to_string(mesh) == "DeviceMesh(a=" + std::to_string(world_size() / 2) + ", b=2)");
  BOOST_TEST(mesh.world() == world_size());
  BOOST_TEST(mesh.rank() == world_rank());
  BOOST_TEST(mesh.all_reduce<"a">(1u, plus) == world_size() / 2);
  BOOST_TEST(mesh.all_reduce<"b">(world_rank() % 2, plus) == 1);
}

BOOST_AUTO_TEST_CASE(ranks_are_those_of_the_mesh_wherever_the_processes_are_in_the_world) {
  if (world_size() == 4) {
    // The transposed grid is a mesh as well, and so is one whose ranks run backwards.
    const Grid grid(2);
    const auto transposed = from_communicators<Square>(view(grid.row), view(grid.column));
    BOOST_TEST(transposed.rank() == world_rank() % 2 * 2 + world_rank() / 2);
    BOOST_TEST(transposed.local_rank<"a">() == world_rank() % 2);
    const Split column(static_cast<int>(world_rank() % 2), 3 - world_rank());
    const Split row(static_cast<int>(world_rank() / 2), 3 - world_rank());
    const auto backwards = from_communicators<Square>(view(column), view(row));
    BOOST_TEST(backwards.rank() == 3 - world_rank());
    BOOST_TEST((backwards.group_ranks<"b">() ==
                std::vector{backwards.rank().value() / 2 * 2, backwards.rank().value() / 2 * 2 + 1}));
    using Table = decltype(Square::with_ranks<2, 0, 3, 1>());
    const auto by_table = from_communicators<Table>(view(grid.column), view(grid.row));
    const unsigned table[] = {2, 0, 3, 1};
    BOOST_TEST(by_table.rank() == table[world_rank()]);
    BOOST_TEST(by_table.local_rank<"a">() == world_rank() / 2);
    BOOST_TEST(by_table.local_rank<"b">() == world_rank() % 2);
    const auto permuted = from_communicators<decltype(Square::permute<"b", "a">())>(view(grid.row), view(grid.column));
    BOOST_TEST(permuted.rank() == world_rank());
    BOOST_TEST(permuted.local_rank<"a">() == world_rank() / 2);
  }
  if (world_size() == 8) {
    using Cube = Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"one", 1>, Dim<"c", 2>>;
    const unsigned r = world_rank();
    const Split a(static_cast<int>(r % 4), r), b(static_cast<int>(r / 4 * 2 + r % 2), r), c(static_cast<int>(r / 2), r);
    const auto mesh = from_communicators<Cube>(view(a), view(b), borrow(MPI_COMM_SELF), view(c));
    BOOST_TEST(mesh.rank() == r);
    check_axes(
        mesh, [](unsigned rank) -> Seat { return {rank / 4, rank % 4}; },
        [](unsigned rank) -> Seat { return {rank / 2 % 2, rank / 4 * 2 + rank % 2}; },
        [](unsigned rank) -> Seat { return {0, rank}; }, [](unsigned rank) -> Seat { return {rank % 2, rank / 2}; });
    // A second factorisation needs no communicators as long as it has the same axes.
    const auto again = mesh.view_as<Mesh<Dim<"x", 2>, Dim<"y", 2>, Dim<"z", 2>>>();
    BOOST_TEST(again.all_reduce<"y">(1, plus) == 2);
  }
  if (world_size() == 1) {
    const auto alone =
        from_communicators<Mesh<Dim<"a", 1>, Dim<"b", 1>>>(borrow(MPI_COMM_WORLD), borrow(MPI_COMM_SELF));
    BOOST_TEST(alone.all_reduce<"a">(5, plus) == 5);
    BOOST_TEST(from_communicators<Mesh<>>().size() == 1);
  }
}

BOOST_AUTO_TEST_CASE(communicators_of_other_sizes_or_in_another_order_are_refused_on_all_ranks) {
  if (world_size() != 6) return;
  using M = Mesh<Dim<"a", 2>, Dim<"b", 3>>;
  const Grid grid(3);
  check_refused("the communicator for \"a\" has 3 ranks and the dimension 2",
                [&] { from_communicators<M>(view(grid.row), view(grid.column)); });
  check_refused("the communicator for \"a\" has 6 ranks and the dimension 2",
                [&] { from_communicators<M>(borrow(MPI_COMM_WORLD), view(grid.row)); });
  check_refused("the communicator for \"b\" has 1 ranks and the dimension 3",
                [&] { from_communicators<M>(view(grid.column), borrow(MPI_COMM_SELF)); });
  const Grid other(2);  // of three rows
  check_refused(" ranks and the dimension ", [&] { adopt<M>(other); });
  using D = Mesh<Dim<"a", axial::dynamic>, Dim<"b", 3>>;
  check_refused("the communicator for \"b\" has 2 ranks and the dimension 3", [&] { adopt<D>(other); });
}

BOOST_AUTO_TEST_CASE(communicators_that_are_no_rows_and_columns_are_refused_on_all_ranks) {
  if (world_size() != 4) return;
  const Grid grid(2);
  const unsigned r = world_rank();
  check_refused("along \"b\"", [&] { from_communicators<Square>(view(grid.row), view(grid.row)); });
  check_refused("has passed it for", [&] {  // one rank swaps the two
    if (r == 1)
      from_communicators<Square>(view(grid.row), view(grid.column));
    else
      adopt<Square>(grid);
  });
  const Split one_reversed(static_cast<int>(r / 2), r / 2 == 1 ? 3 - r : r);
  check_refused("has coordinate ", [&] { from_communicators<Square>(view(grid.column), view(one_reversed)); });
  const Split twice(static_cast<int>(r / 2), r);  // the same ranks again, by another handle
  check_refused("has coordinate ", [&] { from_communicators<Square>(view(twice), view(grid.row)); });
}

BOOST_AUTO_TEST_CASE(another_mesh_or_other_options_on_one_rank_are_refused_on_all_ranks) {
  if (world_size() != 4) return;
  const Grid grid(2);
  check_refused("makes another mesh", [&] {
    if (world_rank() == 2)
      adopt<Mesh<Dim<"a", 2>, Dim<"c", 2>>>(grid);
    else
      adopt<Square>(grid);
  });
  check_refused("makes another mesh", [&] {
    if (world_rank() == 3)
      adopt<decltype(Square::with_ranks<3, 1, 0, 2>())>(grid);
    else
      adopt<Square>(grid);
  });
  check_refused("or has other options", [&] { adopt<Square>(grid, {.check = world_rank() == 1}); });
  check_refused("there is no rank_map", [&] { adopt<Square>(grid, {.rank_map = {3, 2, 1, 0}}); });
  const auto mesh = adopt<Square>(grid);  // the communicators still serve
  BOOST_TEST(mesh.all_reduce<"b">(1, plus) == 2);
}

BOOST_AUTO_TEST_CASE(what_looks_like_a_mesh_from_each_rank_and_is_none_is_refused_on_all_ranks) {
  if (world_size() != 8) return;
  // A ring of 8 processes, joined alternately along "a" and along "b": each sees a mesh of 2x2, and the four corners
  // that it sees from one side are not those from the other.
  const unsigned r = world_rank();
  const unsigned a_of[] = {0, 1, 1, 0, 0, 1, 1, 0}, b_of[] = {0, 0, 1, 1, 0, 0, 1, 1};
  const Split along_a(static_cast<int>(r / 2), a_of[r]), along_b(static_cast<int>((r + 1) % 8 / 2), b_of[r]);
  check_refused("the communicators for \"a\" and \"b\" do not cross",
                [&] { from_communicators<Square>(view(along_a), view(along_b)); });
  // Two separate meshes of 2x2 are two meshes.
  const Split column(static_cast<int>(r / 4 * 2 + r % 2), r), row(static_cast<int>(r / 2), r);
  BOOST_TEST(from_communicators<Square>(view(column), view(row)).rank() == r % 4);
}

BOOST_AUTO_TEST_CASE(no_rank_waits_for_ever_however_far_it_is_from_what_is_wrong) {
  if (world_size() != 12) return;
  // A ring that goes three times around a mesh of 2x2, and one rank that makes another mesh.
  const unsigned r = world_rank(), a_of[] = {0, 1, 1, 0}, b_of[] = {0, 0, 1, 1};
  const Split along_a(static_cast<int>(r / 2), a_of[r % 4]), along_b(static_cast<int>((r + 1) % 12 / 2), b_of[r % 4]);
  const std::string text = text_of([&] {
    if (r == 0)
      from_communicators<Mesh<Dim<"a", 2>, Dim<"c", 2>>>(view(along_a), view(along_b));
    else
      from_communicators<Square>(view(along_a), view(along_b));
  });
  BOOST_TEST(text.starts_with("from_communicators of Mesh(a=2, "));
}
