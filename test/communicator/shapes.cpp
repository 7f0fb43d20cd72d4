// SPDX-License-Identifier: BSL-1.0
// The collectives on every axis of every mesh: lengths, roots, containers, one range in the place of two.
#include <chrono>
#include <optional>
#include <span>
#include <thread>

#include "reference.hpp"

using axial::borrow, axial::in_place, axial::init_device_mesh, axial::List, axial::plus;

namespace {

constexpr std::size_t lengths[] = {0, 1, 7, 1000};

/// What is copied and not reduced: padding, an enumeration, an array.
struct Particle {
  char kind;
  double position[3];
  enum class Colour : short { red, green = 300 } colour;

  static Particle of(unsigned rank, std::size_t i) {
    return {.kind = static_cast<char>('a' + rank),
            .position = {static_cast<double>(i), 0.5 * rank, -1},
            .colour = rank % 2 ? Colour::green : Colour::red};
  }
  friend bool operator==(const Particle&, const Particle&) = default;
};

/// Calls f(axis, ranks of my group along it) for all axes of all meshes of as many ranks as there are.
template <class F>
void each_axis(F f) {
  each_mesh([&]<class M> {
    const auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD));
    each_index<M::ndim()>([&]<std::size_t I> {
      BOOST_TEST_CONTEXT(axial::to_string(mesh) << ", axis " << I)
      f(mesh.template communicator<I>(), mesh.template group_ranks<I>());
    });
  });
}

template <class T, class Axis>
void check_copies(Checks& check, const Axis& axis, const Group<T>& group) {
  using Root = typename Axis::rank_type;
  const unsigned me = axis.rank().value();
  const auto values = axis.all_gather(value<T>(world_rank(), 0));
  static_assert(std::is_same_v<decltype(values), const List<T, Axis::extent()>>);
  check(std::ranges::equal(values, group.gathered(1)), "all_gather of a value");
  for (const std::size_t n : lengths) {
    const Buffer<T> in = group.mine(n), all = group.gathered(n);
    Buffer<T> out(all.size());
    axis.all_gather(in, out);
    check(out == all, "all_gather");
    // In place, and with an input that is already where it goes.
    Buffer<T> both(all.size());
    std::ranges::copy(in, both.begin() + me * n);
    axis.all_gather(in_place(both));
    check(both == all, "all_gather in place");
    both = Buffer<T>(all.size());
    std::ranges::copy(in, both.begin() + me * n);
    axis.all_gather(std::span(both).subspan(me * n, n), both);
    check(both == all, "all_gather of one range");

    for (unsigned i = 0; i < Axis::extent(); ++i) {
      const Buffer<T> wanted = group.input(group.ranks[i], n);
      Buffer<T> one(n);
      both = in;
      axis.broadcast(in, one, Root(i));
      check(one == wanted, "broadcast");
      axis.broadcast(in_place(both), Root(i));
      check(both == wanted, "broadcast in place");
      both = in;
      axis.broadcast(both, both, Root(i));
      check(both == wanted, "broadcast of one range");

      const bool is_root = i == me;
      const Buffer<T> untouched(all.size());
      both = untouched;
      axis.gather(in, both, Root(i));
      check(both == (is_root ? all : untouched), "gather");
      Buffer<T> nothing(is_root ? all.size() : 0);  // an output is needed at the root alone
      axis.gather(in, nothing, Root(i));
      check(nothing == (is_root ? all : Buffer<T>(0)), "gather");
      std::ranges::copy(in, both.begin() + me * n);
      const Buffer<T> before = both;
      axis.gather(in_place(both), Root(i));
      check(both == (is_root ? all : before), "gather in place");
      axis.gather(std::span(both).subspan(me * n, n), both, Root(i));
      check(both == (is_root ? all : before), "gather of one range");

      const Buffer<T> blocks = group.mine(all.size()), cut = group.cut(group.ranks[i], n, me);
      one = Buffer<T>(n);
      axis.scatter(blocks, one, Root(i));
      check(one == cut, "scatter");
      one = Buffer<T>(n);
      axis.scatter(is_root ? blocks : Buffer<T>(0), one, Root(i));  // an input is needed at the root alone
      check(one == cut, "scatter");
      both = blocks;
      axis.scatter(in_place(both), Root(i));
      Buffer<T> changed = blocks;
      std::ranges::copy(cut, changed.begin() + me * n);
      check(both == changed, "scatter in place");
      both = blocks;
      axis.scatter(both, std::span(both).subspan(me * n, n), Root(i));
      check(both == changed, "scatter of one range");
    }

    const Buffer<T> blocks = group.mine(all.size()), exchanged = group.exchanged(n, me);
    axis.all_to_all(blocks, out);
    check(out == exchanged, "all_to_all");
    both = blocks;
    axis.all_to_all(in_place(both));
    check(both == exchanged, "all_to_all in place");
    both = blocks;
    axis.all_to_all(both, both);
    check(both == exchanged, "all_to_all of one range");
  }
  const auto exchanged = axis.all_to_all(group.mine(Axis::extent()));
  static_assert(std::is_same_v<decltype(exchanged), const List<T, Axis::extent()>>);
  check(std::ranges::equal(exchanged, group.exchanged(1, me)), "all_to_all of values");
  for (unsigned i = 0; i < Axis::extent(); ++i) {
    check(axis.scatter(group.mine(Axis::extent()), Root(i)) == group.cut(group.ranks[i], 1, me)[0],
          "scatter of values");
    const std::optional<List<T, Axis::extent()>> gathered = axis.gather(value<T>(world_rank(), 0), Root(i));
    check(gathered.has_value() == (i == me), "gather of a value");
    if (gathered) check(std::ranges::equal(*gathered, group.gathered(1)), "gather of a value");
  }
  for (unsigned i = 0; i < Axis::extent(); ++i)
    check(axis.broadcast(value<T>(world_rank(), 5), Root(i)) == value<T>(group.ranks[i], 5), "broadcast of a value");
}

