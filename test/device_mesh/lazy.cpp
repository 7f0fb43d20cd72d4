// SPDX-License-Identifier: BSL-1.0
// Lazy meshes: an axis gets its communicator at the first collective on it, from its own ranks.
#include <axial/ledger.hpp>
#include <chrono>
#include <optional>

#include "../support/asleep.hpp"
#include "../support/meshes.hpp"

using axial::init_device_mesh, axial::init_device_mesh_on, axial::borrow, axial::plus;
using axial::ledger::Counts, axial::ledger::during, axial::ledger::live_communicators;

namespace {

template <class M>
auto make_lazy(axial::Options options = {}) {
  options.lazy = true;
  return init_device_mesh<M>(borrow(MPI_COMM_WORLD), options);
}

/// One mesh for each number of ranks: its first axis has 2, all others together the rest.
template <class F>
void each_pair(F f) {
  each(Types<Mesh<Dim<"a", 2>, Dim<"b", 2>>, Mesh<Dim<"a", 2>, Dim<"b", 3>>, Mesh<Dim<"a", 2>, Dim<"b", 4>>>{},
       [&]<class M> {
         if (M::world() == world_size()) f.template operator()<M>();
       });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_lazy_creation_is_the_agreement_alone) {
  each_mesh([]<class M> {
    const auto world = borrow(MPI_COMM_WORLD);
    init_device_mesh<M>(world);  // what only the first creation calls
    std::optional<axial::DeviceMesh<M>> mesh;
    const Counts counts = during([&] { mesh = init_device_mesh<M>(world, {.lazy = true}); });
    BOOST_TEST(counts.calls("MPI_Allreduce") == 1);
    BOOST_TEST(counts.calls(axial::ledger::Kind::collective) == 1);
    BOOST_TEST(counts.calls(axial::ledger::Kind::point_to_point) == 0);
    BOOST_TEST(counts.calls("MPI_Comm_create_group") == 0);
    BOOST_TEST(counts.calls("MPI_Group_incl") == 0);
    BOOST_TEST(live_communicators().empty());
  });
}

BOOST_AUTO_TEST_CASE(the_first_collective_makes_the_communicator_of_its_axis_and_no_other) {
  each_mesh([]<class M> {
    const auto mesh = make_lazy<M>();
    std::vector<std::string> wanted;
    each_index<M::ndim()>([&]<std::size_t I> {
      constexpr unsigned extent = M::template extent<I>();
      if (extent > 1) wanted.push_back("axial:" + std::string(std::string_view(M::names()[I])));
      const Counts first = during([&] { BOOST_TEST(mesh.template all_reduce<I>(1u, plus) == extent); });
      BOOST_TEST(first.calls("MPI_Comm_create_group") == (extent > 1));
      BOOST_TEST(live_communicators() == wanted, boost::test_tools::per_element());
      const Counts second = during([&] { BOOST_TEST(mesh.template all_reduce<I>(1u, plus) == extent); });
      BOOST_TEST(second.total() == (extent > 1));
    });
  });
  BOOST_TEST(live_communicators().empty());
}

BOOST_AUTO_TEST_CASE(every_collective_makes_it) {
  each_pair([]<class M> {
    const auto makes = [](auto call) {
      const auto mesh = make_lazy<M>();
      const Counts counts = during([&] { call(mesh.template communicator<"b">()); });
      BOOST_TEST(counts.calls("MPI_Comm_create_group") == 1);
    };
    constexpr unsigned extent = M::template extent<"b">();
    makes([&](const auto& axis) { BOOST_TEST(axis.all_reduce(1u, plus) == extent); });
    makes([&](const auto& axis) { axis.barrier(); });
    makes([&](const auto& axis) { BOOST_TEST(axis.broadcast(axis.rank().value(), 1) == 1u); });
    makes([&](const auto& axis) { BOOST_TEST(axis.reduce(1u, plus, 0).value_or(extent) == extent); });
    makes([&](const auto& axis) { BOOST_TEST(axis.all_gather(axis.rank().value())[1] == 1u); });
    makes([&](const auto& axis) { BOOST_TEST(axis.reduce_scatter(std::vector<unsigned>(extent, 1), plus) == extent); });
    makes([&](const auto& axis) { BOOST_TEST(axis.gather(1u, 0).has_value() == (axis.rank() == 0)); });
    makes([&](const auto& axis) { BOOST_TEST(axis.scatter(std::vector<unsigned>(extent, 7), 0) == 7u); });
    makes([&](const auto& axis) { BOOST_TEST(axis.all_to_all(std::vector<unsigned>(extent, 7))[1] == 7u); });
    makes([&](const auto& axis) { BOOST_TEST(axis.scan(1u, plus) == axis.rank().value() + 1); });
    makes([&](const auto& axis) { BOOST_TEST(axis.exclusive_scan(1u, plus) == axis.rank().value()); });
    makes([&](const auto& axis) {
      std::vector<int> none;
      axis.all_reduce(axial::in_place(none), plus);
    });
  });
}

BOOST_AUTO_TEST_CASE(the_members_of_an_axis_make_it_while_all_other_ranks_sleep) {
  each_pair([]<class M> {
    for (const unsigned awake : {0u, 1u}) {
      const auto mesh = make_lazy<M>();
      const bool is_awake = mesh.template local_rank<"a">() == awake;
      while_others_sleep(is_awake, [&] {
        BOOST_TEST(mesh.template all_reduce<"b">(1u, plus) == M::template extent<"b">());
        BOOST_TEST(mesh.template submesh<"b">().all_reduce(2u, plus) == 2 * M::template extent<"b">());
      });
      BOOST_TEST(live_communicators().size() == is_awake);
      BOOST_TEST(mesh.template all_reduce<"a">(1u, plus) == 2u);
      BOOST_TEST(mesh.template all_reduce<"b">(1u, plus) == M::template extent<"b">());
    }
  });
}

BOOST_AUTO_TEST_CASE(a_handle_is_there_after_create_or_the_first_collective) {
  each_pair([]<class M> {
    const auto mesh = make_lazy<M>();
    const auto handle = [&] { return mesh.template communicator<"b">().template native_handle<MPI_Comm>(); };
    BOOST_TEST(text_of(handle) ==
               "native_handle along \"b\": a lazy mesh has no communicator yet; a collective along the "
               "axis makes it, or mesh.create<\"b\">()");
    const bool first = mesh.template local_rank<"a">() == 0;
    while_others_sleep(first, [&] { mesh.template create<"b">(); });
    if (!first) mesh.create(axial::axis<"b">);
    BOOST_TEST(rank_in(handle()) == mesh.template local_rank<"b">().value());
    const Counts again = during([&] { mesh.template create<"b">(); });
    BOOST_TEST(again.total() == 0);
    BOOST_TEST(mesh.template all_reduce<"b">(1u, plus) == M::template extent<"b">());
    mesh.template all_reduce<"a">(1u, plus);
    BOOST_TEST(size_of(mesh.template communicator<"a">().template native_handle<MPI_Comm>()) == 2u);
  });
}

BOOST_AUTO_TEST_CASE(all_meshes_of_one_state_get_the_communicator_together) {
  each_pair([]<class M> {
    const auto mesh = make_lazy<M>();
    const auto part = mesh.template submesh<"b">();
    const auto renamed = mesh.template rename<"b", "c">();
    const auto all = mesh.template flatten<"a", "b">();
    BOOST_TEST(part.all_reduce(1u, plus) == M::template extent<"b">());
    const Counts counts = during([&] {
      BOOST_TEST(mesh.template all_reduce<"b">(1u, plus) == M::template extent<"b">());
      BOOST_TEST(renamed.template all_reduce<"c">(1u, plus) == M::template extent<"b">());
    });
    BOOST_TEST(counts.calls("MPI_Comm_create_group") == 0);
    BOOST_TEST(all.all_reduce(1u, plus) == M::size());
    BOOST_TEST(live_communicators().size() == 2u);
  });
}

BOOST_AUTO_TEST_CASE(a_closed_or_aborted_lazy_mesh_makes_nothing) {
  each_pair([]<class M> {
    auto closed = make_lazy<M>();
    closed.close();
    BOOST_TEST(text_of([&] { closed.template all_reduce<"b">(1, plus); }) ==
               "all_reduce along \"b\": the mesh is closed");
    BOOST_TEST(text_of([&] { closed.template create<"b">(); }) == "create along \"b\": the mesh is closed");
    const auto aborted = make_lazy<M>();
    aborted.abort();
    BOOST_TEST(text_of([&] { aborted.template barrier<"a">(); }) == "barrier along \"a\": the mesh was aborted");
    BOOST_TEST(text_of([&] { aborted.template create<"a">(); }) == "create along \"a\": the mesh was aborted");
    BOOST_TEST(live_communicators().empty());
  });
}

BOOST_AUTO_TEST_CASE(when_the_communicator_of_the_user_is_gone_a_further_axis_is_a_clear_error) {
  each_pair([]<class M> {
    std::optional<axial::DeviceMesh<M>> lazy, eager;
    {
      const Split passing(0, world_rank());
      lazy = init_device_mesh<M>(borrow<MPI_Comm>(passing), {.name = "lazy", .lazy = true});
      eager = init_device_mesh<M>(borrow<MPI_Comm>(passing));
      BOOST_TEST(lazy->template all_reduce<"a">(1u, plus) == 2u);
    }
    const std::string gone = " was made on was freed, and a further one is needed now";
    const std::string text = axial::to_string(M{});
    BOOST_TEST(text_of([&] { lazy->template all_reduce<"b">(1u, plus); }) ==
               "the communicator that " + text + " named \"lazy\"" + gone);
    BOOST_TEST(text_of([&] { eager->template flatten<"a", "b">(); }) == "the communicator that " + text + gone);
    BOOST_TEST(text_of([&] { eager->find_hosts(); }) == "the communicator that " + text + gone);
    // What there is works.
    BOOST_TEST(lazy->template all_reduce<"a">(1u, plus) == 2u);
    BOOST_TEST(eager->template all_reduce<"b">(1u, plus) == M::template extent<"b">());
    BOOST_TEST(eager->template submesh<"b">().all_reduce(1u, plus) == M::template extent<"b">());
  });
}

BOOST_AUTO_TEST_CASE(a_subset_of_ours_lives_as_long_as_a_mesh_on_it_may_need_it) {
  each_pair([]<class M> {
    std::optional<axial::DeviceMesh<M>> mesh;
    {
      std::vector<unsigned> all(world_size());
      for (unsigned rank = 0; rank < all.size(); ++rank) all[rank] = rank;
      mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD).subset(all), {.lazy = true});
    }
    BOOST_TEST(mesh->template all_reduce<"b">(1u, plus) == M::template extent<"b">());
    BOOST_TEST((mesh->template flatten<"a", "b">().all_reduce(1u, plus)) == M::size());
    mesh.reset();
    BOOST_TEST(live_communicators().empty());
  });
}

