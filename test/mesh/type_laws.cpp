// SPDX-License-Identifier: BSL-1.0
// The laws of the algebra on types: what every operation on some 20 meshes makes, its base map included, against the
// mesh that counted.hpp makes by the same operation; and within a root the same type for the same meaning only.
#include <boost/test/unit_test.hpp>
#include <iostream>
#include <string_view>
#include <utility>

#include "counted.hpp"

import axial;

namespace {

using axial::Dim, axial::Mesh, axial::dynamic;

/// What a type answers, without the type, so that the loops are compiled once. One object for each type: its address
/// tells types apart.
struct Answers {
  std::string (*names)();
  Numbers (*shape)();
  unsigned ndim, size, copies, world;
  bool (*contains)(unsigned rank);
  unsigned (*coordinate)(unsigned rank, unsigned axis);
  unsigned (*there_and_back)(unsigned rank);  // the rank at its own coordinates in its copy
  unsigned (*nth)(unsigned i);                // the rank at the i-th of all coordinates
  unsigned (*group_count)(unsigned axis);     // group_count<axis>() and groups<axis>().size(), if the same
  unsigned (*group)(unsigned axis, unsigned g, unsigned i);
  unsigned (*group_of)(unsigned axis, unsigned rank, unsigned i);
  unsigned (*group_index)(unsigned axis, unsigned rank);
};

/// f.operator()<axis>() of an axis that is known at run time.
template <class M, class F>
unsigned with_axis(unsigned axis, F f) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    unsigned answer = axial::no_rank;
    ((I == axis ? void(answer = f.template operator()<I>()) : void()), ...);
    return answer;
  }(std::make_index_sequence<M::ndim()>{});
}

template <class M>
const Answers answers{
    .names =
        [] {
          std::string text;
          for (const auto name : M::names()) text += std::string(std::string_view(name)) + " ";
          return text;
        },
    .shape =
        [] {
          const auto shape = M::shape();
          return Numbers(shape.begin(), shape.end());
        },
    .ndim = M::ndim(),
    .size = M::size(),
    .copies = M::copies(),
    .world = M::world(),
    .contains = [](unsigned rank) { return M::contains(rank) && M::try_coordinates_of(rank).has_value(); },
    .coordinate = [](unsigned rank, unsigned axis) { return M::coordinates_of(rank)[axis]; },
    .there_and_back = [](unsigned rank) { return M::rank_of(M::coordinates_of(rank), rank); },
    .nth = [](unsigned i) { return M::rank_of(M::all_coordinates()[i]); },
    .group_count =
        [](unsigned axis) {
          return with_axis<M>(axis, []<std::size_t I> {
            const unsigned count = M::template group_count<I>();
            return count == M::template groups<I>().size() ? count : axial::no_rank;
          });
        },
    .group =
        [](unsigned axis, unsigned g, unsigned i) {
          return with_axis<M>(axis, [=]<std::size_t I> { return M::template groups<I>()[g][i]; });
        },
    .group_of =
        [](unsigned axis, unsigned rank, unsigned i) {
          return with_axis<M>(axis, [=]<std::size_t I> { return M::template group_of<I>(rank)[i]; });
        },
    .group_index =
        [](unsigned axis, unsigned rank) {
          return with_axis<M>(axis, [=]<std::size_t I> { return M::template group_index<I>(rank); });
        },
};

/// A mesh and where its ranks are: `ranks` by position.
struct Right {
  Counted mesh;
  Numbers ranks;
};

