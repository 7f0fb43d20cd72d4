// SPDX-License-Identifier: BSL-1.0
// Meshes with a deadline: who does not come in time is named, and nothing waits for ever. On a rank that comes late
// everything ends, too: each case leaves its communicators to the end of the program.
#include <chrono>
#include <thread>

#include "../support/meshes.hpp"

using axial::init_device_mesh, axial::init_device_mesh_on, axial::borrow, axial::plus, axial::Timeout;
using namespace std::chrono_literals;

namespace {

/// A communicator of all ranks that is never freed: what was given up may still be under way on it.
MPI_Comm lasting() {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  return comm;
}

unsigned last() { return world_size() - 1; }
bool is_late() { return world_rank() == last(); }
constexpr auto patience = 1000ms;

/// The Timeout that f throws.
template <class F>
Timeout timeout_of(F f) {
  try {
    f();
  } catch (const Timeout& error) {
    BOOST_TEST(!error.on_all_ranks());
    return error;
  }
  BOOST_TEST(false, "no Timeout was thrown");
  return {"", "", 0, ""};
}

std::string all_but_last() {
  std::string text = world_size() == 2 ? "rank 0" : "ranks 0";
  for (unsigned rank = 1; rank < last(); ++rank) text += (rank + 1 == last() ? " and " : ", ") + std::to_string(rank);
  return text;
}

/// One mesh for each number of ranks from 2.
template <class F>
void each_deadline_mesh(F f) {
  each(Types<Mesh<Dim<"a", 2>, Dim<"b", 1>>, Mesh<Dim<"a", 1>, Dim<"b", 3>>, Mesh<Dim<"a", 2>, Dim<"b", 2>>,
             Mesh<Dim<"a", 2>, Dim<"b", 3>>, Mesh<Dim<"a", 2>, Dim<"b", 4>>>{},
       [&]<class M> {
         if (M::world() == world_size()) f.template operator()<M>();
       });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_mesh_with_a_deadline_is_the_same_mesh) {
  each_mesh([]<class M> {
    const auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD), {.timeout = 30s});
    each_index<M::ndim()>([&]<std::size_t I> {
      const auto& axis = mesh.template communicator<I>();
      constexpr unsigned extent = M::template extent<I>();
      const unsigned mine = axis.rank().value();
      std::vector<unsigned> in(2 * extent, mine + 1), out(2 * extent * extent), two(2);
      constexpr unsigned sum = extent * (extent + 1) / 2;
      BOOST_TEST(axis.all_reduce(mine + 1, plus) == sum);
      axis.all_reduce(axial::in_place(in), plus);
      BOOST_TEST(in == std::vector<unsigned>(2 * extent, sum), boost::test_tools::per_element());
      in.assign(2 * extent, mine + 1);
      axis.all_gather(in, out);
      for (std::size_t i = 0; i < out.size(); ++i) BOOST_TEST(out[i] == i / (2 * extent) + 1);
      axis.reduce_scatter(in, two, plus);
      BOOST_TEST(two == std::vector<unsigned>(2, sum), boost::test_tools::per_element());
      const auto reduced = axis.reduce(mine + 1, plus, axial::Rank<M::template axis_type<I>::name>(extent - 1));
      BOOST_TEST(reduced.has_value() == (mine == extent - 1));
      if (reduced) BOOST_TEST(*reduced == sum);
      BOOST_TEST(axis.broadcast(mine, 0) == 0u);
      const axial::Rank<M::template axis_type<I>::name> last(extent - 1);
      const bool is_last = mine == extent - 1;
      std::vector<unsigned> all(extent, 99);
      all[mine] = mine;
      axis.gather(axial::in_place(all), last);
      for (unsigned i = 0; i < extent; ++i) BOOST_TEST(all[i] == (is_last || i == mine ? i : 99));
      for (unsigned& value : all) value += 10 * mine;
      axis.scatter(axial::in_place(all), last);
      BOOST_TEST(all[mine] == 10 * (extent - 1) + mine);
      BOOST_TEST(axis.scatter(all, last) == 10 * (extent - 1) + mine);
      std::vector<unsigned> parts(extent);
      for (unsigned i = 0; i < extent; ++i) parts[i] = 10 * mine + i;
      axis.all_to_all(axial::in_place(parts));
      for (unsigned i = 0; i < extent; ++i) BOOST_TEST(parts[i] == 10 * i + mine);
      BOOST_TEST(axis.scan(mine + 1, plus) == (mine + 1) * (mine + 2) / 2);
      BOOST_TEST(axis.exclusive_scan(mine + 1, plus) == mine * (mine + 1) / 2);
      axis.barrier();
    });
  });
}

