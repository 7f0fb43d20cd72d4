// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: permute leaves out dimension "dp"; it names each of them once: "dp", "tp"}}
auto f(const DeviceMesh& mesh) { return mesh.permute<"tp">().rank(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.permute<"tp", "dp">().rank(); }
#endif
