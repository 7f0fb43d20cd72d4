// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim, axial::Mesh;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: init_device_mesh takes a mesh whose extents are all known, and the outermost is dynamic}}
using M = Mesh<Dim<"dp", axial::dynamic>, Dim<"tp", 4>>;
#else
using M = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
#endif
void f(const axial::CommunicatorView& view) { (void)axial::init_device_mesh<M>(view); }
