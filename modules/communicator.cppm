// SPDX-License-Identifier: BSL-1.0
// Communication along one axis, typed by that axis: ranks, and the collectives. The calls to MPI are in src/mpi.
module;
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string_view>
#include <type_traits>

export module axial:communicator;
export import :elements;
export import :error;
export import :mesh;

#pragma clang diagnostic ignored "-Wc++26-extensions"  // static_assert with a computed text

namespace axial {

/// Communicators of MPI (the default backend).
export struct mpi {};

/// The comparisons that the rank types share: with their own kind and with integers, never with another kind.
template <class Self>
struct rank_comparisons {
  friend constexpr bool operator==(const Self& a, const Self& b) { return a.value() == b.value(); }
  friend constexpr auto operator<=>(const Self& a, const Self& b) { return a.value() <=> b.value(); }
  template <std::integral I>
  friend constexpr bool operator==(const Self& a, I b) {
    return same_element(a.value(), b);
  }
  template <std::integral I>
  friend constexpr std::strong_ordering operator<=>(const Self& a, I b) {
    if (b < I{}) return std::strong_ordering::greater;
    return static_cast<unsigned long long>(a.value()) <=> static_cast<unsigned long long>(b);
  }
  template <class Sink>
  friend constexpr void put(Sink& sink, const Self& rank) {
    put(sink, rank.value());
  }
};

/// A name that no dimension has marks what a failed operation returns: its ranks fit everywhere, so that no second
/// error follows.
template <fixed_string A, fixed_string B>
inline constexpr bool different_axes = !A.view().empty() && !B.view().empty() && A.view() != B.view();

consteval Message explain_comparison(NameView a, NameView b) {
  Message text;
  put(text, NameView("a rank along \""), a, NameView("\" and a rank along \""), b, NameView("\" do not compare"));
  return text;
}

/// A rank along the axis `Name`: a coordinate. Converts to the rank of no other axis.
export template <fixed_string Name>
class Rank : public rank_comparisons<Rank<Name>> {
 public:
  constexpr Rank() = default;
  constexpr explicit Rank(unsigned value) : value_(value) {}
  constexpr unsigned value() const { return value_; }

  template <fixed_string Other>
    requires(Name.view().empty() && !Other.view().empty())
  constexpr operator Rank<Other>() const {
    return Rank<Other>(value_);
  }

  // These only explain.
  template <fixed_string Other>
    requires different_axes<Name, Other>
  Rank(Rank<Other>) = delete ("a rank along one axis is none along another");
  template <fixed_string Other>
    requires different_axes<Name, Other>
  friend constexpr bool operator==(Rank, Rank<Other>) {
    static_assert(false, explain_comparison(Name, Other));
    return false;
  }
  template <fixed_string Other>
    requires different_axes<Name, Other>
  friend constexpr std::strong_ordering operator<=>(Rank, Rank<Other>) {
    static_assert(false, explain_comparison(Name, Other));
    return std::strong_ordering::equal;
  }

 private:
  unsigned value_ = 0;
};

/// A rank in the communicator that a mesh was made from.
export class GlobalRank : public rank_comparisons<GlobalRank> {
 public:
  constexpr GlobalRank() = default;
  constexpr explicit GlobalRank(unsigned value) : value_(value) {}
  constexpr unsigned value() const { return value_; }

 private:
  unsigned value_ = 0;
};

void root_must_be_below_the_extent();

/// The root of a collective: a constant that is checked at compile time, or a `Rank` of this axis.
export template <fixed_string Name, unsigned Extent>
class Peer {
 public:
  template <std::integral I>
  consteval Peer(I constant) : value_(static_cast<unsigned>(constant)) {
    if (!Name.view().empty() && (constant < 0 || static_cast<unsigned long long>(constant) >= Extent))
      root_must_be_below_the_extent();
  }
  constexpr Peer(Rank<Name> rank) : value_(rank.value()) {}
  template <fixed_string Other>
    requires(Name.view().empty() || Other.view().empty())
  constexpr Peer(Rank<Other> rank) : value_(rank.value()) {}
  constexpr unsigned value() const { return value_; }

  // These only explain.
  template <fixed_string Other>
    requires different_axes<Name, Other>
  Peer(Rank<Other>) = delete ("a root is a rank along the communicator's own axis");
  Peer(GlobalRank) = delete ("a root is a rank along the communicator's axis, not in the whole mesh");

