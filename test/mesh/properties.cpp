// SPDX-License-Identifier: BSL-1.0
// The laws of the algebra on values, on every mesh of at most 64 ranks: all shapes of up to 5 dimensions of at least 2
// in every order of their axes, and all shapes that have dimensions of 1, too. What each operation makes is compared
// with the mesh that counted.hpp makes by the same operation, axis by axis and pair by pair.
module;
#include <array>
#include <boost/test/unit_test.hpp>
#include <iostream>
#include <random>
#include <set>
#include <string_view>

#include "counted.hpp"

module axial;

namespace axial {
namespace {

struct Tally {
  unsigned meshes = 0, results = 0;
  friend std::ostream& operator<<(std::ostream& out, const Tally& tally) {
    return out << tally.meshes << " meshes, " << tally.results << " results of operations";
  }
} tally;

// One letter each, so that axes need no more than a number to be named.
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
NameView letter(unsigned i) { return letters.substr(i, 1); }

std::vector<Key> keys_of(const MeshLayout& mesh, const Numbers& axes) {
  std::vector<Key> keys;
  for (const unsigned axis : axes) keys.push_back({.name = mesh.names[axis]});
  return keys;
}

/// Calls an operation that takes axes, and checks that there was nothing to complain about.
template <class... Arguments>
MeshLayout apply(MeshResult (*operation)(const MeshLayout&, const Key*, unsigned, Arguments...), const MeshLayout& mesh,
                 const Numbers& axes, Arguments... arguments) {
  const auto keys = keys_of(mesh, axes);
  const MeshResult result = operation(mesh, keys.data(), static_cast<unsigned>(keys.size()), arguments...);
  if (!result.ok()) BOOST_ERROR(std::string(result.problem.data(), result.problem.size()));
  ++tally.results;
  return result.mesh;
}

MeshLayout mesh_of(const Numbers& shape) {
  std::array<NameView, max_dimensions> names;
  for (unsigned i = 0; i < shape.size(); ++i) names[i] = letter(i);
  const MeshResult mesh = row_major(names.data(), shape.data(), static_cast<unsigned>(shape.size()));
  BOOST_REQUIRE(mesh.ok());
  return mesh.mesh;
}

bool same(const MeshLayout& a, const MeshLayout& b) {
  if (a.ndim != b.ndim || a.ranks != b.ranks || !(a.pinned == b.pinned) || a.offset != b.offset) return false;
  for (unsigned i = 0; i < a.ndim; ++i)
    if (!a.names[i].equals(b.names[i]) || !(a.axis(i) == b.axis(i))) return false;
  return true;
}

Layout joined(const MeshLayout& mesh, const Numbers& axes) {
  Layout layout;
  for (const unsigned axis : axes) layout = concatenate(layout, mesh.axis(axis));
  return layout;
}

/// The formulas of groups, against groups that were counted.
bool groups_agree(const MeshLayout& mesh, const Layout& axis, const CountedGroups& counted) {
  const Layout firsts = firsts_of(axis, mesh.pinned, mesh.ranks);
  const Groups groups{axis, mesh.pinned, mesh.offset, mesh.ranks, {}};
  bool ok = size_of(firsts) == counted.groups.size();
  for (unsigned g = 0; ok && g < counted.groups.size(); ++g) {
    const unsigned first = mesh.offset + position_of(firsts, g);
    ok = size_of(axis) == counted.groups[g].size();
    for (unsigned i = 0; ok && i < counted.groups[g].size(); ++i) {
      const unsigned position = counted.groups[g][i];
      ok = first + position_of(axis, i) == position && index_of(axis, position) == i &&
           index_of(firsts, position) == g && groups.first_of(position) == first;
    }
  }
  for (unsigned position = 0; ok && position < mesh.ranks; ++position)
    ok = counted.index[position] != CountedGroups::none || groups.first_of(position) == mesh.ranks;
  return ok;
}

enum class Pairs { no, yes };

bool agree(const MeshLayout& mesh, const Counted& counted, Pairs pairs = Pairs::no) {
  bool ok = mesh.ndim == counted.ndim() && mesh.ranks == counted.positions();
  for (unsigned i = 0; ok && i < mesh.ndim; ++i)
    ok = mesh.names[i] == std::string_view(counted.names[i]) && mesh.extent(i) == counted.extents[i] &&
         coalesce(mesh.axis(i)) == mesh.axis(i);
  for (unsigned position = 0; ok && position < mesh.ranks; ++position) {
    ok = mesh.contains(position) == counted.held[position];
    unsigned copy = position - mesh.offset, back = mesh.offset;
    for (unsigned i = 0; ok && counted.held[position] && i < mesh.ndim; ++i) {
      const unsigned coordinate = index_of(mesh.axis(i), position);
      ok = coordinate == counted.coordinates[position][i];
      back += position_of(mesh.axis(i), coordinate);
      copy -= position_of(mesh.axis(i), coordinate);
    }
    ok = ok && (!counted.held[position] || back + copy == position);
  }
  for (unsigned i = 0; ok && i < mesh.ndim; ++i) {
    ok = groups_agree(mesh, mesh.axis(i), counted.groups({i}));
    for (unsigned j = 0; ok && pairs == Pairs::yes && j < mesh.ndim; ++j)
      ok = i == j || groups_agree(mesh, joined(mesh, {i, j}), counted.groups({i, j}));
  }
  return ok;
}

#define CHECK_LAW(...) \
  if (!(__VA_ARGS__)) BOOST_ERROR("does not hold: " #__VA_ARGS__)

/// Every cut of an axis into two: made as counted, or refused where a part has no layout.
void check_cuts(const MeshLayout& mesh, const Counted& counted, unsigned axis) {
  const Layout whole = mesh.axis(axis);
  const unsigned extent = counted.extents[axis];
  for (unsigned outer = 1; outer <= extent; ++outer) {
    if (extent % outer != 0) continue;
    const NameView names[] = {letter(23), letter(24)};
    const unsigned extents[] = {outer, extent / outer};
    Numbers outer_list, inner_list;
    for (unsigned i = 0; i < extents[0]; ++i) outer_list.push_back(position_of(whole, i * extents[1]));
    for (unsigned i = 0; i < extents[1]; ++i) inner_list.push_back(position_of(whole, i));
    bool legal = can_be_strided(outer_list) && can_be_strided(inner_list);
    for (unsigned i = 0; legal && i < extent; ++i)
      legal = position_of(whole, i) == outer_list[i / extents[1]] + inner_list[i % extents[1]];
    const auto keys = keys_of(mesh, {axis});
    const MeshResult cut = unflatten(mesh, keys.data(), 1, names, extents, 2);
    ++tally.results;
    CHECK_LAW(cut.ok() == legal);
    if (cut.ok()) CHECK_LAW(agree(cut.mesh, counted.unflattened(axis, {{"x", extents[0]}, {"y", extents[1]}})));
  }
}

void check_flatten(const MeshLayout& mesh, const Counted& counted) {
  for (unsigned i = 0; i < mesh.ndim; ++i)
    for (unsigned j = 0; j < mesh.ndim; ++j) {
      if (i == j) continue;
      const MeshLayout flat = apply(flatten, mesh, {i, j}, letter(25));
      const Counted counted_flat = counted.flattened({i, j}, "z");
      CHECK_LAW(agree(flat, counted_flat));
      if (i == 0 && j == 1) check_cuts(flat, counted_flat, 0);  // each pair is in front in some order

      // Unflattened again: the two axes where the flattening was, the first named first.
      const unsigned place = std::min(i, j);
      const NameView names[] = {mesh.names[i], mesh.names[j]};
      const unsigned extents[] = {counted.extents[i], counted.extents[j]};
      const MeshLayout back =
          apply<const NameView*, const unsigned*, unsigned>(unflatten, flat, {place}, names, extents, 2u);
      Numbers order;
      for (unsigned axis = 0; axis < mesh.ndim; ++axis) {
        if (axis == place) order.push_back(i), order.push_back(j);
        if (axis != i && axis != j) order.push_back(axis);
      }
      CHECK_LAW(same(back, apply(permute, mesh, order)));
    }
  if (mesh.ndim == 0) return;
  Numbers all(mesh.ndim);
  for (unsigned i = 0; i < mesh.ndim; ++i) all[i] = i;
  CHECK_LAW(same(apply(flatten, mesh, {}, letter(25)), apply(flatten, mesh, all, letter(25))));
  CHECK_LAW(agree(apply(flatten, mesh, {}, letter(25)), counted.flattened(all, "z")));
}

void check_submeshes(const MeshLayout& mesh, const Counted& counted) {
  for (unsigned bits = 1; bits < 1u << mesh.ndim; ++bits) {
    Numbers kept;
    for (unsigned axis = mesh.ndim; axis-- > 0;)  // in reverse, so that order matters
      if (bits >> axis & 1) kept.push_back(axis);
    const Numbers dropped = counted.rest(kept);
    const MeshLayout part = apply(submesh, mesh, kept);
    CHECK_LAW(agree(part, counted.picked(kept)));
    const MeshLayout left = apply(others, mesh, kept);
    CHECK_LAW(agree(left, counted.picked(dropped)));
    if (!dropped.empty()) CHECK_LAW(same(left, apply(submesh, mesh, dropped)));
    Numbers order = kept;
    order.insert(order.end(), dropped.begin(), dropped.end());
    const MeshResult both = concat(part, left);
    CHECK_LAW(both.ok() && same(both.mesh, apply(permute, mesh, order)));
    CHECK_LAW(!concat(part, mesh).ok());  // shares its axes

    // The complement of the complement is the same positions in order.
    const Layout axis = joined(mesh, kept);
    const LayoutResult outside = complement(axis, mesh.ranks);
    const LayoutResult inside = complement(outside.layout, mesh.ranks);
    CHECK_LAW(outside && inside && inside.layout == coalesce(sorted(axis)));
    CHECK_LAW(size_of(outside.layout) * size_of(axis) == mesh.ranks);
  }
}

void check_slices(const MeshLayout& mesh, const Counted& counted, Pairs pairs) {
  for (unsigned i = 0; i < mesh.ndim; ++i)
    for (unsigned coordinate = 0; coordinate < counted.extents[i]; ++coordinate) {
      if (coordinate > 1 && coordinate + 2 < counted.extents[i]) continue;  // two at each end are enough
      const MeshLayout part = apply(slice, mesh, {i}, static_cast<long long>(coordinate));
      const Counted counted_part = counted.sliced(i, coordinate);
      CHECK_LAW(agree(part, counted_part));
      const unsigned last = counted.extents[i] - 1;
      if (pairs == Pairs::no || (coordinate != 0 && coordinate != last)) continue;
      for (unsigned j = 0; j < mesh.ndim; ++j) {
        if (i == j) continue;
        // Two slices in either order, and as one of the flattening.
        const unsigned other = counted.extents[j] - 1 - coordinate % counted.extents[j];
        const MeshLayout twice = apply(slice, part, {j - (j > i)}, static_cast<long long>(other));
        CHECK_LAW(agree(twice, counted_part.sliced(j - (j > i), other)));
        const MeshLayout first_other = apply(slice, mesh, {j}, static_cast<long long>(other));
        CHECK_LAW(same(twice, apply(slice, first_other, {i - (i > j)}, static_cast<long long>(coordinate))));
        const MeshLayout flat = apply(flatten, mesh, {i, j}, letter(25));
        CHECK_LAW(same(twice, apply(slice, flat, {std::min(i, j)},
                                    static_cast<long long>(coordinate * counted.extents[j] + other))));
      }
    }
}

void check_rename(const MeshLayout& mesh, const Counted& counted) {
  for (unsigned i = 0; i < mesh.ndim; ++i) {
    const MeshLayout renamed = apply(rename, mesh, {i}, letter(25));
    CHECK_LAW(agree(renamed, counted.renamed(i, "z")));
    CHECK_LAW(same(apply(rename, renamed, {i}, mesh.names[i]), mesh));
    // Under another name it still is the same axis.
    CHECK_LAW(concat(apply(submesh, renamed, {i}), mesh).ok() == (counted.extents[i] == 1));
  }
}

/// Which mesh a check was about.
struct Context {
  const Numbers& shape;
  const Numbers& order;
  friend std::ostream& operator<<(std::ostream& out, const Context& context) {
    return out << "mesh " << text_of(context.shape) << " with the axes " << text_of(context.order);
  }
};

MeshLayout permuted(const MeshLayout& mesh, const Counted& counted, const Numbers& order) {
  const MeshLayout result = apply(permute, mesh, order);
  bool in_order = true;
  for (unsigned i = 0; i < order.size(); ++i) in_order = in_order && order[i] == i;
  CHECK_LAW(same(result, mesh) == in_order);
  CHECK_LAW(agree(result, counted.picked(order), Pairs::yes));
  return result;
}

BOOST_AUTO_TEST_CASE(every_small_mesh_in_every_order_keeps_the_laws) {
  tally = {};
  each_shape(5, 2, 64, [](const Numbers& shape) {
    const MeshLayout row_major = mesh_of(shape);
    const Counted counted = Counted::row_major(shape);
    each_order(static_cast<unsigned>(shape.size()), [&](const Numbers& order) {
      ++tally.meshes;
      BOOST_TEST_CONTEXT((Context{shape, order})) {
        const MeshLayout mesh = permuted(row_major, counted, order);
        const Counted counted_mesh = counted.picked(order);
        check_flatten(mesh, counted_mesh);
        check_submeshes(mesh, counted_mesh);
        check_slices(mesh, counted_mesh, Pairs::yes);
        check_rename(mesh, counted_mesh);
      }
    });
  });
  std::cout << "every order: " << tally << "\n";
  BOOST_TEST(tally.meshes == 4132u);
}

BOOST_AUTO_TEST_CASE(dimensions_of_one_change_no_law) {
  tally = {};
  each_shape(4, 1, 64, [](const Numbers& shape) {
    if (std::find(shape.begin(), shape.end(), 1u) == shape.end()) return;
    ++tally.meshes;
    Numbers order = {1, 3, 0, 2};  // no axis at its own place
    std::erase_if(order, [&](unsigned axis) { return axis >= shape.size(); });
    BOOST_TEST_CONTEXT((Context{shape, order})) {
      const MeshLayout mesh = apply(permute, mesh_of(shape), order);
      const Counted counted = Counted::row_major(shape).picked(order);
      CHECK_LAW(agree(mesh, counted, Pairs::yes));
      check_flatten(mesh, counted);
      check_submeshes(mesh, counted);
      check_slices(mesh, counted, Pairs::no);
      check_rename(mesh, counted);
    }
  });
  std::cout << "with dimensions of 1: " << tally << "\n";
  BOOST_TEST(tally.meshes == 2536u);
}

/// What a dynamic mesh is in a world of this many ranks.
MeshLayout in_world(MeshLayout mesh, unsigned world) {
  for (unsigned m = 0; mesh.ndim != 0 && m < mesh.ends[mesh.ndim - 1]; ++m)
    if (mesh.modes[m].extent == dynamic) mesh.modes[m].extent = world / mesh.modes[m].stride;
  mesh.ranks = world;
  return mesh;
}

/// A result on a dynamic mesh is that on the static one, or refused because of the place of the dynamic dimension.
void check_dynamic(const MeshResult& open, const MeshResult& closed, bool legal) {
  ++tally.results;
  CHECK_LAW(closed.ok() && open.ok() == legal);
  if (!open.ok() || !closed.ok()) return;
  MeshLayout there = in_world(open.mesh, closed.mesh.ranks);
  if (there.ndim != 0 && there.extent(0) == 1) there.ends[0] = 0;  // it has a mode of extent 1
  for (unsigned i = 0; i < there.ndim; ++i) {
    CHECK_LAW(there.names[i].equals(closed.mesh.names[i]) && coalesce(there.axis(i)) == closed.mesh.axis(i));
    const unsigned ranks = closed.mesh.ranks;
    const Layout open_firsts = firsts_of(open.mesh.axis(i), open.mesh.pinned, dynamic);
    const Layout closed_firsts = firsts_of(closed.mesh.axis(i), closed.mesh.pinned, ranks);
    CHECK_LAW(size_of(open_firsts, ranks) == size_of(closed_firsts) &&
              size_of(open.mesh.axis(i), ranks) == closed.mesh.extent(i));
    for (unsigned g = 0; g < size_of(closed_firsts); ++g)
      CHECK_LAW(position_of(open_firsts, g) == position_of(closed_firsts, g));
    for (unsigned position = 0; position < ranks; ++position)
      CHECK_LAW(index_of(open.mesh.axis(i), position) == index_of(closed.mesh.axis(i), position) &&
                index_of(open_firsts, position) == index_of(closed_firsts, position) &&
                open.mesh.contains(position) == closed.mesh.contains(position));
  }
  CHECK_LAW(open.mesh.pinned == closed.mesh.pinned && open.mesh.offset == closed.mesh.offset);
}

BOOST_AUTO_TEST_CASE(a_dynamic_mesh_is_the_static_one_of_its_world) {
  tally = {};
  each_shape(4, 1, 48, [](const Numbers& shape) {
    if (shape.empty() || shape[0] == 1) return;
    ++tally.meshes;
    const MeshLayout closed = mesh_of(shape);
    Numbers extents = shape;
    extents[0] = dynamic;
    const auto ndim = static_cast<unsigned>(shape.size());
    const MeshResult opened = row_major(closed.names, extents.data(), ndim);
    const MeshResult read = row_major(closed.names, extents.data(), ndim, closed.ranks);
    BOOST_REQUIRE(opened.ok() && read.ok());
    const MeshLayout& open = opened.mesh;
    CHECK_LAW(same(read.mesh, closed) && same(in_world(open, closed.ranks), closed));
    const auto both = [&](bool legal, auto operation) { check_dynamic(operation(open), operation(closed), legal); };
    each_order(ndim, [&](const Numbers& order) {
      for (unsigned count = 1; count <= ndim; ++count) {
        const Numbers some(order.begin(), order.begin() + count);
        const bool has_dynamic = std::find(some.begin(), some.end(), 0u) != some.end();
        const auto keys = keys_of(closed, some);
        both(!has_dynamic || some[0] == 0, [&](const MeshLayout& m) { return submesh(m, keys.data(), count); });
        const auto front = std::find_if(some.begin(), some.end(), [&](unsigned axis) { return shape[axis] != 1; });
        both(!has_dynamic || *front == 0,
             [&](const MeshLayout& m) { return flatten(m, keys.data(), count, letter(25)); });
        both(true, [&](const MeshLayout& m) { return others(m, keys.data(), count); });
      }
    });
    for (unsigned axis = 1; axis < ndim; ++axis) {
      const auto keys = keys_of(closed, {axis});
      both(true, [&](const MeshLayout& m) { return slice(m, keys.data(), 1, shape[axis] - 1); });
      both(true, [&](const MeshLayout& m) { return rename(m, keys.data(), 1, letter(25)); });
      const NameView names[] = {letter(24), letter(25)};
      const unsigned parts[] = {shape[axis], 1};
      both(true, [&](const MeshLayout& m) { return unflatten(m, keys.data(), 1, names, parts, 2); });
      both(true, [&](const MeshLayout& m) {  // a slice, and then the axis in front of it
        const Key first{.name = {}, .index = 0, .is_index = true};
        return submesh(slice(m, keys.data(), 1, 0).mesh, &first, 1);
      });
    }
    const Key first{.name = {}, .index = 0, .is_index = true};
    const NameView name = letter(25);
    const unsigned parts[] = {shape[0]};
    check_dynamic(slice(open, &first, 1, 0), slice(closed, &first, 1, 0), false);
    check_dynamic(unflatten(open, &first, 1, &name, parts, 1), unflatten(closed, &first, 1, &name, parts, 1), false);
  });
  std::cout << "dynamic: " << tally << "\n";
}

BOOST_AUTO_TEST_CASE(axes_of_two_factorisations_of_a_world_go_together_where_they_share_no_ranks) {
  unsigned accepted = 0, refused = 0;
  std::vector<Numbers> shapes;
  each_shape(3, 2, 48, [&](const Numbers& shape) { shapes.push_back(shape); });
  for (const Numbers& one : shapes)
    for (const Numbers& other : shapes) {
      const MeshLayout a = mesh_of(one), b = mesh_of(other);
      for (unsigned i = 0; i < a.ndim && a.ranks == b.ranks; ++i)
        for (unsigned j = 0; j < b.ndim; ++j) {
          const MeshLayout right = apply(rename, apply(submesh, b, {j}), {0}, letter(25));
          const MeshResult both = concat(apply(submesh, a, {i}), right);
          std::set<unsigned> sums;
          for (unsigned x = 0; x < a.extent(i); ++x)
            for (unsigned y = 0; y < b.extent(j); ++y)
              sums.insert(position_of(a.axis(i), x) + position_of(b.axis(j), y));
          const bool distinct = sums.size() == a.extent(i) * b.extent(j);
          ++(both.ok() ? accepted : refused);
          CHECK_LAW(distinct || !both.ok());
          // Then coordinates can be read off each rank, and copies of the two tile the world.
          for (const unsigned rank : sums)
            CHECK_LAW(!both.ok() ||
                      position_of(joined(both.mesh, {0, 1}), index_of(joined(both.mesh, {0, 1}), rank)) == rank);
          CHECK_LAW(!both.ok() || complement(joined(both.mesh, {0, 1}), a.ranks));
          // The other way round it is the same.
          CHECK_LAW(concat(right, apply(submesh, a, {i})).ok() == both.ok());
        }
    }
  std::cout << "concat: " << accepted << " pairs of axes, " << refused << " refused\n";
  BOOST_TEST(accepted > 100u);
}

BOOST_AUTO_TEST_CASE(a_shape_that_does_not_fit_its_world_says_so) {
  const auto text = [](const Numbers& extents, unsigned world) {
    const NameView names[] = {"dp", "tp"};
    const MeshResult result = row_major(names, extents.data(), 2, world);
    return std::string(result.problem.data(), result.problem.size());
  };
  BOOST_TEST(text({2, 4}, 8) == "");
  BOOST_TEST(text({2, 4}, 16) == "Mesh(dp=2, tp=4) needs 8 ranks, and there are 16");
  BOOST_TEST(text({dynamic, 4}, 16) == "");
  BOOST_TEST(text({dynamic, 4}, 6) == "Mesh(dp=*, tp=4) needs a multiple of 4 ranks, and there are 6");
  BOOST_TEST(text({dynamic, 4}, 0) == "Mesh(dp=*, tp=4) needs a multiple of 4 ranks, and there are 0");
  BOOST_TEST(text({4, dynamic}, 16) == "Mesh dimension \"tp\" is dynamic, and only the outermost can be: \"dp\"");
  BOOST_TEST(text({0, 4}, 16) == "Mesh dimension \"dp\" has extent 0; the least is 1");
  BOOST_TEST(text({1u << 16, 1u << 16}, 16) == "Mesh(dp=65536, tp=65536) has more than 2147483647 ranks");
}

/// Numbers that are the same in each run and with each standard library.
class Random {
 public:
  unsigned below(unsigned end) { return static_cast<unsigned>(engine_() % end); }
  Numbers order(unsigned count) {
    Numbers numbers(count);
    for (unsigned i = 0; i < count; ++i) numbers[i] = i;
    for (unsigned i = count; i > 1; --i) std::swap(numbers[i - 1], numbers[below(i)]);
    return numbers;
  }

 private:
  std::mt19937 engine_{1};
};

/// A base map with its arrays, and all its ranks written out.
struct OwnedMap {
  std::array<unsigned, 64> given{}, inverse{};
  Numbers ranks;  // by position
  enum class Kind { identity, bit_linear, table } kind = Kind::identity;

  BaseMap map() const {
    if (kind == Kind::identity) return {};
    return {given.data(), inverse.data(), kind == Kind::bit_linear};
  }
};

OwnedMap identity_map(unsigned size) {
  OwnedMap owned;
  for (unsigned i = 0; i < size; ++i) owned.ranks.push_back(i);
  return owned;
}

OwnedMap table_map(const Numbers& ranks) {
  OwnedMap owned;
  owned.kind = OwnedMap::Kind::table;
  owned.ranks = ranks;
  const auto count = static_cast<unsigned>(ranks.size());
  const std::vector<long long> given(ranks.begin(), ranks.end());
  const Message problem = explain_ranks("test", given.data(), count, count, owned.given.data(), owned.inverse.data());
  BOOST_TEST(problem.length == 0u);
  return owned;
}

OwnedMap linear_map(unsigned bits, Random& random) {
  OwnedMap owned;
  owned.kind = OwnedMap::Kind::bit_linear;
  do
    for (unsigned i = 0; i < bits; ++i) owned.given[i] = random.below(1u << bits);
  while (invert_columns(owned.given.data(), bits, owned.inverse.data()) != bits);
  for (unsigned position = 0; position < 1u << bits; ++position) {
    unsigned rank = 0;
    for (unsigned bit = 0; bit < bits; ++bit)
      if (position >> bit & 1) rank ^= owned.given[bit];
    owned.ranks.push_back(rank);
  }
  return owned;
}

/// A mesh made from a row-major one by operations picked at random, and the same counted.
struct Derived {
  MeshLayout mesh;
  Counted counted;
};

Derived derived(const Numbers& shape, Random& random) {
  Derived d{mesh_of(shape), Counted::row_major(shape)};
  for (unsigned step = 0, fresh = 10; step < 4; ++step) {
    const unsigned ndim = d.mesh.ndim;
    if (ndim == 0) break;
    const Numbers order = random.order(ndim);
    const Numbers some(order.begin(), order.begin() + 1 + random.below(ndim));
    const unsigned axis = order[0];
    const NameView name = letter(fresh++);
    switch (random.below(6)) {
      case 0: d = {apply(permute, d.mesh, order), d.counted.picked(order)}; break;
      case 1: d = {apply(submesh, d.mesh, some), d.counted.picked(some)}; break;
      case 2: d = {apply(others, d.mesh, some), d.counted.picked(d.counted.rest(some))}; break;
      case 3:
        d = {apply(flatten, d.mesh, some, name), d.counted.flattened(some, std::string(std::string_view(name)))};
        break;
      case 4: {
        const unsigned at = random.below(d.counted.extents[axis]);
        d = {apply(slice, d.mesh, {axis}, static_cast<long long>(at)), d.counted.sliced(axis, at)};
        break;
      }
      default: {  // cut between its modes, which always is legal
        const Layout modes = d.mesh.axis(axis);
        if (modes.count < 2) break;
        const NameView names[] = {name, letter(fresh++)};
        const unsigned extents[] = {modes.modes[0].extent, size_of(modes) / modes.modes[0].extent};
        const auto part = [&](unsigned i) { return std::pair(std::string(std::string_view(names[i])), extents[i]); };
        d = {apply<const NameView*, const unsigned*, unsigned>(unflatten, d.mesh, {axis}, names, extents, 2u),
             d.counted.unflattened(axis, {part(0), part(1)})};
      }
    }
  }
  return d;
}

const std::vector<Numbers> some_shapes = {
    {8},       {2, 4}, {2, 2, 2}, {4, 2, 2}, {2, 2, 2, 2}, {4, 4, 4},    {2, 4, 2, 4},    {2, 3}, {3, 2, 2},
    {2, 3, 4}, {5, 3}, {3, 4, 5}, {2, 1, 6}, {7, 2, 3},    {2, 2, 3, 5}, {2, 2, 2, 2, 3}, {16, 4}};

std::vector<OwnedMap> maps_of(unsigned size, Random& random) {
  std::vector<OwnedMap> maps{identity_map(size)};
  for (unsigned i = 0; i < 3; ++i) maps.push_back(table_map(random.order(size)));
  if ((size & (size - 1)) == 0)
    for (unsigned i = 0; i < 3; ++i) maps.push_back(linear_map(high_bit(size), random));
  return maps;
}

BOOST_AUTO_TEST_CASE(base_maps_go_with_every_operation) {
  Random random;
  tally = {};
  for (const Numbers& shape : some_shapes)
    for (const OwnedMap& owned : maps_of(mesh_of(shape).size(), random)) {
      const BaseMap map = owned.map();
      for (unsigned position = 0; position < owned.ranks.size(); ++position)
        CHECK_LAW(map.rank_at(position) == owned.ranks[position] && map.position_of(owned.ranks[position]) == position);
      for (unsigned i = 0; i < 40; ++i) {
        ++tally.meshes;
        const auto [mesh, counted] = derived(shape, random);
        CHECK_LAW(agree(mesh, counted, Pairs::yes));
        for (unsigned axis = 0; axis < mesh.ndim; ++axis) {
          const Groups groups{mesh.axis(axis), mesh.pinned, mesh.offset, mesh.ranks, map};
          const CountedGroups right = counted.groups({axis});
          for (unsigned position = 0; position < mesh.ranks; ++position) {
            const unsigned group = right.index[position];
            CHECK_LAW(groups.first_of(map.rank_at(position)) ==
                      (group == CountedGroups::none ? mesh.ranks : owned.ranks[right.groups[group][0]]));
          }
        }
        if (owned.kind != OwnedMap::Kind::bit_linear) continue;
        // The ranks of copy 0 in order.
        Numbers ranks;
        for (unsigned position = 0; position < mesh.ranks; ++position)
          if (counted.held[position] && counted.copy[position] == counted.copy[mesh.offset])
            ranks.push_back(owned.ranks[position]);
        std::sort(ranks.begin(), ranks.end());
        const RankSpan span = span_of(map, mesh.increasing(), mesh.offset);
        CHECK_LAW(1u << span.count == ranks.size());
        for (unsigned r = 0; r < ranks.size(); ++r) CHECK_LAW(span.nth(r) == ranks[r]);
      }
    }
  std::cout << "with base maps: " << tally << "\n";
}

std::set<std::set<unsigned>> sets_of(const CountedGroups& groups, const OwnedMap& owned) {
  std::set<std::set<unsigned>> sets;
  for (const Numbers& group : groups.groups) {
    std::set<unsigned> ranks;
    for (const unsigned position : group) ranks.insert(owned.ranks[position]);
    sets.insert(ranks);
  }
  return sets;
}

BOOST_AUTO_TEST_CASE(equal_groups_means_the_same_sets_of_ranks) {
  Random random;
  unsigned equal = 0, different = 0;
  for (const Numbers& shape : some_shapes) {
    const MeshLayout whole = mesh_of(shape);
    auto maps = maps_of(whole.ranks, random);
    const auto size = static_cast<unsigned>(maps.size());
    for (unsigned i = 0; i < size; ++i) maps.push_back(maps[i]);  // equal maps in other arrays, too
    // Maps that move ranks within the groups of one axis only, so that there are equal groups that differ in all else.
    for (unsigned axis = 0; axis < whole.ndim; ++axis) {
      Numbers moved(whole.ranks);
      const CountedGroups groups = Counted::row_major(shape).groups({axis});
      for (const Numbers& group : groups.groups) {
        const Numbers order = random.order(static_cast<unsigned>(group.size()));
        for (unsigned i = 0; i < group.size(); ++i) moved[group[i]] = group[order[i]];
      }
      maps.push_back(table_map(moved));
      // The groups themselves in another order.
      const Numbers order = random.order(static_cast<unsigned>(groups.groups.size()));
      for (unsigned g = 0; g < order.size(); ++g)
        for (unsigned i = 0; i < groups.groups[g].size(); ++i) moved[groups.groups[g][i]] = groups.groups[order[g]][i];
      maps.push_back(table_map(moved));
    }
    for (unsigned trial = 0; trial < 3000; ++trial) {
      struct Side {
        Groups groups;
        std::set<std::set<unsigned>> sets;
      };
      const auto side = [&]() -> Side {
        const OwnedMap& owned = maps[random.below(static_cast<unsigned>(maps.size()))];
        Derived d{whole, Counted::row_major(shape)};
        if (random.below(2)) d = derived(shape, random);
        if (d.mesh.ndim == 0)
          return {{{}, d.mesh.pinned, d.mesh.offset, whole.ranks, owned.map()}, sets_of(d.counted.groups({}), owned)};
        const unsigned axis = random.below(d.mesh.ndim);
        return {{d.mesh.axis(axis), d.mesh.pinned, d.mesh.offset, whole.ranks, owned.map()},
                sets_of(d.counted.groups({axis}), owned)};
      };
      const Side a = side(), b = side();
      const bool right = a.sets == b.sets;
      ++(right ? equal : different);
      CHECK_LAW(equal_groups(a.groups, b.groups) == right);
    }
  }
  std::cout << "equal_groups: " << equal << " equal pairs, " << different << " different ones\n";
  BOOST_TEST(equal > 1000u);
}

/// How many lists had each class.
struct Classes {
  unsigned strided = 0, bit_linear = 0, tables = 0;

  void check(const Numbers& ranks) {
    const bool strided_right = can_be_strided(ranks), linear_right = can_be_bit_linear(ranks);
    const auto count = static_cast<unsigned>(ranks.size());
    const LayoutResult layout = strided_order(ranks.data(), count);
    CHECK_LAW(static_cast<bool>(layout) == strided_right && is_bit_linear(ranks.data(), count) == linear_right);
    for (unsigned i = 0; layout && i < count; ++i) CHECK_LAW(position_of(layout.layout, i) == ranks[i]);
    const RankOrder right = strided_right  ? RankOrder::strided
                            : linear_right ? RankOrder::bit_linear
                                           : RankOrder::table;
    CHECK_LAW(classify(ranks) == right);
    ++(strided_right ? strided : linear_right ? bit_linear : tables);
  }
  friend std::ostream& operator<<(std::ostream& out, const Classes& classes) {
    return out << classes.strided << " strided, " << classes.bit_linear << " bit-linear, " << classes.tables
               << " tables";
  }
};

BOOST_AUTO_TEST_CASE(lists_of_ranks_are_classified_as_a_search_classifies_them) {
  Classes classes;
  for (unsigned count = 0; count <= 8; ++count) each_order(count, [&](const Numbers& ranks) { classes.check(ranks); });
  Random random;
  for (const Numbers& shape : some_shapes)
    for (unsigned i = 0; i < 30; ++i) {
      const auto [mesh, counted] = derived(shape, random);
      Layout all;
      for (unsigned axis = 0; axis < mesh.ndim; ++axis) all = concatenate(all, mesh.axis(axis));
      Numbers ranks;
      for (unsigned at = 0; at < size_of(all); ++at) ranks.push_back(position_of(all, at));
      classes.check(ranks);
      if (!ranks.empty()) std::swap(ranks[random.below(static_cast<unsigned>(ranks.size()))], ranks.back());
      classes.check(ranks);
    }
  for (unsigned i = 0; i < 200; ++i) classes.check(linear_map(1 + i % 6, random).ranks);
  std::cout << "lists of ranks: " << classes << "\n";
}

BOOST_AUTO_TEST_CASE(tables_are_inverted_or_their_first_mistake_is_found) {
  Random random;
  for (unsigned trial = 0; trial < 2000; ++trial) {
    const unsigned count = 1 + random.below(12);
    Numbers ranks = random.order(count);
    if (trial % 2) ranks[random.below(count)] = random.below(count + 2);
    std::set<unsigned> seen;
    unsigned culprit = 0;
    while (culprit < count && ranks[culprit] < count && seen.insert(ranks[culprit]).second) ++culprit;
    Numbers positions(count);
    CHECK_LAW(invert(ranks.data(), count, positions.data()) == culprit);
    for (unsigned i = 0; culprit == count && i < count; ++i) CHECK_LAW(positions[ranks[i]] == i);
  }
}

BOOST_AUTO_TEST_CASE(every_matrix_of_4_bits_is_inverted_or_its_first_dependent_column_found) {
  unsigned invertible = 0;
  for (unsigned bits = 0; bits <= 4; ++bits)
    for (unsigned matrix = 0; matrix < 1u << bits * bits; ++matrix) {
      Numbers columns(bits), inverse(bits), reached{0};
      unsigned culprit = bits;
      for (unsigned i = 0; i < bits; ++i) {
        columns[i] = matrix >> i * bits & ((1u << bits) - 1);
        const Numbers before = reached;
        if (std::find(before.begin(), before.end(), columns[i]) != before.end()) culprit = std::min(culprit, i);
        for (const unsigned rank : before) reached.push_back(rank ^ columns[i]);
      }
      CHECK_LAW(invert_columns(columns.data(), bits, inverse.data()) == culprit);
      if (culprit != bits) continue;
      ++invertible;
      const BaseMap map{columns.data(), inverse.data(), true};
      for (unsigned position = 0; position < 1u << bits; ++position)
        CHECK_LAW(map.rank_at(position) == reached[position] && map.position_of(reached[position]) == position);
    }
  std::cout << "bit-linear maps: " << invertible << "\n";
  BOOST_TEST(invertible == 1u + 1 + 6 + 168 + 20160);  // the orders of the groups GL(n, 2)

  // Larger ones, and a column beyond the bits.
  Random random;
  for (unsigned bits = 5; bits <= 30; ++bits) {
    std::array<unsigned, 32> columns{}, inverse{};
    do
      for (unsigned i = 0; i < bits; ++i) columns[i] = random.below(1u << bits);
    while (invert_columns(columns.data(), bits, inverse.data()) != bits);
    const BaseMap map{columns.data(), inverse.data(), true};
    for (unsigned i = 0; i < 1000; ++i) {
      const unsigned position = random.below(1u << bits);
      CHECK_LAW(map.position_of(map.rank_at(position)) == position &&
                map.rank_at(map.position_of(position)) == position);
    }
    const unsigned at = random.below(bits);
    columns[at] |= 1u << bits;
    CHECK_LAW(invert_columns(columns.data(), bits, inverse.data()) == at);
  }
}

}  // namespace
}  // namespace axial
