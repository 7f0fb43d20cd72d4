// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tq"; its dimensions are "dp", "tp" (did you mean "tp"?)}}
double f(const DeviceMesh& mesh) { return mesh.communicator<"tq">().all_reduce(1.0, axial::plus) + 1; }
#else
double f(const DeviceMesh& mesh) { return mesh.communicator<"tp">().all_reduce(1.0, axial::plus) + 1; }
#endif
