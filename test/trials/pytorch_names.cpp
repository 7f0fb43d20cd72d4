// SPDX-License-Identifier: BSL-1.0
// Reports on PyTorch's DeviceMesh about names, flattenings, identity and groups that exist, as trials of ours.
// TRIALS.md lists all of them.
#include <axial/ledger.hpp>
#include <optional>
#include <thread>
#include <type_traits>

#include "../support/meshes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::init_device_mesh_on, axial::from_communicators, axial::borrow,
    axial::plus;
using axial::ledger::during;

namespace {

using List = std::vector<unsigned>;
using M222 = Mesh<Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 2>>;

template <class M>
DeviceMesh<M> make(const axial::Options& options = {}) {
  return init_device_mesh<M>(borrow(MPI_COMM_WORLD), options);
}

template <class Axis>
MPI_Comm handle(const Axis& axis) {
  return axis.template native_handle<MPI_Comm>();
}

/// The middle two of four dimensions as one, and that between the outer ones.
template <unsigned A, unsigned B, unsigned C, unsigned D>
void flatten_the_middle() {
  if (A * B * C * D != world_size()) return;
  const auto mesh = make<Mesh<Dim<"d1", A>, Dim<"d2", B>, Dim<"d3", C>, Dim<"d4", D>>>();
  const auto three = mesh.template flatten_as<"d23", "d2", "d3">().template submesh<"d1", "d23", "d4">();
  BOOST_TEST((three.shape() == List{A, B * C, D}));
  BOOST_TEST(three.template all_reduce<"d23">(1u, plus) == B * C);
  BOOST_TEST(three.template all_reduce<"d1">(1u, plus) == A);
  BOOST_TEST(three.template all_reduce<"d4">(1u, plus) == D);
}

}  // namespace

// pytorch#169381, PR #169454
BOOST_AUTO_TEST_CASE(axes_of_one_rank_are_flattened_and_taken_like_others) {
  flatten_the_middle<1, 1, 1, 1>();
  flatten_the_middle<2, 1, 1, 2>();
  flatten_the_middle<1, 2, 1, 1>();
}

// pytorch PR #163288
BOOST_AUTO_TEST_CASE(a_second_flattening_under_an_old_name_has_its_own_ranks_and_its_own_type) {
  if (world_size() != 8) return;
  const auto mesh = make<M222>();
  const auto one = mesh.flatten_as<"x", "dp", "tp">().submesh<"x">();
  const auto two = mesh.flatten_as<"x", "cp", "tp">().submesh<"x">();
  static_assert(!std::is_same_v<decltype(one), decltype(two)>);
  BOOST_TEST((one.group_of(0) == List{0, 1, 4, 5}));
  BOOST_TEST((two.group_of(0) == List{0, 1, 2, 3}));
  BOOST_TEST(one.all_reduce(world_rank(), plus) == (mesh.local_rank<"cp">() == 0 ? 10u : 18u));
  BOOST_TEST(two.all_reduce(world_rank(), plus) == (mesh.local_rank<"dp">() == 0 ? 6u : 22u));
  BOOST_TEST(one.all_reduce(1u, plus) == 4u);
}

// By reading PyTorch: after unflatten, new names are compared with those of the root, not of the mesh.
BOOST_AUTO_TEST_CASE(a_mesh_that_was_split_is_the_mesh_of_that_shape_with_its_rules_for_names) {
  using World = Mesh<Dim<"world", 8>>;
  using Split = decltype(World::unflatten<"world", Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 2>>());
  static_assert(std::is_same_v<Split, M222>);  // for which flatten_as<"tp", "dp", "cp"> does not compile
}

// pytorch#173789, #163330
BOOST_AUTO_TEST_CASE(of_two_equal_meshes_the_second_is_whole_when_the_first_has_ended) {
  if (world_size() != 4) return;
  using M = Mesh<Dim<"dp", 2>, Dim<"tp", 2>>;
  std::optional<DeviceMesh<M>> one = make<M>();
  const auto two = make<M>();
  const auto slice_before = two.submesh<"tp">();
  BOOST_TEST(!(one->submesh<"tp">() == slice_before));
  one.reset();
  const auto slice = two.submesh<"tp">();
  BOOST_TEST((slice == slice_before));
  BOOST_TEST((slice.root() == two));
  BOOST_TEST((slice_before.root() == two));
  BOOST_TEST(slice.all_reduce(world_rank(), plus) == (world_rank() < 2 ? 1u : 5u));
}

