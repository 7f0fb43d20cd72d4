// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: slice of "tp" at 4 is out of range; its extent is 4, so the coordinates are 0 to 3}}
auto f(const DeviceMesh& mesh) { return mesh.slice<"tp", 4>(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.slice<"tp", 3>(); }
#endif
