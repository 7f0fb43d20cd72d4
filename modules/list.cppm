// SPDX-License-Identifier: BSL-1.0
// Lists and views of our own: what a user receives from a mesh. They loop, compare and print in a file that includes
// nothing but `import axial;`, and are std::ranges and range-v3 views where those are included.
module;
#include <compare>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <utility>

// range-v3 recognises a view by this empty base class, and by this variable one whose iterators outlive it. Declared
// here as range-v3 declares them, so that an importer needs no range-v3; where it is included they are the same.
namespace ranges {
struct view_base {};
template <typename R>
inline constexpr bool enable_borrowed_range = false;
}  // namespace ranges

export module axial:list;
import :fixed_string;

namespace axial {

template <class T>
inline constexpr bool is_list = false;

/// True for the lists and views of this library.
template <class T>
concept our_list = is_list<std::remove_cvref_t<T>>;

template <class A, class B>
  requires requires(const A& a, const B& b) { a == b; }
constexpr bool same_element(const A& a, const B& b) {
  if constexpr (__is_integral(A) && __is_integral(B))
    return a == static_cast<A>(b) && b == static_cast<B>(a) && (a < A{}) == (b < B{});
  else
    return a == b;
}

/// `N` values, N known to the compiler: a shape, names, what all_gather of one value returns.
export template <class T, std::size_t N>
struct List {
  T values[N ? N : 1] = {};

  static constexpr std::size_t size() { return N; }
  static constexpr bool empty() { return N == 0; }
  constexpr T* data() { return values; }
  constexpr const T* data() const { return values; }
  constexpr T& operator[](std::size_t i) { return values[i]; }
  constexpr const T& operator[](std::size_t i) const { return values[i]; }
  constexpr T* begin() { return values; }
  constexpr T* end() { return values + N; }
  constexpr const T* begin() const { return values; }
  constexpr const T* end() const { return values + N; }
  template <std::size_t I>
  constexpr T& get() & {
    return values[I];
  }
  template <std::size_t I>
  constexpr const T& get() const& {
    return values[I];
  }
  template <std::size_t I>
  constexpr T&& get() && {
    return static_cast<T&&>(values[I]);
  }
};

export template <class T, class... Rest>
List(T, Rest...) -> List<T, 1 + sizeof...(Rest)>;

template <class T, std::size_t N>
inline constexpr bool is_list<List<T, N>> = true;

/// Values whose number only the run time knows: what all_gather of one value returns on a dynamic axis.
export template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(std::size_t size) : values_(new T[size]()), size_(size) {}
  Array(const Array& other) : Array(other.size_) {
    for (std::size_t i = 0; i < size_; ++i) values_[i] = other.values_[i];
  }
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array other) noexcept { return swap(other), *this; }
  ~Array() { delete[] values_; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return values_; }
  const T* data() const { return values_; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T* begin() { return values_; }
  T* end() { return values_ + size_; }
  const T* begin() const { return values_; }
  const T* end() const { return values_ + size_; }

 private:
  void swap(Array& other) noexcept {
    T* const values = values_;
    const std::size_t size = size_;
    values_ = other.values_, size_ = other.size_;
    other.values_ = values, other.size_ = size;
  }

  T* values_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
inline constexpr bool is_list<Array<T>> = true;

/// A random-access view whose i-th element is computed: `Source` is a small copyable object with `size()` and
/// `operator[](unsigned)`. Iterators hold a copy of it, so they outlive the view.
export template <class Source>
class View : public std::ranges::view_base, public ::ranges::view_base {
 public:
  using value_type = decltype(Source{}[0u]);

  class iterator {
   public:
    using value_type = View::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    using pointer = void;
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;  // elements are values: what C++17 calls an input iterator

    constexpr iterator() = default;
    constexpr iterator(Source source, difference_type at) : source_(source), at_(at) {}

    constexpr value_type operator*() const { return source_[static_cast<unsigned>(at_)]; }
    constexpr value_type operator[](difference_type n) const { return source_[static_cast<unsigned>(at_ + n)]; }
    constexpr iterator& operator++() { return ++at_, *this; }
    constexpr iterator& operator--() { return --at_, *this; }
    constexpr iterator operator++(int) { return {source_, at_++}; }
    constexpr iterator operator--(int) { return {source_, at_--}; }
    constexpr iterator& operator+=(difference_type n) { return at_ += n, *this; }
    constexpr iterator& operator-=(difference_type n) { return at_ -= n, *this; }
    friend constexpr iterator operator+(iterator i, difference_type n) { return i += n; }
    friend constexpr iterator operator+(difference_type n, iterator i) { return i += n; }
    friend constexpr iterator operator-(iterator i, difference_type n) { return i -= n; }
    friend constexpr difference_type operator-(const iterator& a, const iterator& b) { return a.at_ - b.at_; }
    friend constexpr bool operator==(const iterator& a, const iterator& b) { return a.at_ == b.at_; }
    friend constexpr auto operator<=>(const iterator& a, const iterator& b) { return a.at_ <=> b.at_; }

   private:
    Source source_{};
    difference_type at_ = 0;
  };

  constexpr View() = default;
  constexpr explicit View(Source source) : source_(source) {}

  constexpr std::size_t size() const { return source_.size(); }
  constexpr bool empty() const { return size() == 0; }
  constexpr value_type operator[](std::size_t i) const { return source_[static_cast<unsigned>(i)]; }
  constexpr value_type front() const { return (*this)[0]; }
  constexpr value_type back() const { return (*this)[size() - 1]; }
  constexpr iterator begin() const { return {source_, 0}; }
  constexpr iterator end() const { return {source_, static_cast<std::ptrdiff_t>(size())}; }
  constexpr const Source& source() const { return source_; }

 private:
  Source source_{};
};

template <class Source>
inline constexpr bool is_list<View<Source>> = true;

/// Element by element, with lists of ours, arrays, and any container that the importer includes; integers by value.
export template <our_list A, class B>
  requires requires(const A& a, const B& b) { same_element(a[0], *std::ranges::begin(b)); }
constexpr bool operator==(const A& a, const B& b) {
  std::size_t i = 0;
  for (const auto& element : b) {
    if (i == a.size() || !same_element(a[i], element)) return false;
    ++i;
  }
  return i == a.size();
}

/// `[0, 1, 2]`
template <class Sink, our_list L>
  requires requires(Sink& sink, const L& list) { put(sink, list[0]); }
constexpr void put(Sink& sink, const L& list) {
  put(sink, NameView("["));
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i) put(sink, NameView(", "));
    put(sink, list[i]);
  }
  put(sink, NameView("]"));
}

