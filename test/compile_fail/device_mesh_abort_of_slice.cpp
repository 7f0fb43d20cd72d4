// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: abort ends the whole mesh and all that is derived from it: call root().abort()}}
void f(const DeviceMesh& mesh) { mesh.slice<"dp", 1>()->abort(); }
#else
void f(const DeviceMesh& mesh) { mesh.abort(); }
#endif