template <class T, class Axis>
void check_reductions(Checks& check, const Axis& axis, const Group<T>& group) {
  using Root = typename Axis::rank_type;
  constexpr std::size_t extent = Axis::extent();
  const unsigned me = axis.rank().value();
  constexpr Operation<T> sum = [](T a, T b) { return a + b; };
  for (const std::size_t n : lengths) {
    const Buffer<T> in = group.mine(n), all = group.reduced(n, sum);
    Buffer<T> out(n), both = in;
    axis.all_reduce(in, out, plus);
    check(out == all, "all_reduce");
    axis.all_reduce(in_place(both), plus);
    check(both == all, "all_reduce in place");
    both = in;
    axis.all_reduce(both, both, plus);
    check(both == all, "all_reduce of one range");

    for (unsigned i = 0; i < extent; ++i) {
      const bool root = i == me;
      const Buffer<T> untouched(n, T{99});
      out = untouched;
      axis.reduce(in, out, plus, Root(i));
      check(out == (root ? all : untouched), "reduce");
      Buffer<T> nothing(root ? n : 0);  // an output is needed at the root alone
      axis.reduce(in, nothing, plus, Root(i));
      check(nothing == (root ? all : Buffer<T>(0)), "reduce");
      both = in;
      axis.reduce(in_place(both), plus, Root(i));
      check(both == (root ? all : in), "reduce in place");
      both = in;
      axis.reduce(both, both, plus, Root(i));
      check(both == (root ? all : in), "reduce of one range");
    }

    const Buffer<T> scanned = group.scanned(n, me + 1, sum), before = me ? group.scanned(n, me, sum) : Buffer<T>(n);
    axis.scan(in, out, plus);
    check(out == scanned, "scan");
    both = in;
    axis.scan(in_place(both), plus);
    check(both == scanned, "scan in place");
    axis.exclusive_scan(in, out, plus);
    check(out == before, "exclusive_scan");
    both = in;
    axis.exclusive_scan(both, both, plus);
    check(both == before, "exclusive_scan of one range");
    if (n > 0) {
      check(axis.scan(in[0], plus) == scanned[0], "scan of a value");
      check(axis.exclusive_scan(in[0], plus) == before[0], "exclusive_scan of a value");
    }

    const Buffer<T> blocks = group.mine(n * extent), block = group.scattered(n, me, sum);
    out = Buffer<T>(n);
    axis.reduce_scatter(blocks, out, plus);
    check(out == block, "reduce_scatter");
    const auto first_block = [&] { return std::span(both).first(n); };
    both = blocks;
    axis.reduce_scatter(in_place(both), plus);
    check(std::ranges::equal(first_block(), block), "reduce_scatter in place");
    both = blocks;
    axis.reduce_scatter(both, first_block(), plus);
    check(std::ranges::equal(first_block(), block), "reduce_scatter of one range");
  }
}

