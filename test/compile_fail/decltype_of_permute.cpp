// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: permute leaves out dimension "dp"; it names each of them once: "dp", "tp"}}
using Derived = decltype(Mesh::permute<"tp">());
#else
using Derived = decltype(Mesh::permute<"tp", "dp">());
#endif
auto x = Derived::ndim();