BOOST_AUTO_TEST_CASE(a_rank_that_does_not_come_to_the_creation_is_named_by_the_others) {
  each_deadline_mesh([]<class M> {
    const auto world = borrow(lasting());
    if (is_late()) MPI_Barrier(MPI_COMM_WORLD);  // until the others have given up
    const Timeout error = timeout_of([&] { init_device_mesh<M>(world, {.timeout = patience}); });
    if (!is_late()) MPI_Barrier(MPI_COMM_WORLD);
    if (!is_late()) {
      BOOST_TEST(error.stage() == "agreement");
      BOOST_TEST(error.axis() == "");
      BOOST_TEST(error.call() == 0u);
      BOOST_TEST(error.what() == "agreement: rank " + std::to_string(last()) +
                                     " did not come within 1000 ms, in the creation of " + axial::to_string(M{}));
    } else if (error.stage() == std::string("communicator")) {
      // What the others had sent was there: the late rank finds out in the next stage, from those of its first axis.
      BOOST_TEST(std::string(error.what()).find(" did not come within 1000 ms") != std::string::npos);
      BOOST_TEST(error.axis() != "");
    } else {
      BOOST_TEST(error.what() == "agreement: " + all_but_last() +
                                     " did not come within 1000 ms, in the creation of " + axial::to_string(M{}));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  });
}

BOOST_AUTO_TEST_CASE(an_operation_that_a_rank_does_not_come_to_names_axis_operation_and_call) {
  each_deadline_mesh([]<class M> {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD), {.name = "dense", .timeout = patience});
    constexpr std::size_t axis = M::template extent<0>() > 1 ? 0 : 1;
    const auto name = std::string(std::string_view(M::names()[axis]));
    const bool meets_late = [&] {
      for (const unsigned rank : mesh.template group_ranks<axis>())
        if (rank == last()) return true;
      return false;
    }();
    MPI_Barrier(MPI_COMM_WORLD);
    BOOST_TEST(mesh.template all_reduce<axis>(1u, plus) == M::template extent<axis>());
    mesh.template barrier<axis>();
    if (is_late()) MPI_Barrier(MPI_COMM_WORLD);  // until the others have given up
    if (!meets_late) {
      BOOST_TEST(mesh.template all_reduce<axis>(1u, plus) == M::template extent<axis>());
    } else if (!is_late()) {
      const Timeout error = timeout_of([&] { mesh.template all_reduce<axis>(1u, plus); });
      BOOST_TEST(error.stage() == "all_reduce");
      BOOST_TEST(error.axis() == name);
      BOOST_TEST(error.call() == 3u);
      const std::string text = error.what();
      BOOST_TEST(text.starts_with("all_reduce along \"" + name +
                                  "\", call 3: not all ranks came within 1000 ms, on rank " +
                                  std::to_string(world_rank()) + " ("));
      BOOST_TEST(text.ends_with(" named \"dense\""));
      // Now only abort is left, also on the other axes and in what is derived.
      const std::string after =
          "all_reduce along \"" + name + "\", call 3, and only abort() and the program's end are left";
      const auto refused = [&](const std::string& operation, const std::string& along, auto call) {
        BOOST_TEST(text_of(call) == operation + " along \"" + along + "\": the mesh timed out in " + after);
      };
      refused("barrier", name, [&] { mesh.template barrier<axis>(); });
      refused("native_handle", name, [&] { mesh.template communicator<axis>().template native_handle<MPI_Comm>(); });
      refused("broadcast", name, [&] { mesh.template submesh<axis>().broadcast(1, 0); });
      if constexpr (M::template extent<1 - axis>() > 1)
        refused("all_reduce", std::string(std::string_view(M::names()[1 - axis])),
                [&] { mesh.template all_reduce<1 - axis>(1, plus); });
      auto closed = mesh;
      closed.close();  // has nothing to do
      refused("barrier", name, [&] { mesh.template barrier<axis>(); });
      mesh.abort();
      BOOST_TEST(text_of([&] { mesh.template barrier<axis>(); }) ==
                 "barrier along \"" + name + "\": the mesh was aborted");
    } else {
      // The others have left: their part of the operation may have been done, or not.
      try {
        mesh.template all_reduce<axis>(1u, plus);
      } catch (const Timeout& error) {
        BOOST_TEST(error.call() == 3u);
      }
    }
    if (!is_late()) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  });
}

