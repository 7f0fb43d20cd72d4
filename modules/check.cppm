// SPDX-License-Identifier: BSL-1.0
// Configuration checks: does a model fit a mesh? Functions on numbers (namespace numbers), rules that apply them to a
// mesh type, and `check`, which composes rules. Nothing here knows of processes.
module;
#include <cstddef>
#include <utility>

export module axial:check;
export import :finding;
import :fixed_string;
import :layout;
import :list;
import :mesh;
import :selection;

#pragma clang diagnostic ignored "-Wc++26-extensions"  // static_assert with a computed text

namespace axial {

/// How the rows of a vocabulary are stored.
export struct Padding {
  Count rows = 0;
};
/// One row for each word.
export inline constexpr Padding exact{};
/// As many rows as the axes need: the next multiple, `padded_size`.
export inline constexpr Padding padded{overflow};
/// A number of rows that was decided on.
export constexpr Padding padded_to(Count rows) { return {rows}; }

/// How layers are spread over pipeline stages: how many chunks each stage has (interleaved schedules), how many layers
/// the first and the last stage have (0: as many as the others), and what counts as one layer more.
export struct Stages {
  Count virtual_stages = 1;
  Count first = 0;
  Count last = 0;
  bool embedding = false;
  bool loss = false;
};

/// What each rank keeps: `bytes` for each parameter, and `optimizer_bytes` more, which can be sharded further (ZeRO).
export struct Memory {
  Count parameters = 0;
  Count bytes = 0;
  Count optimizer_bytes = 0;
  Count limit = 0;
};

/// A dimension of a tensor and the mesh axis that it is sharded along.
export struct Mapping {
  Term dimension = {};
  Term axis = {};
};

/// The groups along an axis: the distance between neighbours, and the number of ranks of their world.
export struct AxisGroups {
  Term axis = {};
  Count stride = 0;
  Count world = 0;
};

// The ranks that groups span, for each rank in a group: (2,2):(4,1) has four ranks in a block of 8, as 4:2 has.
constexpr Count spacing(const Layout& axis) {
  const Mode outer = sorted(axis).modes[0];
  return multiply(outer.extent, outer.stride) / size_of(axis);
}

// The rules on numbers. They neither throw nor allocate; any number may come from a user, also 0.
namespace numbers {

/// The axes divide the number: heads, hidden units, experts, microbatches.
export constexpr Finding divides(const Term& number, const Terms& axes) { return divisible("divides", number, axes); }

/// The number divides the axes: a degree that a flattened axis is split into, such as ep | dp * cp * tp.
export constexpr Finding splits(const Terms& axes, const Term& number) { return divisible("splits", axes, number); }

/// Key/value heads are divided among the ranks or, where there are fewer heads than ranks, replicated evenly.
export constexpr Finding kv_heads(const Term& heads, const Terms& axes) {
  const Count a = heads.value, b = axes.value();
  if (a != 0 && b != 0 && b != overflow && (a % b == 0 || b % a == 0)) return {};
  Finding finding{
      .rule = "kv_heads", .left = heads, .relation = "is neither a multiple nor a divisor of", .right = axes};
  const auto nearest = [](Count now, Count other) {
    Nearest nearest = nearest_divisors(other, now);
    for (const Nearest multiples = nearest_multiples(now, other);
         const Count legal : {multiples.below, multiples.above})
      nearest.offer(now, legal);
    return nearest;
  };
  finding.nearest_left = nearest(a, b);
  finding.nearest_right = nearest(b, a);
  return finding;
}

/// The axes divide the rows of the vocabulary, which are at least as many as the words.
export constexpr Finding vocabulary(const Term& words, const Terms& axes, Padding padding = exact) {
  if (padding.rows == exact.rows) return divisible("vocabulary", words, axes);
  const Terms rows("rows", padding.rows == padded.rows ? padded_size(words.value, axes.value()) : padding.rows);
  if (const Finding finding = at_most("vocabulary", words, rows); !finding) return finding;
  return divisible("vocabulary", rows, axes);
}

/// Context parallelism gives each rank two chunks, one from each end, of the same length (so 2 * cp; none is needed for
/// cp = 1); `tp`, where the chunks are split once more (sequence parallelism).
export constexpr Finding sequence(const Term& length, const Terms& cp, const Terms& tp = {}) {
  return divisible("sequence", length, (cp.value() > 1 ? literal(2) * cp : cp) * tp);
}

/// Every stage has as many layers as the others, but for a first and a last one whose size is given; every chunk too.
export constexpr Finding layers(const Term& layers, const Terms& pp, Stages stages = {}) {
  constexpr NameView rule = "layers";
  const auto extra = [](NameView name, Count value) { return Term{.name = name, .value = value, .fixed = true}; };
  const Count uneven = (stages.first != 0) + (stages.last != 0);
  if (stages.virtual_stages != 1 && pp.value() <= 1) return more_than_one(rule, pp, "virtual stages");
  if (pp.value() < uneven) return more_than_one(rule, pp, "a first and a last stage");

  const Terms chunks = stages.virtual_stages == 1 ? Terms() : extra("virtual_stages", stages.virtual_stages);
  for (const Term& end : {Term{"first", stages.first}, Term{"last", stages.last}})
    if (const Finding finding = divisible(rule, end, chunks); end.value != 0 && !finding) return finding;

  Terms rest = layers;
  if (stages.embedding) rest = rest + extra("embedding", 1);
  if (stages.loss) rest = rest + extra("loss", 1);
  if (uneven == 0) return divisible(rule, rest, pp * chunks);

  const Terms ends = Terms(extra("first", stages.first)) + extra("last", stages.last);
  const Terms middle = Terms("middle_stages", pp.value() - uneven) * chunks;
  if (const Count now = rest.value(); now < ends.value()) {
    Finding finding{.rule = rule, .left = rest, .relation = "is less than", .right = ends};
    finding.nearest_left.above = add(layers.value, add(ends.value(), middle.value()) - now);
    return finding;
  }
  rest = rest - ends;
  return middle.value() == 0 ? equal(rule, rest, literal(0)) : divisible(rule, rest, middle);
}

/// Each stage has its own number of layers: as many numbers as stages, and together all layers.
export constexpr Finding stage_sizes(const Term& layers, const Terms& pp, const Count* sizes, std::size_t count) {
  if (const Finding finding = equal("stage_sizes", Terms("stages", count), pp); !finding) return finding;
  Count sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum = add(sum, sizes[i]);
  return equal("stage_sizes", layers, Terms("sum_of_stages", sum));
}

/// global = micro * accumulation * dp; with accumulation 0 (as often as needed) micro * dp divides global.
export constexpr Finding batch(Count global, Count micro, Count accumulation, const Terms& dp) {
  const Terms micro_batch("micro_batch", micro);
  if (accumulation == 0) return divisible("batch", {"global_batch", global}, fixed(micro_batch) * dp);
  return equal("batch", {"global_batch", global}, fixed(micro_batch) * Terms("accumulation", accumulation) * fixed(dp));
}

/// The number of ranks is the product of the extents.
export constexpr Finding world(const Terms& extents, Count ranks) { return equal("world", extents, {"world", ranks}); }

/// The parts of an axis (hierarchical, sub-axes) multiply to its extent.
export constexpr Finding parts(const Terms& axis, const Terms& parts) { return equal("parts", axis, parts); }

/// Two meshes have as many ranks.
export constexpr Finding same_size(const Terms& mesh, const Terms& other) { return equal("same_size", mesh, other); }

/// Extents of 0 (-1 in other systems) are left open; at most one can be computed from the others.
export constexpr Finding one_open(const Terms& extents) {
  Terms open;
  for (const Term& extent : extents)
    if (extent.value == 0) open.append('&', extent);
  if (open.count < 2) return {};
  return {.rule = "one_open", .left = open, .relation = "are left open, and only one can be"};
}

/// What needs more than one rank: sequence parallelism needs tp > 1.
export constexpr Finding needs(const Terms& axes, NameView purpose) { return more_than_one("needs", axes, purpose); }

/// At most one of the two is more than 1.
export constexpr Finding exclusive(const Terms& a, const Terms& b) {
  if (a.value() <= 1 || b.value() <= 1) return {};
  return {.rule = "exclusive", .left = a & b, .relation = "cannot both be more than", .right = literal(1)};
}

/// Every group along axes with neighbours `stride` apart stays inside one of the blocks of `level` ranks that the world
/// is made of, such as nodes. (A world of one block holds all groups.)
export constexpr Finding within(const Terms& axes, Count stride, const Term& level, Count world) {
  if (axes.value() <= 1 || world <= level.value) return {};
  return divisible("within", level, axes * Term{.name = "stride", .value = stride, .fixed = true},
                   "does not hold whole blocks of");
}

/// The same for the groups of a mesh, sliced or with a base map, too.
export constexpr Finding within(const Terms& axes, const Groups& groups, const Term& level) {
  if (!groups.map.ranks && groups.pinned.count == 0) return within(axes, spacing(groups.axis), level, groups.ranks);
  if (groups_fit(groups, level.value)) return {};
  return {.rule = "within", .left = level, .relation = "does not hold all groups of", .right = axes};
}

/// The parameters and optimizer state that are sharded over the axes, the latter over `optimizer_axes` too, fit.
export constexpr Finding memory(const Memory& memory, const Terms& axes, const Terms& optimizer_axes = {}) {
  const Count bytes = multiply(memory.parameters, memory.optimizer_bytes), shards = optimizer_axes.value();
  Terms all("parameter_bytes", multiply(memory.parameters, memory.bytes));
  if (bytes != 0 && shards != 0)
    all = all + Term{.name = "optimizer_bytes", .value = bytes / shards + (bytes % shards != 0), .fixed = true};
  return at_most("memory", all, fixed({"limit", memory.limit}) * axes);
}

/// No two dimensions of one tensor are sharded along the same axis, and none along two. (Mesh-TensorFlow's rules)
export constexpr Finding mapping(const Mapping* map, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Terms dimensions = Terms(map[j].dimension) & map[i].dimension;
      if (map[i].axis.name == map[j].axis.name)
        return {.rule = "mapping", .left = dimensions, .relation = "both map to", .right = map[i].axis};
      if (map[i].dimension.name == map[j].dimension.name)
        return {.rule = "mapping",
                .left = map[i].dimension,
                .relation = "maps to both",
                .right = Terms(map[j].axis) & map[i].axis};
    }
  return {};
}

/// An axis of one mesh has the groups of an axis of another (`same`; who asks compares their layouts).
export constexpr Finding same_groups(bool same, const AxisGroups& a, const AxisGroups& b) {
  if (same) return {};
  if (a.world != b.world) return equal("same_groups", Terms("ranks", a.world), Terms("other_ranks", b.world));
  const auto side = [](const AxisGroups& groups) { return Terms(groups.axis) * Terms("stride", groups.stride); };
  const bool alike = a.axis.value == b.axis.value && a.stride == b.stride;  // a base map or a slice makes them differ
  return {.rule = "same_groups",
          .left = side(a),
          .relation = alike ? "has groups of other ranks than" : "has other groups than",
          .right = side(b)};
}

}  // namespace numbers

