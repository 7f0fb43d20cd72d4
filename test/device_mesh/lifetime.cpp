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
int many() { return world_size() <= 2 ? 3000 : 20; }

template <class M, class Visit>
void each_axis(const DeviceMesh<M>& mesh, Visit visit) {
  each_index<M::ndim()>([&]<std::size_t I> { visit(mesh.template communicator<I>()); });
}

/// All axes of the mesh work.
template <class M>
void check_works(const DeviceMesh<M>& mesh) {
  each_axis(mesh, [](const auto& axis) { BOOST_TEST(axis.all_reduce(1, plus) == static_cast<int>(axis.extent())); });
}

/// All ranks along one axis, in a vector of one, or nothing where there is no such mesh.
std::vector<Kind> line() {
  std::vector<Kind> all = kinds();
  std::erase_if(all, [](const Kind& kind) { return kind.axes.size() != 1; });
  return all;
}

void ignore_errors(MPI_Comm*, int*, ...) {}

}  // namespace

BOOST_AUTO_TEST_CASE(copies_and_moves_share_the_communicators_which_outlive_all_but_the_last) {
  each_mesh([]<class M> {
    if constexpr (M::ndim() == 2) {
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
  for (const Kind& kind : kinds()) {
    const auto last = kind()->last_axis();
    BOOST_TEST(last->works());
    BOOST_TEST(last->rank() == world_rank());
  }
}

BOOST_AUTO_TEST_CASE(a_mesh_outlives_the_communicator_that_it_was_made_on) {
  for (const Kind& kind : kinds()) {
    std::unique_ptr<AnyMesh> mesh;
    {
      const Split reversed(0, world_size() - world_rank());
      mesh = kind(reversed);
    }
    BOOST_TEST(mesh->works());
    BOOST_TEST(mesh->rank() == world_size() - 1 - world_rank());
  }
}

BOOST_AUTO_TEST_CASE(meshes_are_values_that_never_throw_when_moved) {
  using D = DeviceMesh<Mesh<Dim<"a", 2>>>;
  static_assert(std::is_copy_constructible_v<D> && std::is_copy_assignable_v<D> && !std::is_default_constructible_v<D>);
  static_assert(std::is_nothrow_move_constructible_v<D> && std::is_nothrow_move_assignable_v<D>);
  static_assert(std::is_nothrow_destructible_v<D> && std::is_nothrow_swappable_v<D>);
  static_assert(!std::is_copy_constructible_v<D::communicator_type<"a">>);
  static_assert(!std::is_move_constructible_v<axial::Environment>);
}

BOOST_AUTO_TEST_CASE(thousands_of_meshes_come_and_go) {
  for (const Kind& kind : kinds()) {
    for (int i = 0; i < many(); ++i) kind();
    BOOST_TEST(kind()->works());
  }
}

BOOST_AUTO_TEST_CASE(meshes_that_are_lost_to_caught_exceptions_give_their_communicators_back) {
  for (const Kind& kind : line()) {
    for (int i = 0; i < many(); ++i) try {
        const auto mesh = kind();
        throw std::runtime_error("on all ranks");
      } catch (const std::runtime_error&) {
      }
    BOOST_TEST(kind()->works());
  }
}

BOOST_AUTO_TEST_CASE(when_communicators_run_out_all_ranks_get_an_error_and_the_others_go_on) {
  if (world_size() != 2 && world_size() != 3) return;
  for (const Kind& kind : line())
    for (int round = 0; round < 2; ++round) {
      std::vector<std::unique_ptr<AnyMesh>> meshes;
      const std::string text = text_of<axial::MpiError>([&] {
        while (meshes.size() < 3000) meshes.push_back(kind());
      });
      BOOST_TEST(text.starts_with("MPI_Comm_create_group along \"a\" failed on rank 0: "));
      BOOST_TEST(text.find('\n') == text.npos);
      BOOST_TEST(meshes.size() > 1000u);
      BOOST_TEST(meshes.front()->works());
      BOOST_TEST(meshes.back()->works());
      meshes.clear();
      BOOST_TEST(kind()->works());
    }
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
    if constexpr (M::ndim() == 2) {
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
    }
  });
}

BOOST_AUTO_TEST_CASE(meshes_end_in_any_order) {
  for (const Kind& kind : kinds()) {
    std::vector<std::unique_ptr<AnyMesh>> meshes;
    for (int i = 0; i < 4; ++i) meshes.push_back(kind());
    for (unsigned i = 0; i < 4; ++i) {
      meshes[(i + world_rank()) % 4].reset();
      if (i == 1 && world_rank() % 2) init_device_mesh<Mesh<>>(borrow(MPI_COMM_SELF));  // one rank's own affair
    }
    BOOST_TEST(kind()->works());
  }
}

BOOST_AUTO_TEST_CASE(the_users_handlers_attributes_and_traffic_are_untouched) {
  const unsigned rank = world_rank(), size = world_size();
  MPI_Errhandler handler, after;
  MPI_Comm_create_errhandler(ignore_errors, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);

  int received = -1;
  MPI_Request request;
  MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  for (const Kind& kind : kinds()) {
    const auto mesh = kind();
    BOOST_TEST(mesh->works());
    mesh->close();
    text_of([] { init_device_mesh<Mesh<Dim<"a", 5>>>(borrow(MPI_COMM_WORLD)); });
    text_of(
        [] { init_device_mesh<Mesh<Dim<"a", 1>>>(borrow(MPI_COMM_WORLD), {.name = std::to_string(world_rank())}); });
  }
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
