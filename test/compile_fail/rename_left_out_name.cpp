// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: rename takes a dimension and its new name; the dimensions are "dp", "tp"}}
auto x = Mesh::rename<"tensor">();
#else
auto x = Mesh::submesh<"tp">().rename<"tensor">();
#endif
