// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: permute would put the dynamic dimension "dp" behind "tp"; it must stay outermost}}
auto f(const DeviceMesh& mesh) { return mesh.permute<"tp", "dp">(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.permute<"dp", "tp">(); }
#endif
