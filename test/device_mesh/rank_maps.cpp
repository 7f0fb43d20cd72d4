// SPDX-License-Identifier: BSL-1.0
// Which rank has which place: by the type's table or exclusive or, by Options::rank_map, by node, on a subset. All
// queries of ranks against a model that counts places one by one.
#include <algorithm>
#include <numeric>
#include <optional>

#include "../support/axes.hpp"

using axial::DeviceMesh, axial::init_device_mesh, axial::init_device_mesh_on, axial::borrow, axial::plus;

namespace {

using Numbers = std::vector<unsigned>;
using Lists = std::vector<Numbers>;

/// A row-major mesh whose place p is held by ranks[p].
struct Model {
  Numbers shape, ranks;

  Numbers coordinates_at(unsigned place) const {
    Numbers at(shape.size());
    for (std::size_t i = shape.size(); i-- > 0; place /= shape[i]) at[i] = place % shape[i];
    return at;
  }
  unsigned place_of(unsigned rank) const {
    return static_cast<unsigned>(std::ranges::find(ranks, rank) - ranks.begin());
  }
  Numbers coordinates_of(unsigned rank) const { return coordinates_at(place_of(rank)); }
  unsigned rank_at(const Numbers& coordinates) const {
    unsigned place = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) place = place * shape[i] + coordinates[i];
    return ranks[place];
  }
  Numbers group_of(unsigned axis, unsigned rank) const {
    Numbers at = coordinates_of(rank), group;
    for (at[axis] = 0; at[axis] < shape[axis]; ++at[axis]) group.push_back(rank_at(at));
    return group;
  }
  Lists groups(unsigned axis) const {
    Lists all;
    for (const unsigned rank : ranks)
      if (coordinates_of(rank)[axis] == 0) all.push_back(group_of(axis, rank));
    return all;
  }
  unsigned neighbor(unsigned axis, unsigned rank, int offset, bool periodic) const {
    Numbers at = coordinates_of(rank);
    const int extent = static_cast<int>(shape[axis]), moved = static_cast<int>(at[axis]) + offset;
    if (!periodic && (moved < 0 || moved >= extent)) return axial::no_rank;
    at[axis] = static_cast<unsigned>(((moved % extent) + extent) % extent);
    return rank_at(at);
  }
};

/// What a mesh answers, without its type.
struct Answers {
  std::vector<bool> contains, has_coordinates;
  Lists coordinates;   // of each member
  Numbers rank_of;     // these coordinates
  Numbers coordinate;  // along one axis, as what follows
  Lists groups, group_of;
  Numbers group_index, neighbors;
  bool operator==(const Answers&) const = default;
};

constexpr std::pair<int, bool> moves[] = {{1, true},  {-1, true},  {2, true}, {-5, true},
                                          {1, false}, {-1, false}, {7, false}};

void append(Numbers& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); }

template <std::size_t Axis, class M>
Answers answers_of(const M& mesh, const Numbers& members) {
  Answers given;
  for (unsigned rank = 0; rank < world_size() + 2; ++rank) {
    given.contains.push_back(mesh.contains(rank));
    given.has_coordinates.push_back(mesh.try_coordinates_of(rank).has_value());
  }
  for (const unsigned rank : members) {
    const auto at = mesh.coordinates_of(rank);
    given.coordinates.emplace_back(at.begin(), at.end());
    append(given.rank_of, Numbers{mesh.rank_of(at), mesh.rank_of(at, rank), mesh.rank_of(at, members[0])});
    given.coordinate.push_back(mesh.template coordinate_of<Axis>(rank));
    const auto group = mesh.template group_of<Axis>(rank);
    given.group_of.emplace_back(group.begin(), group.end());
    given.group_index.push_back(mesh.template group_index<Axis>(rank));
    for (const auto& [offset, periodic] : moves)
      given.neighbors.push_back(mesh.template neighbor<Axis>(rank, offset, periodic));
  }
  for (const auto group : mesh.template groups<Axis>()) given.groups.emplace_back(group.begin(), group.end());
  return given;
}