// pytorch PR #174006
BOOST_AUTO_TEST_CASE(a_world_split_and_flattened_again_is_that_world) {
  if (world_size() != 8) return;
  const auto world = make<Mesh<Dim<"world", 8>>>();
  const auto split = world.unflatten<"world", Dim<"a", 2>, Dim<"b", 4>>();
  std::optional<decltype(split.flatten_as<"world", "a", "b">())> flat;
  const auto counts = during([&] { flat = split.flatten_as<"world", "a", "b">(); });
  BOOST_TEST(counts.total() == 0, counts.text());
  BOOST_TEST((*flat == world));
  BOOST_TEST((handle(flat->communicator()) == handle(world.communicator())));
}

// pytorch#118851
BOOST_AUTO_TEST_CASE(a_slice_of_the_only_axis_is_the_mesh) {
  if (world_size() != 8) return;
  const auto mesh = make<Mesh<Dim<"dp", 8>>>();
  static_assert(std::is_same_v<decltype(mesh.submesh<"dp">()), DeviceMesh<Mesh<Dim<"dp", 8>>>>);
  BOOST_TEST((mesh.submesh<"dp">() == mesh));
}

// pytorch PR #118614
BOOST_AUTO_TEST_CASE(ranks_outside_a_mesh_hold_none_and_members_know_who_is_outside) {
  if (world_size() != 4) return;
  const auto mesh = init_device_mesh_on<Mesh<Dim<"x", 2>>>(borrow(MPI_COMM_WORLD), {0, 2});
  BOOST_TEST(mesh.has_value() == (world_rank() % 2 == 0));
  if (!mesh) return;
  BOOST_TEST((mesh->contains(0) && mesh->contains(2)));
  BOOST_TEST((!mesh->contains(1) && !mesh->contains(3) && !mesh->contains(4)));
  BOOST_TEST(!mesh->try_coordinates_of(3));
  BOOST_TEST((mesh->coordinates_of(2) == axial::Coordinates<Mesh<Dim<"x", 2>>>{1}));
  BOOST_TEST(mesh->all_reduce(world_rank(), plus) == 2u);
}

// pytorch PR #118614: a slice at a coordinate is as clear.
BOOST_AUTO_TEST_CASE(ranks_outside_a_slice_hold_none) {
  if (world_size() != 4) return;
  const auto mesh = make<Mesh<Dim<"dp", 2>, Dim<"tp", 2>>>();
  const auto slice = mesh.slice<"dp", 1>();
  BOOST_TEST(slice.has_value() == (world_rank() >= 2));
  if (slice) BOOST_TEST(slice->all_reduce<"tp">(world_rank(), plus) == 5u);
}

// pytorch#137676, PR #137713
BOOST_AUTO_TEST_CASE(communicators_of_the_right_ranks_are_adopted_and_swapped_ones_refused) {
  if (world_size() != 4) return;
  using M = Mesh<Dim<"dp", 2>, Dim<"tp", 2>>;
  const unsigned r = world_rank();
  const Split row(static_cast<int>(r / 2), r), column(static_cast<int>(r % 2), r),
      swapped(static_cast<int>(r / 2), r == 2 ? 9 : r);
  const auto mesh = from_communicators<M>(borrow<MPI_Comm>(column), borrow<MPI_Comm>(row));
  BOOST_TEST(mesh.rank().value() == r);
  BOOST_TEST(mesh.all_reduce<"dp">(r, plus) == 2 * (r % 2) + 2);
  const std::string text = text_of([&] { from_communicators<M>(borrow<MPI_Comm>(column), borrow<MPI_Comm>(swapped)); });
  check_same_text(
      MPI_COMM_WORLD, text,
      "from_communicators of Mesh(dp=2, tp=2): rank 0 of the communicator for \"dp\" has coordinate 0 along "
      "\"tp\", not 1");
}