BOOST_AUTO_TEST_CASE(every_derived_mesh_has_the_options_of_its_root) {
  each_pair([]<class M> {
    const axial::Options options{
        .name = "dense", .timeout = std::chrono::minutes(2), .lazy = true, .check = true, .device = 3};
    const auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD), options);
    const auto check = [&](const auto& derived) {
      const axial::Options& has = derived.options();
      BOOST_TEST((has.name == "dense" && has.timeout == options.timeout && has.lazy && has.check && has.device == 3));
      BOOST_TEST(has.rank_map.size() == 0u);
    };
    check(mesh);
    check(mesh.template submesh<"b">());
    check(mesh.template permute<"b", "a">());
    check(mesh.template others<"a">());
    check(mesh.template flatten<"a", "b">());
    check(mesh.template flatten_as<"all", "a", "b">());
    check(mesh.template rename<"a", "c">());
    check(mesh.template unflatten<"a", Dim<"x", 1>, Dim<"y", 2>>());
    check(mesh.template view_as<Mesh<Dim<"other", M::size()>>>());
    check(concat(mesh.template submesh<"b">(), mesh.template submesh<"a">()));
    if (const auto slice = mesh.template slice<"a", 1>()) check(*slice);
    check(mesh.root());
    check(*mesh.template submesh<"b">().parent());
    check(axial::DeviceMesh<M>(mesh));
    {
      const axial::ScopedMesh scope(mesh);
      check(axial::current_mesh());
    }
  });
}
