// SPDX-License-Identifier: BSL-1.0
// The mistake that this example is about: 28 heads on 8 ranks, 28 layers on 8 stages. It does not compile.
import axial;
import qwen2;

using M = axial::Mesh<axial::Dim<"dp", 1>, axial::Dim<"pp", 8>, axial::Dim<"tp", 8>>;
static_assert(qwen2::Checked<M>::require());
