// SPDX-License-Identifier: BSL-1.0
// Communicators against the tests' own arithmetic: rank == coordinate, size == extent, members == group.
#include <ranges>

#include "../support/meshes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::borrow;

namespace {

/// Names and extents of a row-major mesh.
using Shape = std::vector<std::pair<std::string, unsigned>>;

/// Mine along a dimension, and the ranks of my group there.
struct Place {
  unsigned coordinate = 0;
  std::vector<int> group;
};

Place place(const Shape& shape, std::string_view name, unsigned rank) {
  unsigned stride = 1;
  for (auto [dimension, extent] : shape | std::views::reverse) {
    if (dimension == name) {
      Place mine{.coordinate = rank / stride % extent, .group = {}};
      for (unsigned i = 0; i < extent; ++i)
        mine.group.push_back(static_cast<int>(rank - mine.coordinate * stride + i * stride));
      return mine;
    }
    stride *= extent;
  }
  return {};
}

/// The members of a communicator, as ranks of another.
std::vector<int> members(MPI_Comm comm, MPI_Comm in) {
  MPI_Group from, to;
  MPI_Comm_group(comm, &from);
  MPI_Comm_group(in, &to);
  std::vector<int> ranks(size_of(comm)), translated(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = static_cast<int>(i);
  MPI_Group_translate_ranks(from, static_cast<int>(ranks.size()), ranks.data(), to, translated.data());
  MPI_Group_free(&from);
  MPI_Group_free(&to);
  return translated;
}

/// What a mesh says of one of its axes.
struct Axis {
  std::string_view name;
  unsigned local_rank, coordinate, rank, size, extent, mesh_extent;
  std::vector<int> group;
  MPI_Comm comm;
};

void check_axis(const Axis& axis, const Shape& shape, MPI_Comm comm) {
  const Place wanted = place(shape, axis.name, rank_in(comm));
  BOOST_TEST(axis.local_rank == wanted.coordinate);
  BOOST_TEST(axis.coordinate == wanted.coordinate);
  BOOST_TEST(axis.rank == wanted.coordinate);
  BOOST_TEST(axis.size == wanted.group.size());
  BOOST_TEST(axis.extent == wanted.group.size());
  BOOST_TEST(axis.mesh_extent == wanted.group.size());
  BOOST_TEST(axis.group == wanted.group, boost::test_tools::per_element());
  BOOST_TEST(rank_in(axis.comm) == wanted.coordinate);
  BOOST_TEST(size_of(axis.comm) == wanted.group.size());
  BOOST_TEST(members(axis.comm, comm) == wanted.group, boost::test_tools::per_element());
  BOOST_TEST((axis.comm == MPI_COMM_SELF) == (axis.extent == 1));
}

/// All axes of a mesh made on `comm`, by the names that they have in Root.
template <class Root, class M>
void check_axes(const DeviceMesh<M>& mesh, MPI_Comm comm) {
  std::vector<Axis> axes;
  each_index<M::ndim()>([&]<std::size_t I> {
    const auto& axis = mesh.template communicator<I>();
    const auto group = mesh.template group_ranks<I>();
    axes.push_back({.name = axis.name(),
                    .local_rank = mesh.template local_rank<I>().value(),
                    .coordinate = mesh.coordinates()[I],
                    .rank = axis.rank().value(),
                    .size = axis.size(),
                    .extent = axis.extent(),
                    .mesh_extent = mesh.template extent<I>(),
                    .group = {group.begin(), group.end()},
                    .comm = axis.template native_handle<MPI_Comm>()});
  });
  BOOST_TEST_CONTEXT(axial::to_string(mesh) << " of " << axial::to_string(M{})) {
    BOOST_TEST(mesh.rank().value() == rank_in(comm));
    for (const Axis& axis : axes) check_axis(axis, kind_of<Root>().axes, comm);
  }
}

/// A mesh type of fewer or reordered axes makes the same communicators.
template <class M>
void check_derived(MPI_Comm comm) {
  using First = decltype(M::template submesh<0>());
  using Last = decltype(M::template submesh<M::ndim() - 1>());
  using Reversed = decltype([]<std::size_t... I>(std::index_sequence<I...>) {
    return decltype(M::template permute<M::ndim() - 1 - I...>()){};
  }(std::make_index_sequence<M::ndim()>{}));
  each(Types<First, Last, Reversed>{},
       [&]<class Derived> { check_axes<M>(init_device_mesh<Derived>(borrow(comm)), comm); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(on_each_axis_the_communicator_is_the_group_in_coordinate_order) {
  each_mesh([]<class M> { check_axes<M>(init_device_mesh<M>(borrow(MPI_COMM_WORLD)), MPI_COMM_WORLD); });
}

BOOST_AUTO_TEST_CASE(a_submesh_type_makes_the_communicators_of_its_own_axes) {
  each_mesh([]<class M> {
    if constexpr (M::ndim() > 1) check_derived<M>(MPI_COMM_WORLD);
  });
}

BOOST_AUTO_TEST_CASE(ranks_are_those_of_the_borrowed_communicator_in_any_order) {
  const unsigned size = world_size();
  const unsigned keys[] = {size - 1 - world_rank(), world_rank() * 5 % 7, world_rank() ^ 1};
  for (const unsigned key : keys) {
    const Split other(0, key);
    each_mesh([&]<class M> { check_axes<M>(init_device_mesh<M>(borrow<MPI_Comm>(other)), other); });
  }
}

BOOST_AUTO_TEST_CASE(two_halves_of_the_world_make_different_meshes_at_once) {
  if (world_size() != 8) return;
  const unsigned half = world_rank() % 2;
  const Split mine(static_cast<int>(half), 8 - world_rank());
  if (half) {
    check_axes<Mesh<Dim<"a", 2>, Dim<"b", 2>>>(init_device_mesh<Mesh<Dim<"a", 2>, Dim<"b", 2>>>(borrow<MPI_Comm>(mine)),
                                               mine);
  } else {
    check_axes<Mesh<Dim<"b", 4>>>(init_device_mesh<Mesh<Dim<"b", 4>>>(borrow<MPI_Comm>(mine)), mine);
  }
}

BOOST_AUTO_TEST_CASE(ranks_outside_the_borrowed_communicator_need_not_take_part) {
  if (world_size() != 6) return;
  const bool member = world_rank() != 0 && world_rank() != 3;
  const Split four(member ? 0 : -1, world_rank());
  if (!member) return;
  using M = Mesh<Dim<"a", 2>, Dim<"b", 2>>;
  const auto mesh = init_device_mesh<M>(borrow<MPI_Comm>(four));
  check_axes<M>(mesh, four);
  BOOST_TEST(mesh.all_reduce<"b">(world_rank(), axial::plus) == (mesh.local_rank<"a">() == 0 ? 1u + 2 : 4u + 5));
  BOOST_TEST(mesh.all_reduce<"a">(world_rank(), axial::plus) == (mesh.local_rank<"b">() == 0 ? 1u + 4 : 2u + 5));
}

BOOST_AUTO_TEST_CASE(meshes_of_one_world_do_not_hear_each_other) {
  each_mesh([]<class M> {
    if constexpr (M::ndim() == 1 || M::ndim() == 3) {
      const auto one = init_device_mesh<M>(borrow(MPI_COMM_WORLD));
      const auto two = init_device_mesh<M>(borrow(MPI_COMM_WORLD), {.name = "two"});
      BOOST_TEST(&one.template communicator<0>() != &two.template communicator<0>());
      // Each rank uses the two in another order with every round; a rank of one axis may be a round ahead.
      unsigned wanted = 0;
      for (const unsigned rank : one.template group_ranks<0>()) wanted += rank;
      for (unsigned round = 0; round < 10; ++round) {
        const unsigned first = one.template all_reduce<0>(world_rank() + round, axial::plus);
        const unsigned second = two.template all_reduce<0>(world_rank() * 2 + round, axial::plus);
        BOOST_TEST(first == wanted + round * M::template extent<0>());
        BOOST_TEST(second == 2 * wanted + round * M::template extent<0>());
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(communicators_carry_the_names_of_mesh_and_axis) {
  if (world_size() != 8) return;
  using M = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
  const auto name_of = [](const auto& axis) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    MPI_Comm_get_name(axis.template native_handle<MPI_Comm>(), name, &length);
    return std::string(name);
  };
  const auto plain = init_device_mesh<M>(borrow(MPI_COMM_WORLD));
  BOOST_TEST(name_of(plain.communicator<"tp">()) == "axial:tp");
  const auto named = init_device_mesh<M>(borrow(MPI_COMM_WORLD), {.name = "dense"});
  BOOST_TEST(name_of(named.communicator<"tp">()) == "axial:dense:tp");
  const std::string endless(300, 'x');
  const auto long_named = init_device_mesh<M>(borrow(MPI_COMM_WORLD), {.name = endless});
  BOOST_TEST(name_of(long_named.communicator<"tp">()).starts_with("axial:xxx"));
}

BOOST_AUTO_TEST_CASE(derived_meshes_share_the_communicators) {
  each_mesh([]<class M> {
    const auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD));
    each_index<M::ndim()>([&]<std::size_t I> {
      const auto* wanted = &mesh.template communicator<I>();
      constexpr unsigned last = M::ndim() - 1;
      BOOST_TEST(&mesh.template submesh<I>().template communicator<0>() == wanted);
      BOOST_TEST((&mesh.template submesh<I>().template submesh<0>().communicator() == wanted));
      const auto reversed = [&]<std::size_t... J>(std::index_sequence<J...>) {
        return mesh.template permute<last - J...>();
      }(std::make_index_sequence<M::ndim()>{});
      check_axes<M>(reversed, MPI_COMM_WORLD);
      BOOST_TEST((&reversed.template communicator<last - I>() == wanted));
      const auto rest = mesh.template others<I>();
      check_axes<M>(rest, MPI_COMM_WORLD);
      if constexpr (M::ndim() > 1) {
        constexpr std::size_t other = I == 0 ? 1 : I - 1;  // its place in `rest` is the one before if it came after
        BOOST_TEST((&rest.template communicator<(I == 0 ? 0 : I - 1)>() == &mesh.template communicator<other>()));
      } else {
        BOOST_TEST(rest.ndim() == 0u);
        BOOST_TEST(rest.size() == 1u);
        BOOST_TEST(axial::to_string(rest.coordinates()) == "()");
      }
    });
  });
}
