// SPDX-License-Identifier: BSL-1.0
// The rules on meshes: each takes the extents of the axes that it names, and nothing else.
import axial;

using namespace axial;

using M = Mesh<Dim<"pp", 4>, Dim<"dp", 2>, Dim<"cp", 1>, Dim<"tp", 8>>;

template <class Rule, class Of = M>
constexpr bool accepts = check<Of, Rule>::ok && check<Of, Rule>::report().size() == 0 && check<Of, Rule>::require();

template <class Rule, class Of = M>
constexpr bool refuses(NameView text) {
  using Checked = check<Of, Rule>;
  const auto message = Checked::message();
  return !Checked::ok && Checked::report().size() == 1 && NameView(message.data(), message.size()) == text;
}

// divides: one axis, several as if flattened, in any order and of a sub-mesh, too
static_assert(accepts<divides<"tp", 32, "heads">> && accepts<divides<"cp", 31>> && accepts<divides<along<"tp">, 32>>);
static_assert(refuses<divides<"tp", 28, "heads">>(
    "heads = 28 is not divisible by tp = 8; nearest legal heads: 24 and 32; nearest legal tp: 7 and 14"));
static_assert(accepts<divides<along<"dp", "tp">, 32>> && accepts<divides<along<"tp", "dp">, 32>>);
static_assert(
    refuses<divides<along<"dp", "tp">, 24, "size">>("size = 24 is not divisible by dp * tp = 2 * 8 = 16; nearest legal "
                                                    "size: 16 and 32; nearest legal dp * tp: 12 and 24"));
static_assert(accepts<divides<"tp", 32>, decltype(M::submesh<"tp", "pp">())> &&
              !check<decltype(M::submesh<"tp">()), divides<"tp", 28>>::ok);
static_assert(divides<"tp", 28>::apply<M, divides<"tp", 28>>().left.terms[0].name == "size");

static_assert(accepts<splits<along<"dp", "cp", "tp">, 16, "ep">>);
static_assert(refuses<splits<along<"dp", "tp">, 3, "ep">>(
    "dp * tp = 2 * 8 = 16 is not divisible by ep = 3; nearest legal dp * tp: 15 and 18; nearest legal ep: 2 and 4"));

static_assert(accepts<multiple<"hidden", 3584, "heads", 28>>);
static_assert(
    refuses<multiple<"hidden", 3584, "heads", 30>>("hidden = 3584 is not divisible by heads = 30; nearest legal "
                                                   "hidden: 3570 and 3600; nearest legal heads: 28 and 32"));

static_assert(accepts<kv_heads<"tp", 4>> && accepts<kv_heads<"tp", 16>> && accepts<kv_heads<"pp", 4>>);
static_assert(
    refuses<kv_heads<"tp", 6>>("kv_heads = 6 is neither a multiple nor a divisor of tp = 8; nearest legal kv_heads: 4 "
                               "and 8; nearest legal tp: 6 and 12"));

static_assert(accepts<vocabulary<"tp", 152064>> && accepts<vocabulary<"tp", 50257, padded>> &&
              accepts<vocabulary<"tp", 50257, padded_to(50304)>>);
static_assert(
    refuses<vocabulary<"tp", 50257>>("vocabulary = 50257 is not divisible by tp = 8; nearest legal vocabulary: 50256 "
                                     "and 50264; nearest legal tp: 1 and 29"));

static_assert(accepts<sequence<"cp", 8191>> && accepts<sequence<"pp", 8192>> && accepts<sequence<"pp", 8192, "tp">>);
static_assert(
    refuses<sequence<"pp", 8196>>("sequence = 8196 is not divisible by 2 * pp = 2 * 4 = 8; nearest legal sequence: "
                                  "8192 and 8200; nearest legal pp: 3 and 6"));
static_assert(
    refuses<sequence<"pp", 96, "tp">>("sequence = 96 is not divisible by 2 * pp * tp = 2 * 4 * 8 = 64; nearest legal "
                                      "sequence: 64 and 128; nearest legal pp * tp: 24 and 48"));

static_assert(accepts<layers<"pp", 28>> && accepts<layers<"pp", 30, Stages{.embedding = true, .loss = true}>> &&
              accepts<layers<"pp", 9, Stages{.first = 2, .last = 1}>>);
static_assert(refuses<layers<"pp", 30>>(
    "layers = 30 is not divisible by pp = 4; nearest legal layers: 28 and 32; nearest legal pp: 3 and 5"));
