// SPDX-License-Identifier: BSL-1.0
// Reports on PyTorch's DeviceMesh about what is created, options and lifetime, as trials of ours. TRIALS.md lists all
// of them.
#include <axial/ledger.hpp>
#include <chrono>
#include <optional>

#include "../support/meshes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::init_device_mesh_on, axial::borrow, axial::plus;
using axial::ledger::Counts, axial::ledger::during, axial::ledger::live_communicators;

namespace {

template <class M>
DeviceMesh<M> make(const axial::Options& options = {}) {
  return init_device_mesh<M>(borrow(MPI_COMM_WORLD), options);
}

template <class M>
Counts creation() {
  return during([] { make<M>(); });
}

std::string name_of(MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  MPI_Comm_get_name(comm, name, &length);
  return name;
}

}  // namespace

// pytorch#130407
BOOST_AUTO_TEST_CASE(each_rank_makes_its_own_group_of_each_axis_and_splits_nothing) {
  static_assert(DeviceMesh<Mesh<Dim<"a", 32>, Dim<"b", 8>>>::communicator_count() == 2);  // of 40 groups
  static_assert(DeviceMesh<Mesh<Dim<"a", 8>, Dim<"b", 16>, Dim<"c", 8>>>::communicator_count() == 3);
  if (world_size() != 8) return;
  const Counts counts = creation<Mesh<Dim<"a", 4>, Dim<"b", 2>>>();
  BOOST_TEST(counts.calls("MPI_Comm_create_group") == 2);
  for (const char* other : {"MPI_Comm_split", "MPI_Comm_split_type", "MPI_Comm_dup", "MPI_Comm_create"})
    BOOST_TEST(counts.calls(other) == 0);
}

// pytorch PR #124780, #126147
BOOST_AUTO_TEST_CASE(slicing_makes_no_group) {
  if (world_size() != 8) return;
  const auto mesh = make<Mesh<Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 2>>>();
  BOOST_TEST(live_communicators().size() == 3u);
  const Counts counts = during([&] {
    const auto slice = mesh.submesh<"dp", "tp">();
    slice.submesh<"tp">();
    mesh.slice<"cp", 0>();
  });
  BOOST_TEST(counts.total() == 0, counts.text());
  BOOST_TEST(live_communicators().size() == 3u);
}

// nccl#2363
BOOST_AUTO_TEST_CASE(an_axis_of_one_rank_has_no_communicator_and_reduces_by_a_copy) {
  if (world_size() != 8) return;
  std::optional<DeviceMesh<Mesh<Dim<"dp", 1>, Dim<"tp", 8>>>> mesh;
  const Counts counts = during([&] { mesh = make<Mesh<Dim<"dp", 1>, Dim<"tp", 8>>>(); });
  BOOST_TEST(counts.calls("MPI_Comm_create_group") == 1);
  const Counts reduction = during([&] { BOOST_TEST(mesh->all_reduce<"dp">(world_rank(), plus) == world_rank()); });
  BOOST_TEST(reduction.calls(axial::ledger::Kind::collective) == 0);
  BOOST_TEST(mesh->all_reduce<"tp">(1, plus) == 8);
}

// vllm PR #28954
BOOST_AUTO_TEST_CASE(a_world_of_one_rank_makes_no_group) {
  if (world_size() != 1) return;
  using M = Mesh<Dim<"dp", 1>, Dim<"pp", 1>, Dim<"cp", 1>, Dim<"ep", 1>, Dim<"tp", 1>>;
  BOOST_TEST(creation<M>().calls("MPI_Comm_create_group") == 0);
  BOOST_TEST(make<M>().flatten().all_reduce(3, plus) == 3);
}

// pytorch#156593
BOOST_AUTO_TEST_CASE(options_of_a_mesh_of_one_dimension_on_all_ranks_are_not_ignored) {
  if (world_size() != 4) return;
  using M = Mesh<Dim<"x", 4>>;
  const auto mesh = make<M>({.name = "all", .timeout = std::chrono::seconds(30), .lazy = true, .check = true});
  BOOST_TEST(live_communicators().empty());  // lazy
  const Counts counts = during([&] { BOOST_TEST(mesh.all_reduce(1, plus) == 4); });
  BOOST_TEST(counts.calls_on("MPI_Allreduce", "axial:all:x") == 0);  // what has a deadline does not block in MPI
  BOOST_TEST(counts.calls_on("MPI_Iallreduce", "axial:all:x") > 0);
  BOOST_TEST(name_of(mesh.communicator().native_handle<MPI_Comm>()) == "axial:all:x");
  BOOST_TEST(mesh.options().check);
}

