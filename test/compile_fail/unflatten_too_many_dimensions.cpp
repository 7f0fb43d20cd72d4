// SPDX-License-Identifier: BSL-1.0
import axial;
consteval axial::fixed_string<3> name(int i) {
  const char text[] = {static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10), 0};
  return text;
}
template <class, int... I>
using Ones = axial::Mesh<axial::Dim<name(I), 1>...>;
using Mesh = __make_integer_seq<Ones, int, 63>;
using axial::Dim;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: unflatten of "00" takes 1 to 2 dimensions, not 3}}
auto x = Mesh::unflatten<"00", Dim<"a", 1>, Dim<"b", 1>, Dim<"c", 1>>().ndim();
#else
auto x = Mesh::unflatten<"00", Dim<"a", 1>, Dim<"b", 1>>().ndim();
#endif
