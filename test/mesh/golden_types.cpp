// SPDX-License-Identifier: BSL-1.0
// The answers of torch, replayed on types: each program of submesh.tsv and identity.tsv is read by the compiler, which
// calls the operations of the mesh types.
#include <iostream>
#include <tuple>
#include <type_traits>
#include <utility>

#include "golden.hpp"

import axial;

namespace {

using namespace golden;
using axial::Dim, axial::Mesh, axial::fixed_string;

/// A part of a program's text as a template argument.
template <std::size_t N>
consteval fixed_string<N + 1> name_of(std::string_view text) {
  char characters[N + 1] = {};
  for (std::size_t i = 0; i < N; ++i) characters[i] = text[i];
  return characters;
}

/// Runs a program on types, each result being that of a statement.
template <fixed_string Text>
struct Run {
  static constexpr std::string_view text = Text.view();
  static constexpr Program program = parse(text);

  template <std::size_t S, std::size_t A>
  static constexpr auto argument =
      name_of<program.statements[S].arguments[A].size()>(program.statements[S].arguments[A]);

  /// The result that an argument names: 0 is the mesh.
  static consteval std::size_t result(std::string_view name) {
    std::size_t i = 0;
    while (i < program.count && program.statements[i].result != name) ++i;
    return name == "m" ? 0 : i + 1;
  }
  /// The result before statement S that is a flattening of this name.
  template <fixed_string Name, std::size_t I, class Results>
  static constexpr auto flattening() {
    using Result = std::tuple_element_t<I, Results>;
    if constexpr (program.statements[I - 1].operation == "flatten" && axial::has_dimension<Result, Name>)
      return Result{};
    else
      return flattening<Name, I + 1, Results>();
  }
  /// torch's slice: axes of the mesh, or flattenings made before, which it keeps in the root.
  template <class Source, class Results, fixed_string... Names>
  static constexpr auto submesh(Source source) {
    if constexpr ((axial::has_dimension<Source, Names> && ...)) {
      return source.template submesh<Names...>();
    } else {
      const auto axis = [&]<fixed_string Name>() {
        if constexpr (axial::has_dimension<Source, Name>)
          return source.template submesh<Name>();
        else
          return flattening<Name, 1, Results>();
      };
      return joined(axis.template operator()<Names>()...);
    }
  }
  template <class A>
  static constexpr auto joined(A a) {
    return a;
  }
  template <class A, class B, class... Rest>
  static constexpr auto joined(A a, B b, Rest... rest) {
    return joined(concat(a, b), rest...);
  }

  static consteval std::size_t count_of(std::string_view text, char wanted) {
    std::size_t count = 0;
    for (const char character : text) count += character == wanted;
    return count;
  }
  static consteval std::string_view part(std::string_view list, char separator, std::size_t number) {
    while (number-- > 0) cut(list, separator);
    return cut(list, separator);
  }
  template <std::size_t S, class Source, std::size_t... I>
  static constexpr auto unflattened(Source source, std::index_sequence<I...>) {
    constexpr auto& arguments = program.statements[S].arguments;
    constexpr auto name = []<std::size_t Part>() {
      constexpr std::string_view text = part(arguments[3], '+', Part);
      return name_of<text.size()>(text);
    };
    if constexpr (arguments[1][0] >= '0' && arguments[1][0] <= '9')
      return source.template unflatten<
          to_unsigned(arguments[1]), Dim<name.template operator()<I>(), to_unsigned(part(arguments[2], 'x', I))>...>();
    else
      return source.template unflatten<
          argument<S, 1>, Dim<name.template operator()<I>(), to_unsigned(part(arguments[2], 'x', I))>...>();
  }

