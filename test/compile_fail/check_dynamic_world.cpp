// SPDX-License-Identifier: BSL-1.0
import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 8>>;
using Tensor = decltype(Mesh::submesh<"tp">());
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: a rule needs the number of ranks, which is dynamic: check it at run time, by axial::numbers}}
// lines: 17
using Checked = axial::check<Tensor, axial::same_size<axial::Mesh<axial::Dim<"x", 8>>>>;
#else
using Checked = axial::check<Tensor, axial::divides<"tp", 32>>;
#endif
static_assert(Checked::require());
