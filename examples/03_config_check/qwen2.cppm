// SPDX-License-Identifier: BSL-1.0
// The shapes of Qwen2-7B, and what they ask of a mesh: once as rules on a mesh type, once on numbers that a user gives.
export module qwen2;
import axial;

export namespace qwen2 {

using axial::Count;

// From the model's config.json.
constexpr Count hidden = 3584;
constexpr Count intermediate = 18944;
constexpr Count heads = 28;
constexpr Count kv_heads = 4;
constexpr Count layers = 28;
constexpr Count vocabulary = 152064;

constexpr Count global_batch = 1024;
constexpr Count ranks_per_node = 8;
constexpr axial::Memory memory{
    .parameters = 7'615'616'512, .bytes = 2 + 2, .optimizer_bytes = 12, .limit = 80'000'000'000};

/// What a mesh with axes "dp", "pp" and "tp" must fulfil. (The optimizer's state is sharded over dp, too.)
template <axial::mesh_type M>
using Checked = axial::check<M,  //
                             axial::divides<"tp", heads, "heads">, axial::kv_heads<"tp", kv_heads>,
                             axial::divides<"tp", intermediate, "intermediate">, axial::vocabulary<"tp", vocabulary>,
                             axial::layers<"pp", layers>, axial::multiple<"hidden", hidden, "heads", heads>,
                             axial::batch<"dp", global_batch, 1>, axial::within<"tp", ranks_per_node>,
                             axial::memory<axial::along<"pp", "tp">, memory, "dp">>;

/// The same for a mesh whose extents are known only when the program runs, in the order dp, pp, tp.
constexpr auto check(Count dp, Count pp, Count tp) {
  namespace numbers = axial::numbers;
  return axial::Report{
      numbers::divides({"heads", heads}, {"tp", tp}),
      numbers::kv_heads({"kv_heads", kv_heads}, {"tp", tp}),
      numbers::divides({"intermediate", intermediate}, {"tp", tp}),
      numbers::vocabulary({"vocabulary", vocabulary}, {"tp", tp}),
      numbers::layers({"layers", layers}, {"pp", pp}),
      numbers::divides({"hidden", hidden}, {"heads", heads}),
      numbers::batch(global_batch, 1, 0, {"dp", dp}),
      numbers::within({"tp", tp}, 1, {"ranks_per_node", ranks_per_node}, dp * pp * tp),
      numbers::memory(memory, {{"pp", pp}, {"tp", tp}}, {"dp", dp}),
  };
}

}  // namespace qwen2
