// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{no viable conversion from returned value of type 'unsigned int' to function return type 'axial::Rank<"tp">'}}
// lines: 16
axial::Rank<"tp"> f() { return 1u; }
#else
axial::Rank<"tp"> f() { return axial::Rank<"tp">(1u); }
#endif