// Containers.

constexpr Operation<int> sum_of_ints = [](int a, int b) { return a + b; };

template <class T, std::size_t N>
using CArray = T[N];

/// The ways to hold N numbers; each is default-constructible.
template <class T, std::size_t N>
struct Vector : std::vector<T> {
  Vector() : std::vector<T>(N) {}
};
template <class T, std::size_t N>
struct DynamicSpan : std::span<T> {
  DynamicSpan() : std::span<T>(storage) {}
  static inline T storage[N];
};
template <class T, std::size_t N>
struct FixedSpan : std::span<T, N> {
  FixedSpan() : std::span<T, N>(storage) {}
  static inline T storage[N];
};

template <class T, std::size_t N>
using Containers = Types<CArray<T, N>, std::array<T, N>, Vector<T, N>, DynamicSpan<T, N>, FixedSpan<T, N>, List<T, N>>;

}  // namespace

BOOST_AUTO_TEST_CASE(on_every_axis_reductions_are_those_of_its_group) {
  each_axis([](const auto& axis, const auto& ranks) {
    Checks check;
    check_reductions(check, axis, Group<long long>(ranks));
    BOOST_TEST(check.wrong == "");
    BOOST_TEST(axis.all_reduce(static_cast<double>(world_rank()), axial::max) == ranks.back());
  });
}

BOOST_AUTO_TEST_CASE(on_every_axis_copies_are_those_of_its_group) {
  each_axis([](const auto& axis, const auto& ranks) {
    Checks check;
    check_copies(check, axis, Group<long long>(ranks));
    check_copies(check, axis, Group<Particle>(ranks));
    BOOST_TEST(check.wrong == "");
  });
}

