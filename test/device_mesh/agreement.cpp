// SPDX-License-Identifier: BSL-1.0
// Creation that must fail: the same error on all ranks, which names the ranks, the meshes and what would fit.
#include "../support/meshes.hpp"

using axial::init_device_mesh, axial::borrow, axial::plus;

namespace {

using M24 = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
using Swapped = Mesh<Dim<"tp", 4>, Dim<"dp", 2>>;

/// The texts carry the version.
std::string versioned(std::string mesh) { return mesh + " (axial " AXIAL_VERSION ")"; }

/// The agreed error of init_device_mesh<M>.
template <class M>
std::string refusal(MPI_Comm comm, const axial::Options& options = {}) {
  try {
    init_device_mesh<M>(borrow(comm), options);
  } catch (const axial::MeshError& error) {
    BOOST_TEST(error.on_all_ranks());
    return error.what();
  }
  return "nothing was thrown";
}

/// The ranks for which `odd` holds make a mesh Odd, the others Even.
template <class Even, class Odd, class F>
std::string refusal_of_two(MPI_Comm comm, F odd) {
  return odd(rank_in(comm)) ? refusal<Odd>(comm) : refusal<Even>(comm);
}

std::string difference(const std::string& ranks, const std::string& other, const std::string& first) {
  return "the ranks have different meshes: " + ranks + " " + versioned(other) + "; rank 0 has " + versioned(first);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_communicator_of_the_wrong_size_is_refused_with_the_extents_that_would_fit) {
  struct Wrong {
    unsigned size;
    std::string text;
    std::string (*refuse)(MPI_Comm, const axial::Options&);
  };
  const std::string none = "; no other extent of a single dimension would fit";
  const Wrong wrongs[] = {
      {1, "Mesh(dp=2, tp=4) needs 2*4 = 8 ranks, and the communicator has 1" + none, refusal<M24>},
      {2, "Mesh(dp=2, tp=4) needs 2*4 = 8 ranks, and the communicator has 2; tp=1 would fit", refusal<M24>},
      {3, "Mesh(dp=2, tp=4) needs 2*4 = 8 ranks, and the communicator has 3" + none, refusal<M24>},
      {4, "Mesh(dp=2, tp=4) needs 2*4 = 8 ranks, and the communicator has 4; dp=1 or tp=2 would fit", refusal<M24>},
      {6, "Mesh(dp=2, tp=4) needs 2*4 = 8 ranks, and the communicator has 6; tp=3 would fit", refusal<M24>},
      {6, "Mesh(a=5) needs 5 ranks, and the communicator has 6; a=6 would fit", refusal<Mesh<Dim<"a", 5>>>},
      {8, "Mesh(a=1, b=4) needs 1*4 = 4 ranks, and the communicator has 8; a=2 or b=8 would fit",
       refusal<Mesh<Dim<"a", 1>, Dim<"b", 4>>>},
      {2, "Mesh() needs 1 rank, and the communicator has 2", refusal<Mesh<>>},
      {1, "Mesh(a=2147483647) needs 2147483647 ranks, and the communicator has 1; a=1 would fit",
       refusal<Mesh<Dim<"a", 2147483647>>>},
      {6, "SubMesh(tp=4:1 of 8) needs 8 ranks, and the communicator has 6", refusal<decltype(M24::submesh<"tp">())>},
      {6, "SubMesh(tp=4:1, dp=2:4 of 8) needs 4*2 = 8 ranks, and the communicator has 6; tp=3 would fit",
       refusal<decltype(M24::permute<"tp", "dp">())>},
      {2, "SubMesh(of 8) needs 8 ranks, and the communicator has 2", refusal<decltype(M24::others<"tp", "dp">())>},
  };
  for (const Wrong& wrong : wrongs)
    if (wrong.size == world_size()) check_same_text(MPI_COMM_WORLD, wrong.refuse(MPI_COMM_WORLD, {}), wrong.text);
}

BOOST_AUTO_TEST_CASE(ranks_with_another_mesh_are_named_on_all_ranks) {
  struct Odd {
    std::vector<unsigned> ranks;
    std::string words;
  };
  const Odd odds[] = {
      {{5}, "rank 5 has"},
      {{7}, "rank 7 has"},
      {{3, 5}, "ranks 3 and 5 differ, the first of them with"},
      {{1, 3, 5}, "ranks 1, 3 and 5 differ, the first of them with"},
      {{1, 2, 3, 4, 5, 6, 7}, "ranks 1, 2, 3, 4, 5, 6 and 7 differ, the first of them with"},
  };
  for (const Odd& odd : odds) {
    if (world_size() != 8) return;
    const std::string mine = refusal_of_two<M24, Swapped>(
        MPI_COMM_WORLD, [&](unsigned rank) { return std::ranges::count(odd.ranks, rank) != 0; });
    check_same_text(MPI_COMM_WORLD, mine, difference(odd.words, "Mesh(tp=4, dp=2)", "Mesh(dp=2, tp=4)"));
  }
}

BOOST_AUTO_TEST_CASE(of_more_than_eight_ranks_that_differ_the_rest_are_counted) {
  if (world_size() != 12) return;
  using Even = Mesh<Dim<"a", 12>>;
  using Other = Mesh<Dim<"b", 12>>;
  const std::string eight = "ranks 1, 2, 3, 4, 5, 6, 7";
  const auto refuse = [](unsigned below) {
    return refusal_of_two<Even, Other>(MPI_COMM_WORLD, [=](unsigned rank) { return rank != 0 && rank < below; });
  };
  const auto wanted = [](const std::string& words) {
    return difference(words + " differ, the first of them with", "Mesh(b=12)", "Mesh(a=12)");
  };
  check_same_text(MPI_COMM_WORLD, refuse(9), wanted(eight + " and 8"));
  check_same_text(MPI_COMM_WORLD, refuse(10), wanted(eight + ", 8 and 1 more"));
  check_same_text(MPI_COMM_WORLD, refuse(12), wanted(eight + ", 8 and 3 more"));
}

BOOST_AUTO_TEST_CASE(a_mesh_that_fits_is_refused_where_another_rank_has_one_that_does_not) {
  if (world_size() != 6) return;
  const auto last = [](unsigned rank) { return rank == 5; };
  const std::string fits = "Mesh(a=2, b=3)";
  check_same_text(MPI_COMM_WORLD, refusal_of_two<M24, Mesh<Dim<"a", 2>, Dim<"b", 3>>>(MPI_COMM_WORLD, last),
                  difference("rank 5 has", fits, "Mesh(dp=2, tp=4)"));
  check_same_text(MPI_COMM_WORLD, refusal_of_two<Mesh<Dim<"a", 2>, Dim<"b", 3>>, M24>(MPI_COMM_WORLD, last),
                  difference("rank 5 has", "Mesh(dp=2, tp=4)", fits));
  // The same extents under other names, and fewer axes of the same mesh.
  check_same_text(MPI_COMM_WORLD,
                  refusal_of_two<Mesh<Dim<"a", 2>, Dim<"b", 3>>, Mesh<Dim<"a", 2>, Dim<"c", 3>>>(MPI_COMM_WORLD, last),
                  difference("rank 5 has", "Mesh(a=2, c=3)", fits));
  check_same_text(
      MPI_COMM_WORLD,
      refusal_of_two<Mesh<Dim<"a", 2>, Dim<"b", 3>>, decltype(Mesh<Dim<"a", 2>, Dim<"b", 3>>::submesh<"b">())>(
          MPI_COMM_WORLD, last),
      difference("rank 5 has", "SubMesh(b=3:1 of 6)", fits));
}

BOOST_AUTO_TEST_CASE(options_that_differ_are_named) {
  if (world_size() != 8) return;
  const auto refuse = [](const std::string& of_three, const std::string& of_others) {
    return refusal<M24>(MPI_COMM_WORLD, {.name = world_rank() == 3 ? of_three : of_others});
  };
  const std::string mesh = "Mesh(dp=2, tp=4)";
  check_same_text(MPI_COMM_WORLD, refuse("dense", "expert"),
                  difference("rank 3 has", mesh + " named \"dense\"", mesh + " named \"expert\""));
  check_same_text(MPI_COMM_WORLD, refuse("", "expert"), difference("rank 3 has", mesh, mesh + " named \"expert\""));
  check_same_text(MPI_COMM_WORLD, refuse("dense", ""), difference("rank 3 has", mesh + " named \"dense\"", mesh));
  // Names that are equal as far as a message shows them.
  const std::string endless(2000, 'x');
  const std::string mine = refuse(endless + "1", endless + "2");
  BOOST_TEST(mine.starts_with("the ranks have different meshes: rank 3 has Mesh(dp=2, tp=4) named \"xxx"));
  BOOST_TEST(mine.ends_with("xxx..."));
  check_same_text(MPI_COMM_WORLD, mine, mine);
}

BOOST_AUTO_TEST_CASE(after_a_refusal_the_communicator_serves_as_before) {
  each_mesh([]<class M> {
    using Wrong = Mesh<Dim<"wrong", 5>>;
    for (int i = 0; i < 20; ++i) {
      refusal<Wrong>(MPI_COMM_WORLD);
      refusal_of_two<M, Wrong>(MPI_COMM_WORLD, [](unsigned rank) { return rank == world_size() - 1; });
    }
    const auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD));
    each_index<M::ndim()>(
        [&]<std::size_t I> { BOOST_TEST(mesh.template all_reduce<I>(1u, plus) == M::template extent<I>()); });
  });
}

BOOST_AUTO_TEST_CASE(what_is_no_communicator_of_ranks_cannot_be_borrowed) {
  BOOST_TEST(text_of([] { borrow(MPI_COMM_NULL); }) == "borrow takes no MPI_COMM_NULL");
  BOOST_TEST(text_of([] { borrow('x'); }) == "borrow takes an MPI_Comm");
  if (world_size() == 1) return;
  const bool first = world_rank() == 0;
  const Split side(first, 0);
  MPI_Comm inter;
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, first, 7, &inter);
  BOOST_TEST(text_of([&] { borrow(inter); }) == "borrow takes no intercommunicator");
  MPI_Comm_free(&inter);
}

BOOST_AUTO_TEST_CASE(a_native_handle_is_an_mpi_comm) {
  const auto world = borrow(MPI_COMM_WORLD);
  BOOST_TEST((world.native_handle<MPI_Comm>() == MPI_COMM_WORLD));
  BOOST_TEST(text_of([&] { world.native_handle<char>(); }) == "native_handle gives an MPI_Comm and nothing else");
}
