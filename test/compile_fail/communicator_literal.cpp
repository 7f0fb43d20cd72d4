// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_gather cannot take const char *: a pointer means nothing on another rank}}
void f(const DeviceMesh& mesh) { mesh.all_gather<"tp">("text"); }
#else
void f(const DeviceMesh& mesh) { mesh.all_gather<"tp">('t'); }
#endif
