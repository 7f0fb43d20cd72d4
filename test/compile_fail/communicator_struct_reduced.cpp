// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
struct Pair {
  int a, b;
};
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_reduce cannot take Pair: only arithmetic types and bool reduce}}
void f(const DeviceMesh& mesh) { mesh.all_reduce<"tp">(Pair{}, axial::plus); }
#else
void f(const DeviceMesh& mesh) { mesh.all_reduce<"tp">(Pair{}.a, axial::plus); }
#endif
