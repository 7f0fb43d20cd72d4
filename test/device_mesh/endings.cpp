// SPDX-License-Identifier: BSL-1.0
// Meshes that were aborted or moved from, those that live on beside them, and what thousands of them leave in memory.
#include <malloc.h>

#include <optional>
#include <utility>

#include "../support/meshes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::borrow, axial::plus;

namespace {

template <class M>
auto make(const axial::Options& options = {}) {
  return init_device_mesh<M>(borrow(MPI_COMM_WORLD), options);
}

template <class M>
void check_works(const DeviceMesh<M>& mesh) {
  each_index<M::ndim()>(
      [&]<std::size_t I> { BOOST_TEST(mesh.template all_reduce<I>(1u, plus) == M::template extent<I>()); });
}

/// All communication of the mesh is refused: on axes of one rank there is none.
template <class M>
void check_refused(const DeviceMesh<M>& mesh, const std::string& why) {
  each_index<M::ndim()>([&]<std::size_t I> {
    const auto& axis = mesh.template communicator<I>();
    const std::string along = " along \"" + std::string(std::string_view(M::names()[I])) + "\": the mesh " + why;
    BOOST_TEST(text_of([&] { axis.template native_handle<MPI_Comm>(); }) == "native_handle" + along);
    if constexpr (M::template extent<I>() > 1) {
      BOOST_TEST(text_of([&] { axis.all_reduce(1, plus); }) == "all_reduce" + along);
      BOOST_TEST(text_of([&] { axis.reduce(1, plus, 0); }) == "reduce" + along);
      BOOST_TEST(text_of([&] { axis.broadcast(1, 0); }) == "broadcast" + along);
      BOOST_TEST(text_of([&] { axis.all_gather(1); }) == "all_gather" + along);
      BOOST_TEST(text_of([&] { axis.reduce_scatter(std::vector<int>(axis.extent()), plus); }) ==
                 "reduce_scatter" + along);
      const std::vector<int> one_each(axis.extent());
      BOOST_TEST(text_of([&] { axis.gather(1, 0); }) == "gather" + along);
      BOOST_TEST(text_of([&] { axis.scatter(one_each, 0); }) == "scatter" + along);
      BOOST_TEST(text_of([&] { axis.all_to_all(one_each); }) == "all_to_all" + along);
      BOOST_TEST(text_of([&] { axis.scan(1, plus); }) == "scan" + along);
      BOOST_TEST(text_of([&] { axis.exclusive_scan(1, plus); }) == "exclusive_scan" + along);
      BOOST_TEST(text_of([&] { mesh.template submesh<I>().barrier(); }) == "barrier" + along);
    }
    BOOST_TEST(text_of([&] { mesh.template create<I>(); }) == "create" + along);
  });
}

/// The mesh of several dimensions for each number of ranks.
template <class F>
void each_plane(F f) {
  each(Types<Mesh<Dim<"a", 1>, Dim<"b", 1>>, Mesh<Dim<"a", 2>, Dim<"b", 1>>, Mesh<Dim<"a", 1>, Dim<"b", 3>>,
             Mesh<Dim<"a", 2>, Dim<"b", 2>>, Mesh<Dim<"a", 2>, Dim<"b", 3>>, Mesh<Dim<"a", 2>, Dim<"b", 4>>>{},
       [&]<class M> {
         if (M::world() == world_size()) f.template operator()<M>();
       });
}

std::size_t bytes_in_use() { return mallinfo2().uordblks; }

}  // namespace

BOOST_AUTO_TEST_CASE(after_abort_nothing_starts_on_any_communicator_of_the_mesh) {
  each_plane([]<class M> {
    for (const bool lazy : {false, true}) {
      const auto mesh = make<M>({.lazy = lazy});
      const auto part = mesh.template submesh<"b">();
      const auto turned = mesh.template permute<"b", "a">();
      const auto all = mesh.template flatten<"a", "b">();
      const auto copy = mesh;
      check_works(mesh);
      mesh.abort();
      for (int twice = 0; twice < 2; ++twice) {
        check_refused(mesh, "was aborted");
        check_refused(part, "was aborted");
        check_refused(turned, "was aborted");
        check_refused(all, "was aborted");
        check_refused(copy, "was aborted");
        // What needs a communicator that there is not does not make one.
        check_refused(mesh.template flatten_as<"again", "b", "a">(), "was aborted");
        if (M::size() > 1) BOOST_TEST(text_of([&] { mesh.find_hosts(); }) != "nothing was thrown");
        copy.abort();
        auto closed = copy;
        closed.close();
      }
      BOOST_TEST(mesh.rank().value() == world_rank());
      BOOST_TEST((mesh.coordinates() == M::coordinates_of(world_rank())));
      BOOST_TEST(mesh.template group_ranks<"b">().size() == (M::template extent<"b">()));
    }
    check_works(make<M>());
  });
}