static_assert(refuses<layers<"cp", 28, Stages{.virtual_stages = 2}>>(
    "cp = 1 must be more than 1 for virtual stages; nearest legal cp: 2"));

static_assert(accepts<stage_sizes<"pp", 32, 7, 8, 9, 8>>);
static_assert(refuses<stage_sizes<"pp", 32, 7, 8, 9, 9>>(
    "layers = 32 is not equal to sum_of_stages = 33; nearest legal layers: 33; nearest legal sum_of_stages: 32"));
static_assert(refuses<stage_sizes<"dp", 32, 16, 8, 8>>(
    "stages = 3 is not equal to dp = 2; nearest legal stages: 2; nearest legal dp: 3"));

static_assert(accepts<batch<"dp", 1024, 2, 256>> && accepts<batch<"dp", 1024, 2>> &&
              accepts<batch<along<"dp", "cp">, 1024, 2, 256>>);
static_assert(
    refuses<batch<"dp", 1024, 2, 128>>("global_batch = 1024 is not equal to micro_batch * accumulation * dp = 2 * 128 "
                                       "* 2 = 512; nearest legal global_batch: 512; nearest legal accumulation: 256"));

static_assert(accepts<parts<"tp", 2, 4>> && accepts<parts<"cp">> && accepts<parts<"tp", 8>>);
static_assert(refuses<parts<"tp", 2, 2>>("tp = 8 is not equal to 2 * 2 = 4; nearest legal tp: 4"));

static_assert(accepts<needs<"tp", "sequence parallelism">> && accepts<needs<along<"cp", "dp">, "sharding">>);
static_assert(
    refuses<needs<"cp", "ring attention">>("cp = 1 must be more than 1 for ring attention; nearest legal cp: 2"));

static_assert(accepts<exclusive<"tp", "cp">> && accepts<exclusive<"cp", "tp">>);
static_assert(refuses<exclusive<"tp", along<"dp", "cp">>>("tp = 8 and dp = 2 and cp = 1 cannot both be more than 1"));

// within: neighbours along dp are 8 ranks apart
static_assert(accepts<within<"tp", 8>> && accepts<within<"dp", 16>> && accepts<within<along<"dp", "tp">, 16>> &&
              accepts<within<"pp", 64>> && accepts<within<"cp", 1>>);
static_assert(
    refuses<within<"dp", 8>>("ranks_per_node = 8 does not hold whole blocks of dp * stride = 2 * 8 = 16; nearest legal "
                             "ranks_per_node: 16; nearest legal dp: 1"));
static_assert(refuses<within<"tp", 4, "gpus">>(
    "gpus = 4 does not hold whole blocks of tp * stride = 8 * 1 = 8; nearest legal gpus: 8; nearest legal tp: 4"));
static_assert(!check<M, within<along<"pp", "tp">, 16>>::ok && !check<M, within<along<"tp", "dp">, 8>>::ok);
static_assert(accepts<within<"tp", 8>, decltype(M::submesh<"tp">())> &&
              !check<decltype(M::submesh<"pp", "dp">()), within<"dp", 8>>::ok);

static_assert(accepts<world<64>> && accepts<world<1>, Mesh<>> && accepts<world<64>, decltype(M::submesh<"tp">())>);
static_assert(refuses<world<32>>(
    "pp * dp * cp * tp = 4 * 2 * 1 * 8 = 64 is not equal to world = 32; nearest legal pp: 2; nearest legal world: 64"));
static_assert(refuses<world<32>, decltype(M::submesh<"tp">())>(
    "tp * copies = 8 * 8 = 64 is not equal to world = 32; nearest legal tp: 4; nearest legal world: 64"));

static_assert(accepts<same_size<Mesh<Dim<"ep", 64>>>>);
static_assert(refuses<same_size<Mesh<Dim<"ep", 8>, Dim<"etp", 4>>>>(
    "pp * dp * cp * tp = 4 * 2 * 1 * 8 = 64 is not equal to ep * etp = 8 * 4 = 32; nearest legal pp: 2; nearest legal "
    "ep: 16"));

