// SPDX-License-Identifier: BSL-1.0
// What is communicated: operators, elements and ranges of them, and the errors of what cannot be.
module;
#include <cstddef>
#include <limits>
#include <ranges>
#include <string_view>
#include <type_traits>

export module axial:elements;
export import :fixed_string;

#pragma clang diagnostic ignored "-Wc++26-extensions"  // static_assert with a computed text

namespace axial {

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

/// What an operator leaves everything as it is with.
template <class T, Operator Op>
consteval T identity() {
  using Limits = std::numeric_limits<T>;
  switch (Op) {
    case Operator::multiplies:
    case Operator::logical_and: return static_cast<T>(1);
    case Operator::min: return Limits::has_infinity ? Limits::infinity() : Limits::max();
    case Operator::max: return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    case Operator::bit_and: return static_cast<T>(~0ull);
    default: return T{};
  }
}

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

}  // namespace axial
