// SPDX-License-Identifier: BSL-1.0
// Extents as square as possible: types, values, requests, and numbers that are hard to split. All of it within the
// steps that the compiler allows an evaluation by default.
module;
#include <concepts>

module axial;

namespace axial {
namespace {

template <class A, class B>
consteval bool same(A, B) {
  return std::same_as<A, B>;
}

static_assert(same(balanced_mesh<72, "x", "y">{}, Mesh<Dim<"x", 9>, Dim<"y", 8>>{}));
static_assert(same(balanced_mesh<72, "y", "x">{}, Mesh<Dim<"y", 9>, Dim<"x", 8>>{}));
static_assert(same(balanced_mesh<361, "x", "y">{}, Mesh<Dim<"x", 19>, Dim<"y", 19>>{}));
static_assert(same(balanced_mesh<25, "x", "y">{}, Mesh<Dim<"x", 5>, Dim<"y", 5>>{}));
static_assert(same(balanced_mesh<16, "x", "y", "z">{}, Mesh<Dim<"x", 4>, Dim<"y", 2>, Dim<"z", 2>>{}));
static_assert(same(balanced_mesh<7, "x", "y", "z">{}, Mesh<Dim<"x", 7>, Dim<"y", 1>, Dim<"z", 1>>{}));
static_assert(same(balanced_mesh<1, "x", "y">{}, Mesh<Dim<"x", 1>, Dim<"y", 1>>{}));
static_assert(same(balanced_mesh<12, "x">{}, Mesh<Dim<"x", 12>>{}));
static_assert(same(balanced_mesh<2147483647, "x", "y">{}, Mesh<Dim<"x", 2147483647>, Dim<"y", 1>>{}));

/// The answer to a request; all zeros when it is not possible.
template <class... Request>
consteval auto balanced(unsigned n, Request... request) {
  List<unsigned, sizeof...(Request)> extents{static_cast<unsigned>(request)...};
  return balanced_extents(n, extents.data(), sizeof...(Request)) ? extents : decltype(extents){};
}
/// n over `Count` dimensions.
template <unsigned Count>
consteval List<unsigned, Count> free(unsigned n) {
  List<unsigned, Count> extents;
  return balanced_extents(n, extents.data(), Count) ? extents : List<unsigned, Count>{};
}

// The largest as small as possible, then the smallest as large as possible: not 4x4x1, 4x4x2x1.
static_assert(balanced(16, 0, 0, 0) == List{4, 2, 2} && balanced(32, 0, 0, 0, 0) == List{4, 2, 2, 2});
static_assert(balanced(3600, 0, 0, 0, 0) == List{10, 10, 6, 6});  // not 10x9x8x5
// Then the first that can be smaller: not 5x4x1x1.
static_assert(balanced(20, 0, 0, 0, 0) == List{5, 2, 2, 1} && balanced(20, 0, 0, 0, 0, 0) == List{5, 2, 2, 1, 1});
// What is fixed stays; the others do not increase, whatever stands between them.
static_assert(balanced(60, 0, 5, 0) == List{4, 5, 3} && balanced(1000, 0, 10, 0, 2) == List{10, 10, 5, 2});
static_assert(balanced(6, 3, 2) == List{3, 2} && balanced(6, 6, 0, 0) == List{6, 1, 1});

// The search alone: 12 = 4*3 = 6*2 = 12*1.
constexpr Divisors of_12(12);
static_assert(smallest_largest(of_12, 12, 2, 1, 12) == 4 && smallest_largest(of_12, 12, 2, 3, 4) == 4 &&
              smallest_largest(of_12, 12, 2, 4, 12) == 0 && smallest_largest(of_12, 12, 2, 1, 3) == 0);
static_assert(smallest_largest(of_12, 12, 3, 2, 12) == 3 && smallest_largest(of_12, 12, 4, 2, 12) == 0);
static_assert(smallest_largest(of_12, 6, 1, 6, 6) == 6 && smallest_largest(of_12, 6, 1, 7, 12) == 0 &&
              smallest_largest(of_12, 6, 1, 1, 5) == 0);

// What is not possible changes nothing.
consteval bool refuses(unsigned n, List<unsigned, 3> request) {
  List<unsigned, 3> extents = request;
  return !balanced_extents(n, extents.data(), 3) && extents == request;
}
static_assert(refuses(7, {0, 3, 0}) && refuses(12, {0, 2, 4}) && refuses(12, {2, 3, 1}) && refuses(6, {2, 3, 2}));
static_assert(refuses(0, {0, 0, 0}) && refuses(0, {1, 1, 1}) && refuses(2147483648, {0, 0, 0}) &&
              refuses(4294967295, {0, 5, 0}) && refuses(6, {0, 4294967294, 0}));
// A product beyond 32 bits is not taken for the small number that is left of it: 65536 * 65537 = 65536 + 2^32.
static_assert(refuses(65536, {65536, 65537, 1}) && refuses(1, {65536, 65536, 0}));
// No dimension holds one rank.
static_assert(balanced_extents(1, nullptr, 0) && !balanced_extents(2, nullptr, 0));

// Primes, squares and cubes at the end of the range.
static_assert(free<1>(2147483647) == List{2147483647} && free<3>(2147483647) == List{2147483647, 1, 1});
static_assert(free<2>(2147395600) == List{46340, 46340} && free<2>(2147117569) == List{46337, 46337});
static_assert(free<3>(2146689000) == List{1290, 1290, 1290} && free<2>(2147483646) == List{49981, 42966});
// Powers of two, and those with more dimensions than factors.
static_assert(free<6>(1u << 30) == List{32, 32, 32, 32, 32, 32} &&
              free<7>(1u << 30) == List{32, 32, 16, 16, 16, 16, 16});
static_assert(free<30>(1u << 30)[0] == 2 && free<64>(1u << 30)[29] == 2 && free<64>(1u << 30)[30] == 1);
// The most different primes.
static_assert(free<9>(223092870) == List{23, 19, 17, 13, 11, 7, 5, 3, 2});
// The most divisors: 1536 and 1600.
static_assert(free<8>(1396755360) == List{19, 17, 15, 14, 13, 12, 12, 11});
static_assert(free<2>(2095133040) == List{46189, 45360} && free<4>(2095133040) == List{221, 216, 210, 209});
static_assert(free<8>(2095133040) == List{19, 18, 17, 15, 14, 13, 12, 11});
static_assert(free<64>(2095133040)[0] == 19 && free<64>(2095133040)[15] == 1);
// Those that took the most steps of some millions of numbers with hundreds of divisors.
static_assert(free<5>(1657261320) == List{143, 68, 65, 57, 46});
static_assert(free<11>(1631229600) == List{97, 13, 11, 7, 7, 5, 5, 4, 4, 3, 2});

}  // namespace
}  // namespace axial
