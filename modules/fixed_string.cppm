// SPDX-License-Identifier: BSL-1.0
// Names as template arguments, and the text that diagnostics and printing are made of.
module;
#include <cstddef>
#include <string>
#include <string_view>

export module axial:fixed_string;

namespace axial {

/// A view of characters that live elsewhere: a dimension's name. Compares with literals without any standard header.
export class NameView {
 public:
  NameView() = default;  // NameView{} is empty, as of a pointer; a plain variable is not initialised
  constexpr NameView(const char* text, std::size_t size) : text_(text), size_(size) {}
  constexpr NameView(const char* text) : text_(text), size_(0) {
    while (text[size_] != 0) ++size_;
  }
  // A std::string_view, and on demand a std::string. A template, since constructors that name these would make each
  // importer load them.
  template <class Text>
    requires requires(const Text& text, const char*& data) { data = text.data(), text.size(); }
  constexpr explicit(!__is_trivially_copyable(Text)) NameView(const Text& text)
      : text_(text.data()), size_(text.size()) {}

  constexpr const char* data() const { return text_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr char operator[](std::size_t i) const { return text_[i]; }
  constexpr const char* begin() const { return text_; }
  constexpr const char* end() const { return text_ + size_; }
  constexpr operator std::string_view() const { return {text_, size_}; }

  // The builtin rather than std::string_view or a loop: this is what each importer evaluates for each mesh type.
  constexpr bool equals(NameView other) const {
    return size_ == other.size_ && (size_ == 0 || __builtin_memcmp(text_, other.text_, size_) == 0);
  }
  friend constexpr bool operator==(NameView a, NameView b) { return a.equals(b); }
  // Exact overloads: without them a literal or a string_view would convert both ways and be ambiguous.
  friend constexpr bool operator==(NameView a, const char* b) { return a.equals(b); }
  friend constexpr bool operator==(NameView a, std::string_view b) { return a.equals(b); }

 private:
  // No initialisers: the compiler would run them for every element of every array of names.
  const char* text_;
  std::size_t size_;
};

/// A string literal as a template argument. `N` counts the terminating NUL, so "tp" is `fixed_string<3>`.
export template <std::size_t N>
struct fixed_string {
  char text[N];

