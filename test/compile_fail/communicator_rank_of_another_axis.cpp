// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{a rank along one axis is none along another}}
axial::Rank<"tp"> f(const DeviceMesh& mesh) { return mesh.local_rank<"dp">(); }
#else
axial::Rank<"tp"> f(const DeviceMesh& mesh) { return mesh.local_rank<"tp">(); }
#endif