  template <std::size_t S, class Results>
  static constexpr auto step() {
    constexpr Statement statement = program.statements[S];
    using Source = std::tuple_element_t<result(statement.arguments[0]), Results>;
    if constexpr (statement.operation == "slice")
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return submesh<Source, Results, argument<S, I + 1>...>(Source{});
      }(std::make_index_sequence<statement.count - 1>{});
    else if constexpr (statement.operation == "flatten" && statement.count == 1)
      return Source{}.template flatten<>();
    else if constexpr (statement.operation == "flatten")
      return Source{}.template flatten_as<argument<S, 1>>();
    else if constexpr (statement.operation == "unflatten")
      return unflattened<S>(Source{}, std::make_index_sequence<1 + count_of(statement.arguments[2], 'x')>{});
    else if constexpr (statement.operation == "concat")
      return concat(Source{}, std::tuple_element_t<result(statement.arguments[1]), Results>{});
    else  // a type does not know the mesh that it came from
      return std::tuple_element_t<0, Results>{};
  }

  template <class... Results>
  static constexpr auto run() {
    constexpr std::size_t done = sizeof...(Results) - 1;
    if constexpr (done == program.count)
      return std::tuple_element_t<done, std::tuple<Results...>>{};
    else
      return run<Results..., decltype(step<done, std::tuple<Results...>>())>();
  }
  template <class M>
  using on = decltype(run<M>());
};

/// What a type answers, without the type, so that what writes cells is compiled once.
struct Answers {
  const axial::MeshLayout* value;
  unsigned (*coordinate)(unsigned rank, unsigned axis);
  unsigned (*copy)(unsigned rank, unsigned position);  // row-major, by the coordinates in the copy that holds rank
  unsigned (*group)(unsigned rank, unsigned axis, unsigned position);
};

template <class M, class = std::make_index_sequence<M::ndim()>>
constexpr Answers answers{};
template <class M, std::size_t... I>
constexpr Answers answers<M, std::index_sequence<I...>>{
    .value = &M::value,
    .coordinate = [](unsigned rank, unsigned axis) { return M::coordinates_of(rank)[axis]; },
    .copy =
        [](unsigned rank, unsigned position) {
          axial::Coordinates<M> at;
          for (unsigned axis = M::ndim(); axis-- > 0; position /= M::shape()[axis])
            at[axis] = position % M::shape()[axis];
          return M::rank_of(at, rank);
        },
    .group =
        [](unsigned rank, unsigned axis, unsigned position) {
          unsigned found = axial::no_rank;
          ((I == axis ? void(found = M::template group_of<I>(rank)[position]) : void()), ...);
          return found;
        },
};

/// The questions that there are answers to: names, shape, table and program of a row.
std::map<std::string, Answers> table;

std::string question(const std::string& names, const std::string& shape, const std::string& ranks,
                     const std::string& program) {
  return names + " " + shape + " " + ranks + " " + program;
}
std::string names_of(const axial::MeshLayout& mesh) {
  return join(mesh.ndim, ",", [&](unsigned i) { return std::string(std::string_view(mesh.names[i])); });
}
std::string shape_of(const axial::MeshLayout& mesh) {
  return join(mesh.ndim, "x", [&](unsigned i) { return std::to_string(mesh.extent(i)); });
}

/// Enters programs on a mesh whose ranks have this table.
template <class M, fixed_string... Programs>
void enter(const std::string& ranks = "-") {
  const auto one = [&](std::string_view program, const Answers& answer) {
    table[question(names_of(M::value), shape_of(M::value), ranks, std::string(program))] = answer;
  };
  (one(Run<Programs>::text, answers<typename Run<Programs>::template on<M>>), ...);
}

using DpTp = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
using DpCpTp = Mesh<Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 2>>;
using World = Mesh<Dim<"world", 8>>;
using ABC = Mesh<Dim<"a", 2>, Dim<"b", 3>, Dim<"c", 4>>;
using XYZ = Mesh<Dim<"x", 3>, Dim<"y", 1>, Dim<"z", 2>>;
using Dp2CpTp = Mesh<Dim<"dp_replicate", 2>, Dim<"dp_shard", 2>, Dim<"cp", 2>, Dim<"tp", 1>>;
using Numbered = decltype(Mesh<Dim<"a", 2>, Dim<"b", 4>>::with_ranks<7, 5, 3, 1, 6, 4, 2, 0>());
using Shuffled =
    decltype(Mesh<Dim<"x", 2>, Dim<"y", 2>, Dim<"z", 3>>::with_ranks<5, 9, 2, 8, 10, 7, 1, 11, 0, 6, 4, 3>());

