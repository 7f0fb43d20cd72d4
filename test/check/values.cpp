// SPDX-License-Identifier: BSL-1.0
// The rules on numbers, each with what it accepts, refuses and offers.
module axial;

namespace axial::numbers {

constexpr bool says(const Finding& finding, NameView text) {
  Message message;
  put(message, finding);
  return NameView(message.data(), message.size()) == text;
}
constexpr bool offers(const Finding& finding, Nearest left, Nearest right) {
  return !finding && finding.nearest_left == left && finding.nearest_right == right;
}

// divides: numbers and axes that were not set are refused, not divided by
static_assert(divides({"heads", 28}, {"tp", 7}) && divides({"heads", 28}, {"tp", 28}) &&
              divides({"heads", 28}, {"tp", 1}));
static_assert(offers(divides({"heads", 28}, {"tp", 8}), {24, 32}, {7, 14}));
static_assert(offers(divides({"heads", 28}, {"tp", 56}), {0, 56}, {28, 0}));
static_assert(offers(divides({"heads", 28}, {"tp", 0}), {}, {0, 1}) &&
              offers(divides({"heads", 0}, {"tp", 8}), {0, 8}, {}));
static_assert(says(divides({"experts", 0}, {"ep", 8}),
                   "experts = 0 cannot be shared by ep = 8; nearest legal experts: 8"));
static_assert(divides({"heads", 28}, {{"tp", 7}, {"cp", 2}}) && !divides({"heads", 28}, {{"tp", 4}, {"cp", 2}}));
static_assert(divides({"heads", 28}, {"tp", 8}).rule == "divides" && divides({"heads", 28}, {"tp", 7}).rule.empty());
static_assert(says(divides({"heads", 28}, {"tp", 7}), "ok"));

// products that overflow divide nothing, and the largest numbers have neighbours only where they can be written
static_assert(!divides({"n", 28}, {{"a", 1ull << 40}, {"b", 1ull << 40}}));
static_assert(offers(divides({"n", ~0ull}, {"a", 2}), {~0ull - 1, 0}, {}));
constexpr Terms huge{{"a", 1ull << 40}, {"b", 1ull << 40}};
static_assert(!splits(huge, {"ep", 3}) && !world(huge, ~0ull) && !kv_heads({"kv_heads", 3}, huge) &&
              !memory({.parameters = ~0ull, .bytes = 2, .limit = 1ull << 40}, huge));
// 4294967291 is prime: the longest search for a divisor
static_assert(offers(divides({"n", 4294967291}, {"a", 2}), {4294967290, 4294967292}, {1, 4294967291}));

// of more axes than a text can show the last ones are one
constexpr Terms many{{"a", 2}, {"b", 2}, {"c", 2}, {"d", 2}, {"e", 2},
                     {"f", 2}, {"g", 2}, {"h", 2}, {"i", 2}, {"j", 2}};
static_assert(many.value() == 1024 && many.count == max_terms && divides({"n", 2048}, many));
static_assert(
    says(divides({"n", 512}, many),
         "n = 512 is not divisible by a * b * c * d * e * f * g * ... = 2 * 2 * 2 * 2 * 2 * 2 * 2 * 8 = 1024; nearest "
         "legal n: 1024; nearest legal a * b * c * d * e * f * g * ...: 512"));

// splits
static_assert(splits({{"dp", 2}, {"tp", 4}}, {"ep", 8}) && !splits({{"dp", 2}, {"tp", 4}}, {"ep", 3}));
static_assert(offers(splits({"dp", 8}, {"ep", 3}), {6, 9}, {2, 4}));

// kv_heads
static_assert(kv_heads({"kv_heads", 4}, {"tp", 2}) && kv_heads({"kv_heads", 4}, {"tp", 8}) &&
              kv_heads({"kv_heads", 4}, {"tp", 4}));
static_assert(offers(kv_heads({"kv_heads", 4}, {"tp", 6}), {3, 6}, {4, 8}));
static_assert(offers(kv_heads({"kv_heads", 8}, {"tp", 12}), {6, 12}, {8, 16}));
static_assert(!kv_heads({"kv_heads", 0}, {"tp", 8}) && !kv_heads({"kv_heads", 4}, {"tp", 0}));

// vocabulary
static_assert(padded_size(17, 8) == 24 && padded_size(16, 8) == 16 && padded_size(0, 8) == 0 &&
              padded_size(17, 0) == 0);
static_assert(padded_size(50257, 128) == 50304);  // GPT-2's, as Megatron pads it for tp = 1
static_assert(vocabulary({"vocabulary", 16}, {"tp", 8}) && vocabulary({"vocabulary", 17}, {"tp", 8}, padded));
static_assert(offers(vocabulary({"vocabulary", 17}, {"tp", 8}), {16, 24}, {1, 17}));
static_assert(vocabulary({"vocabulary", 50257}, {"tp", 8}, padded_to(50304)));
static_assert(
    says(vocabulary({"vocabulary", 50257}, {"tp", 5}, padded_to(50304)),
         "rows = 50304 is not divisible by tp = 5; nearest legal rows: 50300 and 50305; nearest legal tp: 4 and 6"));
static_assert(!vocabulary({"vocabulary", 50257}, {"tp", 8}, padded_to(50256)) &&
              !vocabulary({"vocabulary", 17}, {"tp", 0}, padded));

// sequence: two chunks for each rank of cp, but none for cp = 1
static_assert(sequence({"sequence", 8192}, {"cp", 4}) && sequence({"sequence", 8191}, {"cp", 1}));
static_assert(!sequence({"sequence", 12}, {"cp", 4}) && sequence({"sequence", 16}, {"cp", 4}));
static_assert(!sequence({"sequence", 16}, {"cp", 4}, {"tp", 4}) && sequence({"sequence", 32}, {"cp", 4}, {"tp", 4}));
static_assert(says(sequence({"sequence", 12}, {"cp", 4}),
                   "sequence = 12 is not divisible by 2 * cp = 2 * 4 = 8; nearest legal sequence: 8 and 16; nearest "
                   "legal cp: 3 and 6"));

// layers
static_assert(layers({"layers", 28}, {"pp", 4}) && !layers({"layers", 28}, {"pp", 8}) &&
              layers({"layers", 28}, {"pp", 1}));
static_assert(layers({"layers", 30}, {"pp", 4}, {.embedding = true, .loss = true}));
static_assert(says(
    layers({"layers", 28}, {"pp", 4}, {.embedding = true, .loss = true}),
    "layers + embedding + loss = 28 + 1 + 1 = 30 is not divisible by pp = 4; nearest legal layers: 26 and 30; nearest "
    "legal pp: 3 and 5"));
static_assert(layers({"layers", 32}, {"pp", 4}, {.virtual_stages = 2}) &&
              !layers({"layers", 28}, {"pp", 4}, {.virtual_stages = 2}));
static_assert(offers(layers({"layers", 24}, {"pp", 1}, {.virtual_stages = 2}), {0, 2}, {}));
static_assert(layers({"layers", 61}, {"pp", 16}, {.first = 3, .last = 2}) &&
              layers({"layers", 5}, {"pp", 2}, {.first = 3, .last = 2}));
static_assert(!layers({"layers", 62}, {"pp", 16}, {.first = 3, .last = 2}) &&
              layers({"layers", 11}, {"pp", 3}, {.first = 3}));
static_assert(says(layers({"layers", 6}, {"pp", 2}, {.first = 3, .last = 2}),
                   "layers - first - last = 6 - 3 - 2 = 1 is not equal to 0; nearest legal layers: 5"));
static_assert(says(layers({"layers", 4}, {"pp", 3}, {.first = 3, .last = 2}),
                   "layers = 4 is less than first + last = 3 + 2 = 5; nearest legal layers: 6"));
static_assert(
    says(layers({"layers", 5}, {"pp", 3}, {.first = 3, .last = 2}),
         "layers - first - last = 5 - 3 - 2 = 0 cannot be shared by middle_stages = 1; nearest legal layers: 6"));
static_assert(says(layers({"layers", 5}, {"pp", 1}, {.first = 3, .last = 2}),
                   "pp = 1 must be more than 1 for a first and a last stage; nearest legal pp: 2"));
static_assert(says(layers({"layers", 19}, {"pp", 4}, {.virtual_stages = 2, .first = 3}),
                   "first = 3 is not divisible by virtual_stages = 2; nearest legal first: 2 and 4"));
static_assert(!layers({"layers", 5}, {"pp", 0}, {.first = 3}) && !layers({"layers", 5}, {"pp", 0}) &&
              !layers({"layers", 8}, {"pp", 2}, {.virtual_stages = 0}));

// stage_sizes
constexpr Count stages[] = {7, 8, 9, 8};
static_assert(stage_sizes({"layers", 32}, {"pp", 4}, stages, 4));
static_assert(offers(stage_sizes({"layers", 31}, {"pp", 4}, stages, 4), {0, 32}, {31, 0}));
static_assert(offers(stage_sizes({"layers", 32}, {"pp", 5}, stages, 4), {0, 5}, {4, 0}));

// batch
static_assert(batch(1024, 2, 64, {"dp", 8}) && batch(1024, 2, 0, {"dp", 8}) && !batch(1024, 3, 0, {"dp", 8}));
static_assert(offers(batch(8, 2, 1, {"dp", 1}), {2, 0}, {0, 4}) && offers(batch(9, 2, 1, {"dp", 1}), {2, 0}, {}));
static_assert(!batch(8, 0, 1, {"dp", 1}) && !batch(8, 0, 0, {"dp", 1}) && !batch(8, 1, 0, {"dp", 0}));

// world, parts, same_size
static_assert(world({{"dp", 2}, {"tp", 4}}, 8) &&
              offers(world({{"dp", 2, false}, {"tp", 4, true}}, 16), {0, 4}, {8, 0}));
static_assert(parts({"cp", 16}, {{"", 2}, {"", 8}}) && says(parts({"cp", 16}, {{"", 2, true}, {"", 4, true}}),
                                                            "cp = 16 is not equal to 2 * 4 = 8; nearest legal cp: 8"));
static_assert(same_size({"ranks", 8}, {"ranks", 8}) && !same_size({"ranks", 8}, {"ranks", 16}));

// one_open
static_assert(one_open({{"dp", 0}, {"tp", 4}}) && one_open({{"dp", 2}, {"tp", 4}}) &&
              !one_open({{"dp", 0}, {"tp", 0}}));
static_assert(says(one_open({{"dp", 0}, {"tp", 4}, {"cp", 0}}),
                   "dp = 0 and cp = 0 are left open, and only one can be"));

// needs, exclusive
static_assert(needs({"tp", 2}, "") && !needs({"tp", 1}, "") && !needs({"tp", 0}, ""));
static_assert(exclusive({"ep", 2}, {"cp", 1}) && exclusive({"ep", 1}, {"cp", 2}) && !exclusive({"ep", 2}, {"cp", 2}));

// within: tp = 4 with neighbours 2 apart spans blocks of 8
static_assert(within({"tp", 4}, 2, {"ranks_per_node", 8}, 16) && !within({"tp", 4}, 2, {"ranks_per_node", 12}, 24));
static_assert(within({"tp", 4}, 2, {"ranks_per_node", 12}, 8) && within({"tp", 1}, 0, {"ranks_per_node", 3}, 8));
static_assert(offers(within({"tp", 16}, 1, {"ranks_per_node", 8}, 64), {0, 16}, {8, 0}));
static_assert(offers(within({"tp", 8}, 4, {"ranks_per_node", 8}, 64), {0, 32}, {2, 0}));
// as groups: (2,2):(4,1) is like 4:2
constexpr Groups apart{.axis = {.modes = {{2, 4}, {2, 1}}, .count = 2}, .pinned = {}, .ranks = 16};
static_assert(within({"tp", 4}, apart, {"ranks_per_node", 8}) && within({"tp", 4}, apart, {"ranks_per_node", 16}));
static_assert(offers(within({"tp", 4}, apart, {"ranks_per_node", 4}), {0, 8}, {2, 0}));
// of a slice: 0 4 and 1 5 are in blocks of 6, 2 6 and 3 7 are not
constexpr Groups sliced(unsigned offset, unsigned ranks) {
  return {.axis = {.modes = {{2, 4}}, .count = 1},
          .pinned = {.modes = {{2, 2}}, .count = 1},
          .offset = offset,
          .ranks = ranks};
}
static_assert(within({"tp", 2}, sliced(0, 8), {"ranks_per_node", 6}) &&
              within({"tp", 2}, sliced(2, 8), {"ranks_per_node", 8}) &&
              within({"tp", 2}, sliced(2, 16), {"ranks_per_node", 8}) &&
              within({"tp", 2}, sliced(2, dynamic), {"ranks_per_node", 8}));
static_assert(says(within({"tp", 2}, sliced(2, 8), {"ranks_per_node", 6}),
                   "ranks_per_node = 6 does not hold all groups of tp = 2"));
static_assert(!within({"tp", 2}, sliced(0, 16), {"ranks_per_node", 6}) &&
              !within({"tp", 2}, sliced(0, dynamic), {"ranks_per_node", 6}) &&
              !within({"tp", 2}, sliced(0, 8), {"ranks_per_node", 0}));
// a slice of 2^30 ranks is no more work than one of 8
static_assert(within({"tp", 2}, sliced(0, 1u << 30), {"ranks_per_node", 24}));

// memory
constexpr Memory model{.parameters = 100, .bytes = 4, .optimizer_bytes = 12, .limit = 500};
static_assert(!memory(model, {}) && memory(model, {"tp", 4}) && !memory(model, {"tp", 3}) &&
              memory(model, {}, {"dp", 12}));
static_assert(offers(memory(model, {"tp", 2}), {0, 0}, {0, 4}) && !memory({.parameters = 1, .bytes = 1}, {"tp", 8}));
static_assert(memory({.parameters = 100, .bytes = 5, .limit = 500}, {}) &&
              offers(memory({.parameters = 100, .bytes = 6, .limit = 500}, {"tp", 1}), {500, 0}, {0, 2}));
static_assert(!memory({.parameters = ~0ull, .bytes = 2, .limit = 500}, {}));

// mapping
constexpr Mapping distinct[] = {{{"batch", 64}, {"dp", 2}}, {{"heads", 28}, {"tp", 4}}};
constexpr Mapping same_axis[] = {{{"heads", 28}, {"tp", 4}}, {{"batch", 64}, {"dp", 2}}, {{"words", 8}, {"tp", 4}}};
constexpr Mapping same_dimension[] = {{{"batch", 64}, {"dp", 2}}, {{"batch", 64}, {"tp", 4}}};
static_assert(mapping(distinct, 2) && says(mapping(same_axis, 3), "heads = 28 and words = 8 both map to tp = 4"));
static_assert(says(mapping(same_dimension, 2), "batch = 64 maps to both dp = 2 and tp = 4"));

// same_groups
static_assert(same_groups(true, {{"pp", 2}, 8, 16}, {{"pp", 2}, 8, 16}));
static_assert(says(same_groups(false, {{"pp", 2}, 8, 16}, {{"pp", 2}, 4, 16}),
                   "pp * stride = 2 * 8 = 16 has other groups than pp * stride = 2 * 4 = 8"));
static_assert(
    says(same_groups(false, {{"pp", 2}, 8, 16}, {{"pp", 2}, 4, 8}),
         "ranks = 16 is not equal to other_ranks = 8; nearest legal ranks: 8; nearest legal other_ranks: 16"));

}  // namespace axial::numbers
