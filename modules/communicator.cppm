// SPDX-License-Identifier: BSL-1.0
// Communication along one axis, typed by that axis: ranks, operators, buffers, and the collectives. The calls to MPI
// are in src/mpi.
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

enum class Operator : unsigned char {
  plus,
  multiplies,
  min,
  max,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,
  logical_or,
  logical_xor,
  min_unsigned,
  max_unsigned
};

constexpr NameView name_of(Operator op) {
  constexpr NameView names[] = {"plus",   "multiplies", "min",         "max",        "bit_and",
                                "bit_or", "bit_xor",    "logical_and", "logical_or", "logical_xor"};
  return names[static_cast<unsigned>(op)];
}

/// A named reduction operator. Also callable: `plus(1, 2) == 3`.
export template <Operator Op>
struct Reduction {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    if constexpr (Op == Operator::plus) return static_cast<T>(a + b);
    if constexpr (Op == Operator::multiplies) return static_cast<T>(a * b);
    if constexpr (Op == Operator::min) return b < a ? b : a;
    if constexpr (Op == Operator::max) return a < b ? b : a;
    if constexpr (Op == Operator::bit_and) return static_cast<T>(a & b);
    if constexpr (Op == Operator::bit_or) return static_cast<T>(a | b);
    if constexpr (Op == Operator::bit_xor) return static_cast<T>(a ^ b);
    if constexpr (Op == Operator::logical_and) return static_cast<T>(a && b);
    if constexpr (Op == Operator::logical_or) return static_cast<T>(a || b);
  }
};

export inline constexpr Reduction<Operator::plus> plus{};
export inline constexpr Reduction<Operator::multiplies> multiplies{};
export inline constexpr Reduction<Operator::min> min{};
export inline constexpr Reduction<Operator::max> max{};
export inline constexpr Reduction<Operator::bit_and> bit_and{};
export inline constexpr Reduction<Operator::bit_or> bit_or{};
export inline constexpr Reduction<Operator::bit_xor> bit_xor{};
export inline constexpr Reduction<Operator::logical_and> logical_and{};
export inline constexpr Reduction<Operator::logical_or> logical_or{};

/// The operator that MPI applies: on bool, what the C++ operator gives when its result is converted back to bool.
template <class T>
consteval Operator mpi_operator(Operator op) {
  if (std::is_unsigned_v<T> && !std::is_same_v<T, bool>) {
    if (op == Operator::min) return Operator::min_unsigned;
    if (op == Operator::max) return Operator::max_unsigned;
  }
  if (!std::is_same_v<T, bool>) return op;
  switch (op) {
    case Operator::multiplies:
    case Operator::min:
    case Operator::bit_and: return Operator::logical_and;
    case Operator::plus:
    case Operator::max:
    case Operator::bit_or: return Operator::logical_or;
    case Operator::bit_xor: return Operator::logical_xor;
    default: return op;
  }
}

enum class DataType : unsigned char {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  long_double,
  bytes
};

/// How MPI sees elements of type T; `bytes` for what is not arithmetic.
template <class T>
consteval DataType data_type() {
  if (std::is_same_v<T, bool>) return DataType::boolean;
  if (std::is_same_v<T, float>) return DataType::float32;
  if (std::is_same_v<T, double>) return DataType::float64;
  if (std::is_same_v<T, long double>) return DataType::long_double;
  if (!__is_integral(T) || sizeof(T) > 8) return DataType::bytes;
  const auto smallest = static_cast<unsigned>(std::is_signed_v<T> ? DataType::int8 : DataType::uint8);
  return static_cast<DataType>(smallest + (sizeof(T) == 2) + 2 * (sizeof(T) == 4) + 3 * (sizeof(T) == 8));
}

/// The name of a type, as the compiler spells it.
template <class T>
consteval NameView type_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("T = ") + 4);
  text.remove_suffix(1);
  return text;
}

/// Contiguous elements that are not ours.
template <class T>
struct Span {
  T* data_;
  std::size_t size_;
  constexpr T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
};

template <class R>
concept contiguous_buffer = std::ranges::contiguous_range<R> && std::ranges::sized_range<R>;

template <contiguous_buffer R>
constexpr auto span_of(R& range) {
  return Span{std::ranges::data(range), static_cast<std::size_t>(std::ranges::size(range))};
}

/// Made by `in_place`.
export template <class R>
struct InPlace {
  R& range;
};

