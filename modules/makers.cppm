// SPDX-License-Identifier: BSL-1.0
// Mesh types from other descriptions: an order of dimensions as Megatron spells it, a number of ranks alone, a text.
module;
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

export module axial:makers;
export import :mesh;

#pragma clang diagnostic ignored "-Wc++26-extensions"  // static_assert with a computed text

namespace axial {

/// An order of dimensions taken apart: token i, counted from the left, names dimension picked.at[i]; or what is wrong
/// with it, where picked.culprit is the number of a token or, for a dimension left out, of that dimension.
export struct ParsedOrder {
  Key tokens[max_dimensions + 1] = {};
  Selection picked;
};

/// Takes "tp-cp-ep-dp-pp" apart, which names each of `count` dimensions, at most max_dimensions, exactly once.
export constexpr ParsedOrder parse_order(NameView order, const NameView* names, unsigned count) {
  ParsedOrder parsed{};
  unsigned tokens = 0;
  // One token more than there are names suffices: one of them is unknown or repeated.
  for (std::size_t from = 0, to = 0; from <= order.size() && tokens <= count; from = ++to) {
    while (to < order.size() && order[to] != '-') ++to;
    parsed.tokens[tokens++].name = NameView(order.data() + from, to - from);
  }
  parsed.picked = select(Names{names, count}, parsed.tokens, tokens, Rule::all);
  return parsed;
}

/// One line that says what is wrong with an order and what would be right; empty when nothing is.
export constexpr Message explain(const ParsedOrder& parsed, NameView order, const NameView* names, unsigned count) {
  Message text;
  put(text, NameView("order \""), order, NameView("\""));
  if (parsed.picked.problem != Problem::unknown || !parsed.tokens[parsed.picked.culprit].name.empty())
    return explain(parsed.picked, Names{names, count}, parsed.tokens, NameView(text.data(), text.size()));
  put(text, NameView(count ? " has an empty token; the dimensions are " : " has an empty token"));
  return put_quoted(text, names, count), text;
}

template <fixed_string Order, class... Dims>
struct Ordered {
  static constexpr unsigned count = sizeof...(Dims);
  static constexpr NameView names[] = {Dims::name.view()..., NameView()};
  static constexpr ParsedOrder parsed = parse_order(Order.view(), names, count);

  static consteval Message explain() { return axial::explain(parsed, Order.view(), names, count); }
  template <std::size_t... I>
  static auto mesh(std::index_sequence<I...>) -> Mesh<__type_pack_element<parsed.picked.at[count - 1 - I], Dims...>...>;
};

template <fixed_string Order, class... Dims>
consteval auto ordered_mesh() {
  if constexpr (sizeof...(Dims) > max_dimensions || !(is_dim<Dims> && ...)) {
    return std::type_identity<Mesh<Dims...>>{};  // which says so
  } else if constexpr (!Ordered<Order, Dims...>::parsed.picked.ok()) {
    static_assert(false, Ordered<Order, Dims...>::explain());
    return std::type_identity<Harmless>{};
  } else {
    return std::type_identity<decltype(Ordered<Order, Dims...>::mesh(std::index_sequence_for<Dims...>{}))>{};
  }
}

/// The mesh of these dimensions, given in any order, in the order that Megatron spells "tp-cp-ep-dp-pp": the leftmost
/// varies fastest and so comes last in `Mesh`. Each dimension is named exactly once, those of extent 1 too.
export template <fixed_string Order, class... Dims>
using mesh_from_order = typename decltype(ordered_mesh<Order, Dims...>())::type;

/// The divisors of a number below 2^31, and those that are primes, in increasing order.
struct Divisors {
  unsigned values[1600] = {};  // as many as 2095133040 has
  unsigned count = 0;
  unsigned primes[9] = {};  // 2*3*5*7*11*13*17*19*23 = 223092870, times 29 is too large
  unsigned prime_count = 0;
  unsigned prime_factors = 0;  // 12 = 2*2*3 has three

