// SPDX-License-Identifier: BSL-1.0
// What torch says of two programs on one mesh, and of a dense and an expert mesh on the same ranks (test/data), on
// running meshes: what has the same ranks communicates through the same handle.
#include <axial/ledger.hpp>
#include <optional>
#include <set>

#include "../mesh/golden.hpp"
#include "../support/axes.hpp"

using axial::init_device_mesh, axial::borrow, axial::fixed_string;

namespace {

/// What of a mesh the table compares. Layouts are those of the positions in the table.
struct Facts {
  std::vector<std::string> names, layouts;
  std::vector<std::vector<unsigned>> ranks;
  std::vector<MPI_Comm> comms;
};

template <class M>
Facts facts_of(const axial::DeviceMesh<M>& mesh) {
  Facts facts;
  each_index<M::ndim()>([&]<std::size_t I> {
    const auto group = mesh.template group_ranks<I>();
    facts.names.emplace_back(std::string_view(mesh.names()[I]));
    facts.layouts.push_back(axial::to_string(M::value.axis(I)));
    facts.ranks.emplace_back(group.begin(), group.end());
    facts.comms.push_back(handle_of(mesh.template communicator<I>()));
  });
  return facts;
}

const golden::Row& row_of(const std::string& name) {
  static const auto rows = golden::rows_of("identity.tsv");
  const auto found = std::ranges::find(rows, name, [](const golden::Row& row) { return row.at("case"); });
  BOOST_TEST_REQUIRE((found != rows.end()), "no row " << name);
  return *found;
}

/// `2x2x2` is 8.
unsigned ranks_of(const std::string& shape) {
  unsigned ranks = 1;
  for (const unsigned extent : golden::numbers(shape, 'x')) ranks *= extent;
  return ranks;
}

std::set<std::string>& replayed() {
  static std::set<std::string> rows;
  return rows;
}

bool everywhere(bool mine) {
  int all = mine;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return all != 0;
}

/// The facts of both results against a row's columns; `equal` is the answer of ==.
void compare(const golden::Row& row, const Facts& a, const Facts& b, bool equal) {
  const auto yes = [](bool is) { return std::string(is ? "yes" : "no"); };
  const bool same_layout = a.layouts == b.layouts, same_names = a.names == b.names;
  const bool same_ranks = everywhere(a.ranks == b.ranks);
  BOOST_TEST(yes(same_layout) == row.at("same_layout"));
  BOOST_TEST(yes(same_names) == row.at("same_names"));
  BOOST_TEST(yes(same_ranks) == row.at("same_rank_lists"));
  // No traps: what is equal, and whatever has the same ranks, has the same handles.
  BOOST_TEST(everywhere(a.comms == b.comms) == same_ranks);
  BOOST_TEST(equal == (same_layout && same_names));
}

/// Replays a row with the two programs, which are those of the row, written in axial.
template <class Mesh, class A, class B>
void replay(const std::string& name, const Mesh& mesh, A program_a, B program_b) {
  BOOST_TEST_CONTEXT("row " << name) {
    const auto a = program_a(mesh);
    const auto b = program_b(mesh);
    compare(row_of(name), facts_of(a), facts_of(b), a == b);
    if constexpr (std::is_same_v<decltype(a), decltype(b)>) BOOST_TEST((a.hash() == b.hash()) == (a == b));
    replayed().insert(name);
  }
}

/// A program whose steps need no names: sub-meshes.
template <fixed_string... Names>
constexpr auto keep = [](const auto& mesh) { return mesh.template submesh<Names...>(); };
/// These axes alone, as one.
template <fixed_string... Names>
constexpr auto flat = [](const auto& mesh) { return mesh.template submesh<Names...>().flatten(); };
template <fixed_string Name, fixed_string... Names>
constexpr auto flat_as = [](const auto& mesh) { return mesh.template submesh<Names...>().template flatten_as<Name>(); };
template <class... Dims>
constexpr auto split = [](const auto& mesh) { return mesh.template unflatten<Dims...>(); };

}  // namespace

BOOST_AUTO_TEST_CASE(of_three_axes_equal_meshes_share_their_communicators) {
  using M = Mesh<Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 2>>;
  if (world_size() != M::world()) return;
  const auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD));
  replay("k001", mesh, keep<"dp">, keep<"dp">);
  replay("k002", mesh, keep<"dp">,
         [](const auto& m) { return m.template submesh<"dp", "tp">().template submesh<"dp">(); });
  replay("k003", mesh, keep<"dp">, keep<"tp">);
  replay("k004", mesh, keep<"dp", "tp">,
         [](const auto& m) { return m.template submesh<"dp", "cp", "tp">().template submesh<"dp", "tp">(); });
  replay("k005", mesh, flat<"dp", "cp">, flat<"dp", "cp">);
  replay("k006", mesh, flat_as<"x", "dp", "cp">, flat_as<"y", "dp", "cp">);
  replay("k007", mesh, flat<"cp", "tp">, flat<"dp", "cp">);
  replay(
      "k008", mesh, [](const auto& m) { return m.template flatten<"dp", "cp">().template submesh<"dp_cp">(); },
      flat<"dp", "cp">);
  replay("k009", mesh, flat_as<"cp2", "cp">, keep<"cp">);
  replay(
      "k018", mesh, [](const auto& m) { return concat(m.template submesh<"dp">(), m.template submesh<"cp">()); },
      keep<"dp", "cp">);
  const auto root_a = mesh.submesh<"dp", "cp">().root(), root_b = mesh.submesh<"tp">().root();
  BOOST_TEST((root_a == root_b));
  compare(row_of("k019"), facts_of(root_a.as<M>()), facts_of(root_b.as<M>()), root_a == root_b);
  replayed().insert("k019");
}

