// SPDX-License-Identifier: BSL-1.0
// Operations on running meshes: who belongs to each axis of what they make, what they ask of MPI, and that there is one
// communicator for each list of ranks.
#include <axial/ledger.hpp>
#include <map>
#include <optional>
#include <sstream>

#include "../support/axes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::borrow, axial::plus, axial::axis;
using axial::ledger::during, axial::ledger::live_count, axial::ledger::Object;

namespace {

using M = Mesh<Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 2>>;

auto make(const axial::Options& options = {}) { return init_device_mesh<M>(borrow(MPI_COMM_WORLD), options); }

Seat dp(unsigned rank) { return {rank / 4, rank % 4}; }
Seat cp(unsigned rank) { return {rank / 2 % 2, rank / 4 * 2 + rank % 2}; }
Seat tp(unsigned rank) { return {rank % 2, rank / 2}; }
Seat dp_cp(unsigned rank) { return {rank / 2, rank % 2}; }
Seat dp_tp(unsigned rank) { return {rank / 4 * 2 + rank % 2, rank / 2 % 2}; }
Seat tp_dp(unsigned rank) { return {rank % 2 * 2 + rank / 4, rank / 2 % 2}; }
Seat cp_tp(unsigned rank) { return {rank % 4, rank / 4}; }
Seat dp_cp_tp(unsigned rank) { return {rank, 0}; }

/// The communicators that f makes.
template <class F>
long long groups_made(F f) {
  return during(f).calls("MPI_Comm_create_group");
}

/// Remembers the communicator of each list of ranks, and fails when there are two for one list or one for two lists.
class Registry {
 public:
  template <class Derived>
  void add(const DeviceMesh<Derived>& mesh) {
    each_index<Derived::ndim()>([&]<std::size_t I> { add(handle_of(mesh.template communicator<I>())); });
  }
  void check() const { BOOST_TEST(lists_.size() == live_count(Object::communicator)); }

