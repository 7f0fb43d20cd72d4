// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: mesh has no dimension "tq"; its dimensions are "dp", "tp" (did you mean "tp"?)}}
unsigned f(const DeviceMesh& mesh) {
  const auto rest = mesh.others<"tq">();
  return rest.extent<"pp">() + rest.local_rank().value() + rest.permute<"a", "b">().group_ranks<"c">()[0];
}
#else
unsigned f(const DeviceMesh& mesh) {
  const auto rest = mesh.others<"tp">();
  return rest.extent<"dp">() + rest.local_rank().value() + rest.permute<"dp">().group_ranks<"dp">()[0];
}
#endif