BOOST_AUTO_TEST_CASE(a_barrier_waits_for_the_ranks_of_its_axis) {
  each_axis([](const auto& axis, const auto&) {
    using Clock = std::chrono::steady_clock;  // one for all processes of a machine
    if (axis.rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const auto before = Clock::now().time_since_epoch().count();
    axis.barrier();
    const auto after = Clock::now().time_since_epoch().count();
    for (const auto theirs : axis.all_gather(before)) BOOST_TEST(theirs <= after);
  });
}

BOOST_AUTO_TEST_CASE(any_contiguous_ranges_serve_as_input_and_output) {
  if (world_size() != 2) return;
  const auto mesh = init_device_mesh<Mesh<Dim<"a", 1>, Dim<"b", 2>>>(borrow(MPI_COMM_WORLD));
  each_index<2>([&]<std::size_t I> {
    const auto& axis = mesh.template communicator<I>();
    constexpr std::size_t extent = std::remove_cvref_t<decltype(axis)>::extent(), n = 3;
    const Group<int> group(mesh.template group_ranks<I>());
    const typename std::remove_cvref_t<decltype(axis)>::rank_type last(extent - 1);
    const auto sum = group.reduced(n, sum_of_ints);
    const auto fill = [&](auto& range) {
      std::ranges::copy(group.mine(std::ranges::size(range)), std::ranges::begin(range));
    };
    each(Containers<int, n>{}, [&]<class In> {
      each(Containers<int, n>{}, [&]<class Out> {
        In in{};
        Out out{};
        const In& constant = in;
        fill(in);
        axis.all_reduce(constant, out, plus);
        BOOST_TEST(std::ranges::equal(out, sum));
        fill(in);
        axis.broadcast(constant, out, last);
        BOOST_TEST(std::ranges::equal(out, group.input(group.ranks[extent - 1], n)));
        fill(in);
        axis.reduce(constant, out, plus, last);
        if (axis.rank() == last) BOOST_TEST(std::ranges::equal(out, sum));
      });
      In both{};
      fill(both);
      axis.all_reduce(in_place(both), plus);
      BOOST_TEST(std::ranges::equal(both, sum));
      fill(both);
      axis.reduce(in_place(both), plus, last);
      if (axis.rank() == last) BOOST_TEST(std::ranges::equal(both, sum));
      fill(both);
      axis.broadcast(in_place(both), last);
      BOOST_TEST(std::ranges::equal(both, group.input(group.ranks[extent - 1], n)));
    });
    each(Containers<int, n * extent>{}, [&]<class Long> {
      each(Containers<int, n>{}, [&]<class Short> {
        Long all{};
        Short one{};
        fill(one);
        axis.all_gather(std::as_const(one), all);
        BOOST_TEST(std::ranges::equal(all, group.gathered(n)));
        fill(all);
        axis.reduce_scatter(std::as_const(all), one, plus);
        BOOST_TEST(std::ranges::equal(one, group.scattered(n, axis.rank().value(), sum_of_ints)));
      });
      Long both{};
      std::ranges::copy(group.mine(n), std::ranges::begin(both) + axis.rank().value() * n);
      axis.all_gather(in_place(both));
      BOOST_TEST(std::ranges::equal(both, group.gathered(n)));
      fill(both);
      axis.reduce_scatter(in_place(both), plus);
      BOOST_TEST(both[0] == group.scattered(n, axis.rank().value(), sum_of_ints)[0]);
    });
    each(Containers<int, extent>{}, [&]<class Ones> {
      Ones ones{};
      fill(ones);
      BOOST_TEST(axis.reduce_scatter(ones, plus) == group.scattered(1, axis.rank().value(), sum_of_ints)[0]);
    });
  });
}

BOOST_AUTO_TEST_CASE(values_can_be_arrays_and_lists_and_text_is_a_range) {
  if (world_size() != 2) return;
  const auto mesh = init_device_mesh<Mesh<Dim<"a", 2>>>(borrow(MPI_COMM_WORLD));
  const int me = static_cast<int>(world_rank());
  BOOST_TEST((mesh.broadcast(std::array{me, 7}, 1) == std::array{1, 7}));
  BOOST_TEST((mesh.broadcast(List<int, 2>{.values = {me, 7}}, 1) == std::array{1, 7}));
  BOOST_TEST((mesh.all_gather(std::array{me, 7})[1] == std::array{1, 7}));
  const auto [first, second] = mesh.all_gather(me * 10);
  BOOST_TEST(first == 0);
  BOOST_TEST(second == 10);
  std::string text = me == 0 ? "abc" : "xyz";
  mesh.broadcast(in_place(text), 0);
  BOOST_TEST(text == "abc");
}

BOOST_AUTO_TEST_CASE(two_axes_used_in_turn_do_not_mix) {
  if (world_size() != 4) return;
  const auto mesh = init_device_mesh<Mesh<Dim<"a", 2>, Dim<"b", 2>>>(borrow(MPI_COMM_WORLD));
  for (unsigned i = 0; i < 100; ++i) {
    const unsigned rows = mesh.all_reduce<"a">(world_rank() + i, plus);
    const unsigned columns = mesh.all_reduce<"b">(world_rank() * i, plus);
    BOOST_TEST(rows == 2 * mesh.local_rank<"b">().value() + 2 + 2 * i);
    BOOST_TEST(columns == (4 * mesh.local_rank<"a">().value() + 1) * i);
  }
}