void enter_programs() {
  enter<DpTp, "v=slice(m,dp)", "v=slice(m,tp)", "v=slice(m,dp,tp)", "v=flatten(m)", "v=flatten(m,all)",
        "v=unflatten(m,tp,2x2,t0+t1)", "a=slice(m,dp);b=slice(m,tp);v=concat(a,b)",
        "a=slice(m,dp);b=slice(m,tp);v=concat(b,a)">();
  enter<World, "v=slice(m,world)", "v=unflatten(m,0,2x4,dp+tp)", "v=unflatten(m,world,2x2x2,dp+cp+tp)",
        "v=unflatten(m,0,8x1,dp+tp)", "v=unflatten(m,0,1x8,dp+tp)",
        "u=unflatten(m,0,4x2,dp+tp);v=unflatten(u,0,2x2,d0+d1)", "u=unflatten(m,0,2x2x2,dp+cp+tp);v=slice(u,dp,tp)",
        "u=unflatten(m,0,2x2x2,dp+cp+tp);w=slice(u,dp,tp);v=flatten(w,dt)">();
  enter<DpCpTp, "v=slice(m,dp,cp)", "v=slice(m,dp,tp)", "v=slice(m,cp,tp)", "v=slice(m,cp,dp)", "v=slice(m,tp,dp)",
        "v=slice(m,tp,cp,dp)", "u=slice(m,dp,tp);v=slice(u,dp)", "u=slice(m,dp,tp);v=slice(u,tp)",
        "u=slice(m,dp,cp);v=root(u)", "u=slice(m,dp,cp);v=flatten(u)", "u=slice(m,dp,tp);v=flatten(u)",
        "u=slice(m,cp,tp);v=flatten(u,model)", "u=slice(m,tp,dp);v=flatten(u,tp_dp)",
        "u=slice(m,dp,cp);w=flatten(u);v=slice(m,dp_cp)", "u=slice(m,dp,cp);w=flatten(u);v=slice(m,dp_cp,tp)",
        "u=slice(m,dp,tp);w=flatten(u);v=slice(m,dp_tp,cp)", "u=slice(m,dp,tp);w=flatten(u);v=slice(m,cp,dp_tp)",
        "u=slice(m,cp,tp);w=flatten(u,x);t=slice(m,cp,tp);v=flatten(t,x)", "u=slice(m,tp);v=flatten(u)",
        "u=slice(m,tp);v=flatten(u,t2)", "u=slice(m,dp,tp);w=flatten(u);v=unflatten(w,0,2x2,p+q)",
        "u=slice(m,dp,cp);w=flatten(u);v=unflatten(w,0,2x2,p+q)", "a=slice(m,dp);b=slice(m,tp);v=concat(a,b)",
        "a=slice(m,dp,cp);b=slice(m,tp);v=concat(a,b)", "a=slice(m,tp);b=slice(m,dp,cp);v=concat(a,b)",
        "u=slice(m,cp,tp);w=flatten(u);a=slice(m,dp);v=concat(w,a)">();
  enter<ABC, "v=slice(m,a,b)", "v=slice(m,a,c)", "v=slice(m,b,c)", "v=slice(m,c,a)", "v=slice(m,b)",
        "u=slice(m,a,b);v=flatten(u)", "u=slice(m,a,c);v=flatten(u)", "u=slice(m,b,c);v=flatten(u)",
        "u=slice(m,c,a);v=flatten(u,ca)", "v=unflatten(m,c,2x2,c0+c1)",
        "u=slice(m,a,c);w=flatten(u);v=unflatten(w,0,4x2,p+q)", "u=slice(m,a,c);w=flatten(u);v=unflatten(w,0,2x4,p+q)",
        "a=slice(m,c);b=slice(m,a);v=concat(a,b)">();
  enter<Mesh<Dim<"pp", 2>, Dim<"dp", 2>, Dim<"cp", 2>, Dim<"tp", 2>>,
        "u=slice(m,pp,cp,tp);w=slice(u,pp,tp);v=slice(w,tp)",
        "u=slice(m,dp,cp,tp);w=flatten(u,rest);v=unflatten(w,0,4x2,ep+etp)",
        "u=slice(m,dp,cp,tp);w=flatten(u,rest);t=unflatten(w,0,4x2,ep+etp);a=slice(m,pp);v=concat(a,t)">();
  enter<XYZ, "v=slice(m,x,y)", "v=slice(m,y)", "v=slice(m,y,z)", "v=slice(m,y,x)", "v=slice(m,z,y)",
        "u=slice(m,y,z);v=flatten(u)", "u=slice(m,x,y);v=flatten(u)">();
  enter<Dp2CpTp, "u=slice(m,dp_replicate,dp_shard,cp);v=flatten(u,dp_cp)",
        "u=slice(m,dp_shard,cp);w=flatten(u,dp_shard_cp);v=slice(m,dp_replicate,dp_shard_cp)",
        "u=slice(m,dp_shard,cp);w=flatten(u,dp_shard_cp);t=slice(m,dp_replicate,dp_shard_cp);q=flatten(t,dp);v=slice(m,"
        "dp,tp)">();
  enter<Mesh<Dim<"pp", 2>, Dim<"dp", 2>, Dim<"ep", 2>, Dim<"cp", 2>, Dim<"tp", 2>>,
        "u=slice(m,dp,ep,cp);v=flatten(u,dpx)", "u=slice(m,pp,ep,tp);v=flatten(u,pet)">();
  enter<Mesh<Dim<"dp", 4>, Dim<"tp", 2>>, "v=unflatten(m,0,2x2,dp_shard+dp_replicate)",
        "v=unflatten(m,dp,2x2,dp_shard+dp_replicate)">();
  enter<Numbered, "v=slice(m,a)", "v=slice(m,b)", "v=flatten(m)", "v=unflatten(m,b,2x2,b0+b1)">("7,5,3,1,6,4,2,0");
  enter<Shuffled, "u=slice(m,x,z);v=flatten(u)", "v=slice(m,x,z)", "u=slice(m,x,y);v=flatten(u)",
        "a=slice(m,z);b=slice(m,x);v=concat(a,b)">("5,9,2,8,10,7,1,11,0,6,4,3");
  enter<Mesh<Dim<"dp", 2>, Dim<"tp", 3>>, "v=slice(m,dp)", "v=slice(m,tp)", "v=flatten(m,all)">("1,2,3,5,6,7");
  enter<Mesh<Dim<"world", 12>>, "v=unflatten(m,world,1x12,a+b)", "v=unflatten(m,world,2x6,a+b)",
        "v=unflatten(m,world,3x4,a+b)", "v=unflatten(m,world,4x3,a+b)", "v=unflatten(m,world,6x2,a+b)",
        "v=unflatten(m,world,12x1,a+b)", "v=unflatten(m,world,1x1x12,a+b+c)", "v=unflatten(m,world,1x2x6,a+b+c)",
        "v=unflatten(m,world,1x3x4,a+b+c)", "v=unflatten(m,world,1x4x3,a+b+c)", "v=unflatten(m,world,1x6x2,a+b+c)",
        "v=unflatten(m,world,1x12x1,a+b+c)", "v=unflatten(m,world,2x1x6,a+b+c)", "v=unflatten(m,world,2x2x3,a+b+c)",
        "v=unflatten(m,world,2x3x2,a+b+c)", "v=unflatten(m,world,2x6x1,a+b+c)", "v=unflatten(m,world,3x1x4,a+b+c)",
        "v=unflatten(m,world,3x2x2,a+b+c)", "v=unflatten(m,world,3x4x1,a+b+c)", "v=unflatten(m,world,4x1x3,a+b+c)",
        "v=unflatten(m,world,4x3x1,a+b+c)", "v=unflatten(m,world,6x1x2,a+b+c)", "v=unflatten(m,world,6x2x1,a+b+c)",
        "v=unflatten(m,world,12x1x1,a+b+c)">();
}

