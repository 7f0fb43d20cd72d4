// SPDX-License-Identifier: BSL-1.0
// Reports on PyTorch's DeviceMesh about hangs and the order of ranks, as trials of ours. TRIALS.md lists all of them.
#include <algorithm>
#include <atomic>
#include <axial/ledger.hpp>
#include <chrono>
#include <optional>
#include <thread>

#include "../support/meshes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::init_device_mesh_on, axial::borrow, axial::plus;
using axial::ledger::during, axial::ledger::Counts;

namespace {

using List = std::vector<unsigned>;

/// A word that all ranks see and that is read without MPI.
class Flag {
 public:
  Flag() {
    MPI_Win_allocate_shared(world_rank() == 0 ? sizeof(Word) : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &word_, &window_);
    MPI_Aint size;
    int unit;
    MPI_Win_shared_query(window_, 0, &size, &unit, static_cast<void*>(&word_));
    if (world_rank() == 0) *word_ = 0;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~Flag() { MPI_Win_free(&window_); }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;

  void raise() { ++*word_; }
  void wait_for(int times) const {
    while (*word_ < times) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

 private:
  using Word = std::atomic<int>;
  Word* word_ = nullptr;
  MPI_Win window_;
};

}  // namespace

// pytorch#190396
BOOST_AUTO_TEST_CASE(meshes_of_part_and_of_all_ranks_are_made_used_and_ended_in_any_order) {
  if (world_size() != 8) return;
  using Five = Mesh<Dim<"a", 5>>;
  using Eight = Mesh<Dim<"o", 2>, Dim<"i", 4>>;
  const unsigned r = world_rank();
  int order[] = {0, 1, 2};
  do {
    std::optional<DeviceMesh<Five>> five;
    std::optional eight = init_device_mesh<Eight>(borrow(MPI_COMM_WORLD), {.lazy = true});
    for (const int step : order) {
      if (step == 0) five = init_device_mesh_on<Five>(borrow(MPI_COMM_WORLD), {0, 1, 2, 3, 4});
      if (step == 1) eight->create<"o">();
      if (step == 2) eight->create<"i">();
    }
    BOOST_TEST(five.has_value() == (r < 5));
    if (five) BOOST_TEST(five->all_reduce(r, plus) == 10u);
    BOOST_TEST(eight->all_reduce<"o">(r, plus) == 2 * (r % 4) + 4);
    BOOST_TEST(eight->all_reduce<"i">(r, plus) == (r < 4 ? 6u : 22u));
    if ((r + static_cast<unsigned>(order[0])) % 2) five.reset();  // the ranks end them in different orders
    eight.reset();
  } while (std::ranges::next_permutation(order).found);
}

// pytorch PR #119250
BOOST_AUTO_TEST_CASE(communicators_made_in_different_orders_by_different_ranks_end_in_those_orders) {
  if (world_size() != 8) return;
  using M = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
  auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD), {.lazy = true});
  if (mesh.local_rank<"dp">() == 0) {
    mesh.create<"tp">();
    mesh.create<"dp">();
  } else {
    mesh.create<"dp">();
    mesh.create<"tp">();
  }
  BOOST_TEST(mesh.all_reduce<"tp">(1, plus) == 4);
  BOOST_TEST(mesh.all_reduce<"dp">(1, plus) == 2);
  const Counts counts = during([&] { mesh.close(); });
  BOOST_TEST(counts.calls_on("MPI_Comm_free", "axial:dp") == 1);
  BOOST_TEST(counts.calls_on("MPI_Comm_free", "axial:tp") == 1);
  BOOST_TEST(counts.total() == 2);
}

// pytorch#145376
BOOST_AUTO_TEST_CASE(meshes_of_one_rank_and_of_both_are_made_in_turn) {
  if (world_size() != 2) return;
  const auto world = borrow(MPI_COMM_WORLD);
  for (int i = 0; i < 50; ++i) {
    const auto one = init_device_mesh_on<Mesh<Dim<"x", 1>>>(world, {0});
    BOOST_TEST(one.has_value() == (world_rank() == 0));
    if (world_rank() == 0) {  // and without the other
      const auto alone = init_device_mesh<Mesh<Dim<"x", 1>>>(world.subset({0}));
      BOOST_TEST(alone.all_reduce(7, plus) == 7);
    }
    BOOST_TEST((init_device_mesh<Mesh<Dim<"x", 2>>>(world).all_reduce(i, plus)) == 2 * i);
  }
}

// NeMo-RL PR #3189
BOOST_AUTO_TEST_CASE(a_mesh_of_a_subset_needs_no_call_of_the_other_ranks) {
  if (world_size() != 4) return;
  Flag done;
  const auto world = borrow(MPI_COMM_WORLD);
  const bool is_member = world_rank() == 0 || world_rank() == 3;
  const Counts counts = during([&] {
    if (!is_member) return done.wait_for(2);
    {
      const auto pair = init_device_mesh<Mesh<Dim<"x", 2>>>(world.subset({0, 3}));
      BOOST_TEST(pair.all_reduce(world.rank(), plus) == 3u);
      BOOST_TEST((pair.unflatten<"x", Dim<"a", 2>, Dim<"b", 1>>().all_reduce<"a">(1, plus)) == 2);
    }
    done.raise();
  });
  if (!is_member) BOOST_TEST(counts.total() == 0, counts.text());
}

