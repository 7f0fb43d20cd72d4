// SPDX-License-Identifier: BSL-1.0
import axial;
consteval axial::fixed_string<3> name(int i) {
  const char text[] = {static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10), 0};
  return text;
}
template <class, int... I>
using Ones = axial::Mesh<axial::Dim<name(I), 1>...>;
using One = axial::Mesh<axial::Dim<"dp", 1>>;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: concat would make 65 dimensions; the most is 64}}
auto x = concat(__make_integer_seq<Ones, int, 64>(), One()).ndim();
#else
auto x = concat(__make_integer_seq<Ones, int, 63>(), One()).ndim();
#endif