/// Enters the mesh itself with these members at its positions.
template <class M, unsigned... Members>
void enter_table(const std::string& ranks) {
  enter<decltype(M::template with_ranks<Members...>()), "">(ranks);
}

void enter_tables() {
  enter_table<Mesh<Dim<"a", 2>, Dim<"b", 2>>, 3, 1, 2, 0>("3,1,2,0");
  enter_table<Mesh<Dim<"a", 2>, Dim<"b", 4>>, 7, 5, 3, 1, 6, 4, 2, 0>("7,5,3,1,6,4,2,0");
  enter_table<Mesh<Dim<"a", 4>>, 3, 2, 1, 0>("3,2,1,0");
  enter_table<Mesh<Dim<"a", 8>>, 0, 4, 1, 5, 2, 6, 3, 7>("0,4,1,5,2,6,3,7");
  enter_table<Mesh<Dim<"dp", 4>, Dim<"tp", 2>>, 0, 4, 1, 5, 2, 6, 3, 7>("0,4,1,5,2,6,3,7");
  enter_table<Mesh<Dim<"dp", 2>, Dim<"tp", 4>>, 0, 2, 4, 6, 1, 3, 5, 7>("0,2,4,6,1,3,5,7");
  enter_table<Mesh<Dim<"ring", 8>>, 0, 1, 2, 3, 6, 7, 5, 4>("0,1,2,3,6,7,5,4");
  enter_table<Mesh<Dim<"x", 2>, Dim<"y", 2>, Dim<"z", 2>>, 0, 4, 2, 6, 1, 5, 3, 7>("0,4,2,6,1,5,3,7");
  enter_table<Mesh<Dim<"x", 3>, Dim<"y", 4>>, 7, 4, 0, 9, 3, 5, 2, 8, 1, 11, 6, 10>("7,4,0,9,3,5,2,8,1,11,6,10");
  enter_table<Mesh<Dim<"x", 2>, Dim<"y", 2>, Dim<"z", 3>>, 5, 9, 2, 8, 10, 7, 1, 11, 0, 6, 4, 3>(
      "5,9,2,8,10,7,1,11,0,6,4,3");
  enter_table<Mesh<Dim<"pp", 2>, Dim<"dp", 4>, Dim<"tp", 2>>, 1, 10, 6, 12, 15, 7, 13, 5, 2, 11, 4, 3, 0, 8, 9, 14>(
      "1,10,6,12,15,7,13,5,2,11,4,3,0,8,9,14");
  enter_table<Mesh<Dim<"dp", 2>>, 0, 1>("0,2");
  enter_table<Mesh<Dim<"dp", 2>>, 1, 0>("3,1");
  enter_table<Mesh<Dim<"dp", 2>, Dim<"tp", 2>>, 0, 1, 2, 3>("0,1,2,3");
  enter_table<Mesh<Dim<"dp", 2>, Dim<"tp", 2>>, 3, 2, 1, 0>("7,6,1,0");
  enter_table<Mesh<Dim<"dp", 2>, Dim<"tp", 3>>, 0, 1, 2, 3, 4, 5>("1,2,3,5,6,7");
  enter_table<Mesh<Dim<"x", 2>, Dim<"y", 1>, Dim<"z", 2>>, 3, 0, 2, 1>("5,0,4,1");
  enter_table<Mesh<Dim<"x", 1>>, 0>("2");
  enter_table<Mesh<Dim<"x", 2>, Dim<"y", 2>, Dim<"z", 2>>, 7, 0, 6, 1, 5, 2, 4, 3>("15,1,13,3,11,5,9,7");
}