Answers right_answers(const Model& model, unsigned axis) {
  Answers right;
  for (unsigned rank = 0; rank < world_size() + 2; ++rank)
    right.contains.push_back(std::ranges::count(model.ranks, rank) == 1);
  right.has_coordinates = right.contains;
  right.groups = model.groups(axis);
  for (const unsigned rank : model.ranks) {
    right.coordinates.push_back(model.coordinates_of(rank));
    append(right.rank_of, Numbers{rank, rank, rank});
    right.coordinate.push_back(right.coordinates.back()[axis]);
    right.group_of.push_back(model.group_of(axis, rank));
    right.group_index.push_back(
        static_cast<unsigned>(std::ranges::find(right.groups, right.group_of.back()) - right.groups.begin()));
    for (const auto& [offset, periodic] : moves)
      right.neighbors.push_back(model.neighbor(axis, rank, offset, periodic));
  }
  return right;
}

void check_same(const Answers& given, const Answers& right) {
  BOOST_CHECK(given.contains == right.contains);
  BOOST_CHECK(given.has_coordinates == right.has_coordinates);
  BOOST_CHECK(given.coordinates == right.coordinates);
  BOOST_TEST(given.rank_of == right.rank_of, boost::test_tools::per_element());
  BOOST_TEST(given.coordinate == right.coordinate, boost::test_tools::per_element());
  BOOST_CHECK(given.groups == right.groups);
  BOOST_CHECK(given.group_of == right.group_of);
  BOOST_TEST(given.group_index == right.group_index, boost::test_tools::per_element());
  BOOST_TEST(given.neighbors == right.neighbors, boost::test_tools::per_element());
}

/// A mesh on the world whose place p is held by ranks[p].
template <class M>
void check_mesh(const DeviceMesh<M>& mesh, const Numbers& ranks) {
  const auto shape = mesh.shape();
  const Model model{.shape = {shape.begin(), shape.end()}, .ranks = ranks};
  BOOST_TEST_CONTEXT(axial::to_string(M{})) {
    BOOST_TEST(mesh.rank() == world_rank());
    each_index<M::ndim()>([&]<std::size_t I> {
      check_same(answers_of<I>(mesh, ranks), right_answers(model, I));
      check_axis<I>(mesh, model.group_of(I, world_rank()));
    });
  }
}

Numbers numbers_below(unsigned end) {
  Numbers all(end);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}
Numbers reversed(unsigned end) {
  Numbers all = numbers_below(end);
  std::ranges::reverse(all);
  return all;
}
/// A permutation that is neither affine nor its own inverse.
Numbers shuffled(unsigned end) {
  Numbers all = numbers_below(end);
  for (unsigned i = 0; i + 1 < end; ++i) std::swap(all[i], all[i + (i * 5 + 2) % (end - i)]);
  return all;
}

/// The ranks of the world by node: nodes by their first rank, ranks in their order.
Numbers by_node() {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  const Numbers here = world_ranks(node);
  MPI_Comm_free(&node);
  Numbers firsts(world_size()), order = numbers_below(world_size());
  MPI_Allgather(&here[0], 1, MPI_UNSIGNED, firsts.data(), 1, MPI_UNSIGNED, MPI_COMM_WORLD);
  std::ranges::sort(order, {}, [&](unsigned rank) { return std::pair(firsts[rank], rank); });
  return order;
}

auto world() { return borrow(MPI_COMM_WORLD); }

template <class M>
auto with(const axial::RankMap& map) {
  return init_device_mesh<M>(world(), {.rank_map = map});
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_rank_map_puts_its_ranks_at_the_places_of_the_mesh) {
  each_mesh([]<class M> {
    check_mesh(init_device_mesh<M>(world()), numbers_below(world_size()));
    check_mesh(with<M>(numbers_below(world_size())), numbers_below(world_size()));
    check_mesh(with<M>(reversed(world_size())), reversed(world_size()));
    check_mesh(with<M>(shuffled(world_size())), shuffled(world_size()));
  });
}

