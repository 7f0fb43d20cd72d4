// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: slice of "dp" at 0: the dimension is dynamic, and whether it has that coordinate is known at run time only}}
auto f(const DeviceMesh& mesh) { return mesh.slice<"dp", 0>(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.slice<"tp", 0>(); }
#endif