/// Enters a sub-mesh, and the flattening of it, for each order of axes that have one letter each.
template <fixed_string... Orders>
void enter_orders() {
  using M = Mesh<Dim<"p", 2>, Dim<"q", 3>, Dim<"r", 2>, Dim<"s", 2>>;
  const auto one = []<fixed_string Order>() {
    constexpr std::string_view letters = Order.view();
    std::string names;
    for (const char letter : letters) names += std::string(",") + letter;
    auto part = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return M::submesh<name_of<1>(letters.substr(I, 1))...>();
    }(std::make_index_sequence<letters.size()>{});
    auto flat = part.template flatten_as<"flat">();
    table[question("p,q,r,s", "2x3x2x2", "-", "v=slice(m" + names + ")")] = answers<decltype(part)>;
    table[question("p,q,r,s", "2x3x2x2", "-", "u=slice(m" + names + ");v=flatten(u,flat)")] = answers<decltype(flat)>;
  };
  (one.template operator()<Orders>(), ...);
}

void enter_all() {
  enter_programs();
  enter_tables();
  enter_orders<"p", "q", "r", "s", "pq", "pr", "ps", "qp", "qr", "qs", "rp", "rq", "rs", "sp", "sq", "sr", "pqr", "pqs",
               "prq", "prs", "psq", "psr", "qpr", "qps", "qrp", "qrs", "qsp", "qsr", "rpq", "rps", "rqp", "rqs", "rsp",
               "rsq", "spq", "spr", "sqp", "sqr", "srp", "srq", "pqrs", "pqsr", "prqs", "prsq", "psqr", "psrq", "qprs",
               "qpsr", "qrps", "qrsp", "qspr", "qsrp", "rpqs", "rpsq", "rqps", "rqsp", "rspq", "rsqp", "spqr", "sprq",
               "sqpr", "sqrp", "srpq", "srqp">();
}

