// SPDX-License-Identifier: BSL-1.0
#include <memory>

import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: broadcast cannot take}}
void f(const DeviceMesh& mesh) { mesh.broadcast<"tp">(std::make_unique<int>(1), 0); }
#else
void f(const DeviceMesh& mesh) { mesh.broadcast<"tp">(*std::make_unique<int>(1), 0); }
#endif