BOOST_AUTO_TEST_CASE(abort_on_one_rank_is_that_ranks_affair_where_mpi_cannot_revoke) {
  each_plane([]<class M> {
    const auto mesh = make<M>();
    const axial::UntypedMesh untyped = mesh;
    if (world_rank() == 0) untyped.abort();
    if (world_rank() == 0) check_refused(mesh, "was aborted");
    const auto other = make<M>();
    check_works(other);
    if constexpr (M::template extent<"a">() > 1)
      if (const auto slice = other.template slice<"a", 0>())
        BOOST_TEST(text_of([&] { axial::UntypedMesh(*slice).abort(); }) ==
                   "abort ends a whole mesh: this one is a part of another");
  });
}

BOOST_AUTO_TEST_CASE(what_was_closed_stays_closed) {
  each_plane([]<class M> {
    auto mesh = make<M>();
    mesh.close();
    mesh.abort();
    check_refused(mesh, "is closed");
  });
}

BOOST_AUTO_TEST_CASE(a_mesh_that_was_moved_from_communicates_no_more_and_can_be_assigned_to) {
  each_plane([]<class M> {
    auto mesh = make<M>();
    const auto taken = std::move(mesh);
    const auto check_moved = [&] {
      check_refused(mesh, "was moved from");
      check_refused(mesh.template permute<"b", "a">(), "was moved from");
      check_refused(mesh.template flatten<"a", "b">(), "was moved from");
      BOOST_TEST(text_of([&] { mesh.find_hosts(); }) != "nothing was thrown");
      auto copy = mesh;
      copy.close();
      copy.abort();
      check_refused(copy, "was moved from");
      BOOST_TEST((mesh.size() == M::size()));
      BOOST_TEST(axial::to_string(mesh) == axial::to_string(taken));
      BOOST_TEST(!mesh.description().empty());
      BOOST_TEST(!(mesh == taken));
      BOOST_TEST(!mesh.parent().has_value());
    };
    check_moved();
    check_works(taken);
    mesh = taken;
    check_works(mesh);
    auto target = make<M>();
    target = std::move(mesh);
    check_moved();
    check_works(target);
    mesh = std::move(target);
    BOOST_TEST((mesh == taken));
    check_works(mesh);
  });
}

BOOST_AUTO_TEST_CASE(a_dynamic_mesh_that_was_moved_from_does_not_communicate) {
  using D = Mesh<Dim<"n", axial::dynamic>>;
  if (world_size() == 1) return;
  auto mesh = make<D>();
  const auto taken = std::move(mesh);
  BOOST_TEST(text_of([&] { mesh.all_reduce<"n">(1u, plus); }) == "all_reduce along \"n\": the mesh was moved from");
  BOOST_TEST(taken.all_reduce<"n">(1u, plus) == world_size());
}

BOOST_AUTO_TEST_CASE(of_two_meshes_one_goes_and_the_other_stays) {
  each_plane([]<class M> {
    for (const bool first : {true, false}) {
      std::optional<DeviceMesh<M>> one = make<M>({.name = "one"}), two = make<M>({.name = "two"});
      check_works(*one);
      check_works(*two);
      (first ? one : two).reset();
      check_works(first ? *two : *one);
      // At different moments on different ranks.
      std::optional<DeviceMesh<M>> third = make<M>();
      if (world_rank() % 2) third.reset();
      check_works(first ? *two : *one);
      third.reset();
      check_works(first ? *two : *one);
    }
  });
}

BOOST_AUTO_TEST_CASE(ten_thousand_meshes_leave_nothing_in_memory) {
  if (world_size() > 2) return;  // more ranks than cores take their time
  each_plane([]<class M> {
    const auto make_some = [](int count) {
      for (int i = 0; i < count; ++i) {
        const auto mesh = make<M>({.name = "some", .lazy = i % 2 == 1});
        mesh.template submesh<"a">().barrier();
      }
    };
    make_some(5000);  // until the ledger has all that it keeps: the last 4096 calls on a communicator
    const std::size_t before = bytes_in_use();
    make_some(10000);
    BOOST_TEST(bytes_in_use() < before + 10000 * 16);  // less than the smallest allocation for each
  });
}
