// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tq"; its dimensions are "dp", "tp" (did you mean "tp"?)}}
void f(const DeviceMesh& mesh) {
  double in[4] = {}, out[16];
  const auto& axis = mesh.communicator<"tq">();
  axis.all_gather(in, out);
  axis.reduce_scatter(out, in, axial::plus);
  axis.reduce(axial::in_place(in), axial::plus, 9);
}
#else
void f(const DeviceMesh& mesh) {
  double in[4] = {}, out[16];
  const auto& axis = mesh.communicator<"tp">();
  axis.all_gather(in, out);
  axis.reduce_scatter(out, in, axial::plus);
  axis.reduce(axial::in_place(in), axial::plus, 3);
}
#endif