 private:
  unsigned value_;
};

/// The bits of a handle of MPI, whose types are not known here.
using Bits = std::uintptr_t;
extern const Bits mpi_datatypes[];  // indexed by DataType
extern Bits mpi_operators[];        // indexed by Operator
extern const void* const mpi_in_place;
void copy_bits(Bits bits, void* to, std::size_t size);
/// What must have been called before a collective, and at the end of MPI.
void prepare_operators();
void release_operators();
[[noreturn]] void throw_mpi_error(int code, NameView operation, NameView axis, NameView place = {});

/// An axis as the run time sees it; both members live as long as the program.
struct AxisInfo {
  NameView name;
  const Layout* layout;
};

class MeshState;

/// What a communicator is without its types, and the collectives on it. Owned by the state that a mesh and all meshes
/// derived from it share.
class Channel {
 public:
  struct Seed {
    MeshState* state;
    AxisInfo axis;
    unsigned extent;
    unsigned coordinate;
  };
  explicit Channel(const Seed& seed)
      : coordinate_(seed.coordinate), extent_(seed.extent), axis_(seed.axis), state_(seed.state) {}
  virtual ~Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

 protected:
  friend class MeshState;

  // Each is exactly one call of MPI, takes its arguments in MPI's order, and returns MPI's code: little stands between.
  using Self = const Channel*;
  static int all_reduce(const void* in, void* out, std::size_t count, Bits type, Bits op, Self);
  static int reduce(const void* in, void* out, std::size_t count, Bits type, Bits op, unsigned root, Self);
  static int reduce_in_place(void* both, std::size_t count, std::size_t size, Bits type, Bits op, unsigned root, Self);
  static int broadcast(void* data, std::size_t count, Bits type, unsigned root, Self);
  static int all_gather(const void* in, void* out, std::size_t count, Bits type, Self);
  static int reduce_scatter(const void* in, void* out, std::size_t count, Bits type, Bits op, Self);
  static int gather(const void* in, void* out, std::size_t count, Bits type, unsigned root, Self);
  static int scatter(const void* in, void* out, std::size_t count, Bits type, unsigned root, Self);
  static int all_to_all(const void* in, void* out, std::size_t count, Bits type, Self);
  static int scan(const void* in, void* out, std::size_t count, Bits type, Bits op, Self);
  static int exclusive_scan(const void* in, void* out, std::size_t count, Bits type, Bits op, Self);
  static int barrier(Self);

  inline void check(int code, NameView operation) const {
    if (code != 0) [[unlikely]]  // MPI_SUCCESS
      throw_failed(code, operation);
  }
  void copy_handle(void* to, std::size_t size) const;

  Bits handle_ = 0;  // of the MPI_Comm; MPI_COMM_SELF's on an axis of extent 1
  // The state word. Counts from 1 to limit_ take the short path; 0 and what int cannot hold take the long one. It is 0,
  // so that every operation takes the long path, where the communicator is still to be made, where there is a deadline,
  // and once the mesh was closed or aborted.
  std::size_t limit_ = 0;
  unsigned coordinate_;
  unsigned extent_;
  AxisInfo axis_;

 private:
  struct Operation;
  inline bool is_short(std::size_t count) const { return count - 1 < __atomic_load_n(&limit_, __ATOMIC_RELAXED); }
  [[noreturn]] void throw_failed(int code, NameView operation) const;
  template <class Call>
  int take_long_path(const Operation& operation, std::size_t count, const Call& call) const;
  template <class Call>
  int run(const Operation& operation, const Call& call) const;
  void compare(const Operation& operation, std::size_t count) const;

  MeshState* state_;
  mutable unsigned long long calls_ = 0;  // of those that took the long path
};

[[noreturn]] void throw_wrong_size(NameView axis, NameView operation, NameView what, std::size_t given,
                                   std::size_t wanted);
[[noreturn]] void throw_wrong_root(NameView axis, NameView operation, unsigned root, unsigned extent);

/// The communicator of one axis: its rank is the coordinate, its size the extent, a constant. Every collective has
/// three shapes: value to value, input range to output range, and in place. All of them are collective over the axis
/// and block; sizes are checked before anything is sent (MeshError), codes of MPI always (MpiError). A range is
/// contiguous; elements are of arithmetic type or bool, or where nothing is reduced, trivially copyable. Under
/// ThreadLevel::multiple threads may use different axes at once, and one axis one after the other.
/// On an axis of extent 1 nothing is called. Return types are deduced, so that the error of a wrong element or range
/// shows the user's line; each collective says what it returns, those that write to a range return nothing.
export template <class RootT, class AxisT, class Backend = mpi>
class Communicator : public Channel {
  static constexpr bool is_dynamic = is_same_number(AxisT::extent, dynamic);

