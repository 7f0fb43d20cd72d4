// SPDX-License-Identifier: BSL-1.0
import axial;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{non-type template argument evaluates to -1, which cannot be narrowed to type 'unsigned int'}}
auto x = axial::Mesh<axial::Dim<"dp", -1>, axial::Dim<"tp", 8>>::ndim();
#else
auto x = axial::Mesh<axial::Dim<"dp", 1>, axial::Dim<"tp", 8>>::ndim();
#endif
