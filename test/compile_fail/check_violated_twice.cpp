// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 8>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: 2 violations: (1) heads = 28 is not divisible by tp = 8; nearest legal heads: 24 and 32; nearest legal tp: 7 and 14; (2) kv_heads = 6 is neither a multiple nor a divisor of tp = 8; nearest legal kv_heads: 4 and 8; nearest legal tp: 6 and 12}}
using Checked = axial::check<Mesh, axial::divides<"tp", 28, "heads">, axial::kv_heads<"tp", 6>>;
#else
using Checked = axial::check<Mesh, axial::divides<"tp", 32, "heads">, axial::kv_heads<"tp", 8>>;
#endif
int main() { return !Checked::require(); }