// Automodel PR #2846, pytorch#119574, #119613, #120847, PR #180967
BOOST_AUTO_TEST_CASE(derived_meshes_have_the_options_of_their_root) {
  if (world_size() != 4) return;
  const auto mesh =
      make<Mesh<Dim<"dp", 2>, Dim<"tp", 2>>>({.name = "dense", .timeout = std::chrono::seconds(30), .check = true});
  const auto flat = mesh.flatten();
  const auto check = [](const axial::Options& options) {
    BOOST_TEST(options.name == "dense");
    BOOST_TEST((options.timeout == std::chrono::seconds(30)));
    BOOST_TEST(options.check);
  };
  check(flat.options());
  check(mesh.submesh<"tp">().options());
  check(flat.root().options());
  BOOST_TEST(name_of(flat.communicator().native_handle<MPI_Comm>()) == "axial:dense:dp_tp");
  const Counts counts = during([&] { BOOST_TEST(flat.all_reduce(1, plus) == 4); });
  BOOST_TEST(counts.calls_on("MPI_Allreduce", "axial:dense:dp_tp") == 0);
  BOOST_TEST(counts.calls_on("MPI_Iallreduce", "axial:dense:dp_tp") > 0);
}

// Megatron-LM PR #6906
BOOST_AUTO_TEST_CASE(ending_an_axis_of_all_ranks_leaves_the_world_alone) {
  if (world_size() != 4) return;
  using M = Mesh<Dim<"ep", 4>, Dim<"edp", 1>>;
  for (int i = 0; i < 3; ++i) {
    auto mesh = make<M>();
    BOOST_TEST((mesh.communicator<"ep">().native_handle<MPI_Comm>() != MPI_COMM_WORLD));
    BOOST_TEST(mesh.all_reduce<"ep">(1, plus) == 4);
    mesh.close();
    int sum = 0;
    const int one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    BOOST_TEST(sum == 4);
  }
  BOOST_TEST(live_communicators().empty());
}

// The same of what was adopted: nothing of the user's is freed.
BOOST_AUTO_TEST_CASE(ending_a_mesh_on_the_world_itself_leaves_it_alone) {
  if (world_size() != 4) return;
  auto mesh = axial::from_communicators<Mesh<Dim<"x", 4>>>(borrow(MPI_COMM_WORLD));
  BOOST_TEST(mesh.all_reduce(1, plus) == 4);
  const Counts counts = during([&] { mesh.close(); });
  BOOST_TEST(counts.calls("MPI_Comm_free") == 0);
  BOOST_TEST((make<Mesh<Dim<"x", 4>>>().all_reduce(1, plus)) == 4);
}

// pytorch#191393, PR #191637
BOOST_AUTO_TEST_CASE(ending_one_of_two_meshes_frees_its_communicators_and_no_other) {
  if (world_size() != 4) return;
  using M = Mesh<Dim<"dp", 2>, Dim<"tp", 2>>;
  std::optional<DeviceMesh<M>> a = make<M>({.name = "A"}), b = make<M>({.name = "B"});
  const auto frees = [](const Counts& counts, const std::string& name) {
    return counts.calls_on("MPI_Comm_free", "axial:" + name + ":dp") * 10 +
           counts.calls_on("MPI_Comm_free", "axial:" + name + ":tp");
  };
  const Counts of_a = during([&] { a.reset(); });
  BOOST_TEST(frees(of_a, "A") == 11);
  BOOST_TEST(frees(of_a, "B") == 0);
  BOOST_TEST((live_communicators() == std::vector<std::string>{"axial:B:dp", "axial:B:tp"}));
  BOOST_TEST(b->all_reduce<"dp">(1, plus) == 2);
  const Counts of_b = during([&] { b.reset(); });
  BOOST_TEST(frees(of_b, "A") == 0);
  BOOST_TEST(frees(of_b, "B") == 11);
  BOOST_TEST(live_communicators().empty());
}

// pytorch#111452
BOOST_AUTO_TEST_CASE(a_mesh_of_more_or_fewer_ranks_says_both_numbers_and_a_smaller_one_is_asked_for_by_name) {
  if (world_size() != 4) return;
  check_same_text(MPI_COMM_WORLD, text_of([] { make<Mesh<Dim<"dp", 3>, Dim<"tp", 3>>>(); }),
                  "Mesh(dp=3, tp=3) needs 3*3 = 9 ranks, and the communicator has 4; no other extent of a single "
                  "dimension would fit");
  check_same_text(MPI_COMM_WORLD, text_of([] { make<Mesh<Dim<"dp", 3>>>(); }),
                  "Mesh(dp=3) needs 3 ranks, and the communicator has 4; dp=4 would fit");
  const auto three = init_device_mesh_on<Mesh<Dim<"dp", 3>>>(borrow(MPI_COMM_WORLD), {0, 1, 2});
  BOOST_TEST(three.has_value() == (world_rank() != 3));
  if (three) BOOST_TEST(three->all_reduce(1, plus) == 3);
}