// memory: of 12 bytes for each parameter on 8 ranks; the optimizer's 8 bytes also over dp
inline constexpr Memory weights{.parameters = 1000, .bytes = 12, .limit = 1500};
inline constexpr Memory training{.parameters = 1000, .bytes = 4, .optimizer_bytes = 8, .limit = 1000};
static_assert(accepts<memory<"tp", weights>> && accepts<memory<"tp", training, "dp">>);
static_assert(refuses<memory<along<"dp", "pp">, Memory{1000, 12, 0, 1400}>>(
    "parameter_bytes = 12000 is more than limit * dp * pp = 1400 * 2 * 4 = 11200; nearest legal parameter_bytes: "
    "11200; nearest legal dp * pp: 9"));
static_assert(
    refuses<memory<"tp", training>>("parameter_bytes + optimizer_bytes = 4000 + 8000 = 12000 is more than limit * tp = "
                                    "1000 * 8 = 8000; nearest legal tp: 12"));

static_assert(accepts<mapping<maps<"batch", 64, "dp">, maps<"heads", 28, "tp">>> && accepts<mapping<>>);
static_assert(refuses<mapping<maps<"batch", 64, "dp">, maps<"heads", 28, "tp">, maps<"words", 8, "dp">>>(
    "batch = 64 and words = 8 both map to dp = 2"));

// same_groups_as: the experts of the same world; ep and etp have the ranks of dp and tp
using Experts = Mesh<Dim<"pp", 4>, Dim<"ep", 4>, Dim<"etp", 4>>;
static_assert(accepts<same_groups_as<Experts, "pp">> && accepts<same_groups_as<M, "tp">> &&
              accepts<same_groups_as<Mesh<Dim<"x", 8>, Dim<"y", 8>>, "tp", "y">>);
static_assert(refuses<same_groups_as<Mesh<Dim<"ep", 16>, Dim<"pp", 4>>, "pp">>(
    "pp * stride = 4 * 16 = 64 has other groups than pp * stride = 4 * 1 = 4"));
static_assert(refuses<same_groups_as<Mesh<Dim<"pp", 4>, Dim<"ep", 4>>, "pp">>(
    "ranks = 64 is not equal to other_ranks = 16; nearest legal ranks: 16; nearest legal other_ranks: 64"));

// flattened axes of several modes: tp_pp is (8,4):(1,16)
using Flat = decltype(M::flatten<"tp", "pp">());
static_assert(accepts<divides<"tp_pp", 64, "heads">, Flat> && accepts<within<"tp_pp", 64>, Flat>);
static_assert(refuses<divides<"tp_pp", 48, "heads">, Flat>(
    "heads = 48 is not divisible by tp_pp = 32; nearest legal heads: 32 and 64; nearest legal tp_pp: 24 and 48"));
static_assert(refuses<within<"tp_pp", 32>, Flat>(
    "ranks_per_node = 32 does not hold whole blocks of tp_pp * stride = 32 * 2 = 64; nearest legal ranks_per_node: 64; "
    "nearest legal tp_pp: 16"));
static_assert(accepts<same_groups_as<M, "dp">, Flat> && !check<Flat, same_groups_as<M, "tp_pp", "tp">>::ok);
static_assert(accepts<same_groups_as<Flat, "tp_pp">, decltype(M::flatten_as<"tp_pp", "pp", "tp">())>);

// a slice: the groups that it holds, the ranks that it holds, the world that it is of
using B = Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>>;
using B0 = decltype(B::slice<"b", 0>());  // 0 1 4 5
using B1 = decltype(B::slice<"b", 1>());  // 2 3 6 7
static_assert(accepts<within<"a", 6>, B0> && !check<B, within<"a", 6>>::ok && accepts<within<"c", 2>, B1>);
static_assert(refuses<within<"a", 6>, B1>("ranks_per_node = 6 does not hold all groups of a = 2"));
static_assert(accepts<world<8>, B0> && accepts<world<8>, decltype(B0::submesh<"c">())>);
static_assert(
    refuses<world<4>, B0>("a * c * sliced = 2 * 2 * 2 = 8 is not equal to world = 4; nearest legal a: 1; nearest "
                          "legal world: 8"));
static_assert(accepts<same_size<Mesh<Dim<"x", 4>>>, B0> && accepts<same_size<B1>, B0> &&
              !check<B0, same_size<Mesh<Dim<"x", 8>>>>::ok);
static_assert(accepts<same_groups_as<B0, "c">, decltype(B0::submesh<"c">())>);
static_assert(refuses<same_groups_as<B1, "c">, B0>(
    "c * stride = 2 * 1 = 2 has groups of other ranks than c * stride = 2 * 1 = 2"));

