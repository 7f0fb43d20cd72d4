// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{call to consteval function 'axial::Peer<fixed_string<3UL>{"tp"}, 4>::Peer<unsigned int>' is not a constant expression}}
void f(const DeviceMesh& mesh) {
  for (unsigned i = 0; i < 4; ++i) mesh.broadcast<"tp">(1, i);
}
#else
void f(const DeviceMesh& mesh) {
  for (unsigned i = 0; i < 4; ++i) mesh.broadcast<"tp">(1, axial::Rank<"tp">(i));
}
#endif