Row cells_of(const Answers& mesh, const Members& members, unsigned rank) {
  Row cells{{"coord", "none"}, {"groups", "none"}, {"res_ranks", "none"}};
  const auto member = members.of(rank);
  if (!member) return cells;
  const auto ranks = [&](unsigned count, auto at) {
    return join(count, ",", [&](unsigned i) { return std::to_string(members.ranks[at(i)]); });
  };
  const axial::MeshLayout& value = *mesh.value;
  cells["coord"] = join(value.ndim, ",", [&](unsigned axis) { return std::to_string(mesh.coordinate(*member, axis)); });
  cells["groups"] = join(value.ndim, ";", [&](unsigned axis) {
    return ranks(value.extent(axis), [&](unsigned i) { return mesh.group(*member, axis, i); });
  });
  cells["res_ranks"] = ranks(value.size(), [&](unsigned i) { return mesh.copy(*member, i); });
  return cells;
}

const Answers& find(const Row& row, const std::string& program) {
  const auto found = table.find(question(row.at("names"), row.at("shape"), row.at("table"), program));
  BOOST_REQUIRE_MESSAGE(found != table.end(), "there is no type for " << program << " on " << row.at("names"));
  return found->second;
}

unsigned size_of(const Row& row) {
  unsigned size = 1;
  for (const unsigned extent : numbers(row.at("shape"), 'x')) size *= extent;
  return size;
}

BOOST_AUTO_TEST_CASE(programs_on_types_give_what_torch_gives) {
  enter_all();
  unsigned replayed = 0, without_meaning = 0;
  for (const Row& row : rows_of("submesh.tsv")) {
    if (row.at("res_names") == "error") {
      ++without_meaning;
      continue;
    }
    ++replayed;
    const Answers& mesh = find(row, row.at("program"));
    Row cells = cells_of(mesh, Members(row.at("table"), size_of(row)), number(row.at("rank")));
    cells["res_names"] = names_of(*mesh.value);
    cells["res_shape"] = shape_of(*mesh.value);
    cells["res_layout"] =
        join(mesh.value->ndim, ";", [&](unsigned i) { return std::string(axial::to_string(mesh.value->axis(i))); });
    compare(row, cells, row.at("case") + ": " + row.at("program"));
  }
  std::cout << "submesh.tsv as types: " << replayed << " rows, " << without_meaning << " of programs without meaning\n";
  BOOST_TEST(replayed == 1424u);
  BOOST_TEST(without_meaning == 11u);
}

