// SPDX-License-Identifier: BSL-1.0
// What a configuration check finds: two sides, terms with names, that are not in the relation they should be in, and
// the nearest legal values. Plain constexpr functions that neither throw nor allocate.
module;
#include <cstddef>
#include <initializer_list>

export module axial:finding;
import :fixed_string;

namespace axial {

/// A number of heads, layers, bytes.
export using Count = unsigned long long;

// Products and sums stop at the largest number, which equals nothing, is divisible by nothing and fits nowhere.
inline constexpr Count overflow = ~0ull;
constexpr Count multiply(Count a, Count b) { return b != 0 && a > overflow / b ? overflow : a * b; }
constexpr Count add(Count a, Count b) { return a > overflow - b ? overflow : a + b; }
constexpr Count subtract(Count a, Count b) { return a < b ? 0 : a - b; }

/// The least multiple of `multiple_of` that is at least `size`: 17 words on 8 ranks are padded to 24.
export constexpr Count padded_size(Count size, Count multiple_of) {
  return multiple_of ? multiply(size / multiple_of + (size % multiple_of != 0), multiple_of) : 0;
}

/// A number by name, `{"heads", 28}`; one without a name is written as itself. A fixed one is no candidate for a
/// nearest legal value.
export struct Term {
  NameView name = {};
  Count value = 0;
  bool fixed = false;
  char before = '*';  // the operator before it: * + -, or & in a list
};

/// The most terms that `Terms` tells apart; further ones are multiplied into the last, `...`.
export inline constexpr unsigned max_terms = 8;

/// A product, a sum, or a list of terms, evaluated from left to right.
export struct Terms {
  Term terms[max_terms] = {};
  unsigned count = 0;

  constexpr Terms() = default;
  constexpr Terms(Term term) : terms{term}, count(1) {}
  constexpr Terms(NameView name, Count value) : Terms(Term{.name = name, .value = value}) {}
  /// The product.
  constexpr Terms(std::initializer_list<Term> factors) {
    for (const Term& factor : factors) append('*', factor);
  }

  constexpr void append(char before, Term term) {
    term.before = before;
    if (count < max_terms) {
      terms[count++] = term;
    } else {
      Term& last = terms[max_terms - 1];
      last = {.name = "...", .value = multiply(last.value, term.value), .fixed = last.fixed && term.fixed};
    }
  }

  enum class Which { all, free, fixed };
  constexpr Count value(Which which = Which::all) const {
    Count value = 1;
    bool first = true;
    for (const Term& term : *this) {
      if (term.fixed ? which == Which::free : which == Which::fixed) continue;
      if (first || term.before == '*')
        value = multiply(value, term.value);
      else
        value = term.before == '+' ? add(value, term.value) : subtract(value, term.value);
      first = false;
    }
    return value;
  }
  constexpr bool is_product() const {
    for (const Term& term : *this)
      if (term.before != '*') return false;
    return true;
  }
  constexpr bool is_fixed() const {
    for (const Term& term : *this)
      if (!term.fixed) return false;
    return true;
  }
  constexpr bool is_named() const {
    for (const Term& term : *this)
      if (!term.name.empty()) return true;
    return false;
  }
  constexpr const Term* begin() const { return terms; }
  constexpr const Term* end() const { return terms + count; }

