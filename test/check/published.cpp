// SPDX-License-Identifier: BSL-1.0
// Configurations that others published as failing, mostly on an allocated cluster: each is refused with its numbers,
// and its nearest legal neighbour is accepted. README.md lists every published check with the case that covers it.
#include "../importer/expect.hpp"

import axial;

using namespace axial;

template <unsigned N>
using Tp = Mesh<Dim<"tp", N>>;
template <unsigned N>
using Pp = Mesh<Dim<"pp", N>>;
template <unsigned N>
using Sp = Mesh<Dim<"sp", N>>;

struct Case {
  const char* source;
  NameView wanted;
  Text said;
  bool refused;
  bool neighbour_accepted;
};

/// `Failing` is the published configuration; `Legal` differs from it in one number.
template <class Failing, class Legal>
Case refused(const char* source, NameView wanted) {
  return {source, wanted, Text(Failing::message().data()), !Failing::ok, Legal::ok};
}
Case refused(const char* source, NameView wanted, const Finding& failing, const Finding& legal) {
  return {source, wanted, to_string(failing), !failing.ok(), legal.ok()};
}

template <unsigned Tp_, Count N>
using Heads = check<Tp<Tp_>, divides<"tp", N, "heads">>;
template <unsigned Tp_, Count N, Padding P = exact>
using Words = check<Tp<Tp_>, vocabulary<"tp", N, P>>;
template <unsigned Pp_, Count N, Stages S = Stages{}>
using Layers = check<Pp<Pp_>, layers<"pp", N, S>>;

template <unsigned Sp_>
using Verl = check<Sp<Sp_>, divides<"sp", 40, "heads">, kv_heads<"sp", 8>>;
template <unsigned Tp_>
using Qwen2 = check<Tp<Tp_>, divides<"tp", 28, "heads">, divides<"tp", 4, "kv_heads">>;
template <class M, Count World>
using Sized = check<M, world<World>>;

// Megatron's order strings name the fastest axis first: "tp-cp-ep-pp-dp" is dp, pp, .. tp.
using DenseDpLast = Mesh<Dim<"dp", 4>, Dim<"pp", 2>, Dim<"tp", 2>>;
using ExpertDpLast = Mesh<Dim<"dp", 2>, Dim<"pp", 2>, Dim<"ep", 2>, Dim<"tp", 2>>;
using DensePpLast = Mesh<Dim<"pp", 2>, Dim<"dp", 4>, Dim<"tp", 2>>;
using ExpertPpLast = Mesh<Dim<"pp", 2>, Dim<"dp", 2>, Dim<"ep", 2>, Dim<"tp", 2>>;

template <unsigned Ep>
using Slime = check<Mesh<Dim<"pp", 2>, Dim<"ep", Ep>>, divides<along<"ep", "pp">, 8, "world_size">>;
using Titan = Mesh<Dim<"dp_shard", 2>, Dim<"cp", 2>, Dim<"tp", 2>>;
template <Count Ep>
using TitanExperts = check<Titan, splits<along<"dp_shard", "cp", "tp">, Ep, "ep">>;

// ZeRO (arXiv 1910.02054), figure 1: 7.5e9 parameters, 4 bytes of parameter and gradient, 12 of optimizer state, 64
// ranks: 120 GB for each rank, 31.4 GB with the optimizer state sharded.
inline constexpr Memory zero{.parameters = 7'500'000'000, .bytes = 4, .optimizer_bytes = 12, .limit = 32'000'000'000};
using Dp64 = Mesh<Dim<"dp", 64>>;