 public:
  explicit Communicator(const Seed& seed) : Channel(seed) {}

  using rank_type = Rank<AxisT::name>;
  using peer_type = Peer<AxisT::name, AxisT::extent>;

  /// The axis's name.
  static constexpr NameView name() { return AxisT::name.view(); }
  /// The number of ranks: the axis's extent, a constant unless it is dynamic.
  static constexpr unsigned extent()
    requires(!is_dynamic)
  {
    return AxisT::extent;
  }
  unsigned extent() const { return extent_; }
  static constexpr unsigned size()
    requires(!is_dynamic)
  {
    return AxisT::extent;
  }
  unsigned size() const { return extent_; }
  /// My rank: my coordinate along the axis.
  rank_type rank() const { return rank_type(coordinate_); }

  /// The handle itself, `native_handle<MPI_Comm>()`; stays ours. MPI_COMM_SELF on an axis of extent 1.
  template <class Handle>
  Handle native_handle() const {
    Handle handle;
    copy_handle(&handle, sizeof handle);
    return handle;
  }

  /// The values of all ranks, reduced: a T, on every rank.
  template <class T, Operator Op>
  auto all_reduce(T value, Reduction<Op>) const {
    if constexpr (constexpr Message problem = explain_reduced_value<T, Op>("all_reduce"); problem.length) {
      static_assert(false, problem);
    } else if (!alone()) {
      T result;
      check(Channel::all_reduce(&value, &result, 1, type_bits<T>(), op_bits<T, Op>(), this), "all_reduce");
      return result;
    }
    return value;
  }
  /// Element by element. `out` is as long as `in`, and may be `in`.
  template <class In, class Out, Operator Op>
  auto all_reduce(const In& in, Out&& out, Reduction<Op>) const {
    if constexpr (constexpr Message problem = explain_ranges<In, Out, Op>("all_reduce"); problem.length) {
      static_assert(false, problem);
    } else {
      using T = element_of<Out>;
      const auto [from, to] = spans("all_reduce", in, out, 1, 1);
      if (alone())
        copy(from, to);
      else
        check(Channel::all_reduce(or_in_place(from.data(), to.data()), to.data(), to.size(), type_bits<T>(),
                                  op_bits<T, Op>(), this),
              "all_reduce");
    }
  }
  template <class R, Operator Op>
  auto all_reduce(InPlace<R> both, Reduction<Op> op) const {
    if constexpr (constexpr Message problem = explain_ranges<R, R&, Op>("all_reduce"); problem.length)
      static_assert(false, problem);
    else
      all_reduce(both.range, both.range, op);
  }

  /// The values of all ranks, reduced: a std::optional<T>, which only `root` gets filled.
  template <class T, Operator Op>
  auto reduce(T value, Reduction<Op>, peer_type root) const {
    check_root("reduce", root);
    std::optional<T> result(value);
    if constexpr (constexpr Message problem = explain_reduced_value<T, Op>("reduce"); problem.length) {
      static_assert(false, problem);
    } else if (!alone()) {
      check(Channel::reduce(&value, &*result, 1, type_bits<T>(), op_bits<T, Op>(), root.value(), this), "reduce");
      if (coordinate_ != root.value()) result.reset();
    }
    return result;
  }
  /// Element by element. At `root`, `out` is as long as `in`, and may be `in`; elsewhere it is not touched.
  template <class In, class Out, Operator Op>
  auto reduce(const In& in, Out&& out, Reduction<Op>, peer_type root) const {
    check_root("reduce", root);
    if constexpr (constexpr Message problem = explain_ranges<In, Out, Op>("reduce"); problem.length) {
      static_assert(false, problem);
    } else {
      using T = element_of<Out>;
      const auto from = span_of(in);
      const auto to = span_of(out);
      if (coordinate_ == root.value()) check_size("reduce", "output", to.size(), from.size());
      if (alone())
        copy(from, to);
      else if (coordinate_ == root.value() && static_cast<const void*>(from.data()) == to.data())
        check(Channel::reduce_in_place(to.data(), to.size(), sizeof(T), type_bits<T>(), op_bits<T, Op>(), root.value(),
                                       this),
              "reduce");
      else
        check(
            Channel::reduce(from.data(), to.data(), from.size(), type_bits<T>(), op_bits<T, Op>(), root.value(), this),
            "reduce");
    }
  }
  /// At `root` the range becomes the result; elsewhere it stays as it is.
  template <class R, Operator Op>
  auto reduce(InPlace<R> both, Reduction<Op> op, peer_type root) const {
    if constexpr (constexpr Message problem = explain_ranges<R, R&, Op>("reduce"); problem.length)
      static_assert(false, problem);
    else
      reduce(both.range, both.range, op, root);
  }

