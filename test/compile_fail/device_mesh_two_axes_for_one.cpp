// SPDX-License-Identifier: BSL-1.0
// lines: 14
import axial;
using Mesh = axial::Mesh<axial::Dim<"replicate", 2>, axial::Dim<"shard", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
template <axial::mesh_type M>
double mean_of_flat(const axial::DeviceMesh<M>& axis) {
  return axis.all_reduce(1.0, axial::plus);
}
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_reduce needs a name, since the mesh has 2 dimensions: "replicate", "shard"}}
double f(const DeviceMesh& mesh) { return mean_of_flat(mesh.submesh<"replicate", "shard">()); }
#else
double f(const DeviceMesh& mesh) { return mean_of_flat(mesh.flatten<"replicate", "shard">()); }
#endif