BOOST_AUTO_TEST_CASE(meshes_with_tables_answer_as_torch_does) {
  enter_all();
  unsigned replayed = 0;
  for (const Row& row : rows_of("mesh_coords.tsv")) {
    if (row.at("table") == "-") continue;  // in golden.cpp
    ++replayed;
    Row cells = cells_of(find(row, ""), Members(row.at("table"), size_of(row)), number(row.at("rank")));
    cells.erase("res_ranks");
    cells["local_ranks"] = cells["coord"];
    compare(row, cells, row.at("mesh"));
  }
  std::cout << "mesh_coords.tsv as types with tables: " << replayed << " rows\n";
  BOOST_TEST(replayed == 153u);
}

/// Whether two programs make the same type.
template <class M, fixed_string A, fixed_string B>
constexpr bool same_type = std::is_same_v<typename Run<A>::template on<M>, typename Run<B>::template on<M>>;

BOOST_AUTO_TEST_CASE(a_type_is_the_same_where_layout_and_names_are) {
  const std::map<std::string, bool> same{
      {"k001", same_type<DpCpTp, "v=slice(m,dp)", "v=slice(m,dp)">},
      {"k002", same_type<DpCpTp, "v=slice(m,dp)", "u=slice(m,dp,tp);v=slice(u,dp)">},
      {"k003", same_type<DpCpTp, "v=slice(m,dp)", "v=slice(m,tp)">},
      {"k004", same_type<DpCpTp, "v=slice(m,dp,tp)", "u=slice(m,dp,cp,tp);v=slice(u,dp,tp)">},
      {"k005", same_type<DpCpTp, "u=slice(m,dp,cp);v=flatten(u)", "u=slice(m,dp,cp);v=flatten(u)">},
      {"k006", same_type<DpCpTp, "u=slice(m,dp,cp);v=flatten(u,x)", "u=slice(m,dp,cp);v=flatten(u,y)">},
      {"k007", same_type<DpCpTp, "u=slice(m,cp,tp);v=flatten(u)", "u=slice(m,dp,cp);v=flatten(u)">},
      {"k008", same_type<DpCpTp, "u=slice(m,dp,cp);w=flatten(u);v=slice(m,dp_cp)", "u=slice(m,dp,cp);v=flatten(u)">},
      {"k009", same_type<DpCpTp, "u=slice(m,cp);v=flatten(u,cp2)", "v=slice(m,cp)">},
      {"k010", same_type<World, "v=unflatten(m,0,2x4,dp+tp)", "v=unflatten(m,0,2x4,dp+tp)">},
      {"k011",
       same_type<World, "u=unflatten(m,0,2x4,dp+tp);v=slice(u,tp)", "u=unflatten(m,0,2x4,dp+tp);v=slice(u,tp)">},
      {"k012",
       same_type<World, "u=unflatten(m,0,2x2x2,dp+cp+tp);v=slice(u,tp)", "u=unflatten(m,0,4x2,ep+tp);v=slice(u,tp)">},
      {"k013",
       same_type<World, "u=unflatten(m,0,2x2x2,dp+cp+tp);v=slice(u,tp)", "u=unflatten(m,0,4x2,ep+etp);v=slice(u,etp)">},
      {"k014", same_type<World, "u=unflatten(m,0,2x4,dp+tp);v=flatten(u,all)", "u=slice(m,world);v=slice(u,world)">},
      {"k015", same_type<World, "u=unflatten(m,0,2x2x2,dp+cp+tp);w=slice(u,cp,tp);v=flatten(w,x)",
                         "u=unflatten(m,0,2x4,dp+x);v=slice(u,x)">},
      {"k016", same_type<XYZ, "u=slice(m,x,y);v=flatten(u,k)", "u=slice(m,x);v=flatten(u,k)">},
      {"k017", same_type<decltype(Mesh<Dim<"x", 2>, Dim<"y", 4>>::with_ranks<7, 5, 3, 1, 6, 4, 2, 0>()),
                         "a=slice(m,x);b=slice(m,y);v=concat(a,b)", "u=slice(m,x,y);v=slice(u,x,y)">},
      {"k018", same_type<DpCpTp, "a=slice(m,dp);b=slice(m,cp);v=concat(a,b)", "v=slice(m,dp,cp)">},
      {"k019", same_type<DpCpTp, "u=slice(m,dp,cp);v=root(u)", "u=slice(m,tp);v=root(u)">},
  };
  const auto rows = rows_of("identity.tsv");
  for (const Row& row : rows) {
    const bool right = row.at("same_layout") == "yes" && row.at("same_names") == "yes";
    BOOST_TEST(same.at(row.at("case")) == right, row.at("case"));
  }
  std::cout << "identity.tsv as types: " << rows.size() << " rows\n";
  BOOST_TEST(rows.size() == 19u);
}

