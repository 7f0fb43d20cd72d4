// SPDX-License-Identifier: BSL-1.0
// The answers of torch and of JAX, replayed on meshes as values: what a program does that reads its meshes at run time.
module;
#include <deque>
#include <iostream>
#include <optional>

#include "counted.hpp"
#include "golden.hpp"

module axial;

namespace golden {
namespace {

using namespace axial;

NameView view(const std::string& text) { return std::string_view(text); }

/// Key of a name, or of an index written in digits.
Key key(std::string_view text) {
  if (text.find_first_not_of("0123456789") == std::string_view::npos)
    return {.name = {}, .index = to_unsigned(text), .is_index = true};
  return {.name = text};
}

MeshLayout checked(const MeshResult& result) {
  BOOST_REQUIRE_MESSAGE(result.ok(), std::string(result.problem.data(), result.problem.size()));
  return result.mesh;
}

/// A row's mesh: its layout, the base map of its table, the ranks that its members have.
struct Root {
  std::vector<std::string> names;
  std::vector<unsigned> extents;
  MeshLayout mesh;
  Members members;
  std::vector<unsigned> ranks, positions;

  explicit Root(const Row& row)
      : names(split(row.at("names"), ',')),
        extents(numbers(row.at("shape"), 'x')),
        mesh(row_major_of(names, extents)),
        members(row.at("table"), mesh.ranks),
        ranks(mesh.ranks),
        positions(mesh.ranks) {
    const std::vector<long long> table(members.table.begin(), members.table.end());
    const Message problem =
        explain_ranks("table", table.data(), mesh.ranks, mesh.ranks, ranks.data(), positions.data());
    BOOST_TEST(problem.length == 0u);
  }
  static MeshLayout row_major_of(const std::vector<std::string>& names, const std::vector<unsigned>& extents) {
    const std::vector<NameView> views(names.begin(), names.end());
    return checked(row_major(views.data(), extents.data(), static_cast<unsigned>(views.size())));
  }
  BaseMap map() const { return {ranks.data(), positions.data()}; }
};

Layout joined(const MeshLayout& mesh) {
  Layout all;
  for (unsigned i = 0; i < mesh.ndim; ++i) all = concatenate(all, mesh.axis(i));
  return all;
}

/// The ranks along a layout from where a member is, in order.
std::vector<unsigned> ranks_along(const Root& root, const Layout& layout, unsigned member) {
  const BaseMap map = root.map();
  const unsigned position = map.position_of(member);
  const unsigned first = position - position_of(layout, index_of(layout, position));
  std::vector<unsigned> ranks;
  for (unsigned i = 0; i < size_of(layout); ++i)
    ranks.push_back(root.members.ranks[map.rank_at(first + position_of(layout, i))]);
  return ranks;
}

std::string coordinates(const Root& root, const MeshLayout& mesh, unsigned member) {
  return join(mesh.ndim, ",",
              [&](unsigned i) { return std::to_string(index_of(mesh.axis(i), root.map().position_of(member))); });
}
std::string groups(const Root& root, const MeshLayout& mesh, unsigned member) {
  return join(mesh.ndim, ";", [&](unsigned i) { return list(ranks_along(root, mesh.axis(i), member)); });
}
std::string shape_of(const MeshLayout& mesh) {
  return join(mesh.ndim, "x", [&](unsigned i) { return std::to_string(mesh.extent(i)); });
}

BOOST_AUTO_TEST_CASE(values_answer_as_torch_does) {
  unsigned outside = 0, with_table = 0;
  const auto rows = rows_of("mesh_coords.tsv");
  for (const Row& row : rows) {
    const Root root(row);
    const unsigned rank = number(row.at("rank"));
    const auto member = root.members.of(rank);
    outside += !member;
    with_table += row.at("table") != "-";
    Row cells{{"coord", "none"}, {"local_ranks", "none"}, {"groups", "none"}};
    if (member) {
      cells = {{"coord", coordinates(root, root.mesh, *member)}, {"groups", groups(root, root.mesh, *member)}};
      cells["local_ranks"] = join(root.mesh.ndim, ",", [&](unsigned i) {
        const auto group = ranks_along(root, root.mesh.axis(i), *member);
        return std::to_string(ranges::find(group, rank) - group.begin());
      });
    }
    compare(row, cells, row.at("mesh"));
  }
  std::cout << "mesh_coords.tsv as values: " << rows.size() << " rows, " << with_table << " with a table, " << outside
            << " of ranks outside\n";
  BOOST_TEST(rows.size() == 827u);
}

/// Runs programs on a mesh.
class Interpreter {
 public:
  explicit Interpreter(const MeshLayout& root) : values_{{"m", root}} {}

  MeshLayout run(const std::string& text) {
    std::string_view last = "m";
    const Program program = parse(text);
    for (std::size_t i = 0; i < program.count; ++i) {
      last = program.statements[i].result;
      values_[last] = step(program.statements[i]);
    }
    return values_.at(last);
  }