BOOST_AUTO_TEST_CASE(a_lazy_axis_whose_ranks_do_not_come_names_them) {
  each_deadline_mesh([]<class M> {
    const auto mesh = init_device_mesh<M>(borrow(lasting()), {.timeout = patience, .lazy = true});
    constexpr std::size_t axis = M::template extent<0>() > 1 ? 0 : 1;
    const auto name = std::string(std::string_view(M::names()[axis]));
    bool meets_late = false;
    for (const unsigned rank : mesh.template group_ranks<axis>()) meets_late |= rank == last();
    MPI_Barrier(MPI_COMM_WORLD);
    if (!meets_late) {
      BOOST_TEST(mesh.template all_reduce<axis>(1u, plus) == M::template extent<axis>());
    } else if (!is_late()) {
      const Timeout error = timeout_of([&] { mesh.template all_reduce<axis>(1u, plus); });
      BOOST_TEST(error.stage() == "communicator");
      BOOST_TEST(error.axis() == name);
      BOOST_TEST(error.what() == "communicator along \"" + name + "\": rank " + std::to_string(last()) +
                                     " did not come within 1000 ms, in the creation of a communicator of " +
                                     axial::to_string(M{}));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  });
}

BOOST_AUTO_TEST_CASE(a_creation_on_some_ranks_needs_all_in_time_only_for_the_agreement) {
  if (world_size() != 3 && world_size() != 6) return;
  const auto world = borrow(lasting());
  if (is_late()) {  // an outsider
    BOOST_TEST(!(init_device_mesh_on<Mesh<Dim<"a", 2>>>(world, {1, 0}, {.timeout = 5s})));
  } else {
    const auto mesh = init_device_mesh_on<Mesh<Dim<"a", 2>>>(world, {1, 0}, {.timeout = 5s});
    BOOST_TEST(mesh.has_value() == (world_rank() < 2));
    if (mesh) BOOST_TEST(mesh->all_reduce<"a">(1, plus) == 2);
  }
}

BOOST_AUTO_TEST_CASE(ranks_with_another_mesh_or_timeout_are_named_under_a_deadline_too) {
  each_deadline_mesh([]<class M> {
    using Odd = Mesh<Dim<"odd", M::size()>>;
    const auto world = borrow(MPI_COMM_WORLD);
    const std::string mine = text_of([&] {
      if (is_late())
        init_device_mesh<Odd>(world, {.timeout = 20s});
      else
        init_device_mesh<M>(world, {.timeout = 20s});
    });
    const std::string rank = "rank " + std::to_string(last());
    const std::string timeout = ", timeout 20000 ms (axial " AXIAL_VERSION ")";
    check_same_text(MPI_COMM_WORLD, mine,
                    "the ranks have different meshes: " + rank + " has " + axial::to_string(Odd{}) + timeout +
                        "; rank 0 has " + axial::to_string(M{}) + timeout);
    const std::string times = text_of([&] { init_device_mesh<M>(world, {.timeout = is_late() ? 21s : 20s}); });
    check_same_text(MPI_COMM_WORLD, times,
                    "the ranks have different meshes: " + rank + " has " + axial::to_string(M{}) +
                        ", timeout 21000 ms (axial " AXIAL_VERSION "); rank 0 has " + axial::to_string(M{}) + timeout);
    BOOST_TEST(text_of([&] { init_device_mesh<M>(world, {.timeout = -1ms}); }) ==
               "timeout is -1 ms; it must be positive, or 0 for none");
    BOOST_TEST((init_device_mesh<M>(world, {.timeout = 20s}).template all_reduce<0>(1u, plus)) ==
               M::template extent<0>());
  });
}

BOOST_AUTO_TEST_CASE(an_operation_that_waits_ends_when_another_thread_aborts_the_mesh) {
  each_deadline_mesh([]<class M> {
    const auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD), {.timeout = 30s});
    constexpr std::size_t axis = M::template extent<0>() > 1 ? 0 : 1;
    const auto name = std::string(std::string_view(M::names()[axis]));
    MPI_Barrier(MPI_COMM_WORLD);
    if (mesh.template local_rank<axis>() == 0) {
      std::thread other([&] {
        std::this_thread::sleep_for(100ms);
        mesh.abort();  // calls nothing of MPI
      });
      BOOST_TEST(text_of([&] { mesh.template all_reduce<axis>(1u, plus); }) ==
                 "all_reduce along \"" + name + "\": the mesh was aborted");
      other.join();
    }
    MPI_Barrier(MPI_COMM_WORLD);
  });
}
