// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{no matching function for call to 'init_device_mesh'}}
// lines: 13
void f(const axial::CommunicatorView& world) { axial::init_device_mesh<int>(world); }
#else
void f(const axial::CommunicatorView& world) { axial::init_device_mesh<Mesh>(world); }
#endif