// pytorch#125358
BOOST_AUTO_TEST_CASE(rows_and_columns_make_a_mesh_and_two_rows_do_not) {
  if (world_size() != 6) return;
  using M = Mesh<Dim<"y", 2>, Dim<"x", 3>>;
  const unsigned r = world_rank();
  const Split row(static_cast<int>(r / 3), r), again(static_cast<int>(r / 3), r), column(static_cast<int>(r % 3), r);
  const auto mesh = from_communicators<M>(borrow<MPI_Comm>(column), borrow<MPI_Comm>(row));
  BOOST_TEST((mesh.coordinates() == M::coordinates_of(r)));
  BOOST_TEST((mesh.groups<"y">() == std::vector<List>{{0, 3}, {1, 4}, {2, 5}}));
  const std::string text = text_of([&] { from_communicators<M>(borrow<MPI_Comm>(row), borrow<MPI_Comm>(again)); });
  BOOST_TEST(text.find("\"y\" has 3 ranks and the dimension 2") != text.npos, text);
  using Square = Mesh<Dim<"y", 3>, Dim<"x", 3>>;
  const std::string square =
      text_of([&] { from_communicators<Square>(borrow<MPI_Comm>(row), borrow<MPI_Comm>(again)); });
  BOOST_TEST(square.starts_with("from_communicators of Mesh(y=3, x=3): rank "), square);
  check_same_text(row, square, square);
}

// E23 of TRIALS.md
BOOST_AUTO_TEST_CASE(meshes_of_different_roots_are_not_put_together) {
  if (world_size() != 4) return;
  const auto one = make<Mesh<Dim<"dp", 2>, Dim<"tp", 2>>>(), two = make<Mesh<Dim<"dp", 2>, Dim<"tp", 2>>>();
  BOOST_TEST(text_of([&] { concat(one.submesh<"dp">(), two.submesh<"tp">()); }) ==
             "concat: the meshes have different root meshes");
  BOOST_TEST((concat(one.submesh<"dp">(), one.submesh<"tp">()) == one));
}

// E30 of TRIALS.md, of a mesh whose type is not known; of others it does not compile.
BOOST_AUTO_TEST_CASE(a_part_of_a_mesh_cannot_abort_it) {
  if (world_size() != 4) return;
  const auto mesh = make<Mesh<Dim<"dp", 2>, Dim<"tp", 2>>>();
  const axial::UntypedMesh part = mesh.submesh<"tp">();
  BOOST_TEST(text_of([&] { part.abort(); }) == "abort ends a whole mesh: this one is a part of another");
  BOOST_TEST(mesh.all_reduce<"tp">(1, plus) == 2);
}

// E31 of TRIALS.md
BOOST_AUTO_TEST_CASE(without_a_current_mesh_there_is_an_error_that_says_how_to_make_one) {
  using M = Mesh<Dim<"x", 1>>;
  const auto ask = [] { return text_of([] { axial::current_mesh(); }); };
  const std::string none = "there is no current mesh on this thread: make one with `ScopedMesh scope(mesh);`";
  BOOST_TEST(ask() == none);
  const auto outer = init_device_mesh<M>(borrow(MPI_COMM_SELF)), inner = init_device_mesh<M>(borrow(MPI_COMM_SELF));
  {
    const axial::ScopedMesh outer_scope(outer);
    {
      const axial::ScopedMesh inner_scope(inner);
      BOOST_TEST((axial::current_mesh<M>() == inner));
      std::string elsewhere;
      std::thread([&] { elsewhere = ask(); }).join();
      BOOST_TEST(elsewhere == none);
    }
    BOOST_TEST((axial::current_mesh<M>() == outer));
    BOOST_TEST(text_of([] { axial::current_mesh<Mesh<Dim<"y", 1>>>(); }) ==
               "the mesh is DeviceMesh(x=1), not DeviceMesh(y=1)");
  }
  BOOST_TEST(ask() == none);
}
