// SPDX-License-Identifier: BSL-1.0
// What the tests of PyTorch's DeviceMesh expect, of meshes on as many processes: groups, slices, flattenings, identity,
// collectives. TRIALS.md lists them.
#include <array>
#include <numeric>

#include "../support/meshes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::from_communicators, axial::borrow, axial::plus;

namespace {

using M222 = Mesh<Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 2>>;
using M24 = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
using Line = Mesh<Dim<"x", 8>>;
using List = std::vector<unsigned>;

template <class M>
DeviceMesh<M> make(const axial::Options& options = {}) {
  return init_device_mesh<M>(borrow(MPI_COMM_WORLD), options);
}

/// The ranks of my copy of a mesh, row-major: what DeviceMesh.mesh holds.
template <class M>
List array_of(const DeviceMesh<M>& mesh) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto ranks = mesh.template group_ranks<I...>();
    return List(ranks.begin(), ranks.end());
  }(std::make_index_sequence<M::ndim()>{});
}

/// The ranks that the communicator of an axis connects, in its order, found by communication.
template <axial::fixed_string Axis, class M>
List gathered(const DeviceMesh<M>& mesh) {
  const auto ranks = mesh.template all_gather<Axis>(world_rank());
  return {ranks.begin(), ranks.end()};
}

/// All groups of an axis are these, and the communicator connects those of mine in this order.
template <axial::fixed_string Axis, class M>
void check_groups(const DeviceMesh<M>& mesh, const std::vector<List>& groups) {
  BOOST_TEST_CONTEXT(axial::to_string(M{}) << " along " << std::string_view(Axis.view())) {
    BOOST_TEST((mesh.template groups<Axis>() == groups));
    const auto mine = std::ranges::find_if(groups, [](const List& g) { return std::ranges::count(g, world_rank()); });
    BOOST_REQUIRE((mine != groups.end()));
    BOOST_TEST(gathered<Axis>(mesh) == *mine, boost::test_tools::per_element());
    BOOST_TEST((*mine)[mesh.template local_rank<Axis>().value()] == world_rank());
  }
}

void check_list(const List& list, const List& wanted) { BOOST_TEST(list == wanted, boost::test_tools::per_element()); }

}  // namespace

// Groups, local ranks, coordinates

BOOST_AUTO_TEST_CASE(the_groups_of_a_mesh_of_two_dimensions_are_its_columns_and_rows) {
  if (world_size() != 4) return;
  const auto mesh = make<Mesh<Dim<"dp", 2>, Dim<"tp", 2>>>();
  check_groups<"dp">(mesh, {{0, 2}, {1, 3}});
  check_groups<"tp">(mesh, {{0, 1}, {2, 3}});
  BOOST_TEST(mesh.extent<"dp">() == 2u);
  BOOST_TEST(mesh.extent<"tp">() == 2u);
}

