// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tq"; its dimensions are "dp", "tp" (did you mean "tp"?)}}
int f(const DeviceMesh& mesh) {
  int sum = 0;
  for (const int x : mesh.all_gather<"tq">(1)) sum += x;
  return sum;
}
#else
int f(const DeviceMesh& mesh) {
  int sum = 0;
  for (const int x : mesh.all_gather<"tp">(1)) sum += x;
  return sum;
}
#endif