 private:
  void add(MPI_Comm comm) {
    if (comm == MPI_COMM_SELF) return;
    BOOST_TEST((comms_.try_emplace(world_ranks(comm), comm).first->second == comm));
    BOOST_TEST((lists_.try_emplace(comm, world_ranks(comm)).first->second == world_ranks(comm)));
  }
  std::map<std::vector<unsigned>, MPI_Comm> comms_;
  std::map<MPI_Comm, std::vector<unsigned>> lists_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(submesh_permute_others_and_rename_have_the_axes_of_the_mesh) {
  if (world_size() != M::world()) return;
  const auto mesh = make();
  check_axes(mesh, dp, cp, tp);
  check_axes(mesh.submesh<"tp", "dp">(), tp, dp);
  check_axes(mesh.submesh(axis<"cp">), cp);
  check_axes(mesh.permute<"cp", "tp", "dp">(), cp, tp, dp);
  check_axes(mesh.permute<"cp", "tp", "dp">().permute(axis<"dp">, axis<"cp">, axis<"tp">), dp, cp, tp);
  check_axes(mesh.others<"cp">(), dp, tp);
  check_axes(mesh.others(axis<"tp">, axis<"dp">), cp);
  check_axes(mesh.rename<"tp", "tensor">().submesh<"tensor", "cp">(), tp, cp);
  check_axes(mesh.submesh<"tp">().rename<"t">(), tp);
  check_axes(mesh.rename(axis<"dp">, axis<"d">).others<"d">(), cp, tp);
  BOOST_TEST((mesh.others<"dp", "cp", "tp">().ndim() == 0));
}

BOOST_AUTO_TEST_CASE(flatten_makes_one_axis_in_the_order_of_the_names) {
  if (world_size() != M::world()) return;
  const auto mesh = make();
  check_axes(mesh.flatten<"dp", "tp">(), dp_tp, cp);
  check_axes(mesh.flatten<"tp", "dp">(), tp_dp, cp);
  check_axes(mesh.flatten(axis<"cp">, axis<"tp">), dp, cp_tp);
  check_axes(mesh.flatten(), dp_cp_tp);
  check_axes(mesh.submesh<"cp", "dp">().flatten(),
             [](unsigned rank) -> Seat { return {rank / 2 % 2 * 2 + rank / 4, rank % 2}; });
  const auto batch = mesh.flatten_as<"batch", "dp", "cp">();
  check_axes(batch, dp_cp, tp);
  BOOST_TEST(axial::to_string(batch) == "DeviceMesh(batch=4, tp=2)");
  BOOST_TEST(axial::to_string(mesh.flatten<"dp", "cp">()) == "DeviceMesh(dp_cp=4, tp=2)");
  check_axes(mesh.flatten_as(axis<"batch">, axis<"dp">, axis<"cp">).submesh<"batch">(), dp_cp);
}

BOOST_AUTO_TEST_CASE(unflatten_splits_an_axis_row_major_in_its_place) {
  if (world_size() == M::world()) {
    const auto line = init_device_mesh<Mesh<Dim<"world", 8>>>(borrow(MPI_COMM_WORLD));
    check_axes(line.unflatten<"world", Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>>(), dp, cp, tp);
    check_axes(line.unflatten(axis<"world">, Dim<"a", 4>{}, Dim<"b", 2>{}), dp_cp, tp);
    check_axes(line.unflatten<Dim<"a", 2>, Dim<"b", 4>>().submesh<"b">(), cp_tp);
    check_axes(make().flatten<"tp", "dp">().unflatten<"tp_dp", Dim<"t", 2>, Dim<"d", 2>>(), tp, dp, cp);
  }
  if (world_size() == 6) {
    const auto line = init_device_mesh<Mesh<Dim<"world", 6>>>(borrow(MPI_COMM_WORLD));
    const auto wide = line.unflatten<"world", Dim<"a", 3>, Dim<"one", 1>, Dim<"b", 2>>();
    const auto a = [](unsigned rank) -> Seat { return {rank / 2, rank % 2}; };
    const auto b = [](unsigned rank) -> Seat { return {rank % 2, rank / 2}; };
    const auto one = [](unsigned rank) -> Seat { return {0, rank}; };
    check_axes(wide, a, one, b);
    check_axes(wide.flatten<"b", "a">(), [](unsigned rank) -> Seat { return {rank % 2 * 3 + rank / 2, 0}; }, one);
    check_axes(wide.flatten<"one", "b">(), a, b);
  }
}

BOOST_AUTO_TEST_CASE(concat_has_the_axes_of_both_and_refuses_another_root_at_run_time) {
  if (world_size() != M::world()) return;
  const auto mesh = make(), other = make();
  check_axes(concat(mesh.submesh<"tp">(), mesh.submesh<"dp">()), tp, dp);
  check_axes(concat(mesh.flatten<"dp", "tp">().submesh<"dp_tp">(), mesh.submesh<"cp">()), dp_tp, cp);
  BOOST_TEST(text_of([&] { concat(mesh.submesh<"tp">(), other.submesh<"dp">()); }) ==
             "concat: the meshes have different root meshes");
}

BOOST_AUTO_TEST_CASE(a_slice_is_there_for_the_ranks_at_its_coordinate_alone) {
  if (world_size() != M::world()) return;
  const auto mesh = make();
  const auto here = mesh.slice<"cp", 1>();
  BOOST_TEST(here.has_value() == (cp(world_rank()).coordinate == 1));
  BOOST_TEST(mesh.slice(axis<"cp">, axial::at<0>).has_value() != here.has_value());
  BOOST_TEST(mesh.submesh<"tp">().slice<0>().has_value() == (world_rank() % 2 == 0));
  if (!here) return;
  check_axes(*here, dp, tp);
  check_axes(here->permute<"tp", "dp">(), tp, dp);
  for (unsigned rank = 0; rank < 8; ++rank) BOOST_TEST(here->contains(rank) == (cp(rank).coordinate == 1));
  BOOST_TEST((here->groups<"tp">() == std::vector<std::vector<unsigned>>{{2, 3}, {6, 7}}));
  BOOST_TEST(here->copies() == 1);
  check_axes(here->flatten<"tp", "dp">(), tp_dp);
  const auto inner = here->slice<"dp", 1>();
  BOOST_TEST(inner.has_value() == (world_rank() >= 6));
  if (!inner) return;
  check_axes(*inner, tp);
  BOOST_TEST((inner->groups<"tp">() == std::vector<std::vector<unsigned>>{{6, 7}}));
  BOOST_TEST(axial::to_string(*inner) == "DeviceMesh(tp=2)");
  const auto single = inner->slice<0>();
  BOOST_TEST(single.has_value() == (world_rank() == 6));
  if (single) BOOST_TEST(single->size() == 1);
  // The other order of the same two slices is the same mesh; that of one is another.
  BOOST_TEST((*inner == *mesh.slice<"dp", 1>()->slice<"cp", 1>()));
  BOOST_TEST((*inner != mesh.submesh<"tp">()));
}

BOOST_AUTO_TEST_CASE(a_second_factorisation_shares_what_has_the_same_ranks) {
  if (world_size() != M::world()) return;
  using Expert = Mesh<Dim<"edp", 2>, Dim<"ep", 4>>;
  const auto dense = make();
  std::optional<DeviceMesh<Expert>> expert;
  BOOST_TEST(groups_made([&] { expert = dense.view_as<Expert>(); }) == 1);  // ep is new, edp is dp
  check_axes(*expert, dp, cp_tp);
  BOOST_TEST((handle_of(expert->communicator<"edp">()) == handle_of(dense.communicator<"dp">())));
  BOOST_TEST(expert->options().name == dense.options().name);
  BOOST_TEST((expert->root() == dense));
  BOOST_TEST(groups_made([&] {
               check_axes(dense.submesh<"tp">().view_as<Expert>(), dp, cp_tp);
               check_axes(dense.flatten<"cp", "tp">().submesh<"cp_tp">(), cp_tp);
               check_axes(expert->unflatten<"ep", Dim<"cp", 2>, Dim<"tp", 2>>(), dp, cp, tp);
               check_axes(expert->view_as<M>(), dp, cp, tp);
             }) == 0);
  BOOST_TEST((expert->view_as<M>() == dense));
  BOOST_TEST(
      (concat(dense.submesh<"tp">(), expert->submesh<"edp">()) == dense.rename<"dp", "edp">().submesh<"tp", "edp">()));
}

BOOST_AUTO_TEST_CASE(what_needs_no_new_communicator_calls_nothing_of_mpi) {
  if (world_size() != M::world()) return;
  auto mesh = make();
  const auto flat = mesh.flatten<"dp", "tp">();
  const auto counts = during([&] {
    std::ostringstream text;
    const auto tensor = mesh.rename<"tp", "tensor">();
    const auto whole = concat(mesh.submesh<"cp">(), mesh.others<"cp">());
    const auto part = mesh.slice<"dp", 0>();
    const auto again = mesh.flatten_as<"batch", "dp", "tp">().unflatten<"batch", Dim<"x", 2>, Dim<"y", 2>>();
    const auto view = mesh.view_as<Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>>>();
    auto copy = mesh.permute<"tp", "dp", "cp">();
    const auto moved = std::move(copy);
    copy = moved;
    text << mesh << tensor << whole << again << view << moved << mesh.root() << mesh.submesh<"tp">().parent().value()
         << mesh.description() << mesh.fingerprint() << mesh.hash() << mesh.communicator_count() << (copy == moved)
         << (mesh == mesh.root()) << (tensor == mesh) << (flat.root() == mesh.root()) << mesh.root_index_of<"cp">()
         << flat.parent_index_of<"cp">() << mesh.options().name;
    mesh.create<"tp">();
    if (part) text << *part << part->submesh<"tp">() << part->root();
    const axial::ScopedMesh scope(mesh);
    text << axial::current_mesh() << axial::current_mesh<M>();
  });
  BOOST_TEST(counts.total() == 0, counts.text());
}

BOOST_AUTO_TEST_CASE(there_is_one_communicator_for_each_list_of_ranks_within_a_root) {
  if (world_size() != M::world()) return;
  {
    Registry registry;
    const auto mesh = make();
    BOOST_TEST(live_count(Object::communicator) == mesh.communicator_count());
    registry.add(mesh);
    BOOST_TEST(groups_made([&] { registry.add(mesh.flatten<"dp", "tp">()); }) == 1);
    BOOST_TEST(groups_made([&] { registry.add(mesh.flatten_as<"x", "dp", "tp">()); }) == 0);
    BOOST_TEST(groups_made([&] { registry.add(mesh.submesh<"dp", "tp">().flatten()); }) == 0);
    BOOST_TEST(groups_made([&] { registry.add(mesh.submesh<"tp", "dp">().flatten()); }) == 1);  // another order
    BOOST_TEST(groups_made([&] { registry.add(mesh.flatten<"tp", "dp">()); }) == 0);
    BOOST_TEST(groups_made([&] { registry.add(mesh.view_as<Mesh<Dim<"all", 8>>>()); }) == 1);
    BOOST_TEST(groups_made([&] { registry.add(mesh.flatten()); }) == 0);
    BOOST_TEST(groups_made([&] { registry.add(mesh.flatten().unflatten<Dim<"q", 4>, Dim<"r", 2>>()); }) == 1);
    BOOST_TEST(groups_made([&] { registry.add(mesh.flatten<"dp", "cp">()); }) == 0);
    // In both slices the lists are those of the flattening in the whole mesh.
    if (const auto part = mesh.slice<"cp", 0>()) BOOST_TEST(groups_made([&] { registry.add(part->flatten()); }) == 0);
    if (const auto part = mesh.slice<"dp", 1>())  // new for these ranks alone
      BOOST_TEST(groups_made([&] { registry.add(part->flatten()); }) == 1);
    registry.add(mesh.rename<"tp", "t">());
    registry.add(concat(mesh.flatten<"tp", "dp">().submesh<"tp_dp">(), mesh.submesh<"cp">()));
    registry.check();
  }
  BOOST_TEST(live_count(Object::communicator) == 0);
}

BOOST_AUTO_TEST_CASE(axes_of_one_list_share_a_communicator_however_late_it_is_made) {
  if (world_size() != M::world()) return;
  const auto mesh = make({.lazy = true});
  const auto tensor = mesh.rename<"tp", "tensor">();
  const auto flat = mesh.flatten<"dp", "cp">();
  const auto view = mesh.view_as<Mesh<Dim<"four", 4>, Dim<"two", 2>>>();
  BOOST_TEST(live_count(Object::communicator) == 0);
  BOOST_TEST(groups_made([&] { mesh.create<"tp">(); }) == 1);
  BOOST_TEST(groups_made([&] {
               mesh.create(axis<"tp">);
               tensor.create<"tensor">();
               view.create<"two">();
             }) == 0);
  BOOST_TEST(groups_made([&] { BOOST_TEST(view.all_reduce<"four">(1, plus) == 4); }) == 1);
  BOOST_TEST(groups_made([&] { BOOST_TEST(flat.all_reduce<"dp_cp">(1, plus) == 4); }) == 0);
  BOOST_TEST(groups_made([&] { BOOST_TEST(mesh.all_reduce<"cp">(1, plus) == 2); }) == 1);
  BOOST_TEST(live_count(Object::communicator) == 3);
  Registry registry;
  for (int i = 0; i < 2; ++i)
    registry.add(mesh.submesh<"tp", "cp">()), registry.add(view), registry.add(tensor.submesh<"tensor">());
  registry.check();
}

BOOST_AUTO_TEST_CASE(axes_of_extent_1_need_no_communicator_in_any_operation) {
  using Ones = Mesh<Dim<"a", 1>, Dim<"b", 1>>;
  if (world_size() != 1) return;
  const auto counts = during([] {
    const auto mesh = init_device_mesh<Ones>(borrow(MPI_COMM_SELF));
    const auto flat = mesh.flatten();
    BOOST_TEST(flat.all_reduce(7, plus) == 7);
    BOOST_TEST((mesh.slice<"a", 0>()->unflatten<"b", Dim<"c", 1>, Dim<"d", 1>>().all_gather<"d">(3)[0] == 3));
    BOOST_TEST(concat(mesh.submesh<"b">(), mesh.submesh<"a">()).local_rank<"a">() == 0);
    BOOST_TEST((handle_of(flat.communicator()) == MPI_COMM_SELF));
    BOOST_TEST(mesh.communicator_count() == 0);
  });
  BOOST_TEST(counts.calls("MPI_Comm_create_group") == 0);
}