BOOST_AUTO_TEST_CASE(the_groups_and_local_ranks_of_a_mesh_of_three_dimensions_are_those_of_its_digits) {
  if (world_size() != 8) return;
  const auto mesh = make<Mesh<Dim<"dp", 2>, Dim<"pp", 2>, Dim<"tp", 2>>>();
  check_groups<"dp">(mesh, {{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  check_groups<"pp">(mesh, {{0, 2}, {1, 3}, {4, 6}, {5, 7}});
  check_groups<"tp">(mesh, {{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  BOOST_TEST(mesh.local_rank<"dp">().value() == world_rank() / 4);
  BOOST_TEST(mesh.local_rank<"pp">().value() == (world_rank() % 4 <= 1 ? 0u : 1u));
  BOOST_TEST(mesh.local_rank<"tp">().value() == world_rank() % 2);
}

BOOST_AUTO_TEST_CASE(name_index_and_submesh_lead_to_the_same_communicator_and_local_rank) {
  if (world_size() != 4) return;
  const auto mesh = make<Mesh<Dim<"dp", 2>, Dim<"tp", 2>>>();
  const auto* const dp = &mesh.communicator<"dp">();
  const auto* const tp = &mesh.communicator<"tp">();
  BOOST_TEST(&mesh.communicator<0>() == dp);
  BOOST_TEST(&mesh.communicator<1>() == tp);
  BOOST_TEST(&mesh.submesh<"dp">().communicator() == dp);
  BOOST_TEST(&mesh.submesh<"tp">().communicator() == tp);
  BOOST_TEST(mesh.local_rank<0>() == mesh.local_rank<"dp">());
  BOOST_TEST(mesh.submesh<"tp">().local_rank() == mesh.local_rank<"tp">());
  BOOST_TEST(mesh.flatten().local_rank().value() == world_rank());
}

BOOST_AUTO_TEST_CASE(a_mesh_of_all_ranks_has_a_communicator_of_its_own_that_equals_the_world) {
  each_mesh([]<class M> {
    if constexpr (M::ndim() == 1 && M::size() > 1) {
      const auto mesh = make<M>();
      int compared = MPI_UNEQUAL;
      MPI_Comm_compare(mesh.template communicator<0>().template native_handle<MPI_Comm>(), MPI_COMM_WORLD, &compared);
      BOOST_TEST(compared == MPI_CONGRUENT);  // the same ranks in the same order, and not the same communicator
    }
  });
}

BOOST_AUTO_TEST_CASE(blocks_of_2_by_8_are_gathered_to_8_by_8) {
  if (world_size() != 4) return;
  std::array<unsigned, 16> mine;
  std::array<unsigned, 64> all{};
  std::iota(mine.begin(), mine.end(), 16 * world_rank());
  make<Mesh<Dim<"dp", 4>>>().all_gather(mine, all);
  for (unsigned i = 0; i < all.size(); ++i) BOOST_TEST(all[i] == i);
}

// Construction

BOOST_AUTO_TEST_CASE(two_meshes_made_alike_have_one_type_and_one_fingerprint_and_are_not_equal) {
  if (world_size() != 8) return;
  const auto one = make<M24>(), two = make<M24>();
  BOOST_TEST((one.names() == std::vector<std::string>{"dp", "tp"}));
  BOOST_TEST(one.fingerprint() == two.fingerprint());
  BOOST_TEST(!(one == two));
  BOOST_TEST(one.fingerprint() != make<M222>().fingerprint());
}

BOOST_AUTO_TEST_CASE(a_mesh_on_the_communicator_of_all_ranks_is_the_mesh_of_one_dimension) {
  if (world_size() != 4) return;
  using M = Mesh<Dim<"x", 4>>;
  const auto adopted = from_communicators<M>(borrow(MPI_COMM_WORLD));
  BOOST_TEST((adopted.communicator().native_handle<MPI_Comm>() == MPI_COMM_WORLD));
  BOOST_TEST((adopted.coordinates() == make<M>().coordinates()));
  check_groups<"x">(adopted, {{0, 1, 2, 3}});
}

BOOST_AUTO_TEST_CASE(a_mesh_on_communicators_of_another_mesh_has_its_axes) {
  if (world_size() != 8) return;
  const auto source = make<Mesh<Dim<"replicate", 2>, Dim<"shard", 2>, Dim<"tp", 2>>>();
  const auto handle = [](const auto& axis) { return axis.template native_handle<MPI_Comm>(); };
  const MPI_Comm replicate = handle(source.communicator<"replicate">()), shard = handle(source.communicator<"shard">());
  const auto mesh = from_communicators<Mesh<Dim<"replicate", 2>, Dim<"shard", 2>>>(borrow(replicate), borrow(shard));
  BOOST_TEST(mesh.local_rank<"replicate">() == source.local_rank<"replicate">());
  BOOST_TEST(mesh.local_rank<"shard">() == source.local_rank<"shard">());
  check_list(gathered<"replicate">(mesh), gathered<"replicate">(source));
  check_list(gathered<"shard">(mesh), gathered<"shard">(source));
  BOOST_TEST((handle(mesh.submesh<"shard">().communicator()) == shard));
}

BOOST_AUTO_TEST_CASE(a_mesh_on_communicators_made_by_hand_is_the_mesh_of_that_shape) {
  if (world_size() != 8) return;
  const Split row(static_cast<int>(world_rank() / 4), world_rank());
  const Split column(static_cast<int>(world_rank() % 4), world_rank());
  const auto mesh = from_communicators<M24>(borrow<MPI_Comm>(column), borrow<MPI_Comm>(row));
  check_groups<"dp">(mesh, {{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  check_groups<"tp">(mesh, {{0, 1, 2, 3}, {4, 5, 6, 7}});
  BOOST_TEST((mesh.coordinates() == make<M24>().coordinates()));
}

// Slices

BOOST_AUTO_TEST_CASE(slices_of_three_dimensions_are_the_arrays_that_hold_me) {
  if (world_size() != 8) return;
  const auto mesh = make<Mesh<Dim<"replicate", 2>, Dim<"shard", 2>, Dim<"tp", 2>>>();
  const unsigned r = world_rank();
  check_list(array_of(mesh.submesh<"tp">()), {r / 2 * 2, r / 2 * 2 + 1});
  check_list(array_of(mesh.submesh<"shard">()), {r % 2 + r / 4 * 4, r % 2 + r / 4 * 4 + 2});
  check_list(array_of(mesh.submesh<"replicate">()), {r % 4, r % 4 + 4});
  const auto both = mesh.submesh<"replicate", "shard">();
  check_list(array_of(both), r % 2 ? List{1, 3, 5, 7} : List{0, 2, 4, 6});
  BOOST_TEST((both.submesh<"shard">() == mesh.submesh<"shard">()));
  BOOST_TEST((both.submesh<"replicate">() == mesh.submesh<"replicate">()));
  check_list(gathered<"shard">(both), array_of(mesh.submesh<"shard">()));
}

BOOST_AUTO_TEST_CASE(slices_may_leave_out_an_axis_between_and_take_any_order) {
  if (world_size() != 8) return;
  const auto mesh = make<Mesh<Dim<"dp", 2>, Dim<"pp", 2>, Dim<"cp", 2>>>();
  const unsigned pp = mesh.local_rank<"pp">().value();
  const auto outer = mesh.submesh<"dp", "cp">();
  check_list(array_of(outer), pp == 0 ? List{0, 1, 4, 5} : List{2, 3, 6, 7});
  const List array = array_of(outer);
  const unsigned row = 2 * mesh.local_rank<"dp">().value();
  check_list({array[row], array[row + 1]}, array_of(mesh.submesh<"cp">()));
  check_list(array_of(mesh.submesh<"cp", "dp">()), pp == 0 ? List{0, 4, 1, 5} : List{2, 6, 3, 7});
}

// Flatten, unflatten, concat

BOOST_AUTO_TEST_CASE(flattened_axes_connect_the_ranks_of_both_adjacent_or_not) {
  if (world_size() != 8) return;
  const auto mesh = make<M222>();
  check_groups<"dp_cp">(mesh.flatten<"dp", "cp">(), {{0, 2, 4, 6}, {1, 3, 5, 7}});
  check_groups<"dp_tp">(mesh.flatten<"dp", "tp">(), {{0, 1, 4, 5}, {2, 3, 6, 7}});
  check_groups<"tp_dp">(mesh.flatten<"tp", "dp">(), {{0, 4, 1, 5}, {2, 6, 3, 7}});
  const auto flat = mesh.flatten<"dp", "cp">();
  check_groups<"tp">(flat, {{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  check_list(array_of(flat.submesh<"dp_cp", "tp">()), {0, 1, 2, 3, 4, 5, 6, 7});
  check_list(array_of(mesh.flatten<"dp", "tp">().submesh<"dp_tp", "cp">()), {0, 2, 1, 3, 4, 6, 5, 7});
  BOOST_TEST((flat.root() == mesh));
}

BOOST_AUTO_TEST_CASE(flattening_four_dimensions_in_one_or_two_steps_gives_the_same_ranks) {
  if (world_size() != 8) return;
  const auto mesh = make<Mesh<Dim<"replicate", 2>, Dim<"shard", 2>, Dim<"cp", 2>, Dim<"tp", 1>>>();
  const auto at_once = mesh.flatten_as<"dp_cp", "replicate", "shard", "cp">();
  const auto in_two = mesh.flatten<"shard", "cp">().flatten_as<"dp", "replicate", "shard_cp">();
  check_groups<"dp_cp">(at_once, {{0, 1, 2, 3, 4, 5, 6, 7}});
  check_list(gathered<"dp">(in_two), gathered<"dp_cp">(at_once));
  BOOST_TEST((in_two.submesh<"dp", "tp">().shape() == List{8, 1}));
  BOOST_TEST((in_two.root() == mesh));
}

BOOST_AUTO_TEST_CASE(a_flattening_and_the_axes_around_it_make_a_mesh_again) {
  if (world_size() != 8) return;
  const auto mesh = make<Mesh<Dim<"replicate", 2>, Dim<"shard", 2>, Dim<"cp", 2>>>();
  const auto flat = mesh.flatten<"shard", "cp">();
  const auto again = flat.submesh<"replicate", "shard_cp">();
  check_groups<"shard_cp">(again, {{0, 1, 2, 3}, {4, 5, 6, 7}});
  BOOST_TEST(&again.communicator<"shard_cp">() == &flat.communicator<"shard_cp">());
}

BOOST_AUTO_TEST_CASE(an_axis_split_in_two_leaves_the_others_and_the_mesh_it_came_from_alone) {
  if (world_size() != 8) return;
  const auto mesh = make<Mesh<Dim<"dp", 4>, Dim<"tp", 2>>>();
  const auto split = mesh.unflatten<"dp", Dim<"shard", 2>, Dim<"replicate", 2>>();
  BOOST_TEST((split.names() == std::vector<std::string>{"shard", "replicate", "tp"}));
  check_groups<"shard">(split, {{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  check_groups<"replicate">(split, {{0, 2}, {1, 3}, {4, 6}, {5, 7}});
  BOOST_TEST(&split.communicator<"tp">() == &mesh.communicator<"tp">());
  static_assert(!axial::has_dimension<decltype(mesh)::mesh_type, "shard">);
}

BOOST_AUTO_TEST_CASE(two_views_of_one_world_share_the_communicators_of_equal_groups) {
  if (world_size() != 8) return;
  const auto world = make<Mesh<Dim<"world", 8>>>();
  const auto dense = world.unflatten<"world", Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 2>>();
  const auto expert = world.unflatten<"world", Dim<"dp", 2>, Dim<"ep", 2>, Dim<"ep_tp", 2>>();
  const auto handle = [](const auto& axis) { return axis.template native_handle<MPI_Comm>(); };
  BOOST_TEST((handle(dense.communicator<"cp">()) == handle(expert.communicator<"ep">())));
  BOOST_TEST((handle(dense.communicator<"tp">()) == handle(expert.communicator<"ep_tp">())));
  check_groups<"ep">(expert, {{0, 2}, {1, 3}, {4, 6}, {5, 7}});

  const auto wide = world.unflatten<"world", Dim<"dp", 4>, Dim<"cp", 2>, Dim<"tp", 1>>();
  const auto split = wide.unflatten<"dp", Dim<"shard", 2>, Dim<"replicate", 2>>();
  BOOST_TEST((split.names() == std::vector<std::string>{"shard", "replicate", "cp", "tp"}));
  BOOST_TEST(&split.communicator<"cp">() == &wide.communicator<"cp">());
  check_groups<"shard">(split, {{0, 4}, {1, 5}, {2, 6}, {3, 7}});
}

BOOST_AUTO_TEST_CASE(parts_of_a_mesh_put_together_are_the_mesh) {
  if (world_size() != 8) return;
  const auto two = make<M24>();
  BOOST_TEST((concat(two.submesh<"dp">(), two.submesh<"tp">()) == two));
  const auto three = make<Mesh<Dim<"pp", 2>, Dim<"dp", 2>, Dim<"tp", 2>>>();
  BOOST_TEST((concat(three.submesh<"dp">(), three.submesh<"tp">()) == three.submesh<"dp", "tp">()));
  const auto whole = concat(three.submesh<"pp", "dp">(), three.submesh<"tp">());
  BOOST_TEST((whole == three));
  check_groups<"tp">(whole, {{0, 1}, {2, 3}, {4, 5}, {6, 7}});
}

// Identity

BOOST_AUTO_TEST_CASE(all_slices_know_their_root_and_where_their_axes_are_in_it) {
  if (world_size() != 8) return;
  const auto mesh = make<M222>();
  BOOST_TEST((mesh.submesh<"dp">().root() == mesh));
  BOOST_TEST((mesh.submesh<"dp", "cp">().submesh<"cp">().root() == mesh));
  BOOST_TEST((mesh.submesh<"dp", "cp">().submesh<"cp">().parent().value() == mesh.submesh<"dp", "cp">()));
  const auto rows = make<M24>();
  BOOST_TEST(rows.submesh<"dp">().root_index_of() == 0u);
  BOOST_TEST(rows.submesh<"tp">().root_index_of() == 1u);
  BOOST_TEST(rows.submesh<"tp">().parent_index_of() == 1u);
  BOOST_TEST(rows.flatten().root_index_of() == axial::no_dimension);
}

BOOST_AUTO_TEST_CASE(a_slice_is_not_equal_to_a_mesh_of_its_own_on_the_same_ranks) {
  if (world_size() != 8) return;
  const auto slice = make<M24>().submesh<"tp">();
  const unsigned first = world_rank() / 4 * 4;
  const auto view = borrow(MPI_COMM_WORLD).subset({first, first + 1, first + 2, first + 3});
  const auto alone = init_device_mesh<Mesh<Dim<"tp", 4>>>(view), again = init_device_mesh<Mesh<Dim<"tp", 4>>>(view);
  check_list(array_of(slice), {first, first + 1, first + 2, first + 3});
  check_list(gathered<"tp">(alone), array_of(slice));
  BOOST_TEST(!(axial::UntypedMesh(slice) == axial::UntypedMesh(alone)));
  BOOST_TEST(slice.hash() != alone.hash());
  BOOST_TEST(!(alone == again));  // each has communicators of its own
  BOOST_TEST(alone.fingerprint() == again.fingerprint());
}

BOOST_AUTO_TEST_CASE(all_submeshes_along_an_axis_are_its_groups) {
  if (world_size() != 8) return;
  const auto groups = make<Mesh<Dim<"replicate", 2>, Dim<"shard", 4>>>().groups<"replicate">();
  BOOST_TEST((groups == std::vector<List>{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
}

// Collectives along the axes

BOOST_AUTO_TEST_CASE(a_broadcast_gives_everyone_the_value_of_the_first_of_its_group) {
  if (world_size() != 8) return;
  BOOST_TEST(make<Line>().broadcast(world_rank(), 0) == 0u);
  const auto mesh = make<M222>();
  BOOST_TEST(mesh.broadcast<"dp">(world_rank(), 0) == world_rank() % 4);
  BOOST_TEST(mesh.broadcast<"cp">(world_rank(), 0) == world_rank() / 4 * 4 + world_rank() % 2);
  BOOST_TEST(mesh.broadcast<"tp">(world_rank(), 0) == world_rank() / 2 * 2);
}

BOOST_AUTO_TEST_CASE(uneven_shares_are_ceiled_padded_gathered_and_cut_again) {
  if (world_size() != 8) return;
  constexpr unsigned rows = 11, columns = 9, padded = 2 * columns;
  const auto mesh = make<Line>();
  List row_sizes, column_sizes;
  for (unsigned c = 0; c < 8; ++c) {
    row_sizes.push_back(static_cast<unsigned>(mesh.shard<"x">(rows, c).size));
    column_sizes.push_back(static_cast<unsigned>(mesh.shard<"x">(columns, c).size));
  }
  check_list(row_sizes, {2, 2, 2, 2, 2, 1, 0, 0});
  check_list(column_sizes, {2, 2, 2, 2, 1, 0, 0, 0});

  const auto [offset, size] = mesh.shard<"x">(rows);
  List mine(padded, 999), all(8 * padded), cut;
  std::iota(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(size * columns),
            static_cast<unsigned>(offset * columns));
  mesh.all_gather(mine, all);
  for (unsigned c = 0; c < 8; ++c)
    cut.insert(cut.end(), all.begin() + c * padded, all.begin() + c * padded + row_sizes[c] * columns);
  List wanted(rows * columns);
  std::iota(wanted.begin(), wanted.end(), 0u);
  check_list(cut, wanted);
}

BOOST_AUTO_TEST_CASE(reduce_scatter_gives_each_rank_its_row_of_the_sum) {
  if (world_size() != 8) return;
  const unsigned r = world_rank();
  const auto mesh = make<Line>();
  List in;  // of 16 rows of 16 numbers, times r + 1, every second row and of that two columns
  for (unsigned row = 0; row < 16; row += 2)
    for (unsigned column = 0; column < 2; ++column) in.push_back((16 * row + column) * (r + 1));
  List out(2);
  mesh.reduce_scatter(in, out, plus);
  check_list(out, {1152 * r, 1152 * r + 36});

  const List ones(11 * 9, r);  // uneven: what is padded is cut off again
  List uneven(16 * 9), part(2 * 9);
  std::ranges::copy(ones, uneven.begin());
  mesh.reduce_scatter(uneven, part, plus);
  part.resize(mesh.shard<"x">(11).size * 9);
  for (const unsigned element : part) BOOST_TEST(element == 28u);
}

BOOST_AUTO_TEST_CASE(sums_of_ranks_along_an_axis_along_all_and_in_halves_of_the_world) {
  if (world_size() != 8) return;
  const auto mesh = make<Mesh<Dim<"pp", 2>, Dim<"dp", 2>, Dim<"tp", 2>>>();
  BOOST_TEST(mesh.all_reduce<"pp">(world_rank(), plus) == 2 * (world_rank() % 4) + 4);
  BOOST_TEST(mesh.flatten().all_reduce(world_rank(), plus) == 28u);
  BOOST_TEST(make<Line>().all_reduce(1, plus) == 8);
  BOOST_TEST(make<M24>().all_reduce<"tp">(1, plus) == 4);
}

// Uneven and permuted meshes

BOOST_AUTO_TEST_CASE(an_axis_of_one_rank_between_two_changes_no_group) {
  if (world_size() != 6) return;
  const auto mesh = make<Mesh<Dim<"x", 3>, Dim<"y", 1>, Dim<"z", 2>>>();
  check_groups<"x">(mesh, {{0, 2, 4}, {1, 3, 5}});
  check_groups<"y">(mesh, {{0}, {1}, {2}, {3}, {4}, {5}});
  check_groups<"z">(mesh, {{0, 1}, {2, 3}, {4, 5}});
  check_groups<"x_z">(mesh.flatten<"x", "z">(), {{0, 1, 2, 3, 4, 5}});
}

BOOST_AUTO_TEST_CASE(groups_of_a_permuted_mesh_are_in_the_order_of_its_places) {
  if (world_size() == 4) {
    const auto mesh = make<Mesh<Dim<"a", 2>, Dim<"b", 2>>>({.rank_map = {3, 1, 2, 0}});
    check_groups<"a">(mesh, {{3, 2}, {1, 0}});
    check_groups<"b">(mesh, {{3, 1}, {2, 0}});
  }
  if (world_size() == 8) {
    const auto mesh = make<M24>({.rank_map = {7, 5, 3, 1, 6, 4, 2, 0}});
    check_groups<"dp">(mesh, {{7, 6}, {5, 4}, {3, 2}, {1, 0}});
    check_groups<"tp">(mesh, {{7, 5, 3, 1}, {6, 4, 2, 0}});
  }
}
