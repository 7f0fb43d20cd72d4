// SPDX-License-Identifier: BSL-1.0
// Collectives as loops over the ranks of a group: what each rank has is computed, so every rank knows what all must
// get. Include it last, since it imports.
#pragma once
#include <algorithm>
#include <memory>
#include <ostream>
#include <string_view>
#include <type_traits>

#include "../support/meshes.hpp"

/// Contiguous elements of any type, bool also. Made with the right lengths and from functions of the index.
template <class T>
class Buffer {
 public:
  [[gnu::noinline]] explicit Buffer(std::size_t size, T fill = T{}) : size_(size), data_(std::make_unique<T[]>(size)) {
    std::fill(begin(), end(), fill);
  }
  template <class F>
    requires std::is_invocable_v<F, std::size_t>
  Buffer(std::size_t size, F f) : Buffer(size) {
    for (std::size_t i = 0; i < size; ++i) data_[i] = f(i);
  }
  [[gnu::noinline]] Buffer(const Buffer& other) : Buffer(other.size_) {
    std::copy(other.begin(), other.end(), begin());
  }
  [[gnu::noinline]] Buffer& operator=(const Buffer& other) {
    if (size_ != other.size_) data_ = std::make_unique<T[]>(size_ = other.size_);
    std::copy(other.begin(), other.end(), begin());
    return *this;
  }
  [[gnu::noinline]] ~Buffer() {}
  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

  [[gnu::noinline]] friend bool operator==(const Buffer& a, const Buffer& b) {
    return a.size_ == b.size_ && a.starts_with(b);
  }
  [[gnu::noinline]] bool starts_with(const Buffer& first) const {
    return first.size_ <= size_ && std::equal(first.begin(), first.end(), begin());
  }

 private:
  std::size_t size_;
  std::unique_ptr<T[]> data_;
};

/// Element i of what a rank puts in: small, also negative, and of both kinds for bool; a class says its own.
template <class T>
T value(unsigned rank, std::size_t i) {
  if constexpr (std::is_class_v<T>)
    return T::of(rank, i);
  else if constexpr (std::is_same_v<T, bool>)
    return (rank * 7 + i * 3) % 4 != 1;
  else
    return static_cast<T>(static_cast<int>((rank * 3 + i * 5) % 6) - (std::is_signed_v<T> ? 2 : 0));
}

/// Notes what is wrong. Not BOOST_TEST where it would be compiled for each type, operator and axis.
struct Checks {
  std::string wrong;
  void operator()(bool right, const char* what) {
    if (!right) wrong += std::string(what) + "; ";
  }
};

/// What an operator must do to two values. A pointer, and functions that are not inlined: what is compiled for each
/// type is not compiled again for each operator and axis.
template <class T>
using Operation = T (*)(T, T);

/// The operators, each with what it must do to two values: `f(op, name, reference)`.
template <class T, class F>
void each_operator(F f) {
  f(axial::plus, "plus", [](T a, T b) { return static_cast<T>(a + b); });
  f(axial::multiplies, "multiplies", [](T a, T b) { return static_cast<T>(a * b); });
  f(axial::min, "min", [](T a, T b) { return std::min(a, b); });
  f(axial::max, "max", [](T a, T b) { return std::max(a, b); });
  if constexpr (std::is_integral_v<T>) {
    f(axial::bit_and, "bit_and", [](T a, T b) { return static_cast<T>(a & b); });
    f(axial::bit_or, "bit_or", [](T a, T b) { return static_cast<T>(a | b); });
    f(axial::bit_xor, "bit_xor", [](T a, T b) { return static_cast<T>(a ^ b); });
    f(axial::logical_and, "logical_and", [](T a, T b) { return static_cast<T>(a && b); });
    f(axial::logical_or, "logical_or", [](T a, T b) { return static_cast<T>(a || b); });
  }
}

/// One group: what its ranks put in, and what must come out.
template <class T>
struct Group {
  std::vector<unsigned> ranks;

  template <class Ranks>
  explicit Group(const Ranks& of) : ranks(of.begin(), of.end()) {}

  [[gnu::noinline]] Buffer<T> input(unsigned rank, std::size_t n) const {
    return Buffer<T>(n, [=](std::size_t i) { return value<T>(rank, i); });
  }
  Buffer<T> mine(std::size_t n) const { return input(world_rank(), n); }

  [[gnu::noinline]] Buffer<T> reduced(std::size_t n, Operation<T> op) const {
    return Buffer<T>(n, [&](std::size_t i) {
      T all = value<T>(ranks[0], i);
      for (std::size_t r = 1; r < ranks.size(); ++r) all = op(all, value<T>(ranks[r], i));
      return all;
    });
  }
  [[gnu::noinline]] Buffer<T> gathered(std::size_t n) const {
    return Buffer<T>(n * ranks.size(), [&](std::size_t i) { return value<T>(ranks[i / n], i % n); });
  }
  /// What the first `count` ranks have, reduced in order.
  [[gnu::noinline]] Buffer<T> scanned(std::size_t n, unsigned count, Operation<T> op) const {
    return Buffer<T>(n, [&](std::size_t i) {
      T some = value<T>(ranks[0], i);
      for (std::size_t r = 1; r < count; ++r) some = op(some, value<T>(ranks[r], i));
      return some;
    });
  }
  /// Block `coordinate`, of n elements, of every rank.
  [[gnu::noinline]] Buffer<T> exchanged(std::size_t n, unsigned coordinate) const {
    return Buffer<T>(n * ranks.size(), [&](std::size_t i) { return value<T>(ranks[i / n], coordinate * n + i % n); });
  }
  /// Block `coordinate`, of n elements, of one rank.
  [[gnu::noinline]] Buffer<T> cut(unsigned rank, std::size_t n, unsigned coordinate) const {
    return Buffer<T>(n, [=](std::size_t i) { return value<T>(rank, coordinate * n + i); });
  }
  /// Block `coordinate`, of n elements, of the reduction of all ranks' blocks.
  [[gnu::noinline]] Buffer<T> scattered(std::size_t n, unsigned coordinate, Operation<T> op) const {
    const Buffer<T> all = reduced(n * ranks.size(), op);
    return Buffer<T>(n, [&](std::size_t i) { return all[coordinate * n + i]; });
  }
};
