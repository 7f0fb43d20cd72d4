// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 8>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: heads = 28 is not divisible by tp = 8; nearest legal heads: 24 and 32; nearest legal tp: 7 and 14}}
using Checked = axial::check<Mesh, axial::divides<"tp", 28, "heads">, axial::kv_heads<"tp", 4>>;
#else
using Checked = axial::check<Mesh, axial::divides<"tp", 32, "heads">, axial::kv_heads<"tp", 4>>;
#endif
static_assert(Checked::require());
