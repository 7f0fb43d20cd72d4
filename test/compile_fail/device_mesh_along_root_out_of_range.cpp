// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"cp", 2>, axial::Dim<"tp", 2>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{call to consteval function 'axial::Peer<fixed_string<6>{"dp_cp"}, 4>::Peer<int>' is not a constant expression}}
// lines: 13
int f(const DeviceMesh& mesh) { return mesh.broadcast<"dp", "cp">(1, 4); }
#else
int f(const DeviceMesh& mesh) { return mesh.broadcast<"dp", "cp">(1, 3); }
#endif
