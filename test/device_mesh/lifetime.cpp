// SPDX-License-Identifier: BSL-1.0
// Copies, moves, closing, the end of meshes, the limits of MPI, and what belongs to the user.
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>

#include "../support/meshes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::borrow, axial::plus;

namespace {

/// More than MPICH has communicators at a time; ranks that share cores are spared most of them.
int many() { return world_size() <= 2 ? 3000 : 50; }

template <class M, class Visit>
void each_axis(const DeviceMesh<M>& mesh, Visit visit) {
  each_index<M::ndim()>([&]<std::size_t I> { visit(mesh.template communicator<I>()); });
}

/// All axes of the mesh work.
template <class M>
void check_works(const DeviceMesh<M>& mesh) {
  each_axis(mesh, [](const auto& axis) { BOOST_TEST(axis.all_reduce(1, plus) == static_cast<int>(axis.extent())); });
}

/// A mesh with all ranks of `comm` along one axis.
template <class F>
void with_line(MPI_Comm comm, F f) {
  each(Types<Mesh<Dim<"a", 1>>, Mesh<Dim<"a", 2>>, Mesh<Dim<"a", 3>>, Mesh<Dim<"a", 4>>, Mesh<Dim<"a", 6>>,
             Mesh<Dim<"a", 8>>>{},
       [&]<class M> {
         if (M::world() == size_of(comm)) f([comm] { return init_device_mesh<M>(borrow(comm)); });
       });
}

void ignore_errors(MPI_Comm*, int*, ...) {}

}  // namespace