 private:
  MeshLayout step(const Statement& call) {
    const MeshLayout& source = values_.at(call.arguments[0]);
    const auto argument = [&](std::size_t i) { return call.arguments[i]; };
    if (call.operation == "slice") return submesh_of(source, call);
    if (call.operation == "concat") return checked(concat(source, values_.at(argument(1))));
    if (call.operation == "root") return values_.at("m");
    if (call.operation == "flatten") {
      std::string& name = texts_.emplace_back(argument(1));
      for (unsigned i = 0; call.count == 1 && i < source.ndim; ++i)
        name += (i ? "_" : "") + std::string(std::string_view(source.names[i]));
      return flattened_[name] = checked(flatten(source, nullptr, 0, view(name)));
    }
    BOOST_REQUIRE(call.operation == "unflatten");
    std::vector<NameView> names;
    for (std::string_view left = argument(3); !left.empty();) names.emplace_back(cut(left, '+'));
    std::vector<unsigned> extents;
    for (std::string_view left = argument(2); !left.empty();) extents.push_back(to_unsigned(cut(left, 'x')));
    const Key axis = key(argument(1));
    BOOST_REQUIRE(names.size() == extents.size());
    return checked(unflatten(source, &axis, 1, names.data(), extents.data(), static_cast<unsigned>(names.size())));
  }
  /// torch's slice: axes of the mesh, or flattenings made before, which it keeps in the root.
  MeshLayout submesh_of(const MeshLayout& source, const Statement& call) {
    MeshLayout result;
    for (std::size_t i = 1; i < call.count; ++i) {
      const Key name = key(call.arguments[i]);
      const bool own = source.list().find(name) != source.ndim;
      const MeshLayout axis = own ? checked(submesh(source, &name, 1)) : flattened_.at(std::string(call.arguments[i]));
      result = i == 1 ? axis : checked(concat(result, axis));
    }
    if (flattened_.empty()) {  // the same at once
      std::vector<Key> keys;
      for (std::size_t i = 1; i < call.count; ++i) keys.push_back(key(call.arguments[i]));
      const MeshLayout at_once = checked(submesh(source, keys.data(), static_cast<unsigned>(keys.size())));
      BOOST_TEST(to_string(joined(at_once)) == to_string(joined(result)));
      return at_once;
    }
    return result;
  }

  std::map<std::string_view, MeshLayout> values_;
  std::map<std::string, MeshLayout> flattened_;
  std::deque<std::string> texts_;  // what names are views of
};

BOOST_AUTO_TEST_CASE(programs_on_values_give_what_torch_gives) {
  unsigned replayed = 0, without_meaning = 0;
  std::string case_name;
  for (const Row& row : rows_of("submesh.tsv")) {
    if (row.at("res_names") == "error") {
      ++without_meaning;
      continue;
    }
    ++replayed;
    const Root root(row);
    Interpreter interpreter(root.mesh);
    const MeshLayout result = interpreter.run(row.at("program"));
    Row cells{
        {"res_names",
         join(result.ndim, ",", [&](unsigned i) { return std::string(std::string_view(result.names[i])); })},
        {"res_shape", shape_of(result)},
        {"res_layout", join(result.ndim, ";", [&](unsigned i) { return std::string(to_string(result.axis(i))); })},
        {"res_ranks", "none"},
        {"coord", "none"},
        {"groups", "none"},
        {"root_shape", shape_of(root.mesh)}};
    if (const auto member = root.members.of(number(row.at("rank")))) {
      cells["res_ranks"] = list(ranks_along(root, joined(result), *member));
      cells["coord"] = coordinates(root, result, *member);
      cells["groups"] = groups(root, result, *member);
    }
    compare(row, cells, row.at("case") + ": " + row.at("program"));
  }
  std::cout << "submesh.tsv as values: " << replayed << " rows, " << without_meaning
            << " of programs without meaning\n";
  BOOST_TEST(replayed == 1424u);
  BOOST_TEST(without_meaning == 11u);
}

BOOST_AUTO_TEST_CASE(all_groups_are_those_of_torch_in_its_order) {
  const auto rows = rows_of("all_submeshes.tsv");
  for (const Row& row : rows) {
    const Root root(row);
    MeshLayout mesh = root.mesh;
    if (row.at("sliced_first") != "-") mesh = Interpreter(mesh).run("v=slice(m," + row.at("sliced_first") + ")");
    const Layout axis = mesh.axis(mesh.list().find(key(row.at("dim"))));
    const Layout firsts = firsts_of(axis, mesh.pinned, mesh.ranks);
    std::vector<std::vector<unsigned>> groups;
    for (unsigned i = 0; i < size_of(firsts); ++i)
      groups.push_back(ranks_along(root, axis, root.map().rank_at(position_of(firsts, i))));
    compare(row, {{"count", std::to_string(size_of(firsts))}, {"rank_lists", lists(groups)}}, row.at("case"));
  }
  std::cout << "all_submeshes.tsv as values: " << rows.size() << " rows\n";
  BOOST_TEST(rows.size() == 11u);
}

std::string yes(bool is) { return is ? "yes" : "no"; }

BOOST_AUTO_TEST_CASE(what_is_the_same_for_torch_has_the_same_layout) {
  unsigned shared_here_only = 0;
  const auto rows = rows_of("identity.tsv");
  for (const Row& row : rows) {
    const Root root(row);
    Interpreter of_a(root.mesh), of_b(root.mesh);
    const MeshLayout a = of_a.run(row.at("program_a")), b = of_b.run(row.at("program_b"));
    bool same_layout = a.ndim == b.ndim, same_names = same_layout;
    for (unsigned i = 0; same_layout && i < a.ndim; ++i) {
      same_layout = a.axis(i) == b.axis(i);
      same_names = same_names && a.names[i] == b.names[i];
    }
    // What a communicator depends on, and so what is shared: the order of all ranks.
    const bool same_lists = joined(a) == joined(b);
    compare(row,
            {{"same_layout", yes(same_layout)}, {"same_names", yes(same_names)}, {"same_rank_lists", yes(same_lists)}},
            row.at("case"));
    shared_here_only += same_lists && row.at("torch_same_groups") == "no";
  }
  std::cout << "identity.tsv as values: " << rows.size() << " rows, in " << shared_here_only
            << " of them torch has two groups of the same ranks\n";
  BOOST_TEST(rows.size() == 19u);
}

/// `tp=2,cp=1`, the first the fastest, as a row-major mesh.
struct Factorisation {
  std::vector<std::string> names;
  std::vector<unsigned> extents;
  MeshLayout mesh;