#define CHECK_LAW(...) \
  if (!(__VA_ARGS__)) BOOST_ERROR("does not hold: " #__VA_ARGS__)

void check_groups(const Answers& type, const Right& right, unsigned axis) {
  const CountedGroups counted = right.mesh.groups({axis});
  CHECK_LAW(type.group_count(axis) == counted.groups.size());
  for (unsigned g = 0; g < counted.groups.size(); ++g)
    for (unsigned i = 0; i < counted.groups[g].size(); ++i) {
      const unsigned rank = right.ranks[counted.groups[g][i]];
      CHECK_LAW(type.group(axis, g, i) == rank && type.group_index(axis, rank) == g);
      for (unsigned j = 0; j < counted.groups[g].size(); ++j)
        CHECK_LAW(type.group_of(axis, rank, j) == right.ranks[counted.groups[g][j]]);
    }
}

void check_type(const Answers& type, const Right& right) {
  std::string names;
  for (const std::string& name : right.mesh.names) names += name + " ";
  CHECK_LAW(type.names() == names && type.shape() == right.mesh.extents && type.ndim == right.mesh.ndim());
  CHECK_LAW(type.world == right.ranks.size() && !type.contains(type.world));
  Numbers copy_0;
  unsigned held = 0;
  std::size_t first = right.ranks.size();
  for (unsigned position = 0; position < type.world; ++position) {
    const unsigned rank = right.ranks[position];
    CHECK_LAW(type.contains(rank) == right.mesh.held[position]);
    if (!right.mesh.held[position]) continue;
    ++held;
    first = std::min<std::size_t>(first, position);
    if (right.mesh.copy[position] == right.mesh.copy[first]) copy_0.push_back(rank);
    CHECK_LAW(type.there_and_back(rank) == rank);
    for (unsigned axis = 0; axis < type.ndim; ++axis)
      CHECK_LAW(type.coordinate(rank, axis) == right.mesh.coordinates[position][axis]);
  }
  CHECK_LAW(type.size == copy_0.size() && type.copies * type.size == held);
  std::sort(copy_0.begin(), copy_0.end());
  for (unsigned i = 0; i < copy_0.size(); ++i) CHECK_LAW(type.nth(i) == copy_0[i]);
  for (unsigned axis = 0; axis < type.ndim; ++axis) check_groups(type, right, axis);
}

/// The meshes of one root: types, and what they should be.
class Family {
 public:
  explicit Family(Numbers ranks) : ranks_(std::move(ranks)) {}

  template <class M>
  void add(M, const Counted& counted) {
    BOOST_TEST_CONTEXT(axial::to_string(M{})) { check_type(answers<M>, {counted, ranks_}); }
    members_.push_back({&answers<M>, axial::to_string(M{}), meaning(counted)});
    ++checked;
  }
  /// Within a root, equal meaning is the same type.
  void compare() const {
    for (const Member& a : members_)
      for (const Member& b : members_) {
        const bool same = a.meaning == b.meaning;
        ++(same ? equal_pairs : other_pairs);
        if ((a.type == b.type) != same)
          BOOST_ERROR(a.text + " and " + b.text + (same ? " mean the same" : " do not mean the same"));
      }
  }
  static inline unsigned checked = 0, equal_pairs = 0, other_pairs = 0;

 private:
  struct Meaning {
    std::vector<std::string> names;
    std::vector<Numbers> coordinates;  // by position; those that it does not hold have none
    Numbers copies;
    bool operator==(const Meaning&) const = default;
  };
  static Meaning meaning(const Counted& mesh) {
    Meaning result{mesh.names, mesh.coordinates, {}};
    for (Numbers& at : result.coordinates) at.push_back(1);  // held
    std::vector<unsigned long long> seen;
    for (unsigned position = 0; position < mesh.positions(); ++position) {
      if (!mesh.held[position]) {
        result.coordinates[position].clear();
        result.copies.push_back(0);
        continue;
      }
      const auto at = std::find(seen.begin(), seen.end(), mesh.copy[position]) - seen.begin();
      if (at == std::ssize(seen)) seen.push_back(mesh.copy[position]);
      result.copies.push_back(static_cast<unsigned>(at));
    }
    return result;
  }

  struct Member {
    const Answers* type;
    std::string text;
    Meaning meaning;
  };
  Numbers ranks_;
  std::vector<Member> members_;
};

template <class F, std::size_t... I>
void each_index(std::index_sequence<I...>, F f) {
  (f.template operator()<I>(), ...);
}
template <class M, class F>
void each_axis(M, F f) {
  each_index(std::make_index_sequence<M::ndim()>{}, f);
}

/// What can be made of a mesh by one operation, and by a second one after that.
template <class M>
void add_all(Family& family, M mesh, const Counted& counted) {
  const auto name = [&](unsigned axis) { return counted.names[axis]; };
  family.add(mesh, counted);
  each_axis(mesh, [&]<unsigned I> {
    family.add(mesh.template submesh<I>(), counted.picked({I}));
    family.add(mesh.template others<I>(), counted.picked(counted.rest({I})));
    family.add(mesh.template rename<I, "z">(), counted.renamed(I, "z"));
    CHECK_LAW(mesh.template rename<I, "z">().template rename<I, M::template axis_type<I>::name>() == mesh);
    CHECK_LAW(mesh.template flatten<I>() == mesh);
    constexpr unsigned extent = M::template extent<I>();
    family.add(mesh.template slice<I, 0>(), counted.sliced(I, 0));
    family.add(mesh.template slice<I, extent - 1>(), counted.sliced(I, extent - 1));
    if constexpr (extent % 2 == 0)
      family.add(mesh.template unflatten<I, Dim<"v", extent / 2>, Dim<"w", 2>>(),
                 counted.unflattened(I, {{"v", extent / 2}, {"w", 2}}));
    each_axis(mesh, [&]<unsigned J> {
      if constexpr (I != J) {
        constexpr unsigned place = std::min(I, J);
        const auto flat = mesh.template flatten<I, J>();
        family.add(flat, counted.flattened({I, J}, name(I) + "_" + name(J)));
        CHECK_LAW(mesh.template groups<I, J>() == flat.template groups<place>());
        using A = typename M::template axis_type<I>;
        using B = typename M::template axis_type<J>;
        const auto back = flat.template unflatten<place, Dim<A::name, A::extent>, Dim<B::name, B::extent>>();
        const auto pair = mesh.template submesh<I, J>();
        CHECK_LAW(back.template submesh<A::name, B::name>() == pair && back.size() == mesh.size());
        CHECK_LAW(concat(mesh.template submesh<I>(), mesh.template submesh<J>()) == pair);
        if constexpr (I < J) {
          CHECK_LAW(mesh.template slice<J, 0>().template slice<I, extent - 1>() ==
                    mesh.template slice<I, extent - 1>().template slice<J - 1, 0>());
          family.add(mesh.template slice<J, 0>().template slice<I, extent - 1>(),
                     counted.sliced(J, 0).sliced(I, extent - 1));
          CHECK_LAW(mesh.template others<I>().template others<J - 1>() == mesh.template others<J, I>());
          family.add(mesh.template slice<J, 0>().template others<I>(),
                     counted.sliced(J, 0).picked(counted.sliced(J, 0).rest({I})));
        } else {
          family.add(pair, counted.picked({I, J}));
        }
      }
    });
  });
  if constexpr (M::ndim() > 0) {
    Numbers all(M::ndim());
    for (unsigned i = 0; i < all.size(); ++i) all[i] = i;
    family.add(mesh.template flatten_as<"z">(), counted.flattened(all, "z"));
  }
}

Numbers in_order(unsigned count) {
  Numbers ranks(count);
  for (unsigned i = 0; i < count; ++i) ranks[i] = i;
  return ranks;
}

template <class M>
void check_family() {
  const auto shape = M::shape();
  Family family(in_order(M::world()));
  add_all(family, M{}, Counted::row_major(Numbers(shape.begin(), shape.end())));
  family.compare();
}

/// The same for a mesh with a base map.
template <class M>
void check_family(M mesh, const Numbers& ranks) {
  const auto shape = M::shape();
  Family family(ranks);
  add_all(family, mesh, Counted::row_major(Numbers(shape.begin(), shape.end())));
  family.compare();
}

template <unsigned A>
using D1 = Mesh<Dim<"a", A>>;
template <unsigned A, unsigned B>
using D2 = Mesh<Dim<"a", A>, Dim<"b", B>>;
template <unsigned A, unsigned B, unsigned C>
using D3 = Mesh<Dim<"a", A>, Dim<"b", B>, Dim<"c", C>>;

BOOST_AUTO_TEST_CASE(every_operation_on_types_makes_what_counting_makes) {
  check_family<Mesh<>>();
  check_family<D1<1>>();
  check_family<D1<8>>();
  check_family<D2<2, 4>>();
  check_family<D2<6, 2>>();
  check_family<D2<1, 4>>();
  check_family<D3<2, 2, 2>>();
  check_family<D3<2, 3, 4>>();
  check_family<D3<3, 1, 2>>();
  check_family<D3<5, 2, 3>>();
}

BOOST_AUTO_TEST_CASE(and_with_a_base_map) {
  check_family(D1<6>::with_ranks<5, 3, 1, 0, 2, 4>(), {5, 3, 1, 0, 2, 4});
  check_family(D2<2, 3>::with_ranks<3, 1, 2, 0, 5, 4>(), {3, 1, 2, 0, 5, 4});
  check_family(D3<2, 2, 3>::with_ranks<5, 9, 2, 8, 10, 7, 1, 11, 0, 6, 4, 3>(), {5, 9, 2, 8, 10, 7, 1, 11, 0, 6, 4, 3});
  check_family(D1<8>::with_xor<1, 3, 6>(), {0, 1, 3, 2, 6, 7, 5, 4});
  check_family(D3<2, 2, 2>::with_xor<4, 7, 2>(), {0, 4, 7, 3, 2, 6, 5, 1});
  check_family(D2<4, 2>::with_xor<3, 5, 4>(), {0, 3, 5, 6, 4, 7, 1, 2});
}

BOOST_AUTO_TEST_CASE(operations_after_operations_still_mean_one_type) {
  using M = D3<2, 2, 4>;
  Family family(in_order(16));
  const Counted counted = Counted::row_major({2, 2, 4});
  add_all(family, M::permute<2, 0, 1>(), counted.picked({2, 0, 1}));
  add_all(family, M::flatten<0, 2>(), counted.flattened({0, 2}, "a_c"));
  add_all(family, M::slice<1, 1>(), counted.sliced(1, 1));
  add_all(family, M::submesh<2, 0>(), counted.picked({2, 0}));
  add_all(family, M::unflatten<2, Dim<"x", 2>, Dim<"y", 2>>(), counted.unflattened(2, {{"x", 2}, {"y", 2}}));
  family.compare();
  std::cout << Family::checked << " types, " << Family::equal_pairs << " pairs of the same meaning, "
            << Family::other_pairs << " of different\n";
  BOOST_TEST(Family::checked >= 200u);
}

/// What a dynamic type answers in a world is what the static one of that world answers.
template <class D, class S>
void check_in_world(D, S) {
  constexpr unsigned world = S::world();
  BOOST_TEST_CONTEXT(axial::to_string(D{}) << " in " << world) {
    CHECK_LAW(D::size(world) == S::size() && D::copies(world) == S::copies());
    CHECK_LAW(D::shape(world) == S::shape() && D::names() == S::names() && D::ndim() == S::ndim());
    CHECK_LAW(D::all_coordinates(world).size() == S::all_coordinates().size());
    for (unsigned i = 0; i < S::size(); ++i)
      CHECK_LAW(D::rank_of(D::all_coordinates(world)[i]) == S::rank_of(S::all_coordinates()[i]));
    for (unsigned rank = 0; rank <= world; ++rank) {
      CHECK_LAW(D::contains(rank, world) == S::contains(rank) &&
                D::try_coordinates_of(rank, world).has_value() == S::contains(rank));
      if (!S::contains(rank)) continue;
      for (unsigned axis = 0; axis < S::ndim(); ++axis)
        CHECK_LAW(D::coordinates_of(rank)[axis] == S::coordinates_of(rank)[axis]);
      CHECK_LAW(D::rank_of(D::coordinates_of(rank), rank) == rank);
    }
    each_axis(S{}, [&]<unsigned I> {
      CHECK_LAW(D::template extent<I>(world) == S::template extent<I>());
      // A static axis of extent 1 has no neighbours and so no stride; a dynamic one may get some.
      CHECK_LAW(D::template stride<I>() == S::template stride<I>() || S::template extent<I>() == 1);
      CHECK_LAW(D::template groups<I>(world) == S::template groups<I>() &&
                D::template group_count<I>(world) == S::template group_count<I>());
      for (unsigned rank = 0; rank < world; ++rank) {
        if (!S::contains(rank)) continue;
        CHECK_LAW(D::template coordinate_of<I>(rank) == S::template coordinate_of<I>(rank) &&
                  D::template group_index<I>(rank) == S::template group_index<I>(rank) &&
                  D::template group_of<I>(rank, world) == S::template group_of<I>(rank));
        for (const int offset : {-3, -1, 0, 1, 5})
          for (const bool periodic : {true, false})
            CHECK_LAW(D::template neighbor<I>(rank, offset, periodic, world) ==
                      S::template neighbor<I>(rank, offset, periodic));
      }
      for (unsigned coordinate = 0; coordinate < S::template extent<I>(); ++coordinate)
        CHECK_LAW(D::template shard<I>(17, coordinate, world) == S::template shard<I>(17, coordinate));
    });
  }
}

template <class D, class S>
void check_dynamic(D d, S s) {
  check_in_world(d, s);
  check_in_world(d.template submesh<0>(), s.template submesh<0>());
  check_in_world(d.template submesh<2>(), s.template submesh<2>());
  check_in_world(d.template submesh<2, 1>(), s.template submesh<2, 1>());
  check_in_world(d.template others<0>(), s.template others<0>());
  check_in_world(d.template others<1>(), s.template others<1>());
  check_in_world(d.template others<0, 1, 2>(), s.template others<0, 1, 2>());
  check_in_world(d.template permute<0, 2, 1>(), s.template permute<0, 2, 1>());
  check_in_world(d.template flatten<0, 1>(), s.template flatten<0, 1>());
  check_in_world(d.template flatten_as<"all">(), s.template flatten_as<"all">());
  check_in_world(d.template slice<1, 1>(), s.template slice<1, 1>());
  check_in_world(d.template slice<2, 0>().template submesh<0>(), s.template slice<2, 0>().template submesh<0>());
  check_in_world(d.template slice<2, 0>().template submesh<1>(), s.template slice<2, 0>().template submesh<1>());
  check_in_world(d.template rename<0, "z">(), s.template rename<0, "z">());
  check_in_world(d.template unflatten<2, Dim<"x", 2>, Dim<"y", 2>>(),
                 s.template unflatten<2, Dim<"x", 2>, Dim<"y", 2>>());
  check_in_world(concat(d.template submesh<0>(), d.template submesh<2>()),
                 concat(s.template submesh<0>(), s.template submesh<2>()));
}

BOOST_AUTO_TEST_CASE(a_dynamic_type_is_the_static_one_in_its_world) {
  using D = Mesh<Dim<"a", dynamic>, Dim<"b", 3>, Dim<"c", 4>>;
  check_dynamic(D{}, D3<1, 3, 4>{});
  check_dynamic(D{}, D3<2, 3, 4>{});
  check_dynamic(D{}, D3<5, 3, 4>{});
  CHECK_LAW(D::permute<0, 1, 2>() == D{} && D::submesh<0, 1, 2>() == D{});
  CHECK_LAW(D::unflatten<2, Dim<"x", 2>, Dim<"y", 2>>() ==
            Mesh<Dim<"a", dynamic>, Dim<"b", 3>, Dim<"x", 2>, Dim<"y", 2>>{});
  CHECK_LAW(D::unflatten<2, Dim<"x", 2>, Dim<"y", 2>>().flatten_as<"c", "x", "y">() == D{});
  // Its groups as a flattening are those of the flattened mesh.
  CHECK_LAW(D::groups<0, 2>(24) == D3<2, 3, 4>::groups<0, 2>() &&
            D::group_of<0, 2>(7, 24) == D3<2, 3, 4>::group_of<0, 2>(7));
}

}  // namespace