  /// `heads = 28`; `2 * cp = 2 * 4 = 8`; of a list, `ep = 2 and cp = 2`.
  template <class Sink>
  friend constexpr void put(Sink& sink, const Terms& of) {
    if (of.count > 1 && of.terms[1].before == '&') {
      for (const Term& term : of)
        put(sink, NameView(&term == of.begin() ? "" : " and "), term.name, NameView(" = "), term.value);
      return;
    }
    if (of.is_named()) put_names(sink, of, true), put(sink, NameView(" = "));
    for (const Term& term : of) put_operator(sink, &term != of.begin(), term), put(sink, term.value);
    if (of.count > 1) put(sink, NameView(" = "), of.value());
  }
};

template <class Sink>
constexpr void put_operator(Sink& sink, bool wanted, const Term& term) {
  const char text[] = {' ', term.before, ' '};
  if (wanted) put(sink, NameView(text, sizeof text));
}

/// `tp * cp`: the names alone, those of fixed terms on demand.
export template <class Sink>
constexpr void put_names(Sink& sink, const Terms& of, bool with_fixed) {
  bool first = true;
  for (const Term& term : of) {
    if (term.fixed && !with_fixed) continue;
    put_operator(sink, !first, term);
    first = false;
    if (term.name.empty())
      put(sink, term.value);
    else
      put(sink, term.name);
  }
}

constexpr Terms join(Terms a, char before, const Terms& b) {
  for (const Term& term : b) a.append(&term == b.begin() ? before : term.before, term);
  return a;
}
constexpr Terms operator*(const Terms& a, const Terms& b) { return join(a, '*', b); }
constexpr Terms operator+(const Terms& a, const Terms& b) { return join(a, '+', b); }
constexpr Terms operator-(Terms a, const Terms& sum) {
  for (const Term& term : sum) a.append('-', term);
  return a;
}
constexpr Terms operator&(const Terms& a, const Terms& b) { return join(a, '&', b); }
constexpr Terms fixed(Terms terms) {
  for (Term& term : terms.terms) term.fixed = true;
  return terms;
}
constexpr Terms literal(Count value) { return Term{.name = {}, .value = value, .fixed = true}; }

/// The legal values next to one that is not legal; 0 where there is none.
export struct Nearest {
  Count below = 0;
  Count above = 0;
  friend constexpr bool operator==(const Nearest&, const Nearest&) = default;

  constexpr void offer(Count now, Count legal) {
    if (legal < now && legal > below) below = legal;
    if (legal > now && (above == 0 || legal < above)) above = legal;
  }
};

constexpr Nearest nearest_multiples(Count now, Count of) {
  Nearest nearest;
  if (of == 0) return nearest;
  if (now > 0) nearest.below = (now - 1) / of * of;
  if (now / of < overflow / of) nearest.above = (now / of + 1) * of;
  return nearest;
}

// Nothing is offered for numbers from 2^32: a compiler takes no more than a million steps.
constexpr Nearest nearest_divisors(Count of, Count now) {
  Nearest nearest;
  if (of >> 32) return nearest;
  for (Count divisor = 1; divisor * divisor <= of; ++divisor)
    if (of % divisor == 0) nearest.offer(now, divisor), nearest.offer(now, of / divisor);
  return nearest;
}

template <class Sink>
constexpr void put_nearest(Sink& sink, const Terms& of, const Nearest& nearest) {
  if (nearest == Nearest{}) return;
  put(sink, NameView("; nearest legal ")), put_names(sink, of, false), put(sink, NameView(": "));
  if (nearest.below) put(sink, nearest.below);
  if (nearest.below && nearest.above) put(sink, NameView(" and "));
  if (nearest.above) put(sink, nearest.above);
}

/// What a rule found: nothing (`ok()`), or two sides that are not in the relation they should be in, and the values
/// that would make it right when the other side stays: `heads = 28 is not divisible by tp = 8; nearest legal heads: 24
/// and 32; nearest legal tp: 7 and 14`. Names are views: they must outlive it.
export struct Finding {
  NameView rule = {};
  Terms left = {};
  NameView relation = {};
  Terms right = {};
  NameView purpose = {};
  Nearest nearest_left = {};
  Nearest nearest_right = {};

  constexpr bool ok() const { return relation.empty(); }
  constexpr explicit operator bool() const { return ok(); }