/// Names of axes as one template argument: "tp", or along<"tp", "cp"> for their flattening. `N` counts the NUL of each,
/// which is a comma in `text`.
export template <std::size_t... N>
struct AxisNames {
  char text[sizeof...(N) ? (N + ... + 0) : 1] = {};

  constexpr AxisNames(const char (&... names)[N]) {
    std::size_t at = 0;
    const auto copy = [&](const char* name, std::size_t size) {
      if (at > 0) text[at - 1] = ',';
      for (std::size_t i = 0; i < size; ++i) text[at++] = name[i];
    };
    (copy(names, N), ...);
  }
  constexpr List<Key, sizeof...(N)> keys() const {
    const std::size_t sizes[] = {N..., 0};
    List<Key, sizeof...(N)> keys;
    std::size_t at = 0;
    for (std::size_t i = 0; i < keys.size(); at += sizes[i++]) keys[i].name = {text + at, sizes[i] - 1};
    return keys;
  }
};
export template <std::size_t... N>
AxisNames(const char (&... names)[N]) -> AxisNames<N...>;

/// Several axes for a rule, as if flattened; none of them is a product of 1.
export template <fixed_string... Names>
inline constexpr auto along = AxisNames(Names.text...);

/// The axes of M that a rule names.
template <class M, AxisNames Wanted>
struct Along {
  static constexpr auto names = M::names();
  static constexpr auto keys = Wanted.keys();
  static constexpr Names known{names.data(), M::ndim(), M::takes_every_name};
  static constexpr Selection picked =
      keys.empty() ? Selection{} : select(known, keys.data(), static_cast<unsigned>(keys.size()), Rule::some);