BOOST_AUTO_TEST_CASE(two_types_of_a_world_share_the_groups_that_megatron_says) {
  struct Shared {
    bool pp, tp;
  };
  const auto shared = []<class Dense, class Expert>() -> Shared {
    return {axial::same_groups<Dense, "pp", Expert, "pp">, axial::same_groups<Dense, "tp", Expert, "tp">};
  };
  const std::map<std::string, Shared> views{
      {"g008", shared.operator()<Mesh<Dim<"pp", 2>, Dim<"dp", 4>, Dim<"ep", 1>, Dim<"cp", 1>, Dim<"tp", 2>>,
                                 Mesh<Dim<"pp", 2>, Dim<"dp", 2>, Dim<"ep", 2>, Dim<"cp", 1>, Dim<"tp", 2>>>()},
      {"g009", shared.operator()<Mesh<Dim<"dp", 4>, Dim<"pp", 2>, Dim<"ep", 1>, Dim<"cp", 1>, Dim<"tp", 2>>,
                                 Mesh<Dim<"dp", 2>, Dim<"pp", 2>, Dim<"ep", 2>, Dim<"cp", 1>, Dim<"tp", 2>>>()},
      {"g010", shared.operator()<Mesh<Dim<"pp", 2>, Dim<"dp", 4>, Dim<"ep", 1>, Dim<"cp", 2>, Dim<"tp", 2>>,
                                 Mesh<Dim<"pp", 2>, Dim<"dp", 2>, Dim<"ep", 4>, Dim<"cp", 1>, Dim<"tp", 2>>>()},
      {"g011", shared.operator()<Mesh<Dim<"pp", 2>, Dim<"dp", 4>, Dim<"ep", 1>, Dim<"cp", 1>, Dim<"tp", 4>>,
                                 Mesh<Dim<"pp", 2>, Dim<"dp", 4>, Dim<"ep", 4>, Dim<"cp", 1>, Dim<"tp", 1>>>()},
      {"g012", shared.operator()<Mesh<Dim<"pp", 2>, Dim<"dp", 8>, Dim<"ep", 1>, Dim<"tp", 2>>,
                                 Mesh<Dim<"pp", 2>, Dim<"dp", 1>, Dim<"ep", 8>, Dim<"tp", 2>>>()},
      {"g016", shared.operator()<Mesh<Dim<"dp", 4>, Dim<"ep", 1>, Dim<"pp", 2>, Dim<"tp", 2>>,
                                 Mesh<Dim<"dp", 2>, Dim<"ep", 2>, Dim<"pp", 2>, Dim<"tp", 2>>>()},
      {"g017", shared.operator()<Mesh<Dim<"pp", 1>, Dim<"dp", 4>, Dim<"ep", 1>, Dim<"cp", 2>, Dim<"tp", 8>>,
                                 Mesh<Dim<"pp", 1>, Dim<"dp", 8>, Dim<"ep", 8>, Dim<"cp", 1>, Dim<"tp", 1>>>()},
  };
  const auto rows = rows_of("two_views.tsv");
  for (const Row& row : rows) {
    const Shared& same = views.at(row.at("case"));
    compare(row, {{"pp_groups_equal", same.pp ? "yes" : "no"}, {"tp_groups_equal", same.tp ? "yes" : "no"}},
            row.at("case"));
  }
  std::cout << "two_views.tsv as types: " << rows.size() << " rows\n";
  BOOST_TEST(rows.size() == 7u);
}

}  // namespace