  /// The value that `root` has: a T.
  template <class T>
  auto broadcast(T value, peer_type root) const {
    check_root("broadcast", root);
    if constexpr (constexpr Message problem = explain_value<T>("broadcast"); problem.length)
      static_assert(false, problem);
    else if (!alone())
      check(Channel::broadcast(&value, units<T>(1), type_bits<T>(), root.value(), this), "broadcast");
    return value;
  }
  /// `in` of `root` to `out` of all, which is as long; elsewhere `in` is not looked at.
  template <class In, class Out>
  auto broadcast(const In& in, Out&& out, peer_type root) const {
    check_root("broadcast", root);
    if constexpr (constexpr Message problem = explain_ranges<In, Out>("broadcast"); problem.length) {
      static_assert(false, problem);
    } else {
      if (coordinate_ == root.value()) {
        const auto [from, to] = spans("broadcast", in, out, 1, 1);
        copy(from, to);
      }
      broadcast(in_place(out), root);
    }
  }
  /// The range of `root` to the ranges of all, of the same length.
  template <class R>
  auto broadcast(InPlace<R> both, peer_type root) const {
    check_root("broadcast", root);
    if constexpr (constexpr Message problem = explain_ranges<R, R&>("broadcast"); problem.length) {
      static_assert(false, problem);
    } else if (!alone()) {
      using T = element_of<R>;
      const auto span = span_of(both.range);
      check(Channel::broadcast(span.data(), units<T>(span.size()), type_bits<T>(), root.value(), this), "broadcast");
    }
  }

  /// The values of all ranks, in rank order: a List<T, extent()>, an Array<T> where the extent is dynamic.
  template <class T>
  auto all_gather(T value) const {
    auto all = one_each<T>();
    if constexpr (constexpr Message problem = explain_value<T>("all_gather"); problem.length)
      static_assert(false, problem);
    else if (alone())
      all[0] = value;
    else
      check(Channel::all_gather(&value, all.data(), units<T>(1), type_bits<T>(), this), "all_gather");
    return all;
  }
  /// The ranges of all ranks, of equal length, one after another in rank order: `out` is extent() times as long as
  /// `in`.
  template <class In, class Out>
  auto all_gather(const In& in, Out&& out) const {
    if constexpr (constexpr Message problem = explain_ranges<In, Out>("all_gather"); problem.length) {
      static_assert(false, problem);
    } else {
      using T = element_of<Out>;
      const auto [from, to] = spans("all_gather", in, out, 1, extent());
      if (alone())
        copy(from, to);
      else
        check(Channel::all_gather(or_in_place(from.data(), to.data() + from.size() * coordinate_), to.data(),
                                  units<T>(from.size()), type_bits<T>(), this),
              "all_gather");
    }
  }
  /// Each rank's part is the block of the range at its rank; the others are filled in.
  template <class R>
  auto all_gather(InPlace<R> both) const {
    if constexpr (constexpr Message problem = explain_ranges<R, R&>("all_gather"); problem.length) {
      static_assert(false, problem);
    } else {
      using T = element_of<R>;
      const auto span = span_of(both.range);
      check_divides("all_gather", span.size());
      if (!alone()) {
        const std::size_t block = span.size() / extent();
        check(Channel::all_gather(mpi_in_place, span.data(), units<T>(block), type_bits<T>(), this), "all_gather");
      }
    }
  }

