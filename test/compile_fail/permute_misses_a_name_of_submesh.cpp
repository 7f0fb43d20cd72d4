// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: permute leaves out dimension "tp"; it names each of them once: "tp", "dp"}}
auto x = Mesh::submesh<"tp", "dp">().permute<"dp">();
#else
auto x = Mesh::submesh<"tp", "dp">().permute<"dp", "tp">();
#endif