  static constexpr Terms extents() {
    Terms extents;
    for (unsigned i = 0; i < picked.count; ++i)
      extents.append('*', Term{names[picked.at[i]], M::shape(dynamic)[picked.at[i]]});
    return extents;
  }
  static constexpr bool has_dynamic() {
    for (unsigned i = 0; i < picked.count; ++i)
      if (M::shape(dynamic)[picked.at[i]] == dynamic) return true;
    return false;
  }
  /// The groups along all these axes.
  template <std::size_t... I>
  static constexpr Groups groups(std::index_sequence<I...>) {
    using where = where_t<typename M::mesh>;
    Layout modes;
    ((modes = concatenate(modes, M::template axis_type<picked.at[I]>::layout)), ...);
    return {modes, where::pinned, where::offset, where::ranks, where::base_type::map};
  }
  static constexpr Groups groups() { return groups(std::make_index_sequence<picked.count>{}); }
};

template <class... Axes>
constexpr Message wrong_name(NameView rule) {
  Message text;
  ((text.length == 0 && !Axes::picked.ok() ? void(text = explain(Axes::picked, Axes::known, Axes::keys.data(), rule))
                                           : void()),
   ...);
  return text;
}

// The dynamic dimension is the outermost, or not one of this mesh.
template <class M>
constexpr Message needs_dynamic() {
  Message text;
  put(text, NameView("a rule needs "));
  if (M::ndim() > 0 && M::shape(dynamic)[0] == dynamic)
    put(text, NameView("the extent of dimension \""), M::names()[0], NameView("\""));
  else
    put(text, NameView("the number of ranks"));
  put(text, NameView(", which is dynamic: check it at run time, by axial::numbers"));
  return text;
}

