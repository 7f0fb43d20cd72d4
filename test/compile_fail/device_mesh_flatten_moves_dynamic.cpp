// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: flatten would put the dynamic dimension inside "tp_dp"; it must stay outermost}}
auto f(const DeviceMesh& mesh) { return mesh.flatten<"tp", "dp">(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.flatten<"dp", "tp">(); }
#endif
