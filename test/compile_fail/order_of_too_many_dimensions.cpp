// SPDX-License-Identifier: BSL-1.0
import axial;
consteval axial::fixed_string<3> name(int i) {
  const char text[] = {static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10), 0};
  return text;
}
template <class, int... I>
using Mesh = axial::mesh_from_order<"02-01-00", axial::Dim<name(I), 1>...>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: Mesh has 65 dimensions; the most is 64}}
auto x = __make_integer_seq<Mesh, int, 65>::ndim();
#else
auto x = __make_integer_seq<Mesh, int, 3>::ndim();
#endif