/// The base of a rule on axes: `struct my_rule : OnAxes<"tp", "cp">` has `on<M>(tp, cp)`, which takes the extents as
/// `Terms` and returns a `Finding`. A name that M does not have is an error of one line, and no violation.
export template <AxisNames... Wanted>
struct OnAxes {
  template <mesh_type M, class Rule>
  static constexpr Finding apply() {
    if constexpr ((Along<M, Wanted>::has_dynamic() || ...)) {
      static_assert(false, needs_dynamic<M>());
      return {};
    } else if constexpr ((Along<M, Wanted>::picked.ok() && ...)) {
      return M::takes_every_name ? Finding{} : Rule::template on<M>(Along<M, Wanted>::extents()...);
    } else {
      static_assert(false, wrong_name<Along<M, Wanted>...>("a rule"));
      return {};
    }
  }
};

// True where the number of ranks of all meshes is known, and the error where it is not.
template <class M, class... Others>
constexpr bool ranks_are_known() {
  if constexpr (where_t<typename M::mesh>::ranks == dynamic) {
    static_assert(false, needs_dynamic<M>());
    return false;
  } else if constexpr (sizeof...(Others) > 0) {
    return ranks_are_known<Others...>();
  }
  return true;
}

// All extents of M, and its copies; the outermost is what could be changed to make the product right.
template <class M>
constexpr Terms all_extents() {
  Terms extents;
  for (unsigned i = 0; i < M::ndim(); ++i)
    extents.append('*', {.name = M::names()[i], .value = M::shape()[i], .fixed = i > 0});
  if (M::copies() > 1) extents.append('*', {.name = "copies", .value = M::copies(), .fixed = true});
  return extents.count ? extents : Terms("ranks", 1);
}

/// `divides<"tp", 28, "heads">`, `divides<along<"tp", "cp">, 28, "heads">`: the axes divide a number of the model.
export template <AxisNames Axes, Count N, fixed_string Label = "size">
struct divides : OnAxes<Axes> {
  template <class>
  static constexpr Finding on(const Terms& axes) {
    return numbers::divides({Label, N}, axes);
  }
};

/// `splits<along<"dp", "cp", "tp">, 8, "ep">`: a number divides the axes.
export template <AxisNames Axes, Count N, fixed_string Label = "parts">
struct splits : OnAxes<Axes> {
  template <class>
  static constexpr Finding on(const Terms& axes) {
    return numbers::splits(axes, {Label, N});
  }
};

/// `multiple<"hidden", 3584, "heads", 28>`: of two numbers of the model the second divides the first.
export template <fixed_string Label, Count N, fixed_string OfLabel, Count Of>
struct multiple : OnAxes<> {
  template <class>
  static constexpr Finding on() {
    return numbers::divides({Label, N}, {OfLabel, Of});
  }
};