  constexpr explicit Divisors(unsigned n) {
    for (unsigned small = 1; small <= n / small; ++small)
      if (n % small == 0) values[count++] = small;
    for (unsigned i = count; i-- > 0;)
      if (n / values[i] != values[i]) values[count++] = n / values[i];
    for (unsigned i = 1; i < count; ++i) {
      if (n % values[i] == 0) primes[prime_count++] = values[i];
      for (; n % values[i] == 0; n /= values[i]) ++prime_factors;
    }
  }
  constexpr unsigned largest_prime_of(unsigned n) const {
    unsigned i = prime_count;
    while (i > 0 && n % primes[i - 1] != 0) --i;
    return i > 0 ? primes[i - 1] : 1;
  }
};

/// base^power >= bound, for numbers up to 2^31: ceil(ceil(bound / base) / base) is ceil(bound / base^2).
constexpr bool power_is_at_least(unsigned base, unsigned power, unsigned bound) {
  for (; power > 0 && base > 1 && bound > 1; --power) bound = (bound + base - 1) / base;
  return bound <= 1;
}

/// The place of the smallest divisor that is no smaller than a root of n.
constexpr unsigned first_from_root(const Divisors& divisors, unsigned n, unsigned degree) {
  unsigned from = 0, to = divisors.count;
  while (from < to) {
    const unsigned middle = (from + to) / 2;
    if (power_is_at_least(divisors.values[middle], degree, n))
      to = middle;
    else
      from = middle + 1;
  }
  return from;
}

/// n, a divisor of the number that `divisors` is about, as a product of `count` factors, none below `least` or above
/// `most`: how small the largest of them can be, or 0 when there is no such product.
constexpr unsigned smallest_largest(const Divisors& divisors, unsigned n, unsigned count, unsigned least,
                                    unsigned most) {
  if (count == 1 || n == 1) return least <= n && n <= most ? n : 0;
  // The largest factor is no smaller than the root and than each prime, without which the search takes 1000 times
  // longer, and no larger than what leaves enough for the others.
  const unsigned prime = divisors.largest_prime_of(n);
  for (unsigned i = first_from_root(divisors, n, count); i < divisors.count; ++i) {
    const unsigned factor = divisors.values[i];
    if (factor > most || power_is_at_least(least, count - 1, n / factor + 1)) return 0;
    if (factor >= prime && n % factor == 0 && smallest_largest(divisors, n / factor, count - 1, least, factor) != 0)
      return factor;
  }
  return 0;
}

/// Fills in the extents that are 0, so that the product of all is n, as square as possible, and returns true; returns
/// false and changes nothing when no extents do, or n is 0 or more than max_ranks. Those filled in do not increase; the
/// largest is as small as possible, then the smallest as large as possible, then the first that can be smaller is.
/// The requests of MPI_Dims_create, which leaves "as close to each other as possible" to the implementation.
export constexpr bool balanced_extents(unsigned n, unsigned* extents, unsigned count) {
  if (n == 0 || n > max_ranks) return false;
  unsigned open = 0;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned fixed = extents[i] == 0 ? 1 : extents[i];
    if (n % fixed != 0) return false;
    n /= fixed;
    open += extents[i] == 0;
  }
  if (open == 0) return n == 1;
  const Divisors divisors(n);
  unsigned largest = smallest_largest(divisors, n, open, 1, n);
  // Places of divisors: no extent needs to be below `least`, one is below `above`.
  unsigned least = 0, above = open > divisors.prime_factors ? 1 : first_from_root(divisors, n, open) + 1;
  while (above - least > 1) {
    const unsigned middle = (least + above) / 2;
    const bool possible = smallest_largest(divisors, n, open, divisors.values[middle], largest) != 0;
    (possible ? least : above) = middle;
  }
  for (unsigned i = 0; i < count; ++i) {
    if (extents[i] != 0) continue;
    largest = smallest_largest(divisors, n, open--, divisors.values[least], largest);
    extents[i] = largest;
    n /= largest;
  }
  return true;
}

/// What is wrong with a balanced mesh of n ranks over `count` dimensions; empty when nothing is.
constexpr Message explain_balanced(unsigned n, unsigned count) {
  Message text;
  if (n == 0)
    put(text, NameView("balanced_mesh of 0 ranks; the least is 1"));
  else if (n > max_ranks)
    put(text, NameView("balanced_mesh of "), n, NameView(" ranks; the most is "), max_ranks);
  else if (count == 0)
    put(text, NameView("balanced_mesh names no dimension; it takes at least one: balanced_mesh<"), n,
        NameView(", \"x\", \"y\">"));
  return text;
}

template <unsigned N, fixed_string... Names>
struct Balanced {
  static constexpr unsigned count = sizeof...(Names);
  static constexpr Message problem = explain_balanced(N, count);

  static consteval List<unsigned, count> balance() {
    List<unsigned, count> list;
    balanced_extents(N, list.data(), count);
    return list;
  }
  static constexpr List<unsigned, count> extents = balance();
  template <std::size_t... I>
  static auto mesh(std::index_sequence<I...>) -> Mesh<Dim<Names, extents[I]>...>;
};