// base maps: what counts is where the ranks are
using Ring = decltype(B::with_xor<1, 3, 6>());                                         // 0 1 3 2 6 7 5 4
using Odd = decltype(Mesh<Dim<"a", 2>, Dim<"b", 3>>::with_ranks<0, 2, 4, 1, 3, 5>());  // a: 0 1, 2 3, 4 5
static_assert(accepts<within<along<"b", "c">, 4>, Ring> && !check<Ring, within<"a", 4>>::ok);
static_assert(accepts<within<"a", 2>, Odd> && accepts<within<"a", 4>, Odd>);
static_assert(refuses<within<"a", 3>, Odd>("ranks_per_node = 3 does not hold all groups of a = 2"));
static_assert(refuses<within<"b", 3>, Odd>("ranks_per_node = 3 does not hold all groups of b = 3"));
static_assert(accepts<divides<"b", 6>, Odd> && accepts<world<6>, Odd> && accepts<same_groups_as<Odd, "b">, Odd>);
static_assert(accepts<same_groups_as<Mesh<Dim<"b", 3>, Dim<"a", 2>>, "a">, Odd> &&
              !check<Odd, same_groups_as<Mesh<Dim<"a", 2>, Dim<"b", 3>>, "a">>::ok);

// a dynamic outermost dimension: the rules on the others are as on any mesh
using D = Mesh<Dim<"dp", dynamic>, Dim<"pp", 4>, Dim<"tp", 8>>;
using DSliced = decltype(D::slice<"pp", 1>());
static_assert(accepts<divides<"tp", 32>, D> && accepts<layers<"pp", 28>, D> && accepts<kv_heads<"tp", 4>, D> &&
              accepts<divides<along<"pp", "tp">, 64>, D> && accepts<multiple<"hidden", 3584, "heads", 28>, D>);
static_assert(refuses<divides<"tp", 28, "heads">, D>(
    "heads = 28 is not divisible by tp = 8; nearest legal heads: 24 and 32; nearest legal tp: 7 and 14"));
static_assert(accepts<within<"tp", 8>, D> && accepts<within<along<"tp", "pp">, 32>, D> &&
              !check<D, within<"tp", 12>>::ok && !check<D, within<"pp", 16>>::ok);
static_assert(accepts<within<"tp", 8>, DSliced> && !check<DSliced, within<"tp", 12>>::ok &&
              accepts<divides<"tp", 32>, DSliced> && accepts<within<"tp", 8>, decltype(D::submesh<"tp">())>);
static_assert(accepts<same_groups_as<Mesh<Dim<"ep", dynamic>, Dim<"tp", 8>>, "tp">, D> &&
              accepts<same_groups_as<D, "pp">, D>);
static_assert(refuses<same_groups_as<Mesh<Dim<"ep", dynamic>, Dim<"tp", 4>>, "tp">, D>(
    "tp * stride = 8 * 1 = 8 has other groups than tp * stride = 4 * 1 = 4"));

// a rule of a user
struct power_of_two : OnAxes<"tp"> {
  template <class>
  static constexpr Finding on(const Terms& tp) {
    if ((tp.value() & (tp.value() - 1)) == 0) return {};
    return {.rule = "power_of_two", .left = tp, .relation = "is no power of two"};
  }
};
static_assert(accepts<power_of_two> && refuses<power_of_two, Mesh<Dim<"tp", 6>>>("tp = 6 is no power of two"));

// several rules: all violations, in the order of the rules
using Checked =
    check<M, divides<"tp", 28, "heads">, kv_heads<"tp", 4>, layers<"pp", 30>, needs<"cp", "ring attention">>;
static_assert(!Checked::ok && Checked::report().size() == 3 && Checked::report()[1].rule == "layers" &&
              !Checked::report().ok());
static_assert(NameView(Checked::message().data()) ==
              "3 violations: (1) heads = 28 is not divisible by tp = 8; nearest legal heads: 24 and 32; nearest legal "
              "tp: 7 and 14; "
              "(2) layers = 30 is not divisible by pp = 4; nearest legal layers: 28 and 32; nearest legal pp: 3 and 5; "
              "(3) cp = 1 must be more than 1 for ring attention; nearest legal cp: 2");
static_assert(check<M>::ok && check<M>::report().ok() && check<M>::message().size() == 0 && check<M>::require());

#pragma clang diagnostic ignored "-Wc++26-extensions"
static_assert(check<M, divides<"tp", 32>>::ok, check<M, divides<"tp", 32>>::message());