/// `kv_heads<"tp", 4>`: divided among the ranks, or replicated evenly.
export template <AxisNames Axes, Count N>
struct kv_heads : OnAxes<Axes> {
  template <class>
  static constexpr Finding on(const Terms& axes) {
    return numbers::kv_heads({"kv_heads", N}, axes);
  }
};

/// `vocabulary<"tp", 152064>`, `vocabulary<"tp", 17, padded>`, `vocabulary<"tp", 50257, padded_to(50304)>`
export template <AxisNames Axes, Count N, Padding P = exact>
struct vocabulary : OnAxes<Axes> {
  template <class>
  static constexpr Finding on(const Terms& axes) {
    return numbers::vocabulary({"vocabulary", N}, axes, P);
  }
};

/// `sequence<"cp", 8192>`; with sequence parallelism `sequence<"cp", 8192, "tp">`.
export template <AxisNames Cp, Count N, AxisNames Tp = along<>>
struct sequence : OnAxes<Cp, Tp> {
  template <class>
  static constexpr Finding on(const Terms& cp, const Terms& tp) {
    return numbers::sequence({"sequence", N}, cp, tp);
  }
};

/// `layers<"pp", 28>`, `layers<"pp", 61, Stages{.first = 3, .last = 2}>`
export template <AxisNames Pp, Count N, Stages S = Stages{}>
struct layers : OnAxes<Pp> {
  template <class>
  static constexpr Finding on(const Terms& pp) {
    return numbers::layers({"layers", N}, pp, S);
  }
};

/// `stage_sizes<"pp", 32, 7, 8, 9, 8>`: the layers of each stage.
export template <AxisNames Pp, Count N, Count... Sizes>
struct stage_sizes : OnAxes<Pp> {
  template <class>
  static constexpr Finding on(const Terms& pp) {
    const Count sizes[] = {Sizes..., 0};
    return numbers::stage_sizes({"layers", N}, pp, sizes, sizeof...(Sizes));
  }
};

/// `batch<"dp", 1024, 2, 64>`: global, micro, accumulation (0: as often as needed).
export template <AxisNames Dp, Count Global, Count Micro, Count Accumulation = 0>
struct batch : OnAxes<Dp> {
  template <class>
  static constexpr Finding on(const Terms& dp) {
    return numbers::batch(Global, Micro, Accumulation, dp);
  }
};

/// `parts<"cp", 8, 2>`: the product of the parts is the extent.
export template <AxisNames Axes, Count... Parts>
struct parts : OnAxes<Axes> {
  template <class>
  static constexpr Finding on(const Terms& axes) {
    Terms product;
    (product.append('*', Term{.name = {}, .value = Parts, .fixed = true}), ...);
    return numbers::parts(axes, product);
  }
};

/// `needs<"tp", "sequence parallelism">`: the axes have more than one rank.
export template <AxisNames Axes, fixed_string Purpose>
struct needs : OnAxes<Axes> {
  template <class>
  static constexpr Finding on(const Terms& axes) {
    return numbers::needs(axes, Purpose);
  }
};

/// `exclusive<"ep", "cp">`: at most one of the two is more than 1.
export template <AxisNames A, AxisNames B>
struct exclusive : OnAxes<A, B> {
  template <class>
  static constexpr Finding on(const Terms& a, const Terms& b) {
    return numbers::exclusive(a, b);
  }
};

/// `within<"tp", 8>`: every group stays inside a block of 8 consecutive ranks (a node, an NVLink domain).
export template <AxisNames Axes, Count Level, fixed_string Label = "ranks_per_node">
struct within : OnAxes<Axes> {
  template <class M>
  static constexpr Finding on(const Terms& axes) {
    return numbers::within(axes, Along<M, Axes>::groups(), {Label, Level});
  }
};

/// `world<16>`: the mesh is made for this number of ranks; one that was sliced, too, is of all of them.
export template <Count Ranks>
struct world : OnAxes<> {
  template <class M>
  static constexpr Finding on() {
    if constexpr (ranks_are_known<M>()) {
      Terms extents = all_extents<M>();
      if (const Count sliced = size_of(where_t<typename M::mesh>::pinned); sliced > 1)
        extents.append('*', {.name = "sliced", .value = sliced, .fixed = true});
      return numbers::world(extents, Ranks);
    }
    return {};
  }
};