/// Input and output of a collective in one range: `all_reduce(in_place(x), plus)`.
export template <class R>
constexpr InPlace<std::remove_reference_t<R>> in_place(R&& range) {
  return {range};
}

template <class R>
using element_of = std::remove_cv_t<std::remove_reference_t<std::ranges::range_reference_t<R>>>;

/// What forbids elements of type T; empty when nothing does.
template <class T>
consteval Message explain_element(NameView operation) {
  Message text;
  const auto say = [&](NameView why) { put(text, operation, NameView(" cannot take "), type_name<T>(), why); };
  if constexpr (std::is_pointer_v<T>)
    say(": a pointer means nothing on another rank");
  else if constexpr (std::ranges::view<T> || std::is_same_v<T, NameView>)
    say(": a view refers to memory of this rank; use in_place(range), or an output range");
  else if constexpr (!std::is_trivially_copyable_v<T>)
    say(": elements must be trivially copyable");
  return text;
}

/// What forbids T as one value that is sent or, `reduced`, combined.
template <class T>
consteval Message explain_value(NameView operation, bool reduced = false) {
  Message text;
  if constexpr (std::is_pointer_v<T>)
    put(text, operation, NameView(" cannot take "), type_name<T>(),
        NameView(": a pointer means nothing on another rank; an array needs an output array, or in_place(array)"));
  else if constexpr (std::ranges::range<T> && !std::ranges::view<T>)
    if (reduced || !std::is_trivially_copyable_v<T>)
      put(text, operation, NameView(" of a range needs an output range, or in_place(range)"));
  return text.length ? text : explain_element<T>(operation);
}

/// What forbids reducing T with an operator. Only arithmetic types reduce, and bits are those of integers.
template <class T, Operator Op>
consteval Message explain_reduction(NameView operation) {
  Message text = explain_element<T>(operation);
  if (text.length) return text;
  if (data_type<T>() == DataType::bytes)
    put(text, operation, NameView(" cannot take "), type_name<T>(),
        NameView(": only arithmetic types and bool reduce"));
  else if (std::is_floating_point_v<T> && Op >= Operator::bit_and)
    put(text, name_of(Op), NameView(" does not work on "), type_name<T>(), NameView("; it takes integers and bool"));
  return text;
}

template <class T, Operator Op>
consteval Message explain_reduced_value(NameView operation) {
  const Message text = explain_value<T>(operation, true);
  return text.length ? text : explain_reduction<T, Op>(operation);
}

/// What forbids R as a range of elements.
template <class R>
consteval Message explain_range(NameView operation) {
  Message text;
  const auto say = [&](NameView why) {
    put(text, operation, NameView(" cannot take "), type_name<std::remove_cvref_t<R>>(), why);
  };
  if constexpr (!std::ranges::range<R>)
    say(" here: it is no range");
  else if constexpr (contiguous_buffer<R>)
    text = explain_element<element_of<R>>(operation);
  else if constexpr (std::is_same_v<std::ranges::range_value_t<R>, bool>)
    say(": its elements are bits, not bool; use an array of bool");
  else
    say(": its elements are not contiguous in memory");
  return text;
}

template <class In, class Out>
consteval Message explain_ranges(NameView operation) {
  Message text = explain_range<const In>(operation);
  if (text.length == 0) text = explain_range<Out>(operation);
  if constexpr (contiguous_buffer<const In> && contiguous_buffer<Out>) {
    if (text.length == 0 && !std::is_same_v<element_of<const In>, element_of<Out>>)
      put(text, operation, NameView(" has elements of "), type_name<element_of<const In>>(), NameView(" in and of "),
          type_name<element_of<Out>>(), NameView(" out"));
    else if (text.length == 0 && std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Out>>>)
      put(text, operation, NameView(" cannot write to "), type_name<std::remove_reference_t<Out>>());
  }
  return text;
}

template <class In, class Out, Operator Op>
consteval Message explain_ranges(NameView operation) {
  Message text = explain_ranges<In, Out>(operation);
  if constexpr (contiguous_buffer<Out>)
    if (text.length == 0) text = explain_reduction<element_of<Out>, Op>(operation);
  return text;
}

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
    std::conditional_t<is_dynamic, Array<T>, List<T, is_dynamic ? 1 : AxisT::extent>> all;
    if constexpr (is_dynamic) all = Array<T>(extent_);
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
