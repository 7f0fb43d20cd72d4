// SPDX-License-Identifier: BSL-1.0
#include "../importer/expect.hpp"

import axial;

using axial::Dim, axial::in_place, axial::List, axial::plus;
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"one", 1>, Dim<"tp", 2>>;

struct Particle {
  double position[3];
  enum class Kind : char { light, heavy } kind;
};

/// Along an axis of one or two ranks; at(i) is what rank i of it puts in.
template <class Axis, class At>
int use(const Axis& axis, At at) {
  constexpr unsigned n = Axis::extent();
  using Rank = typename Axis::rank_type;
  const unsigned me = axis.rank().value();
  const int mine = at(me), sum = n == 1 ? mine : at(0) + at(1);
  const int handle = axis.template native_handle<int>();
  EXPECT(handle != 0 && axis.size() == n && axis.name().size() > 1 && axis.rank() < n);

  EXPECT(axis.all_reduce(mine, plus) == sum && axis.all_reduce(true, axial::logical_and));
  EXPECT(axis.all_reduce(2.5, axial::max) == 2.5 && axis.all_reduce(3u, axial::bit_or) == 3);
  const int in[3] = {mine, 1, 2};
  int out[3] = {};
  axis.all_reduce(in, out, plus);
  EXPECT(out[0] == sum && out[2] == 2 * static_cast<int>(n));
  List<int, 3> list{.values = {mine, 1, 2}}, list_out;
  axis.all_reduce(list, list_out, plus);
  EXPECT(list_out == out);
  axis.all_reduce(in_place(list), plus);
  EXPECT(list == list_out);

  if (const auto value = axis.reduce(mine, plus, 0)) EXPECT(*value == sum && me == 0);
  EXPECT(axis.reduce(mine, plus, Rank(0)).has_value() == (me == 0));
  out[0] = 0;
  axis.reduce(in, out, plus, Rank(n - 1));
  EXPECT(out[0] == (me == n - 1 ? sum : 0));
  int both[3] = {mine, 1, 2};
  axis.reduce(in_place(both), plus, 0);
  EXPECT(both[0] == (me == 0 ? sum : mine));

  EXPECT(axis.broadcast(mine, 0) == at(0) && axis.broadcast(Particle{{1, 2, mine + 0.}, {}}, 0).position[2] == at(0));
  EXPECT(axis.broadcast(Particle::Kind::heavy, 0) == Particle::Kind::heavy);
  axis.broadcast(in, out, Rank(n - 1));
  EXPECT(out[0] == at(n - 1));
  axis.broadcast(in_place(out), 0);

  const auto all = axis.all_gather(mine);
  EXPECT(all.size() == n && all[0] == at(0) && all[n - 1] == at(n - 1) && all == axis.all_gather(mine));
  int total = 0;
  for (const int value : all) total += value;
  EXPECT(total == sum);
  int gathered[3 * n];
  axis.all_gather(in, gathered);
  axis.all_gather(in_place(gathered));
  EXPECT(gathered[3 * (n - 1)] == at(n - 1));
  EXPECT(axis.all_gather(Particle{})[n - 1].kind == Particle::Kind::light);

  int parts[n];
  for (unsigned i = 0; i < n; ++i) parts[i] = mine * static_cast<int>(i + 1);
  EXPECT(axis.reduce_scatter(parts, plus) == sum * static_cast<int>(me + 1));
  int part[1];
  axis.reduce_scatter(parts, part, plus);
  EXPECT(part[0] == sum * static_cast<int>(me + 1));
  axis.reduce_scatter(in_place(parts), plus);
  EXPECT(parts[0] == part[0]);
  axis.barrier();
  printf("%.*s: %s\n", static_cast<int>(axis.name().size()), axis.name().data(), axial::to_string(all).c_str());
  return 0;
}

int main(int argc, char** argv) {
  return axial::run(argc, argv, [](axial::Environment& env) {
    const auto mesh = axial::init_device_mesh<Mesh>(env.world());
    const int row = static_cast<int>(mesh.local_rank<"dp">().value()) * 100;
    const int column = static_cast<int>(mesh.local_rank<"tp">().value());
    const auto along_tp = [=](unsigned i) { return row + static_cast<int>(i); };
    if (const int line = use(mesh.communicator<"tp">(), along_tp)) return line;
    if (const int line = use(mesh.communicator<"dp">(), [=](unsigned i) { return static_cast<int>(i) * 100 + column; }))
      return line;
    if (const int line = use(mesh.communicator<"one">(), [=](unsigned) { return row + column; })) return line;

    const auto [first, second] = mesh.all_gather<"tp">(row + column);
    EXPECT(first == row && second == row + 1);
    EXPECT(mesh.all_reduce<"tp">(column, plus) == 1 && mesh.broadcast<"tp">(column, 1) == 1);
    EXPECT(mesh.all_reduce(axial::axis<"tp">, column, plus) == 1 && mesh.broadcast(axial::axis<"tp">, column, 1) == 1);
    int values[2] = {column, 1}, out[4];
    mesh.all_gather<"dp">(values, out);
    mesh.reduce<"dp">(in_place(values), plus, 0);
    mesh.reduce_scatter(axial::axis<"dp">, in_place(out), plus);
    mesh.barrier<"one">();
    EXPECT(mesh.submesh<"tp">().all_reduce(1, plus) == 2 && mesh.submesh<"tp">().reduce(1, plus, 0).value_or(2) == 2);
    return 0;
  });
}