BOOST_AUTO_TEST_CASE(copies_and_moves_share_the_communicators_which_outlive_all_but_the_last) {
  each_mesh([]<class M> {
    if constexpr (M::ndim() > 0) {
      std::optional<DeviceMesh<M>> first = init_device_mesh<M>(borrow(MPI_COMM_WORLD));
      const auto* axis = &first->template communicator<0>();
      const auto copy = *first;
      const auto& outlives_temporary = first->template submesh<0>().template permute<0>().template communicator<0>();
      BOOST_TEST(&copy.template communicator<0>() == axis);
      BOOST_TEST(static_cast<const void*>(&outlives_temporary) == static_cast<const void*>(axis));
      first.reset();
      check_works(copy);
      BOOST_TEST(outlives_temporary.all_reduce(1, plus) == static_cast<int>(M::template extent<0>()));

      auto moved = copy;
      auto target = std::move(moved);
      BOOST_TEST(&target.template communicator<0>() == axis);
      moved = init_device_mesh<M>(borrow(MPI_COMM_WORLD));  // what was moved from can be assigned to
      BOOST_TEST(&moved.template communicator<0>() != axis);
      check_works(moved);
      target = moved;
      BOOST_TEST(&target.template communicator<0>() == &moved.template communicator<0>());
      target = *&target;
      check_works(target);
      check_works(copy);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_submesh_keeps_all_communicators_alive) {
  each_mesh([]<class M> {
    if constexpr (M::ndim() > 1) {
      const auto last = [] { return init_device_mesh<M>(borrow(MPI_COMM_WORLD)).template submesh<M::ndim() - 1>(); }();
      check_works(last);
      BOOST_TEST(last.rank().value() == world_rank());
    }
  });
}

BOOST_AUTO_TEST_CASE(thousands_of_meshes_come_and_go) {
  each_mesh([]<class M> {
    if constexpr (M::ndim() == 1 || M::ndim() == 3)
      for (int i = 0; i < many(); ++i) init_device_mesh<M>(borrow(MPI_COMM_WORLD));
    check_works(init_device_mesh<M>(borrow(MPI_COMM_WORLD)));
  });
}

BOOST_AUTO_TEST_CASE(meshes_that_are_lost_to_caught_exceptions_give_their_communicators_back) {
  with_line(MPI_COMM_WORLD, [](auto make) {
    for (int i = 0; i < many(); ++i) try {
        const auto mesh = make();
        throw std::runtime_error("on all ranks");
      } catch (const std::runtime_error&) {
      }
    check_works(make());
  });
}

BOOST_AUTO_TEST_CASE(when_communicators_run_out_all_ranks_get_an_error_and_the_others_go_on) {
  with_line(MPI_COMM_WORLD, [](auto make) {
    if (world_size() != 2 && world_size() != 3) return;
    for (int round = 0; round < 2; ++round) {
      std::vector<decltype(make())> meshes;
      const std::string text = text_of<axial::MpiError>([&] {
        while (meshes.size() < 3000) meshes.push_back(make());
      });
      BOOST_TEST(text.starts_with("MPI_Comm_create_group along \"a\" failed: "));
      BOOST_TEST(text.find('\n') == text.npos);
      BOOST_TEST(meshes.size() > 1000u);
      check_works(meshes.front());
      check_works(meshes.back());
      meshes.clear();
      check_works(make());
    }
  });
}

BOOST_AUTO_TEST_CASE(when_communicators_are_fragmented_all_ranks_get_an_error) {
  if (world_size() != 2) return;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  std::vector<MPI_Comm> own;
  for (MPI_Comm comm; MPI_Comm_dup(MPI_COMM_SELF, &comm) == MPI_SUCCESS;) own.push_back(comm);
  const auto free_every_other = [&](unsigned from) {
    for (std::size_t i = from; i < own.size(); i += 2) MPI_Comm_free(&own[i]);
  };
  free_every_other(world_rank());
  using M = Mesh<Dim<"a", 2>>;
  const auto make = [] { return init_device_mesh<M>(borrow(MPI_COMM_WORLD)); };
  const std::string text = text_of<axial::MpiError>([&] { make(); });
  BOOST_TEST(text.find("fragmentation") != text.npos);
  free_every_other(1 - world_rank());
  check_works(make());
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

BOOST_AUTO_TEST_CASE(after_close_communication_throws_and_accessors_work) {
  each_mesh([]<class M> {
    auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD));
    const auto other = mesh;
    mesh.close();
    mesh.close();
    BOOST_TEST(other.rank().value() == world_rank());
    BOOST_TEST((other.coordinates() == M::coordinates_of(world_rank())));
    each_axis(other, [](const auto& axis) {
      const std::string along = " along \"" + std::string(std::string_view(axis.name())) + "\": the mesh is closed";
      const auto refused = [&](const std::string& operation, auto call) {
        BOOST_TEST(text_of(call) == operation + along);
      };
      refused("native_handle", [&] { axis.template native_handle<MPI_Comm>(); });
      if (axis.extent() == 1) return;  // calls nothing
      std::vector<int> in(axis.extent()), out(axis.extent());
      const std::span<int> one(out.data(), 1), none(out.data(), std::size_t{0});
      refused("all_reduce", [&] { axis.all_reduce(1, plus); });
      refused("all_reduce", [&] { axis.all_reduce(axial::in_place(none), plus); });
      refused("reduce", [&] { axis.reduce(in, out, plus, 0); });
      refused("broadcast", [&] { axis.broadcast(axial::in_place(out), 0); });
      refused("all_gather", [&] { axis.all_gather(1); });
      refused("reduce_scatter", [&] { axis.reduce_scatter(in, one, plus); });
      refused("barrier", [&] { axis.barrier(); });
    });
    each_index<M::ndim()>([&]<std::size_t I> {
      if constexpr (M::template extent<I>() > 1)
        BOOST_CHECK_THROW(mesh.template submesh<I>().barrier(), axial::MeshError);
    });
  });
}

BOOST_AUTO_TEST_CASE(meshes_end_in_any_order) {
  each_mesh([]<class M> {
    std::vector<std::unique_ptr<DeviceMesh<M>>> meshes;
    for (int i = 0; i < 4; ++i)
      meshes.push_back(std::make_unique<DeviceMesh<M>>(init_device_mesh<M>(borrow(MPI_COMM_WORLD))));
    for (unsigned i = 0; i < 4; ++i) {
      meshes[(i + world_rank()) % 4].reset();
      if (i == 1 && world_rank() % 2) init_device_mesh<Mesh<>>(borrow(MPI_COMM_SELF));  // one rank's own affair
    }
    check_works(init_device_mesh<M>(borrow(MPI_COMM_WORLD)));
  });
}

BOOST_AUTO_TEST_CASE(the_users_handlers_attributes_and_traffic_are_untouched) {
  const unsigned rank = world_rank(), size = world_size();
  MPI_Errhandler handler, after;
  MPI_Comm_create_errhandler(ignore_errors, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);

  int received = -1;
  MPI_Request request;
  MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  each_mesh([&]<class M> {
    auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD));
    check_works(mesh);
    mesh.close();
    text_of([] { init_device_mesh<Mesh<Dim<"a", 5>>>(borrow(MPI_COMM_WORLD)); });
    text_of(
        [] { init_device_mesh<Mesh<Dim<"a", 1>>>(borrow(MPI_COMM_WORLD), {.name = std::to_string(world_rank())}); });
  });
  int done = 1;
  MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  BOOST_TEST(!done);
  MPI_Barrier(MPI_COMM_WORLD);
  const int sent = static_cast<int>(rank);
  MPI_Send(&sent, 1, MPI_INT, static_cast<int>((rank + 1) % size), 42, MPI_COMM_WORLD);
  MPI_Status status;
  MPI_Wait(&request, &status);
  BOOST_TEST(status.MPI_TAG == 42);
  BOOST_TEST(received == static_cast<int>((rank + size - 1) % size));

  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &after);
  BOOST_TEST((after == handler));
  MPI_Errhandler_free(&after);
  MPI_Errhandler_free(&handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  for (int i = 0; i < 300; ++i) text_of([] { init_device_mesh<Mesh<Dim<"a", 5>>>(borrow(MPI_COMM_WORLD)); });
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &after);
  BOOST_TEST((after == MPI_ERRORS_ARE_FATAL));
  BOOST_TEST(size_of(MPI_COMM_WORLD) == size);
}
