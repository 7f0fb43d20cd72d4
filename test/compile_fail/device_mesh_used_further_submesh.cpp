// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tq"; its dimensions are "dp", "tp" (did you mean "tp"?)}}
int f(const DeviceMesh& mesh) {
  return mesh.submesh<"tq">().communicator<"x">().broadcast(1, 7) + mesh.submesh<"tp">().communicator().broadcast(1, 3);
}
#else
int f(const DeviceMesh& mesh) {
  return mesh.submesh<"tp">().communicator<"tp">().broadcast(1, 2) +
         mesh.submesh<"tp">().communicator().broadcast(1, 3);
}
#endif