int main() {
  const Case cases[] = {
      // heads
      refused<Heads<3, 52>, Heads<4, 52>>(
          "vLLM #414",
          "heads = 52 is not divisible by tp = 3; nearest legal heads: 51 and 54; nearest legal tp: 2 and 4"),
      refused<Heads<3, 40>, Heads<4, 40>>(
          "vLLM #596",
          "heads = 40 is not divisible by tp = 3; nearest legal heads: 39 and 42; nearest legal tp: 2 and 4"),
      refused<Heads<8, 52>, Heads<4, 52>>(
          "vLLM #2652",
          "heads = 52 is not divisible by tp = 8; nearest legal heads: 48 and 56; nearest legal tp: 4 and 13"),
      refused<Heads<3, 64>, Heads<2, 64>>(
          "vLLM #5003",
          "heads = 64 is not divisible by tp = 3; nearest legal heads: 63 and 66; nearest legal tp: 2 and 4"),
      refused<Heads<6, 40>, Heads<5, 40>>(
          "vLLM #4232",
          "heads = 40 is not divisible by tp = 6; nearest legal heads: 36 and 42; nearest legal tp: 5 and 8"),
      refused<Qwen2<8>, Qwen2<4>>(
          "vLLM #11797",
          "2 violations: (1) heads = 28 is not divisible by tp = 8; nearest legal heads: 24 and 32; nearest legal tp: "
          "7 and 14; (2) kv_heads = 4 is not divisible by tp = 8; nearest legal kv_heads: 8; nearest legal tp: 4"),
      refused<Heads<8, 28>, Heads<7, 28>>(
          "THU-KEG/AdaptThink #1",
          "heads = 28 is not divisible by tp = 8; nearest legal heads: 24 and 32; nearest legal tp: 7 and 14"),
      refused<Heads<8, 12>, Heads<6, 12>>(
          "MIV-XJTU/FSDrive #21",
          "heads = 12 is not divisible by tp = 8; nearest legal heads: 8 and 16; nearest legal tp: 6 and 12"),
      refused<Heads<4, 25>, Heads<5, 25>>(
          "vLLM #8097",
          "heads = 25 is not divisible by tp = 4; nearest legal heads: 24 and 28; nearest legal tp: 1 and 5"),
      refused<Heads<3, 32>, Heads<4, 32>>(
          "gpustack #2259",
          "heads = 32 is not divisible by tp = 3; nearest legal heads: 30 and 33; nearest legal tp: 2 and 4"),
      refused<Heads<8, 52>, Heads<13, 52>>(
          "DeepSpeed #3634",
          "heads = 52 is not divisible by tp = 8; nearest legal heads: 48 and 56; nearest legal tp: 4 and 13"),
      refused<check<Sp<4>, divides<"sp", 7, "heads">>, check<Sp<7>, divides<"sp", 7, "heads">>>(
          "DeepSpeed #6392",
          "heads = 7 is not divisible by sp = 4; nearest legal heads: 4 and 8; nearest legal sp: 1 and 7"),
      refused<check<Sp<8>, divides<"sp", 20, "heads">>, check<Sp<10>, divides<"sp", 20, "heads">>>(
          "DeepSpeed #6392",
          "heads = 20 is not divisible by sp = 8; nearest legal heads: 16 and 24; nearest legal sp: 5 and 10"),
      refused<check<Sp<4>, divides<"sp", 30, "heads">>, check<Sp<5>, divides<"sp", 30, "heads">>>(
          "cache-dit #546",
          "heads = 30 is not divisible by sp = 4; nearest legal heads: 28 and 32; nearest legal sp: 3 and 5"),
      refused<Verl<16>, Verl<40>>(
          "verl #1226",
          "heads = 40 is not divisible by sp = 16; nearest legal heads: 32 and 48; nearest legal sp: 10 and 20"),
      refused<check<Mesh<Dim<"tp", 8>, Dim<"cp", 4>>, divides<along<"tp", "cp">, 16, "linear_heads">>,
              check<Mesh<Dim<"tp", 8>, Dim<"cp", 2>>, divides<along<"tp", "cp">, 16, "linear_heads">>>(
          "Megatron-LM, linear attention",
          "linear_heads = 16 is not divisible by tp * cp = 8 * 4 = 32; nearest legal linear_heads: 32; nearest legal "
          "tp * cp: 16"),
      // key/value heads
      refused<check<Tp<8>, divides<"tp", 4, "kv_heads">>, check<Tp<8>, kv_heads<"tp", 4>>>(
          "transformers #48307",
          "kv_heads = 4 is not divisible by tp = 8; nearest legal kv_heads: 8; nearest legal tp: 4"),
      refused<check<Tp<4>, divides<"tp", 2, "kv_heads">>, check<Tp<2>, divides<"tp", 2, "kv_heads">>>(
          "torchtitan #2574",
          "kv_heads = 2 is not divisible by tp = 4; nearest legal kv_heads: 4; nearest legal tp: 2"),
      refused<check<Tp<4>, kv_heads<"tp", 10>>, check<Tp<5>, kv_heads<"tp", 10>>>(
          "Automodel #799",
          "kv_heads = 10 is neither a multiple nor a divisor of tp = 4; nearest legal kv_heads: 8 and 12; nearest "
          "legal tp: 2 and 5"),
      // vocabulary
      refused<Words<8, 17>, Words<8, 17, padded>>("jax #26946",
                                                  "vocabulary = 17 is not divisible by tp = 8; nearest legal "
                                                  "vocabulary: 16 and 24; nearest legal tp: 1 and 17"),
      refused<Words<8, 250682>, Words<8, 250680>>("vLLM #440",
                                                  "vocabulary = 250682 is not divisible by tp = 8; nearest legal "
                                                  "vocabulary: 250680 and 250688; nearest legal tp: 2 and 17"),
      refused<Words<4, 151669>, Words<4, 151669, padded>>(
          "Megatron-Bridge #1331",
          "vocabulary = 151669 is not divisible by tp = 4; nearest legal vocabulary: 151668 and 151672; nearest legal "
          "tp: 1 and 7"),
      refused<Words<24, 129280>, Words<20, 129280>>("sglang #31799",
                                                    "vocabulary = 129280 is not divisible by tp = 24; nearest legal "
                                                    "vocabulary: 129264 and 129288; nearest legal tp: 20 and 32"),
      refused<Words<8, 50257>, Words<8, 50257, padded_to(50304)>>(
          "optimum-neuron #175",
          "vocabulary = 50257 is not divisible by tp = 8; nearest legal vocabulary: 50256 and 50264; nearest legal tp: "
          "1 and 29"),
      refused<Words<4, 50257, padded_to(50256)>, Words<4, 50257, padded_to(50260)>>(
          "Megatron-DeepSpeed #255",
          "vocabulary = 50257 is more than rows = 50256; nearest legal vocabulary: 50256; nearest legal rows: 50257"),
      // sequence
      refused<check<Mesh<Dim<"cp", 4>>, sequence<"cp", 8196>>, check<Mesh<Dim<"cp", 2>>, sequence<"cp", 8196>>>(
          "Megatron-LM, seq-length",
          "sequence = 8196 is not divisible by 2 * cp = 2 * 4 = 8; nearest legal sequence: 8192 and 8200; nearest "
          "legal cp: 3 and 6"),
      refused<check<Titan, sequence<"cp", 8196, "tp">>, check<Titan, sequence<"cp", 8200, "tp">>>(
          "torchtitan, seq_len",
          "sequence = 8196 is not divisible by 2 * cp * tp = 2 * 2 * 2 = 8; nearest legal sequence: 8192 and 8200; "
          "nearest legal cp * tp: 3 and 6"),
      refused<check<Sp<8>, divides<"sp", 8193, "sequence">>, check<Sp<8>, divides<"sp", 8192, "sequence">>>(
          "DeepSpeed #5177",
          "sequence = 8193 is not divisible by sp = 8; nearest legal sequence: 8192 and 8200; nearest legal sp: 3 and "
          "2731"),
      // experts
      refused<check<Mesh<Dim<"ep", 3>>, divides<"ep", 256, "experts">>,
              check<Mesh<Dim<"ep", 3>>, divides<"ep", 258, "experts">>>(
          "vLLM #52435",
          "experts = 256 is not divisible by ep = 3; nearest legal experts: 255 and 258; nearest legal ep: 2 and 4"),
      refused<TitanExperts<3>, TitanExperts<4>>("torchtitan #4258",
                                                "dp_shard * cp * tp = 2 * 2 * 2 = 8 is not divisible by ep = 3; "
                                                "nearest legal dp_shard * cp * tp: 6 and 9; nearest legal ep: 2 and 4"),
      refused<TitanExperts<16>, TitanExperts<8>>("torchtitan #4831",
                                                 "dp_shard * cp * tp = 2 * 2 * 2 = 8 is not divisible by ep = 16; "
                                                 "nearest legal dp_shard * cp * tp: 16; nearest legal ep: 8"),
      refused<check<Mesh<Dim<"dp", 4>, Dim<"cp", 1>>, splits<along<"dp", "cp">, 3, "optimizer_instances">>,
              check<Mesh<Dim<"dp", 4>, Dim<"cp", 1>>, splits<along<"dp", "cp">, 2, "optimizer_instances">>>(
          "Megatron-LM, num_distributed_optimizer_instances",
          "dp * cp = 4 * 1 = 4 is not divisible by optimizer_instances = 3; nearest legal dp * cp: 3 and 6; nearest "
          "legal optimizer_instances: 2 and 4"),
      // layers
      refused<Layers<4, 30>, Layers<4, 30, Stages{.embedding = true, .loss = true}>>(
          "Megatron-LM #1304",
          "layers = 30 is not divisible by pp = 4; nearest legal layers: 28 and 32; nearest legal pp: 3 and 5"),
      refused<Layers<2, 7>, Layers<2, 8>>(
          "Megatron-LM #381",
          "layers = 7 is not divisible by pp = 2; nearest legal layers: 6 and 8; nearest legal pp: 1 and 7"),
      refused<Layers<4, 46>, Layers<2, 46>>(
          "ms-swift #5737",
          "layers = 46 is not divisible by pp = 4; nearest legal layers: 44 and 48; nearest legal pp: 2 and 23"),
      refused<Layers<1, 24, Stages{.virtual_stages = 2}>, Layers<2, 24, Stages{.virtual_stages = 2}>>(
          "Megatron-LM #750", "pp = 1 must be more than 1 for virtual stages; nearest legal pp: 2"),
      refused<Layers<4, 28, Stages{.virtual_stages = 2}>, Layers<4, 32, Stages{.virtual_stages = 2}>>(
          "Megatron-LM, virtual stages",
          "layers = 28 is not divisible by pp * virtual_stages = 4 * 2 = 8; nearest legal layers: 24 and 32; nearest "
          "legal pp: 2 and 7"),
      refused<Layers<4, 10, Stages{.first = 2, .last = 1}>, Layers<4, 9, Stages{.first = 2, .last = 1}>>(
          "PaddleFleet #259",
          "layers - first - last = 10 - 2 - 1 = 7 is not divisible by middle_stages = 2; nearest legal layers: 9 and "
          "11; nearest legal middle_stages: 1 and 7"),
      refused<Layers<2, 9, Stages{.first = 2, .last = 1}>, Layers<4, 9, Stages{.first = 2, .last = 1}>>(
          "Megatron-LM, middle stages",
          "layers - first - last = 9 - 2 - 1 = 6 is not equal to 0; nearest legal layers: 3"),
      refused<check<Pp<4>, stage_sizes<"pp", 32, 7, 8, 9, 7>>, check<Pp<4>, stage_sizes<"pp", 32, 7, 8, 9, 8>>>(
          "ltp-megatron-lm #49",
          "layers = 32 is not equal to sum_of_stages = 31; nearest legal layers: 31; nearest legal sum_of_stages: 32"),
      refused<check<Pp<8>, stage_sizes<"pp", 32, 7, 8, 9, 8>>, check<Pp<4>, stage_sizes<"pp", 32, 7, 8, 9, 8>>>(
          "ltp-megatron-lm #48", "stages = 4 is not equal to pp = 8; nearest legal stages: 8; nearest legal pp: 4"),
      refused<check<Pp<4>, divides<"pp", 6, "stages">>, check<Pp<4>, divides<"pp", 8, "stages">>>(
          "torchtitan, stages",
          "stages = 6 is not divisible by pp = 4; nearest legal stages: 4 and 8; nearest legal pp: 3 and 6"),
      // hidden
      refused<check<Tp<1>, multiple<"hidden", 3584, "heads", 27>>, check<Tp<1>, multiple<"hidden", 3584, "heads", 28>>>(
          "Megatron-LM, hidden size",
          "hidden = 3584 is not divisible by heads = 27; nearest legal hidden: 3564 and 3591; nearest legal heads: 16 "
          "and 28"),
      // batch
      refused<check<Mesh<Dim<"dp", 1>>, batch<"dp", 8, 2, 1>>, check<Mesh<Dim<"dp", 1>>, batch<"dp", 8, 2, 4>>>(
          "DeepSpeed #6914",
          "global_batch = 8 is not equal to micro_batch * accumulation * dp = 2 * 1 * 1 = 2; nearest legal "
          "global_batch: 2; nearest legal accumulation: 4"),
      refused<check<Mesh<Dim<"dp", 1>>, batch<"dp", 16, 1, 8>>, check<Mesh<Dim<"dp", 2>>, batch<"dp", 16, 1, 8>>>(
          "FAI-RL #72",
          "global_batch = 16 is not equal to micro_batch * accumulation * dp = 1 * 8 * 1 = 8; nearest legal "
          "global_batch: 8; nearest legal accumulation: 16"),
      refused<check<Mesh<Dim<"dp", 16>>, batch<"dp", 32, 4>>, check<Mesh<Dim<"dp", 8>>, batch<"dp", 32, 4>>>(
          "Megatron-Bridge, eval batch",
          "global_batch = 32 is not divisible by micro_batch * dp = 4 * 16 = 64; nearest legal global_batch: 64; "
          "nearest legal dp: 8"),
      refused<check<Mesh<Dim<"dp", 1>, Dim<"fsdp", 8>>, divides<along<"dp", "fsdp">, 1, "batch">>,
              check<Mesh<Dim<"dp", 1>, Dim<"fsdp", 8>>, divides<along<"dp", "fsdp">, 8, "batch">>>(
          "LWM #39",
          "batch = 1 is not divisible by dp * fsdp = 1 * 8 = 8; nearest legal batch: 8; nearest legal dp * fsdp: 1"),
      refused<check<Mesh<Dim<"dp", 8>>, divides<"dp", 50, "mini_batch">>,
              check<Mesh<Dim<"dp", 8>>, divides<"dp", 48, "mini_batch">>>(
          "dlib #2152",
          "mini_batch = 50 is not divisible by dp = 8; nearest legal mini_batch: 48 and 56; nearest legal dp: 5 and "
          "10"),
      refused<check<Mesh<Dim<"dp", 4>>, batch<"dp", 37, 2>>, check<Mesh<Dim<"dp", 4>>, batch<"dp", 40, 2>>>(
          "nousnet #253",
          "global_batch = 37 is not divisible by micro_batch * dp = 2 * 4 = 8; nearest legal global_batch: 32 and 40"),
      // arrays
      refused<check<Mesh<Dim<"x", 4>, Dim<"y", 2>>, divides<"x", 5>>,
              check<Mesh<Dim<"x", 4>, Dim<"y", 2>>, divides<"x", 4>>>(
          "jax #27808", "size = 5 is not divisible by x = 4; nearest legal size: 4 and 8; nearest legal x: 1 and 5"),
      refused<check<Mesh<Dim<"a", 8>>, divides<"a", 7>>, check<Mesh<Dim<"a", 8>>, divides<"a", 8>>>(
          "jax #15788", "size = 7 is not divisible by a = 8; nearest legal size: 8; nearest legal a: 7"),
      refused<check<Mesh<Dim<"tp", 4>>, mapping<maps<"heads", 28, "tp">, maps<"vocabulary", 152064, "tp">>>,
              check<Mesh<Dim<"tp", 4>>, mapping<maps<"heads", 28, "tp">>>>(
          "Mesh-TensorFlow, two tensor dimensions", "heads = 28 and vocabulary = 152064 both map to tp = 4"),
      refused<check<Mesh<Dim<"dp", 2>, Dim<"tp", 4>>, mapping<maps<"batch", 64, "dp">, maps<"batch", 64, "tp">>>,
              check<Mesh<Dim<"dp", 2>, Dim<"tp", 4>>, mapping<maps<"batch", 64, "dp">, maps<"heads", 28, "tp">>>>(
          "Mesh-TensorFlow, two mesh dimensions", "batch = 64 maps to both dp = 2 and tp = 4"),
      // world
      refused<check<Mesh<Dim<"cp", 2>>, divides<"cp", 1, "world_size">>,
              check<Mesh<Dim<"cp", 2>>, divides<"cp", 2, "world_size">>>(
          "NeMo/Speech #11480",
          "world_size = 1 is not divisible by cp = 2; nearest legal world_size: 2; nearest legal cp: 1"),
      refused<check<Tp<4>, divides<"tp", 1, "world_size">>, check<Tp<4>, divides<"tp", 4, "world_size">>>(
          "NeMo #10782", "world_size = 1 is not divisible by tp = 4; nearest legal world_size: 4; nearest legal tp: 1"),
      refused<Slime<8>, Slime<4>>("slime #1818",
                                  "world_size = 8 is not divisible by ep * pp = 8 * 2 = 16; nearest legal world_size: "
                                  "16; nearest legal ep * pp: 8"),
      refused<Sized<Mesh<Dim<"tp", 4>, Dim<"pp", 1>>, 8>, Sized<Mesh<Dim<"tp", 8>, Dim<"pp", 1>>, 8>>(
          "ms-swift #3739",
          "tp * pp = 4 * 1 = 4 is not equal to world = 8; nearest legal tp: 8; nearest legal world: 4"),
      refused<Sized<Mesh<Dim<"dp", 1>, Dim<"sp", 2>, Dim<"pp", 3>>, 8>,
              Sized<Mesh<Dim<"dp", 1>, Dim<"sp", 2>, Dim<"pp", 3>>, 6>>(
          "torchtitan #27", "dp * sp * pp = 1 * 2 * 3 = 6 is not equal to world = 8; nearest legal world: 6"),
      refused<Sized<Mesh<Dim<"dp_shard", 8>, Dim<"cp", 8>>, 8>, Sized<Mesh<Dim<"dp_shard", 1>, Dim<"cp", 8>>, 8>>(
          "torchtitan #1184",
          "dp_shard * cp = 8 * 8 = 64 is not equal to world = 8; nearest legal dp_shard: 1; nearest legal world: 64"),
      refused<Sized<Mesh<Dim<"dp", 4>, Dim<"tp", 4>>, 4>, Sized<Mesh<Dim<"dp", 1>, Dim<"tp", 4>>, 4>>(
          "GitM-Labs/runtime #76",
          "dp * tp = 4 * 4 = 16 is not equal to world = 4; nearest legal dp: 1; nearest legal world: 16"),
      refused<Sized<Mesh<Dim<"dp_replicate", 1>, Dim<"dp_shard", 4>>, 8>,
              Sized<Mesh<Dim<"dp_replicate", 2>, Dim<"dp_shard", 4>>, 8>>(
          "Model-Optimizer #1302",
          "dp_replicate * dp_shard = 1 * 4 = 4 is not equal to world = 8; nearest legal dp_replicate: 2; nearest legal "
          "world: 4"),
      refused("MaxText, unspecified axes", "ici_data = 0 and ici_fsdp = 0 are left open, and only one can be",
              numbers::one_open({{"ici_data", 0}, {"ici_fsdp", 0}, {"ici_tensor", 4}}),
              numbers::one_open({{"ici_data", 1}, {"ici_fsdp", 0}, {"ici_tensor", 4}})),
      // views and sub-axes
      refused<check<DenseDpLast, same_groups_as<ExpertDpLast, "pp">>,
              check<DensePpLast, same_groups_as<ExpertPpLast, "pp">>>(
          "Megatron-LM, pipeline groups of experts",
          "pp * stride = 2 * 2 = 4 has other groups than pp * stride = 2 * 4 = 8"),
      refused<check<Mesh<Dim<"dp", 2>, Dim<"tp", 4>>, same_size<Mesh<Dim<"ep", 4>, Dim<"etp", 4>>>>,
              check<Mesh<Dim<"dp", 2>, Dim<"tp", 4>>, same_size<Mesh<Dim<"edp", 2>, Dim<"ep", 4>, Dim<"etp", 1>>>>>(
          "Megatron-Bridge #546",
          "dp * tp = 2 * 4 = 8 is not equal to ep * etp = 4 * 4 = 16; nearest legal dp: 4; nearest legal ep: 2"),
      refused<check<Mesh<Dim<"cp", 16>>, parts<"cp", 8>>, check<Mesh<Dim<"cp", 16>>, parts<"cp", 2, 8>>>(
          "Megatron-Bridge #2667", "cp = 16 is not equal to 8; nearest legal cp: 8"),
      refused<check<Mesh<Dim<"ep", 2>, Dim<"cp", 2>>, exclusive<"ep", "cp">>,
              check<Mesh<Dim<"ep", 2>, Dim<"cp", 1>>, exclusive<"ep", "cp">>>(
          "Megatron-LM, RankGenerator", "ep = 2 and cp = 2 cannot both be more than 1"),
      refused<check<Tp<1>, needs<"tp", "sequence parallelism">>, check<Tp<2>, needs<"tp", "sequence parallelism">>>(
          "Megatron-LM #5768", "tp = 1 must be more than 1 for sequence parallelism; nearest legal tp: 2"),
      // machine
      refused<check<Mesh<Dim<"dp", 3>, Dim<"tp", 2>>, within<"tp", 3>>,
              check<Mesh<Dim<"dp", 2>, Dim<"tp", 3>>, within<"tp", 3>>>(
          "vLLM #596, 3 GPUs",
          "ranks_per_node = 3 does not hold whole blocks of tp * stride = 2 * 1 = 2; nearest legal ranks_per_node: 2 "
          "and 4; nearest legal tp: 1 and 3"),
      refused<check<Mesh<Dim<"tp", 8>, Dim<"dp", 8>>, within<"tp", 8>>,
              check<Mesh<Dim<"dp", 8>, Dim<"tp", 8>>, within<"tp", 8>>>(
          "torchtitan #286",
          "ranks_per_node = 8 does not hold whole blocks of tp * stride = 8 * 8 = 64; nearest legal ranks_per_node: "
          "64; nearest legal tp: 1"),
      refused<check<Mesh<Dim<"row", 4>, Dim<"column", 3>>, within<"column", 4>>,
              check<Mesh<Dim<"row", 3>, Dim<"column", 4>>, within<"column", 4>>>(
          "cuDecomp #98",
          "ranks_per_node = 4 does not hold whole blocks of column * stride = 3 * 1 = 3; nearest legal ranks_per_node: "
          "3 and 6; nearest legal column: 2 and 4"),
      // memory
      refused<check<Dp64, memory<along<>, zero>>, check<Dp64, memory<along<>, zero, "dp">>>(
          "ZeRO, figure 1",
          "parameter_bytes + optimizer_bytes = 30000000000 + 90000000000 = 120000000000 is more than limit = "
          "32000000000"),
  };
  unsigned wrong = 0;
  for (const Case& each : cases) {
    const bool right = each.refused && each.said == each.wanted.data() && each.neighbour_accepted;
    if (right) continue;
    ++wrong;
    printf("%s:\n  says    %s\n  not     %s\n  neighbour %s\n", each.source, each.said.c_str(), each.wanted.data(),
           each.neighbour_accepted ? "accepted" : "refused");
  }
  printf("%u published configurations, %u wrong\n", static_cast<unsigned>(sizeof cases / sizeof *cases), wrong);
  return wrong != 0;
}
