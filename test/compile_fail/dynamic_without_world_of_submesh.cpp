// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 4>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: the number of ranks is dynamic: what depends on it takes the number of ranks as its last argument}}
auto x = Mesh::submesh<"tp">().copies();
#else
auto x = Mesh::submesh<"tp">().size();
#endif
