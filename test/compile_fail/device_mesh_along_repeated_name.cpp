// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"cp", 2>, axial::Dim<"tp", 2>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_reduce names dimension "dp" twice; the dimensions are "dp", "cp", "tp"}}
int f(const DeviceMesh& mesh) { return mesh.all_reduce<"dp", "dp">(1, axial::plus); }
#else
int f(const DeviceMesh& mesh) { return mesh.all_reduce<"dp", "cp">(1, axial::plus); }
#endif
