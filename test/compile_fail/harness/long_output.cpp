// verdict: the output is too long
import axial;
#ifndef AXIAL_POSITIVE_TWIN
template <int N>
int deep() {
  static_assert(N != 0, "bottom");  // expected-error@*:* {{bottom}}
  if constexpr (N != 0) return deep<N - 1>();
}
int value = deep<5>();
#endif
