// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{a root is a rank along the communicator's axis, not in the whole mesh}}
void f(const DeviceMesh& mesh) { mesh.reduce<"tp">(1, axial::plus, mesh.rank()); }
#else
void f(const DeviceMesh& mesh) { mesh.reduce<"tp">(1, axial::plus, mesh.local_rank<"tp">()); }
#endif
