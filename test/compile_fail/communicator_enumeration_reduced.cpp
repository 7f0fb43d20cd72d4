// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
enum class Colour { red, green };
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_reduce cannot take Colour: only arithmetic types and bool reduce}}
void f(const DeviceMesh& mesh) { mesh.all_reduce<"tp">(Colour::red, axial::max); }
#else
void f(const DeviceMesh& mesh) { mesh.all_gather<"tp">(Colour::red); }
#endif