template <unsigned N, fixed_string... Names>
consteval auto balanced() {
  using made = Balanced<N, Names...>;
  if constexpr (made::problem.length > 0) {
    static_assert(false, made::problem);
    return std::type_identity<Harmless>{};
  } else {
    return std::type_identity<decltype(made::mesh(std::make_index_sequence<made::count>{}))>{};
  }
}

/// N ranks over named dimensions, as square as possible, with extents that do not increase (see balanced_extents):
/// `balanced_mesh<72, "x", "y">` is 9 by 8.
export template <unsigned N, fixed_string... Names>
using balanced_mesh = typename decltype(balanced<N, Names...>())::type;

/// A mesh as text, `dp=4,tp=2`, taken apart; names are views of the text.
export struct ParsedMesh {
  NameView names[max_dimensions] = {};
  unsigned extents[max_dimensions] = {};  ///< `dynamic` where the text has `*`
  unsigned count = 0;
  std::string_view wrong = {};  ///< where `ok` is false: the piece that is no dimension
  bool ok = false;
};

constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  while (!text.empty() && blanks.find(text.front()) != blanks.npos) text.remove_prefix(1);
  while (!text.empty() && blanks.find(text.back()) != blanks.npos) text.remove_suffix(1);
  return text;
}

/// `*`, or a number from 1 to max_ranks; 0 for anything else.
constexpr unsigned parse_extent(std::string_view digits) {
  if (digits == "*") return dynamic;
  unsigned long long extent = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9' || extent > max_ranks) return 0;
    extent = extent * 10 + static_cast<unsigned>(digit - '0');
  }
  return extent > max_ranks ? 0 : static_cast<unsigned>(extent);
}

/// Reads `NAME=EXTENT,...`, blanks allowed around each.
export constexpr ParsedMesh parse_mesh(std::string_view text) {
  ParsedMesh parsed;
  while (true) {
    const std::string_view item = text.substr(0, text.find(','));
    const std::size_t equals = item.find('=');
    const std::string_view name = trimmed(item.substr(0, equals));
    const unsigned extent = equals == item.npos ? 0 : parse_extent(trimmed(item.substr(equals + 1)));
    parsed.wrong = item;
    if (name.empty() || extent == 0 || parsed.count == max_dimensions) return parsed;
    parsed.names[parsed.count] = name;
    parsed.extents[parsed.count++] = extent;
    if (item.size() == text.size()) break;
    text.remove_prefix(item.size() + 1);
  }
  parsed.ok = true;
  return parsed;
}

template <mesh_type M>
constexpr bool matches(const ParsedMesh& parsed) {
  if (!parsed.ok || parsed.count != M::ndim()) return false;
  for (unsigned i = 0; i < parsed.count; ++i)
    if (parsed.names[i] != M::names()[i] || parsed.extents[i] != M::shape(dynamic)[i]) return false;
  return true;
}

[[noreturn]] void throw_no_such_mesh(std::string_view text, bool well_formed, TextSink& legal);

template <class Result, mesh_type First, mesh_type... Rest, class F>
Result dispatch_to(const ParsedMesh& parsed, F&& f) {
  if constexpr (sizeof...(Rest) > 0)
    if (!matches<First>(parsed)) return dispatch_to<Result, Rest...>(parsed, static_cast<F&&>(f));
  return static_cast<F&&>(f)(First{});
}

/// Calls f(mesh) with the one of `Meshes` that `text` names, as "dp=4,tp=2" (dimensions in order), and returns what f
/// returns for the first of them. Throws MeshError listing the set when the text names none of them.
export template <mesh_type... Meshes, class F>
auto dispatch(std::string_view text, F&& f) -> decltype(static_cast<F&&>(f)(__type_pack_element<0, Meshes...>{})) {
  const ParsedMesh parsed = parse_mesh(text);
  if (!(matches<Meshes>(parsed) || ...)) {
    TextSink legal;
    bool first = true;
    const auto list = [&]<class M>(M) {
      if (!first) put(legal, NameView("; "));
      first = false;
      put_extents(legal, M::names(), M::shape(dynamic), ",");
    };
    (list(Meshes{}), ...);
    throw_no_such_mesh(text, parsed.ok, legal);
  }
  return dispatch_to<decltype(f(__type_pack_element<0, Meshes...>{})), Meshes...>(parsed, static_cast<F&&>(f));
}

}  // namespace axial