  /// One value for each rank goes in; the reduction of those for this rank comes out.
  template <class In, Operator Op>
    requires std::ranges::range<const In>
  auto reduce_scatter(const In& in, Reduction<Op> op) const {
    using T = std::ranges::range_value_t<const In>;
    T result{};
    if constexpr (constexpr Message problem = explain_range<const In>("reduce_scatter"); problem.length)
      static_assert(false, problem);
    else
      reduce_scatter(in, Span<T>{&result, 1}, op);
    return result;
  }
  /// Block r of the element by element reduction goes to rank r: `in` is extent() times as long as `out`.
  template <class In, class Out, Operator Op>
  auto reduce_scatter(const In& in, Out&& out, Reduction<Op>) const {
    if constexpr (constexpr Message problem = explain_ranges<In, Out, Op>("reduce_scatter"); problem.length) {
      static_assert(false, problem);
    } else {
      using T = element_of<Out>;
      const auto [from, to] = spans("reduce_scatter", in, out, extent(), 1);
      if (alone())
        copy(from, to);
      else
        check(Channel::reduce_scatter(or_in_place(from.data(), to.data()), to.data(), to.size(), type_bits<T>(),
                                      op_bits<T, Op>(), this),
              "reduce_scatter");
    }
  }
  /// The same with the result in the first block of the range; what follows it is left unspecified.
  template <class R, Operator Op>
  auto reduce_scatter(InPlace<R> both, Reduction<Op>) const {
    if constexpr (constexpr Message problem = explain_ranges<R, R&, Op>("reduce_scatter"); problem.length) {
      static_assert(false, problem);
    } else {
      using T = element_of<R>;
      const auto span = span_of(both.range);
      check_divides("reduce_scatter", span.size());
      if (!alone())
        check(Channel::reduce_scatter(mpi_in_place, span.data(), span.size() / extent(), type_bits<T>(),
                                      op_bits<T, Op>(), this),
              "reduce_scatter");
    }
  }

  /// The values of all ranks, in rank order: a std::optional of what all_gather returns, which only `root` gets filled.
  template <class T>
  auto gather(T value, peer_type root) const {
    check_root("gather", root);
    std::optional all(one_each<T>());
    if constexpr (constexpr Message problem = explain_value<T>("gather"); problem.length)
      static_assert(false, problem);
    else if (alone())
      (*all)[0] = value;
    else
      check(Channel::gather(&value, all->data(), units<T>(1), type_bits<T>(), root.value(), this), "gather");
    if (coordinate_ != root.value()) all.reset();
    return all;
  }
  /// The ranges of all ranks, of equal length, one after another in rank order. At `root`, `out` is extent() times as
  /// long as `in`; elsewhere it is not touched.
  template <class In, class Out>
  auto gather(const In& in, Out&& out, peer_type root) const {
    check_root("gather", root);
    if constexpr (constexpr Message problem = explain_ranges<In, Out>("gather"); problem.length) {
      static_assert(false, problem);
    } else {
      using T = element_of<Out>;
      const auto from = span_of(in);
      const auto to = span_of(out);
      const bool is_root = coordinate_ == root.value();
      if (is_root) check_size("gather", "output", to.size(), from.size() * extent());
      if (alone())
        copy(from, to);
      else
        check(Channel::gather(is_root ? or_in_place(from.data(), to.data() + from.size() * coordinate_) : from.data(),
                              to.data(), units<T>(from.size()), type_bits<T>(), root.value(), this),
              "gather");
    }
  }
  /// The range has a block for each rank, on every rank: that at its rank goes in, and at `root` the others are filled.
  template <class R>
  auto gather(InPlace<R> both, peer_type root) const {
    if constexpr (constexpr Message problem = explain_ranges<R, R&>("gather"); problem.length)
      static_assert(false, problem);
    else
      gather(block_at("gather", both.range, coordinate_), span_of(both.range), root);
  }