BOOST_AUTO_TEST_CASE(tables_and_exclusive_ors_of_the_type_put_ranks_at_places_too) {
  if (world_size() == 8) {
    using M = Mesh<Dim<"a", 2>, Dim<"b", 4>>;
    check_mesh(init_device_mesh<decltype(M::with_ranks<7, 6, 5, 4, 3, 2, 1, 0>())>(world()), reversed(8));
    using Table = decltype(M::with_ranks<2, 7, 1, 0, 6, 3, 5, 4>());
    const Numbers table{2, 7, 1, 0, 6, 3, 5, 4};
    check_mesh(init_device_mesh<Table>(world()), table);
    using Gray = decltype(Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>>::with_xor<1, 3, 6>());
    const Numbers gray{0, 1, 3, 2, 6, 7, 5, 4};
    check_mesh(init_device_mesh<Gray>(world()), gray);
    // The option renumbers what the type says: place p is held by map[table[p]].
    Numbers both = table, bits = gray;
    for (unsigned& rank : both) rank = shuffled(8)[rank];
    for (unsigned& rank : bits) rank = reversed(8)[rank];
    check_mesh(with<Table>(shuffled(8)), both);
    check_mesh(with<Gray>(reversed(8)), bits);
    check_axes(with<Table>(shuffled(8)).flatten(), [&](unsigned rank) -> Seat {
      return {static_cast<unsigned>(std::ranges::find(both, rank) - both.begin()), 0};
    });
  }
  if (world_size() == 6)
    check_mesh(init_device_mesh<decltype(Mesh<Dim<"a", 3>, Dim<"b", 2>>::with_ranks<3, 1, 5, 0, 2, 4>())>(world()),
               {3, 1, 5, 0, 2, 4});
}

BOOST_AUTO_TEST_CASE(by_node_makes_the_ranks_of_a_node_neighbours) {
  const Numbers order = by_node();
  each_mesh([&]<class M> {
    if constexpr (M::ndim() == 2) check_mesh(with<M>(axial::order::by_node), order);
  });
  const auto mesh = with<Mesh<Dim<"all", axial::dynamic>>>(axial::order::by_node);
  check_axis<0>(mesh, order);
  BOOST_TEST(mesh.options().rank_map.is_by_node());
}

BOOST_AUTO_TEST_CASE(parts_of_a_renumbered_mesh_answer_in_the_ranks_of_the_communicator) {
  if (world_size() != 8) return;
  using M = Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>>;
  const Numbers at = shuffled(8);
  const auto mesh = with<M>(at);
  const auto part = mesh.submesh<"c", "a">();
  for (unsigned place = 0; place < 8; ++place) {
    const unsigned b = place / 2 % 2;
    const auto coordinates = part.coordinates_of(at[place]);
    BOOST_TEST(coordinates[0] == place % 2);
    BOOST_TEST(coordinates[1] == place / 4);
    BOOST_TEST(part.rank_of(coordinates) == at[place - 2 * b]);
    for (unsigned like = 0; like < 8; ++like)
      BOOST_TEST(part.rank_of(coordinates, at[like]) == at[place - 2 * b + like / 2 % 2 * 2]);
  }
  const auto slice = mesh.slice<"b", 1>();
  BOOST_TEST(slice.has_value() == ((std::ranges::find(at, world_rank()) - at.begin()) / 2 % 2 == 1));
  if (!slice) return;
  for (unsigned place = 0; place < 8; ++place) BOOST_TEST(slice->contains(at[place]) == (place / 2 % 2 == 1));
  BOOST_TEST(!slice->contains(8));
  BOOST_TEST((slice->groups<"a">() == Lists{{at[2], at[6]}, {at[3], at[7]}}));
  BOOST_TEST((slice->group_of<"c", "a">(at[2]) == Numbers{at[2], at[6], at[3], at[7]}));
  BOOST_TEST((mesh.groups<"c", "a">() == Lists{{at[0], at[4], at[1], at[5]}, {at[2], at[6], at[3], at[7]}}));
}

BOOST_AUTO_TEST_CASE(a_wrong_rank_map_is_refused_on_all_ranks) {
  if (world_size() != 4) return;
  using M = Mesh<Dim<"a", 2>, Dim<"b", 2>>;
  const auto refused = [](const axial::RankMap& map) {
    const std::string text = text_of([&] { with<M>(map); });
    for (const std::string& other : gather_texts(MPI_COMM_WORLD, text)) BOOST_TEST(other == text);
    return text;
  };
  BOOST_TEST(refused({0, 1, 2}) == "rank_map takes one rank for each of the mesh's 4 positions, not 3");
  BOOST_TEST(refused({0, 1, 2, 1}) == "rank_map gives rank 1 to the positions 1 and 3; each rank stands once");
  BOOST_TEST(refused({0, 1, 2, 4}) == "rank_map gives position 3 the rank 4, and the mesh has the ranks 0 to 3");
  const std::string different = refused(world_rank() == 2 ? reversed(4) : shuffled(4));
  BOOST_TEST(different.starts_with("the ranks have different meshes: rank 2 has Mesh(a=2, b=2), rank_map 3,2,1,0"));
  BOOST_TEST(refused(world_rank() == 2 ? axial::RankMap(axial::order::by_node) : axial::RankMap())
                 .starts_with("the ranks have different meshes: rank 2 has Mesh(a=2, b=2), rank_map by node"));
}