/// `same_size<Expert>`: another mesh has as many ranks.
export template <mesh_type Other>
struct same_size : OnAxes<> {
  template <class M>
  static constexpr Finding on() {
    if constexpr (ranks_are_known<M, Other>()) return numbers::same_size(all_extents<M>(), all_extents<Other>());
    return {};
  }
};

/// `memory<along<"tp", "pp">, Memory{.parameters = 7'615'616'512, .bytes = 2, .limit = 80ull << 30}>`; optimizer state
/// that is sharded further: its axes last.
export template <AxisNames Axes, Memory What, AxisNames OptimizerAxes = along<>>
struct memory : OnAxes<Axes, OptimizerAxes> {
  template <class>
  static constexpr Finding on(const Terms& axes, const Terms& optimizer_axes) {
    return numbers::memory(What, axes, optimizer_axes);
  }
};

/// `maps<"heads", 28, "tp">`: a dimension of a tensor and its axis, for `mapping`.
export template <fixed_string Dimension, Count Size, fixed_string Axis>
struct maps {
  static constexpr Term dimension{Dimension, Size};
  static constexpr AxisNames axis{Axis.text};
};

/// `mapping<maps<"batch", 64, "dp">, maps<"heads", 28, "tp">>`: one tensor's dimensions have different axes, one each.
export template <class... Maps>
struct mapping : OnAxes<Maps::axis...> {
  template <class, class... Axes>
  static constexpr Finding on(const Axes&... axes) {
    const Mapping map[] = {{Maps::dimension, axes.terms[0]}..., {}};
    return numbers::mapping(map, sizeof...(Maps));
  }
};

/// `same_groups_as<Expert, "pp">`: an axis has the same groups as the axis of that name, or another, in another mesh.
export template <mesh_type Other, fixed_string X, fixed_string Y = X>
struct same_groups_as : OnAxes<along<X>> {
  template <class M>
  struct Against {
    template <class>
    static constexpr Finding on(const Terms& other) {
      constexpr Count world = where_t<typename M::mesh>::ranks, other_world = where_t<typename Other::mesh>::ranks;
      if constexpr (world == other_world || (world != dynamic && other_world != dynamic)) {
        const Terms axis = Along<M, along<X>>::extents();
        return numbers::same_groups(axial::same_groups<M, X, Other, Y>,
                                    {axis.terms[0], spacing(Along<M, along<X>>::groups().axis), world},
                                    {other.terms[0], spacing(Along<Other, along<Y>>::groups().axis), other_world});
      } else if constexpr (world == dynamic) {
        static_assert(false, needs_dynamic<M>());
      } else {
        static_assert(false, needs_dynamic<Other>());
      }
      return {};
    }
  };
  template <class M>
  static constexpr Finding on(const Terms&) {
    return OnAxes<along<Y>>::template apply<Other, Against<M>>();
  }
};

/// Rules composed for a mesh:
///
///     using Checked = axial::check<M, axial::divides<"tp", 28, "heads">, axial::kv_heads<"tp", 4>>;
///     static_assert(Checked::require());                        // one error, with all violations in its text
///     static_assert(Checked::ok, Checked::message());           // the same where the language has computed texts
///     (C++26) if (!Checked::ok) std::cout << Checked::report() << "\n";  // at run time: a line for each
export template <mesh_type M, class... Rules>
struct check {
  using mesh = typename M::mesh;  // here, so that the error of a mesh that is none comes from here
  /// True when no rule is violated.
  static constexpr bool ok = (Rules::template apply<M, Rules>().ok() && ...);
  /// All violations, in the order of the rules.
  static constexpr Report<sizeof...(Rules)> report() {
    if constexpr (sizeof...(Rules) == 0)
      return {};
    else
      return Report(Rules::template apply<M, Rules>()...);
  }
  /// All violations in one line: a text for `static_assert`; of more than 1023 characters the beginning.
  static constexpr Message message() {
    Message text;
    put_line(text, report());
    return text;
  }
  /// True; where a rule is violated it does not compile, and the error is the message.
  static constexpr bool require() {
    if constexpr (!(Rules::template apply<M, Rules>().ok() && ...)) static_assert(false, message());
    return true;
  }
};

}  // namespace axial
