// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tq"; its dimensions are "dp", "tp" (did you mean "tp"?)}}
unsigned buffer[Mesh::extent<"tq">() * 4];
constexpr unsigned twice = 2 * Mesh::extent<"tq">(), quotient = 8 / Mesh::extent<"tq">();
using Other = axial::Mesh<axial::Dim<"x", Mesh::extent<"tq">()>>;
#else
unsigned buffer[Mesh::extent<"tp">() * 4];
#endif
