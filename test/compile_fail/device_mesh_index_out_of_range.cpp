// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension 2; its dimensions are "dp", "tp", numbered from 0}}
auto f(const DeviceMesh& mesh) { return mesh.local_rank<2>(); }
#else
auto f(const DeviceMesh& mesh) { return mesh.local_rank<1>(); }
#endif