  constexpr fixed_string(const char (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
  constexpr NameView view() const { return {text, N - 1}; }
  constexpr operator NameView() const { return view(); }
  template <std::size_t M>
  friend constexpr bool operator==(const fixed_string& a, const fixed_string<M>& b) {
    return a.view().equals(b.view());
  }
};

/// A name that was computed, as a template argument: N is its size and one.
template <std::size_t N>
constexpr fixed_string<N> fixed_name(NameView name) {
  char text[N] = {};
  for (std::size_t i = 0; i + 1 < N; ++i) text[i] = name[i];
  return text;
}

/// Stands where a name is expected and means a dimension by its position: `extent<0>()`.
export template <>
struct fixed_string<0> {
  long long index;
  constexpr fixed_string(long long position) : index(position) {}
  constexpr NameView view() const { return {}; }
};

// Explicit: the implicit guide leaves notes beside unrelated errors.
export template <std::size_t N>
fixed_string(const char (&)[N]) -> fixed_string<N>;
export template <class Integer>
  requires(__is_integral(Integer))
fixed_string(Integer) -> fixed_string<0>;

export template <fixed_string Name>
struct axis_tag {};

/// `axial::axis<"tp">`: a name as a value, for the members' tag form, which needs no `template` in generic code.
export template <fixed_string Name>
inline constexpr axis_tag<Name> axis{};

/// What `to_string` returns: a std::string that also compares with literals in a file that includes nothing.
export struct Text : std::string {
  using std::string::string;
  Text(std::string&& text) : std::string(static_cast<std::string&&>(text)) {}
  friend bool operator==(const Text& a, const Text& b) { return a.compare(b) == 0; }
  friend bool operator==(const Text& a, const std::string& b) { return a.compare(b) == 0; }
  friend bool operator==(const Text& a, const char* b) { return a.compare(b) == 0; }
};

/// The text of a compile-time diagnostic: as long as `static_assert` can take it from a buffer of fixed size.
struct Message {
  char text[1024] = {};
  std::size_t length = 0;

  constexpr const char* data() const { return text; }
  constexpr std::size_t size() const { return length; }
  constexpr void write(const char* from, std::size_t count) {
    for (std::size_t i = 0; i < count && length < sizeof text - 4; ++i) text[length++] = from[i];
    if (length == sizeof text - 4)
      for (int i = 0; i < 3; ++i) text[length++] = '.';
  }
};

/// A growing text at run time. A class of its own, so that no importer instantiates a std container (see CONTRIBUTING).
class TextSink {
 public:
  void write(const char* from, std::size_t count);
  Text take();

 private:
  Text text_;
};

// `put(sink, x)` writes x to anything with write(pointer, count): a Message, a TextSink, a stream. Each printable type
// of ours has an overload; the pieces of text are these two.
template <class Sink>
constexpr void put(Sink& sink, NameView text) {
  sink.write(text.data(), text.size());
}

template <class Sink, class Integer>
  requires(__is_integral(Integer))
constexpr void put(Sink& sink, Integer value) {
  char digits[24];
  std::size_t at = sizeof digits;
  const bool negative = value < 0;
  auto rest = static_cast<unsigned long long>(value);
  if (negative) rest = 0 - rest;
  do digits[--at] = static_cast<char>('0' + rest % 10);
  while (rest /= 10);
  if (negative) digits[--at] = '-';
  sink.write(digits + at, sizeof digits - at);
}

// The shortest text that reads back as the same number, at `to`, where there is room for 64 characters; returns its
// end.
char* write_number(char* to, float value);
char* write_number(char* to, double value);
char* write_number(char* to, long double value);

template <class Sink, class Real>
  requires(__is_floating_point(Real))
void put(Sink& sink, Real value) {
  char text[64];
  sink.write(text, static_cast<std::size_t>(write_number(text, value) - text));
}

template <class Sink, class... Parts>
  requires(sizeof...(Parts) > 1)
constexpr void put(Sink& sink, const Parts&... parts) {
  (put(sink, parts), ...);
}

/// `"dp", "tp"`: names in quotes, as diagnostics list them.
template <class Sink>
constexpr void put_quoted(Sink& sink, const NameView* names, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) put(sink, NameView(i ? ", \"" : "\""), names[i], NameView("\""));
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Edits (insert, delete, replace, swap of neighbours) between two names, letter case ignored; names longer than the
/// buffer count as far apart.
constexpr unsigned edit_distance(NameView a, NameView b) {
  constexpr std::size_t longest = 31;
  if (a.size() > longest || b.size() > longest) return ~0u;
  unsigned row[3][longest + 1] = {};
  for (unsigned j = 0; j <= b.size(); ++j) row[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    unsigned* now = row[i % 3];
    const unsigned* before = row[(i + 2) % 3];
    now[0] = static_cast<unsigned>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      unsigned best = before[j - 1] + (same ? 0 : 1);
      if (before[j] + 1 < best) best = before[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped && row[(i + 1) % 3][j - 2] + 1 < best) best = row[(i + 1) % 3][j - 2] + 1;
      now[j] = best;
    }
  }
  return row[a.size() % 3][b.size()];
}

/// The name that was probably meant, or `count` when none is near: at most one edit, or a third of the letters.
export constexpr std::size_t nearest_name(NameView wanted, const NameView* names, std::size_t count) {
  std::size_t best = count;
  unsigned least = wanted.size() < 6 ? 2u : static_cast<unsigned>(wanted.size() / 3 + 1);
  for (std::size_t i = 0; i < count; ++i)
    if (const unsigned edits = edit_distance(wanted, names[i]); edits < least && edits < names[i].size())
      best = i, least = edits;
  return best;
}

}  // namespace axial
