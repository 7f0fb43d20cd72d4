// SPDX-License-Identifier: BSL-1.0
#include <string>

import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: broadcast of a range needs an output range, or in_place(range)}}
void f(const DeviceMesh& mesh) { mesh.broadcast<"tp">(std::string("x"), 0); }
#else
void f(const DeviceMesh& mesh) { mesh.broadcast<"tp">(std::string("x")[0], 0); }
#endif
