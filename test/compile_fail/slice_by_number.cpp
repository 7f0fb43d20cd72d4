// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: slice takes a constant: slice<"tp", 1>() or slice(tp, axial::at<1>)}}
auto x = Mesh::slice(axial::axis<"tp">, 1);
#else
auto x = Mesh::slice(axial::axis<"tp">, axial::at<1>);
#endif
