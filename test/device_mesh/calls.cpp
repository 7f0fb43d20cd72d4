// SPDX-License-Identifier: BSL-1.0
// Calls of MPI, counted and made to fail: what creation and the end of a mesh call, and that nothing else calls
// anything.
#include <axial/ledger.hpp>

#include <set>
#include <sstream>

#include "../support/meshes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::borrow, axial::plus;
using axial::ledger::Counts, axial::ledger::during, axial::ledger::fail_next, axial::ledger::live_communicators;

namespace {

/// What creation may call besides: nothing of this communicates.
const std::set<std::string> local_functions = {
    "MPI_Comm_get_errhandler", "MPI_Comm_set_errhandler", "MPI_Errhandler_free", "MPI_Comm_size",
    "MPI_Comm_rank",           "MPI_Comm_group",          "MPI_Group_incl",      "MPI_Group_free",
    "MPI_Comm_set_name",       "MPI_Initialized",         "MPI_Finalized",       "MPI_Comm_create_keyval",
    "MPI_Comm_set_attr",       "MPI_Comm_free_keyval",    "MPI_Type_size",       "MPI_Reduce_local",
    "MPI_Op_create_c",         "MPI_Comm_test_inter",     "MPI_Comm_get_attr"};

/// The calls that communicate, as `MPI_Allreduce MPI_COMM_WORLD 1; `.
std::string communication(const Counts& counts) {
  std::string lines;
  std::istringstream text(counts.text());
  for (std::string function, communicator, calls, bytes; text >> function >> communicator >> calls >> bytes;)
    if (!local_functions.contains(function)) lines += function + " " + communicator + " " + calls + "; ";
  return lines;
}

/// The names of the axes of more than one rank, as communicators bear them, sorted.
std::vector<std::string> true_axes(const Kind& kind) {
  std::vector<std::string> names;
  for (const auto& [name, extent] : kind.axes)
    if (extent > 1) names.push_back("axial:" + name);
  std::ranges::sort(names);
  return names;
}

template <class M>
auto make() {
  return init_device_mesh<M>(borrow(MPI_COMM_WORLD));
}

void check_live(const std::vector<std::string>& names) {
  BOOST_TEST(live_communicators() == names, boost::test_tools::per_element());
}

/// All meshes, and those of one axis of theirs, of the others, of two in the other order.
std::vector<Kind> kinds_and_parts() {
  std::vector<Kind> all = kinds();
  each_mesh([&]<class M> {
    if constexpr (M::ndim() > 1) {
      all.push_back(kind_of<decltype(M::template submesh<1>())>());
      all.push_back(kind_of<decltype(M::template others<0>())>());
      all.push_back(kind_of<decltype(M::template submesh<1, 0>())>());
    }
  });
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(creation_is_one_group_for_each_axis_of_more_than_one_rank_between_two_agreements) {
  for (const Kind& kind : kinds_and_parts()) BOOST_TEST_CONTEXT(kind.text) {
      std::unique_ptr<AnyMesh> mesh;
      const Counts counts = during([&] { mesh = kind(); });
      const std::size_t groups = true_axes(kind).size();
      std::string wanted = "MPI_Allreduce MPI_COMM_WORLD 2; ";
      if (groups) wanted += "MPI_Comm_create_group MPI_COMM_WORLD " + std::to_string(groups) + "; ";
      BOOST_TEST(communication(counts) == wanted);
      BOOST_TEST(counts.bytes("MPI_Allreduce") == 2 * 24);
      check_live(true_axes(kind));
    }
  check_live({});
}

BOOST_AUTO_TEST_CASE(the_end_of_a_mesh_frees_each_communicator_once) {
  const auto drop = [](std::unique_ptr<AnyMesh>& mesh) { mesh.reset(); };
  const auto close = [](std::unique_ptr<AnyMesh>& mesh) { mesh->close(); };
  const auto close_twice = [](std::unique_ptr<AnyMesh>& mesh) { mesh->close(), mesh->copy()->close(); };
  for (const Kind& kind : kinds_and_parts())
    for (void (*const end)(std::unique_ptr<AnyMesh>&) : {+drop, +close, +close_twice}) BOOST_TEST_CONTEXT(kind.text) {
        const auto groups = static_cast<long long>(true_axes(kind).size());
        auto mesh = kind();
        BOOST_TEST(during([&] { mesh->copy()->last_axis(); }).total() == 0);
        const Counts counts = during([&] { end(mesh); });
        BOOST_TEST(counts.calls("MPI_Comm_free") == groups);
        BOOST_TEST(counts.total() == groups, counts.text());
        check_live({});
        BOOST_TEST(during([&] { mesh.reset(); }).total() == 0);
      }
}

BOOST_AUTO_TEST_CASE(accessors_slices_copies_comparisons_and_printing_call_nothing) {
  each_mesh([]<class M> {
    if constexpr (M::ndim() >= 3) {
      const auto mesh = make<M>();
      const Counts counts = during([&] {
        std::ostringstream text;
        text << mesh << mesh.rank() << mesh.coordinates() << mesh.names() << mesh.shape() << axial::to_string(mesh);
        bool equal =
            mesh.coordinates() == mesh.coordinates() && mesh.rank() == mesh.rank() && mesh.size() == mesh.world();
        each_index<M::ndim()>([&]<std::size_t I> {
          const auto& axis = mesh.template communicator<I>();
          text << mesh.template local_rank<I>() << mesh.template extent<I>() << mesh.template stride<I>()
               << mesh.template group_ranks<I>() << mesh.template groups<I>() << axis.name() << axis.size()
               << axis.rank() << axis.extent() << mesh.template neighbor<I>(world_rank(), 1)
               << mesh.template shard<I>(100, 0).size;
          equal = equal && axis.rank() == mesh.template local_rank<I>() &&
                  axis.template native_handle<MPI_Comm>() != MPI_COMM_NULL;
          const auto part = mesh.template submesh<I>();
          const auto rest = mesh.template others<I>();
          text << part << part.local_rank() << rest << part.communicator().rank();
        });
        auto copy = mesh;
        auto moved = std::move(copy);
        copy = moved;
        moved = std::move(copy);
        text << moved << equal;
      });
      // world_rank() above is the test's own call
      BOOST_TEST(counts.total() == counts.calls("MPI_Comm_rank"), counts.text());
      BOOST_TEST(counts.calls("MPI_Comm_rank") == M::ndim());
    }
  });
}

BOOST_AUTO_TEST_CASE(a_refusal_makes_no_communicator) {
  const auto refused = [](auto call) {
    const Counts counts = during([&] { BOOST_TEST(text_of(call) != "nothing was thrown"); });
    BOOST_TEST(counts.calls("MPI_Comm_create_group") == 0);
    check_live({});
    return counts;
  };
  using Wrong = Mesh<Dim<"a", 5>>;
  const Counts wrong_world = refused([] { make<Wrong>(); });
  BOOST_TEST(communication(wrong_world) == "MPI_Allreduce MPI_COMM_WORLD 1; MPI_Bcast MPI_COMM_WORLD 1; ");
  if (world_size() > 1)
    refused([] { init_device_mesh<Wrong>(borrow(MPI_COMM_WORLD), {.name = world_rank() ? "a" : "b"}); });
}

BOOST_AUTO_TEST_CASE(when_creation_fails_the_error_names_what_failed_and_nothing_is_left) {
  struct Failure {
    const char* function;
    int call;
    std::string axis;
  };
  const Failure failures[] = {{"MPI_Allreduce", 1, ""},
                              {"MPI_Comm_group", 1, ""},
                              {"MPI_Group_incl", 1, "a"},
                              {"MPI_Group_incl", 2, "b"},
                              {"MPI_Comm_create_group", 1, "a"},
                              {"MPI_Comm_create_group", 2, "b"},
                              {"MPI_Comm_set_name", 1, "a"},
                              {"MPI_Comm_set_name", 2, "b"},
                              {"MPI_Comm_set_errhandler", 2, "a"},  // the first is for the user's communicator
                              {"MPI_Comm_set_errhandler", 3, "b"},
                              {"MPI_Comm_size", 1, ""},
                              {"MPI_Comm_rank", 1, ""},
                              {"MPI_Comm_rank", 3, "b"}};
  using M = Mesh<Dim<"a", 2>, Dim<"alone", 1>, Dim<"b", 2>>;
  if (M::world() != world_size()) return;
  for (const Failure& failure : failures) BOOST_TEST_CONTEXT(failure.function << ", call " << failure.call) {
      MPI_Errhandler before, after;
      MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
      fail_next(failure.function, failure.call, MPI_ERR_NO_MEM);
      try {
        make<M>();
        BOOST_TEST(false, "nothing was thrown");
      } catch (const axial::MpiError& error) {
        BOOST_TEST(error.code() == MPI_ERR_NO_MEM);
        BOOST_TEST(error.operation() == std::string_view(failure.function));
        BOOST_TEST(error.axis() == failure.axis);
      }
      check_live({});
      MPI_Comm_get_errhandler(MPI_COMM_WORLD, &after);
      BOOST_TEST((before == after));
      MPI_Errhandler_free(&before);
      MPI_Errhandler_free(&after);
      const auto mesh = make<M>();
      BOOST_TEST(mesh.all_reduce<"b">(1, plus) == 2);
    }
}

BOOST_AUTO_TEST_CASE(a_mesh_that_an_exception_takes_along_is_freed_by_the_next_creation) {
  for (const Kind& kind : kinds()) {
    const Counts counts = during([&] {
      text_of([&] {
        const auto mesh = kind();
        throw axial::MeshError("on all ranks");
      });
    });
    BOOST_TEST(counts.calls("MPI_Comm_free") == 0);
    check_live(true_axes(kind));
    const auto next = kind();
    check_live(true_axes(kind));
  }
  check_live({});
}
