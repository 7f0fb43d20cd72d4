// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: flatten needs a name, since the mesh has 0 dimensions}}
auto x = Mesh::flatten();
#else
auto x = Mesh::permute();
#endif
