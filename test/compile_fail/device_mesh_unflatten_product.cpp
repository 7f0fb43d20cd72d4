// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten of "tp" = 4 into 3*2: the product is 6, not 4; a=2 would fit}}
auto f(const DeviceMesh& mesh) { return mesh.unflatten<"tp", axial::Dim<"a", 3>, axial::Dim<"b", 2>>(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.unflatten<"tp", axial::Dim<"a", 2>, axial::Dim<"b", 2>>(); }
#endif
