// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: bit_and does not work on double; it takes integers and bool}}
void f(const DeviceMesh& mesh) { mesh.all_reduce<"tp">(1.0, axial::bit_and); }
#else
void f(const DeviceMesh& mesh) { mesh.all_reduce<"tp">(1, axial::bit_and); }
#endif
