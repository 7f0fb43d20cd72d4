// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"x", 2>, axial::Dim<"y", 2>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: with_ranks gives rank 1 to the positions 1 and 2; each rank stands once}}
auto x = Mesh::with_ranks<0, 1, 1, 3>();
#else
auto x = Mesh::with_ranks<0, 2, 1, 3>();
#endif