  /// One value for each rank, at `root`; elsewhere the range is not looked at. Returns the value for this rank.
  template <class In>
    requires std::ranges::range<const In>
  auto scatter(const In& in, peer_type root) const {
    using T = std::ranges::range_value_t<const In>;
    T result{};
    if constexpr (constexpr Message problem = explain_range<const In>("scatter"); problem.length)
      static_assert(false, problem);
    else
      scatter(in, Span<T>{&result, 1}, root);
    return result;
  }
  /// Block r of the range of `root`, where `in` is extent() times as long as `out`, goes to rank r; elsewhere `in` is
  /// not looked at.
  template <class In, class Out>
  auto scatter(const In& in, Out&& out, peer_type root) const {
    check_root("scatter", root);
    if constexpr (constexpr Message problem = explain_ranges<In, Out>("scatter"); problem.length) {
      static_assert(false, problem);
    } else {
      using T = element_of<Out>;
      const auto from = span_of(in);
      const auto to = span_of(out);
      const bool is_root = coordinate_ == root.value();
      if (is_root) check_size("scatter", "input", from.size(), to.size() * extent());
      if (alone())
        copy(from, to);
      else
        check(Channel::scatter(from.data(),
                               is_root && from.data() + to.size() * coordinate_ == to.data()
                                   ? const_cast<void*>(mpi_in_place)
                                   : to.data(),
                               units<T>(to.size()), type_bits<T>(), root.value(), this),
              "scatter");
    }
  }
  /// The range has a block for each rank, on every rank: that at its rank is filled from the range of `root`.
  template <class R>
  auto scatter(InPlace<R> both, peer_type root) const {
    if constexpr (constexpr Message problem = explain_ranges<R, R&>("scatter"); problem.length)
      static_assert(false, problem);
    else
      scatter(span_of(both.range), block_at("scatter", both.range, coordinate_), root);
  }

  /// One value for each rank goes in; what all ranks have for this one comes out, as all_gather returns it.
  template <class In>
    requires std::ranges::range<const In>
  auto all_to_all(const In& in) const {
    auto all = one_each<std::ranges::range_value_t<const In>>();
    if constexpr (constexpr Message problem = explain_range<const In>("all_to_all"); problem.length) {
      static_assert(false, problem);
    } else {
      check_size("all_to_all", "input", std::ranges::size(in), extent());
      all_to_all(in, all);
    }
    return all;
  }
  /// Block r goes to rank r, and the block from rank r comes to where it was. `out` is as long as `in`, and may be
  /// `in`.
  template <class In, class Out>
  auto all_to_all(const In& in, Out&& out) const {
    if constexpr (constexpr Message problem = explain_ranges<In, Out>("all_to_all"); problem.length) {
      static_assert(false, problem);
    } else {
      using T = element_of<Out>;
      const auto [from, to] = spans("all_to_all", in, out, 1, 1);
      check_divides("all_to_all", to.size());
      if (alone())
        copy(from, to);
      else
        check(Channel::all_to_all(or_in_place(from.data(), to.data()), to.data(), units<T>(to.size() / extent()),
                                  type_bits<T>(), this),
              "all_to_all");
    }
  }
  template <class R>
  auto all_to_all(InPlace<R> both) const {
    if constexpr (constexpr Message problem = explain_ranges<R, R&>("all_to_all"); problem.length)
      static_assert(false, problem);
    else
      all_to_all(both.range, both.range);
  }

  /// The values of ranks 0 to mine, reduced in rank order: a T.
  template <class T, Operator Op>
  auto scan(T value, Reduction<Op> op) const {
    if constexpr (constexpr Message problem = explain_reduced_value<T, Op>("scan"); problem.length)
      static_assert(false, problem);
    else
      scan(Span<T>{&value, 1}, Span<T>{&value, 1}, op);
    return value;
  }
  /// Element by element. `out` is as long as `in`, and may be `in`.
  template <class In, class Out, Operator Op>
  auto scan(const In& in, Out&& out, Reduction<Op>) const {
    if constexpr (constexpr Message problem = explain_ranges<In, Out, Op>("scan"); problem.length) {
      static_assert(false, problem);
    } else {
      using T = element_of<Out>;
      const auto [from, to] = spans("scan", in, out, 1, 1);
      if (alone())
        copy(from, to);
      else
        check(Channel::scan(or_in_place(from.data(), to.data()), to.data(), to.size(), type_bits<T>(), op_bits<T, Op>(),
                            this),
              "scan");
    }
  }
  template <class R, Operator Op>
  auto scan(InPlace<R> both, Reduction<Op> op) const {
    if constexpr (constexpr Message problem = explain_ranges<R, R&, Op>("scan"); problem.length)
      static_assert(false, problem);
    else
      scan(both.range, both.range, op);
  }

