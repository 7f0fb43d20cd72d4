// SPDX-License-Identifier: BSL-1.0
import axial;
using axial::Dim, axial::Mesh;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: init_device_mesh takes a mesh that holds all ranks, not a slice}}
using M = decltype(Mesh<Dim<"dp", 2>, Dim<"tp", 4>>::slice<"dp", 1>());
#else
using M = decltype(Mesh<Dim<"dp", 2>, Dim<"tp", 4>>::permute<"tp", "dp">());
#endif
void f(const axial::CommunicatorView& view) { (void)axial::init_device_mesh<M>(view); }
