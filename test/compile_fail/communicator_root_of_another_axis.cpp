// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{a root is a rank along the communicator's own axis}}
void f(const DeviceMesh& mesh) { mesh.communicator<"tp">().broadcast(1, axial::Rank<"dp">(1)); }
#else
void f(const DeviceMesh& mesh) { mesh.communicator<"tp">().broadcast(1, axial::Rank<"tp">(1)); }
#endif