BOOST_AUTO_TEST_CASE(on_a_subset_the_given_ranks_have_the_places_and_nobody_else_is_needed) {
  each(Types<Mesh<>, Mesh<Dim<"a", 1>, Dim<"b", 2>>, Mesh<Dim<"a", 2>, Dim<"b", 2>>, Mesh<Dim<"a", 3>>,
             Mesh<Dim<"a", 3>, Dim<"b", 2>>>{},
       []<class M> {
         if (M::world() > world_size()) return;
         Numbers list = shuffled(world_size());
         list.resize(M::world());
         const auto mesh = init_device_mesh_on<M>(world(), list, {.name = "part"});
         const bool member = std::ranges::count(list, world_rank()) == 1;
         BOOST_TEST_REQUIRE(mesh.has_value() == member);
         int done = 0;
         if (!member) {  // waits for a member that has finished; it can do nothing for the others
           MPI_Recv(&done, 1, MPI_INT, static_cast<int>(list[0]), 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
           return;
         }
         check_mesh(*mesh, list);
         if constexpr (M::ndim() > 0) BOOST_TEST(mesh->flatten().all_reduce(1u, plus) == M::world());
         BOOST_TEST(mesh->options().name == "part");
         if (world_rank() != list[0]) return;
         for (int rank = 0; rank < static_cast<int>(world_size()); ++rank)
           if (std::ranges::count(list, static_cast<unsigned>(rank)) == 0)
             MPI_Send(&done, 1, MPI_INT, rank, 5, MPI_COMM_WORLD);
       });
}

BOOST_AUTO_TEST_CASE(on_a_subset_a_rank_map_counts_the_given_ranks) {
  if (world_size() < 6) return;
  using M = Mesh<Dim<"a", 2>, Dim<"b", 2>>;
  const Numbers list{5, 0, 3, 2};
  if (const auto mesh = init_device_mesh_on<M>(world(), list, {.rank_map = {1, 3, 0, 2}}))
    check_mesh(*mesh, {0, 2, 5, 3});
  Numbers order = by_node();
  std::erase_if(order, [&](unsigned rank) { return std::ranges::count(list, rank) == 0; });
  if (const auto mesh = init_device_mesh_on<M>(world(), list, {.rank_map = axial::order::by_node}))
    check_mesh(*mesh, order);
  // By the type's table: place p is held by list[table[p]].
  if (const auto mesh = init_device_mesh_on<decltype(M::with_ranks<3, 1, 2, 0>())>(world(), list))
    check_mesh(*mesh, {2, 0, 3, 5});
}

BOOST_AUTO_TEST_CASE(a_wrong_subset_is_refused_on_all_ranks_of_the_communicator) {
  if (world_size() != 4) return;
  using M = Mesh<Dim<"a", 1>, Dim<"b", 2>>;
  const auto refused = [](const axial::RankMap& list) {
    const std::string text = text_of([&] { init_device_mesh_on<M>(world(), list); });
    for (const std::string& other : gather_texts(MPI_COMM_WORLD, text)) BOOST_TEST(other == text);
    return text;
  };
  BOOST_TEST(refused({0, 1, 2}) == "Mesh(a=1, b=2) needs 1*2 = 2 ranks, and the list names 3; b=3 would fit");
  BOOST_TEST(refused({}) == "Mesh(a=1, b=2) needs 1*2 = 2 ranks, and the list names 0");
  BOOST_TEST(refused({3, 3}) == "init_device_mesh_on names rank 3 twice");
  BOOST_TEST(refused({3, 4}) == "init_device_mesh_on names rank 4, and the communicator has the ranks 0 to 3");
  BOOST_TEST(refused(axial::order::by_node) ==
             "init_device_mesh_on takes a list of ranks; an order of them is a rank_map");
  BOOST_TEST(refused(world_rank() == 3 ? Numbers{1, 0} : Numbers{0, 1})
                 .starts_with("the ranks have different meshes: rank 3 has Mesh(a=1, b=2), on ranks 1,0"));
}