  explicit Factorisation(const std::string& text) {
    auto dimensions = split(text, ',');
    for (auto i = dimensions.rbegin(); i != dimensions.rend(); ++i) {
      names.push_back(split(*i, '=')[0]);
      extents.push_back(number(split(*i, '=')[1]));
    }
    mesh = Root::row_major_of(names, extents);
  }
  Groups along(const std::string& name) const {
    return {mesh.axis(mesh.list().find(key(name))), mesh.pinned, mesh.offset, mesh.ranks, {}};
  }
};

BOOST_AUTO_TEST_CASE(two_views_of_a_world_share_the_groups_that_megatron_says) {
  const auto rows = rows_of("two_views.tsv");
  for (const Row& row : rows) {
    const Factorisation dense(row.at("dense")), expert(row.at("expert"));
    BOOST_TEST(dense.mesh.ranks == number(row.at("world")));
    const auto same = [&](const std::string& name) { return yes(equal_groups(dense.along(name), expert.along(name))); };
    compare(row, {{"pp_groups_equal", same("pp")}, {"tp_groups_equal", same("tp")}}, row.at("case"));
  }
  std::cout << "two_views.tsv as values: " << rows.size() << " rows\n";
  BOOST_TEST(rows.size() == 7u);
}

BOOST_AUTO_TEST_CASE(orders_of_devices_are_said_with_the_least) {
  std::map<RankOrder, unsigned> classes;
  const auto rows = rows_of("jax_orders.tsv");
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT(row.at("case")) {
      const auto ids = numbers(row.at("device_ids"), ',');
      const auto count = static_cast<unsigned>(ids.size());
      const std::vector<long long> given(ids.begin(), ids.end());
      std::vector<unsigned> ranks(count), positions(count);
      const Message problem = explain_ranks("table", given.data(), count, count, ranks.data(), positions.data());
      BOOST_TEST(problem.length == 0u);
      for (unsigned i = 0; i < count; ++i) BOOST_TEST((ranks[i] == ids[i] && positions[ids[i]] == i));

      const RankOrder right = can_be_strided(ids)      ? RankOrder::strided
                              : can_be_bit_linear(ids) ? RankOrder::bit_linear
                                                       : RankOrder::table;
      BOOST_TEST((classify(ids) == right));
      ++classes[right];
      const LayoutResult layout = strided_order(ids.data(), count);
      BOOST_TEST(static_cast<bool>(layout) == (right == RankOrder::strided));
      for (unsigned i = 0; layout && i < count; ++i) BOOST_TEST(position_of(layout.layout, i) == ids[i]);
      if (!can_be_bit_linear(ids)) continue;
      std::vector<unsigned> columns, inverse(high_bit(count));
      for (unsigned step = 1; step < count; step *= 2) columns.push_back(ids[step]);
      BOOST_TEST(invert_columns(columns.data(), high_bit(count), inverse.data()) == columns.size());
      const BaseMap map{columns.data(), inverse.data(), true};
      for (unsigned i = 0; i < count; ++i) BOOST_TEST((map.rank_at(i) == ids[i] && map.position_of(ids[i]) == i));
    }
  }
  std::cout << "jax_orders.tsv as values: " << rows.size() << " rows: " << classes[RankOrder::strided] << " strided, "
            << classes[RankOrder::bit_linear] << " bit-linear, " << classes[RankOrder::table] << " tables\n";
  BOOST_TEST(rows.size() == 20u);
}

}  // namespace
}  // namespace golden