  /// The values of the ranks before mine, reduced in rank order: a T. Rank 0 gets the operator's identity: 0 of plus,
  /// 1 of multiplies, the largest value of min.
  template <class T, Operator Op>
  auto exclusive_scan(T value, Reduction<Op> op) const {
    if constexpr (constexpr Message problem = explain_reduced_value<T, Op>("exclusive_scan"); problem.length)
      static_assert(false, problem);
    else
      exclusive_scan(Span<T>{&value, 1}, Span<T>{&value, 1}, op);
    return value;
  }
  /// Element by element. `out` is as long as `in`, and may be `in`.
  template <class In, class Out, Operator Op>
  auto exclusive_scan(const In& in, Out&& out, Reduction<Op>) const {
    if constexpr (constexpr Message problem = explain_ranges<In, Out, Op>("exclusive_scan"); problem.length) {
      static_assert(false, problem);
    } else {
      using T = element_of<Out>;
      const auto [from, to] = spans("exclusive_scan", in, out, 1, 1);
      if (!alone())
        check(Channel::exclusive_scan(or_in_place(from.data(), to.data()), to.data(), to.size(), type_bits<T>(),
                                      op_bits<T, Op>(), this),
              "exclusive_scan");
      if (coordinate_ == 0)  // what MPI leaves there is undefined
        for (T& element : to) element = identity<T, Op>();
    }
  }
  template <class R, Operator Op>
  auto exclusive_scan(InPlace<R> both, Reduction<Op> op) const {
    if constexpr (constexpr Message problem = explain_ranges<R, R&, Op>("exclusive_scan"); problem.length)
      static_assert(false, problem);
    else
      exclusive_scan(both.range, both.range, op);
  }

  /// Returns when all ranks of the axis have called it.
  void barrier() const {
    if (!alone()) check(Channel::barrier(this), "barrier");
  }

 private:
  static constexpr bool alone()
    requires(!is_dynamic)
  {
    return AxisT::extent == 1;
  }
  bool alone() const { return extent_ == 1; }
  template <class T>
  static Bits type_bits() {
    return mpi_datatypes[static_cast<unsigned>(data_type<T>())];
  }
  template <class T, Operator Op>
  static Bits op_bits() {
    return mpi_operators[static_cast<unsigned>(mpi_operator<T>(Op))];
  }
  /// An input that is already where the output goes.
  static const void* or_in_place(const void* from, const void* to) { return from == to ? mpi_in_place : from; }
  /// Elements of T in the unit in which MPI counts them.
  template <class T>
  static constexpr std::size_t units(std::size_t count) {
    return data_type<T>() == DataType::bytes ? count * sizeof(T) : count;
  }
  /// A value of each rank.
  template <class T>
  auto one_each() const {
    if constexpr (is_dynamic)
      return Array<T>(extent_);
    else
      return List<T, AxisT::extent>{};
  }
  /// The block of one rank in a range that has one for each.
  template <class R>
  auto block_at(NameView operation, R& range, unsigned rank) const {
    const auto span = span_of(range);
    check_divides(operation, span.size());
    const std::size_t size = span.size() / extent();
    return Span{span.data() + size * rank, size};
  }
  static void check_size(NameView operation, NameView what, std::size_t given, std::size_t wanted) {
    if (given != wanted) [[unlikely]]
      throw_wrong_size(name(), operation, what, given, wanted);
  }
  void check_divides(NameView operation, std::size_t size) const {
    if (size % extent() != 0) [[unlikely]]
      throw_wrong_size(name(), operation, "range", size, size + extent() - size % extent());
  }
  void check_root(NameView operation, peer_type root) const {
    if (root.value() >= extent() && !name().empty()) [[unlikely]]
      throw_wrong_root(name(), operation, root.value(), extent());
  }
  template <class From, class To>
  struct Spans {
    Span<From> from;
    Span<To> to;
  };
  /// The two ranges; `in` holds `in_blocks` parts for every `out_blocks` parts of `out`.
  template <class In, class Out>
  static auto spans(NameView operation, const In& in, Out& out, std::size_t in_blocks, std::size_t out_blocks) {
    const Spans result{span_of(in), span_of(out)};
    if (result.to.size() * in_blocks != result.from.size() * out_blocks) [[unlikely]]
      throw_wrong_size(name(), operation, in_blocks > out_blocks ? "input" : "output",
                       in_blocks > out_blocks ? result.from.size() : result.to.size(),
                       in_blocks > out_blocks ? result.to.size() * in_blocks : result.from.size() * out_blocks);
    return result;
  }
  template <class From, class To>
  static void copy(Span<From> from, Span<To> to) {
    if (from.data() == to.data()) return;
    for (std::size_t i = 0; i < from.size(); ++i) to.data()[i] = from.data()[i];
  }
};

}  // namespace axial