/// Whatever has a text of ours.
template <class T>
concept printable = requires(Message& sink, const T& x) { put(sink, x); } && !__is_arithmetic(T) &&
                    !std::convertible_to<T, std::string_view>;

/// The text of any list, view, coordinates, mesh or rank of this library.
export template <class T>
  requires(printable<T> || std::same_as<T, NameView>)
Text to_string(const T& x) {
  TextSink sink;
  put(sink, x);
  return sink.take();
}

/// A stream as a sink: its `write` takes a signed size.
template <class Stream>
struct StreamSink {
  Stream& stream;
  void write(const char* from, std::size_t count) { stream.write(from, static_cast<std::ptrdiff_t>(count)); }
};

/// Prints to any stream that has `write(pointer, count)`; the importer includes the stream, not we.
export template <class Stream, class T>
  requires(printable<T> || std::same_as<T, NameView>) && requires(Stream& out) { out.write("", 1).flush(); }
Stream& operator<<(Stream& out, const T& x) {
  StreamSink<Stream> sink{out};
  put(sink, x);
  return out;
}

}  // namespace axial

// Structured bindings in a file that includes nothing need the two templates' names.
export namespace std {
using std::tuple_element;
using std::tuple_size;
}  // namespace std

template <class T, std::size_t N>
struct std::tuple_size<axial::List<T, N>> {
  static constexpr std::size_t value = N;
};
template <std::size_t I, class T, std::size_t N>
struct std::tuple_element<I, axial::List<T, N>> {
  using type = T;
};

// A View's iterators carry their source.
template <class Source>
inline constexpr bool std::ranges::enable_borrowed_range<axial::View<Source>> = true;
template <class Source>
inline constexpr bool ranges::enable_borrowed_range<axial::View<Source>> = true;
