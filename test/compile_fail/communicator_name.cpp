// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_gather cannot take axial::NameView: a view refers to memory of this rank; use in_place(range), or an output range}}
void f(const DeviceMesh& mesh) { mesh.all_gather<"tp">(mesh.names()[0]); }
#else
void f(const DeviceMesh& mesh) { mesh.all_gather<"tp">(mesh.names()[0].size()); }
#endif