BOOST_AUTO_TEST_CASE(of_one_axis_equal_unflattenings_share_their_communicators) {
  using M = Mesh<Dim<"world", 8>>;
  if (world_size() != M::world()) return;
  const auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD));
  constexpr auto dp_tp = split<Dim<"dp", 2>, Dim<"tp", 4>>;
  constexpr auto dp_cp_tp = split<Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 2>>;
  replay("k010", mesh, dp_tp, dp_tp);
  replay(
      "k011", mesh, [=](const auto& m) { return keep<"tp">(dp_tp(m)); },
      [=](const auto& m) { return keep<"tp">(dp_tp(m)); });
  replay(
      "k012", mesh, [=](const auto& m) { return keep<"tp">(dp_cp_tp(m)); },
      [](const auto& m) { return keep<"tp">(split<Dim<"ep", 4>, Dim<"tp", 2>>(m)); });
  replay(
      "k013", mesh, [=](const auto& m) { return keep<"tp">(dp_cp_tp(m)); },
      [](const auto& m) { return keep<"etp">(split<Dim<"ep", 4>, Dim<"etp", 2>>(m)); });
  replay("k014", mesh, [=](const auto& m) { return dp_tp(m).template flatten_as<"all">(); }, keep<"world">);
  replay(
      "k015", mesh, [=](const auto& m) { return flat_as<"x", "cp", "tp">(dp_cp_tp(m)); },
      [](const auto& m) { return keep<"x">(split<Dim<"dp", 2>, Dim<"x", 4>>(m)); });
}

BOOST_AUTO_TEST_CASE(of_an_extent_of_1_and_of_a_table_equal_meshes_share_their_communicators) {
  if (world_size() == 6) {
    const auto mesh = init_device_mesh<Mesh<Dim<"x", 3>, Dim<"y", 1>, Dim<"z", 2>>>(borrow(MPI_COMM_WORLD));
    replay("k016", mesh, flat_as<"k", "x", "y">, flat_as<"k", "x">);
  }
  if (world_size() == 8) {
    using M = Mesh<Dim<"x", 2>, Dim<"y", 4>>;
    const auto both = [](const auto& m) { return concat(keep<"x">(m), keep<"y">(m)); };
    const auto by_type = init_device_mesh<decltype(M::with_ranks<7, 5, 3, 1, 6, 4, 2, 0>())>(borrow(MPI_COMM_WORLD));
    const auto by_option =
        init_device_mesh<M>(borrow(MPI_COMM_WORLD), {.rank_map = golden::numbers(row_of("k017").at("table"), ',')});
    replay("k017", by_type, both, keep<"x", "y">);
    replay("k017", by_option, both, keep<"x", "y">);
    BOOST_TEST((facts_of(by_type).ranks == facts_of(by_option).ranks));
  }
}

BOOST_AUTO_TEST_CASE(all_rows_of_the_table_were_replayed) {
  std::set<std::string> wanted;
  for (const auto& row : golden::rows_of("identity.tsv"))
    if (ranks_of(row.at("shape")) == world_size()) wanted.insert(row.at("case"));
  BOOST_TEST(replayed() == wanted, boost::test_tools::per_element());
}

namespace {

/// The dense mesh of a row, then the expert one on its ranks.
template <class Dense, class Expert>
void two_views(const std::string& name) {
  const auto rows = golden::rows_of("two_views.tsv");
  const auto row = *std::ranges::find(rows, name, [](const golden::Row& each) { return each.at("case"); });
  BOOST_TEST_CONTEXT("row " << name) {
    const auto dense = init_device_mesh<Dense>(borrow(MPI_COMM_WORLD));
    std::optional<axial::DeviceMesh<Expert>> expert;
    const auto counts = axial::ledger::during([&] { expert = dense.template view_as<Expert>(); });
    const auto same = [&](const auto& a, const auto& b) {
      return std::string(everywhere(handle_of(a) == handle_of(b)) ? "yes" : "no");
    };
    BOOST_TEST(same(dense.template communicator<"pp">(), expert->template communicator<"pp">()) ==
               row.at("pp_groups_equal"));
    BOOST_TEST(same(dense.template communicator<"tp">(), expert->template communicator<"tp">()) ==
               row.at("tp_groups_equal"));
    std::set<MPI_Comm> old, both;
    for (const MPI_Comm comm : facts_of(dense).comms) old.insert(comm), both.insert(comm);
    for (const MPI_Comm comm : facts_of(*expert).comms) both.insert(comm);
    BOOST_TEST(counts.calls("MPI_Comm_create_group") == static_cast<long long>(both.size() - old.size()));
  }
}

template <fixed_string Order, unsigned Tp, unsigned Ep, unsigned Dp, unsigned Pp>
using Training =
    axial::mesh_from_order<Order, Dim<"tp", Tp>, Dim<"cp", 1>, Dim<"ep", Ep>, Dim<"dp", Dp>, Dim<"pp", Pp>>;

}  // namespace

BOOST_AUTO_TEST_CASE(a_dense_and_an_expert_mesh_share_the_axes_of_equal_groups) {
  if (world_size() == 16) {
    two_views<Training<"tp-cp-ep-dp-pp", 2, 1, 4, 2>, Training<"tp-cp-ep-dp-pp", 2, 2, 2, 2>>("g008");
    two_views<Training<"tp-cp-ep-pp-dp", 2, 1, 4, 2>, Training<"tp-cp-ep-pp-dp", 2, 2, 2, 2>>("g009");
    two_views<Training<"tp-cp-pp-ep-dp", 2, 1, 4, 2>, Training<"tp-cp-pp-ep-dp", 2, 2, 2, 2>>("g016");
  }
}
