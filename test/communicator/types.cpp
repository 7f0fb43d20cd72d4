// SPDX-License-Identifier: BSL-1.0
// Every arithmetic type and bool with every operator that is legal for it, in the three shapes.
#include "reference.hpp"

using axial::in_place;

namespace {

using Arithmetic =
    Types<bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long,
          unsigned long long, wchar_t, char8_t, char16_t, char32_t, float, double, long double>;

constexpr std::size_t length = 7;

/// What the ranks of a group put in, and what an operator must make of it for one of them.
template <class T>
struct Wanted {
  Buffer<T> in, zeros, all, ones, one, blocks, block, scanned, before;

  [[gnu::noinline]] Wanted(const Group<T>& group, unsigned me, Operation<T> op)
      : in(group.mine(length)),
        zeros(length),
        all(group.reduced(length, op)),
        ones(group.mine(group.ranks.size())),
        one(group.scattered(1, me, op)),
        blocks(group.mine(length * group.ranks.size())),
        block(group.scattered(length, me, op)),
        scanned(group.scanned(length, me + 1, op)),
        before(group.scanned(length, me, op)) {}
};

template <class T, class Axis, class Op>
void check_reductions(Checks& check, const Axis& axis, const Wanted<T>& wanted, Op op) {
  const unsigned me = axis.rank().value();
  const auto& [in, zeros, all, ones, one, blocks, block, scanned, before] = wanted;
  Buffer<T> out = zeros, both = in;
  check(axis.all_reduce(in[0], op) == all[0], "all_reduce of a value");
  axis.all_reduce(in, out, op);
  check(out == all, "all_reduce");
  axis.all_reduce(in_place(both), op);
  check(both == all, "all_reduce in place");

  for (unsigned i = 0; i < Axis::extent(); ++i) {
    const typename Axis::rank_type root(i);
    const auto value = axis.reduce(in[0], op, root);
    check(value.has_value() == (i == me) && value.value_or(all[0]) == all[0], "reduce of a value");
    out = zeros;
    axis.reduce(in, out, op, root);
    check(out == (i == me ? all : zeros), "reduce");
    both = in;
    axis.reduce(in_place(both), op, root);
    check(both == (i == me ? all : in), "reduce in place");
  }

  check(axis.reduce_scatter(ones, op) == one[0], "reduce_scatter to a value");
  axis.reduce_scatter(blocks, out, op);
  check(out == block, "reduce_scatter");
  both = blocks;
  axis.reduce_scatter(in_place(both), op);
  check(both.starts_with(block), "reduce_scatter in place");

  check(axis.scan(in[0], op) == scanned[0], "scan of a value");
  axis.scan(in, out, op);
  check(out == scanned, "scan");
  both = in;
  axis.scan(in_place(both), op);
  check(both == scanned, "scan in place");
  // Rank 0 has nothing before it: what it gets changes nothing.
  const auto is_right = [&](T value, std::size_t i) {
    return me == 0 ? op(op(value, in[i]), in[i]) == op(in[i], in[i]) : value == before[i];
  };
  check(is_right(axis.exclusive_scan(in[0], op), 0), "exclusive_scan of a value");
  axis.exclusive_scan(in, out, op);
  both = in;
  axis.exclusive_scan(in_place(both), op);
  check(both == out, "exclusive_scan in place");
  for (std::size_t i = 0; i < length; ++i) check(is_right(out[i], i), "exclusive_scan");
}

template <class T, class Axis>
void check_copies(Checks& check, const Axis& axis, const Group<T>& group) {
  const Buffer<T> in = group.mine(length), all = group.gathered(length), firsts = group.gathered(1);
  Buffer<T> out(all.size());
  const auto values = axis.all_gather(in[0]);
  check(std::equal(values.begin(), values.end(), firsts.begin(), firsts.end()), "all_gather of a value");
  axis.all_gather(in, out);
  check(out == all, "all_gather");

  for (unsigned i = 0; i < Axis::extent(); ++i) {
    const typename Axis::rank_type root(i);
    const Buffer<T> wanted = group.input(group.ranks[i], length);
    check(axis.broadcast(in[0], root) == wanted[0], "broadcast of a value");
    Buffer<T> one(length), both = in;
    axis.broadcast(in, one, root);
    check(one == wanted, "broadcast");
    axis.broadcast(in_place(both), root);
    check(both == wanted, "broadcast in place");

    const auto gathered = axis.gather(in[0], root);
    check(gathered.has_value() == (axis.rank() == root), "gather of a value");
    if (gathered)
      check(std::equal(gathered->begin(), gathered->end(), firsts.begin(), firsts.end()), "gather of values");
    out = Buffer<T>(all.size());
    axis.gather(in, out, root);
    check(out == (axis.rank() == root ? all : Buffer<T>(all.size())), "gather");
    axis.scatter(all, one, root);
    check(one == in, "scatter");
    check(axis.scatter(firsts, root) == in[0], "scatter of values");
  }
  const unsigned me = axis.rank().value();
  const Buffer<T> blocks = group.mine(all.size()), exchanged = group.exchanged(length, me);
  axis.all_to_all(blocks, out);
  check(out == exchanged, "all_to_all");
  const auto exchanged_values = axis.all_to_all(group.mine(group.ranks.size()));
  check(std::ranges::equal(exchanged_values, group.exchanged(1, me)), "all_to_all of values");
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_arithmetic_types_reduce_with_all_operators_and_are_copied) {
  if (world_size() != 3) return;
  const auto mesh = axial::init_device_mesh<Mesh<Dim<"a", 3>>>(axial::borrow(MPI_COMM_WORLD));
  const auto& axis = mesh.communicator();
  int types = 0, pairs = 0;
  each(Arithmetic{}, [&]<class T> {
    const Group<T> group(mesh.group_ranks());
    BOOST_TEST_CONTEXT("type " << types++) {
      Checks check;
      each_operator<T>([&](auto op, const char* name, Operation<T> reference) {
        check_reductions(check, axis, Wanted<T>(group, axis.rank().value(), reference), op);
        BOOST_TEST(check.wrong == "", name << ": " << check.wrong);
        ++pairs;
      });
      check_copies(check, axis, group);
      BOOST_TEST(check.wrong == "");
    }
  });
  BOOST_TEST(types == 19);
  BOOST_TEST(pairs == 16 * 9 + 3 * 4);
}

BOOST_AUTO_TEST_CASE(integers_use_all_of_their_bits) {
  if (world_size() != 4) return;
  const auto mesh = axial::init_device_mesh<Mesh<Dim<"a", 4>>>(axial::borrow(MPI_COMM_WORLD));
  each(Arithmetic{}, [&]<class T> {
    constexpr T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::lowest();
    const unsigned me = world_rank();
    BOOST_TEST((mesh.all_reduce(me == 2 ? most : least, axial::max) == most));
    BOOST_TEST((mesh.all_reduce(me == 2 ? least : most, axial::min) == least));
    BOOST_TEST((mesh.all_gather(me == 2 ? most : least)[2] == most));
    // Long enough for the ways that MPI takes with long messages.
    Buffer<T> in(40'000, me == 2 ? most : least), out(in.size()), part(in.size() / 4);
    const Buffer<T> wanted(in.size(), most), wanted_part(part.size(), most);
    mesh.all_reduce(in, out, axial::max);
    BOOST_TEST((out == wanted));
    mesh.reduce_scatter(in, part, axial::max);
    BOOST_TEST((part == wanted_part));
    mesh.reduce(axial::in_place(in), axial::max, 1);
    if (me == 1) BOOST_TEST((in == wanted));
  });
}
