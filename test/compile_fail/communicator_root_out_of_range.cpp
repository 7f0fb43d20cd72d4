// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{call to consteval function 'axial::Peer<fixed_string<3UL>{"tp"}, 4>::Peer<int>' is not a constant expression}}
// lines: 13
void f(const DeviceMesh& mesh) { mesh.communicator<"tp">().broadcast(1, 4); }
#else
void f(const DeviceMesh& mesh) { mesh.communicator<"tp">().broadcast(1, 3); }
#endif
