// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: rename needs a name that is not empty}}
auto x = Mesh::rename<"tp", "">();
#else
auto x = Mesh::rename<"tp", "tensor">();
#endif