// Megatron-LM PR #4179, PR #99094
BOOST_AUTO_TEST_CASE(a_rank_with_another_order_of_ranks_is_named_on_all_ranks) {
  if (world_size() != 4) return;
  const auto text_with = [](const List& rank_map) {
    return text_of([&] { init_device_mesh<Mesh<Dim<"x", 4>>>(borrow(MPI_COMM_WORLD), {.rank_map = rank_map}); });
  };
  const std::string text = text_with(world_rank() == 1 ? List{0, 2, 1, 3} : List{0, 1, 2, 3});
  BOOST_TEST(text.starts_with("the ranks have different meshes: rank 1 has Mesh(x=4), rank_map 0,2,1,3 "));
  BOOST_TEST(text.find("; rank 0 has Mesh(x=4), rank_map 0,1,2,3 ") != text.npos);
  check_same_text(MPI_COMM_WORLD, text, text);
}

// E26 of TRIALS.md: in PyTorch only the rank that is given twice raises, and the others wait for it.
BOOST_AUTO_TEST_CASE(a_rank_given_twice_is_an_error_on_all_ranks) {
  if (world_size() != 4) return;
  const auto refused = [](const List& rank_map) {
    return text_of([&] { init_device_mesh<Mesh<Dim<"x", 4>>>(borrow(MPI_COMM_WORLD), {.rank_map = rank_map}); });
  };
  check_same_text(MPI_COMM_WORLD, refused({0, 1, 1, 3}),
                  "rank_map gives rank 1 to the positions 1 and 2; each rank stands once");
  check_same_text(MPI_COMM_WORLD, refused({0, 1, 4, 3}),
                  "rank_map gives position 2 the rank 4, and the mesh has the ranks 0 to 3");
  check_same_text(MPI_COMM_WORLD, refused({0, 1, 2}),
                  "rank_map takes one rank for each of the mesh's 4 positions, not 3");
}

// pytorch#176126, PR #176580, PR #189090, PR #128537
BOOST_AUTO_TEST_CASE(ranks_in_reverse_order_are_local_ranks_in_that_order) {
  if (world_size() != 4) return;
  using M = Mesh<Dim<"x", 4>>;
  const auto check = [](const auto& mesh) {
    BOOST_TEST(mesh.template local_rank<"x">().value() == 3 - world_rank());
    BOOST_TEST(rank_in(mesh.communicator().template native_handle<MPI_Comm>()) == 3 - world_rank());
    BOOST_TEST((mesh.all_gather(world_rank()) == List{3, 2, 1, 0}));
  };
  check(init_device_mesh<M>(borrow(MPI_COMM_WORLD), {.rank_map = {3, 2, 1, 0}}));
  check(init_device_mesh<decltype(M::with_ranks<3, 2, 1, 0>())>(borrow(MPI_COMM_WORLD)));
  check(*init_device_mesh_on<M>(borrow(MPI_COMM_WORLD), {3, 2, 1, 0}));
  check(init_device_mesh<M>(borrow(MPI_COMM_WORLD).subset({3, 2, 1, 0})));
}

// pytorch#192332
BOOST_AUTO_TEST_CASE(a_permuted_group_keeps_its_order_among_all_groups) {
  using M = decltype(Mesh<Dim<"a", 3>, Dim<"b", 4>>::with_ranks<0, 3, 1, 2, 4, 7, 5, 6, 8, 11, 9, 10>());
  using Rows = const unsigned[3][4];
  using Columns = const unsigned[4][3];
  static_assert(M::groups<"b">() == Rows{{0, 3, 1, 2}, {4, 7, 5, 6}, {8, 11, 9, 10}});
  static_assert(M::groups<"a">() == Columns{{0, 4, 8}, {3, 7, 11}, {1, 5, 9}, {2, 6, 10}});
  static_assert(M::coordinate_of<"b">(7) == 1 && M::coordinate_of<"b">(5) == 2);
}

// pytorch#126530
BOOST_AUTO_TEST_CASE(two_inner_axes_are_a_mesh_and_one_group_of_four) {
  if (world_size() != 8) return;
  const auto mesh = init_device_mesh<Mesh<Dim<"pp", 2>, Dim<"tp0", 2>, Dim<"tp1", 2>>>(borrow(MPI_COMM_WORLD));
  const auto inner = mesh.submesh<"tp0", "tp1">();
  BOOST_TEST((inner.flatten().group_of(0) == List{0, 1, 2, 3}));
  const unsigned first = world_rank() / 4 * 4;
  BOOST_TEST((inner.flatten().all_gather(world_rank()) == List{first, first + 1, first + 2, first + 3}));
}