  template <class Sink>
  friend constexpr void put(Sink& sink, const Finding& finding) {
    if (finding.ok()) return put(sink, NameView("ok"));
    put(sink, finding.left, NameView(" "), finding.relation);
    if (finding.right.count) put(sink, NameView(" "), finding.right);
    if (!finding.purpose.empty()) put(sink, NameView(" for "), finding.purpose);
    put_nearest(sink, finding.left, finding.nearest_left);
    put_nearest(sink, finding.right, finding.nearest_right);
  }
};

// The value that the free terms of a side (of a sum: its first) must have for the side to become `total`; 0: there is
// none.
constexpr Count free_value(const Terms& side, Count total) {
  if (side.is_fixed()) return 0;
  if (!side.is_product()) {
    const Count free = side.value(Terms::Which::free), now = side.value();
    return now < free ? add(total, free - now) : subtract(total, now - free);
  }
  const Count factor = side.value(Terms::Which::fixed);
  return factor != 0 && total % factor == 0 ? total / factor : 0;
}

// No axes are a product of 1, and are shown as that.
constexpr Terms shown(const Terms& side) { return side.count != 0 ? side : literal(1); }

constexpr Finding divisible(NameView rule, const Terms& left, const Terms& right,
                            NameView relation = "is not divisible by") {
  const Count number = left.value(), parts = right.value();
  if (number != 0 && number != overflow && parts != 0 && number % parts == 0) return {};
  Finding finding{
      .rule = rule, .left = shown(left), .relation = number ? relation : "cannot be shared by", .right = shown(right)};
  const Nearest multiples = nearest_multiples(number, parts);
  for (const Count total : {multiples.below, multiples.above})
    if (total) finding.nearest_left.offer(left.value(Terms::Which::free), free_value(left, total));
  finding.nearest_right = nearest_divisors(free_value(right, number), right.value(Terms::Which::free));
  return finding;
}

constexpr Finding equal(NameView rule, const Terms& left, const Terms& right) {
  const Count a = left.value(), b = right.value();
  if (a == b && a != overflow) return {};
  Finding finding{.rule = rule, .left = shown(left), .relation = "is not equal to", .right = shown(right)};
  finding.nearest_left.offer(left.value(Terms::Which::free), free_value(left, b));
  finding.nearest_right.offer(right.value(Terms::Which::free), free_value(right, a));
  return finding;
}

constexpr Finding at_most(NameView rule, const Terms& left, const Terms& right) {
  const Count a = left.value(), b = right.value();
  if (a <= b && a != overflow) return {};
  Finding finding{.rule = rule, .left = shown(left), .relation = "is more than", .right = shown(right)};
  finding.nearest_left.offer(left.value(Terms::Which::free), free_value(left, b));
  const Count enough = padded_size(a, right.value(Terms::Which::fixed));
  finding.nearest_right.offer(right.value(Terms::Which::free), free_value(right, enough));
  return finding;
}

constexpr Finding more_than_one(NameView rule, const Terms& axes, NameView purpose) {
  if (axes.value() > 1) return {};
  Finding finding{.rule = rule, .left = axes, .relation = "must be more than", .right = literal(1), .purpose = purpose};
  finding.nearest_left.above = 2;
  return finding;
}

[[noreturn]] void throw_config_error(TextSink& text);

/// The violations among a number of findings, in their order: `Report{numbers::divides(...), numbers::kv_heads(...)}`.
export template <std::size_t Capacity>
class Report {
 public:
  constexpr Report() = default;
  template <class... Findings>
    requires(sizeof...(Findings) == Capacity && Capacity > 0)
  constexpr explicit Report(const Findings&... findings) {
    (add(findings), ...);
  }
  /// One finding more. Precondition: there are fewer violations than Capacity, or it is none.
  constexpr void add(const Finding& finding) {
    if (!finding.ok()) violations_[count_++] = finding;
  }

  constexpr bool ok() const { return count_ == 0; }
  constexpr std::size_t size() const { return count_; }
  constexpr const Finding& operator[](std::size_t i) const { return violations_[i]; }
  constexpr const Finding* begin() const { return violations_; }
  constexpr const Finding* end() const { return violations_ + count_; }

  /// Throws ConfigError with all violations in one line, unless there is none.
  void require() const {
    if (ok()) return;
    TextSink text;
    put_line(text, *this);
    throw_config_error(text);
  }

  /// A line for each violation, with its number and rule: `1. divides: heads = 28 is not ...`; `ok` when there is none.
  template <class Sink>
  friend constexpr void put(Sink& sink, const Report& report) {
    if (report.ok()) put(sink, NameView("ok"));
    for (const Finding& finding : report) {
      const auto number = static_cast<std::size_t>(&finding - report.begin()) + 1;
      put(sink, NameView(number > 1 ? "\n" : ""), number, NameView(". "), finding.rule, NameView(": "), finding);
    }
  }
  /// `heads = 28 is not ...`, or `2 violations: (1) heads = 28 is not ...; (2) ...`.
  template <class Sink>
  friend constexpr void put_line(Sink& sink, const Report& report) {
    if (report.size() > 1) put(sink, report.size(), NameView(" violations: "));
    for (const Finding& finding : report) {
      const auto number = static_cast<std::size_t>(&finding - report.begin()) + 1;
      if (report.size() > 1) put(sink, NameView(number > 1 ? "; (" : "("), number, NameView(") "));
      put(sink, finding);
    }
  }

 private:
  Finding violations_[Capacity ? Capacity : 1] = {};
  std::size_t count_ = 0;
};
export template <class... Findings>
Report(const Findings&... findings) -> Report<sizeof...(Findings)>;

}  // namespace axial
