// SPDX-License-Identifier: BSL-1.0
// Equal meaning in one root is the same type.
#include <concepts>
#include <type_traits>

import axial;

namespace {

using axial::Dim, axial::Mesh;
using M = Mesh<Dim<"dp", 2>, Dim<"cp", 1>, Dim<"tp", 4>>;
using P = Mesh<Dim<"pp", 2>, Dim<"dp", 2>, Dim<"tp", 2>>;

template <class A, class B>
consteval bool same(A, B) {
  static_assert((A{} == B{}) == std::same_as<A, B>);
  return std::same_as<A, B>;
}

// All names in order are the mesh itself.
static_assert(same(M::submesh<"dp", "cp", "tp">(), M{}) && same(M::permute<"dp", "cp", "tp">(), M{}));
static_assert(same(Mesh<>::permute(), Mesh<>{}) && same(Mesh<Dim<"x", 3>>::submesh(), Mesh<Dim<"x", 3>>{}));

// What is row-major over the whole root is the Mesh of that shape, whatever it was made from.
static_assert(same(M::submesh<"dp", "tp">(), Mesh<Dim<"dp", 2>, Dim<"tp", 4>>{}));
static_assert(same(M::others<"cp">(), Mesh<Dim<"dp", 2>, Dim<"tp", 4>>{}));
static_assert(same(M::permute<"cp", "dp", "tp">(), Mesh<Dim<"cp", 1>, Dim<"dp", 2>, Dim<"tp", 4>>{}));
static_assert(same(P::permute<"tp", "dp", "pp">().permute<"pp", "dp", "tp">(), P{}));
static_assert(same(Mesh<Dim<"a", 1>, Dim<"b", 1>>::submesh<"b">(), Mesh<Dim<"b", 1>>{}));
static_assert(same(Mesh<Dim<"a", 1>>::others<"a">(), Mesh<>{}) &&
              same(Mesh<Dim<"a", 8>, Dim<"b", 1>>::submesh<"a">(), Mesh<Dim<"a", 8>>{}));

// The way to a sub-mesh does not matter.
static_assert(same(P::submesh<"tp", "pp">().submesh<"pp">(), P::submesh<"pp">()));
static_assert(same(P::others<"dp">().others<"pp">(), P::submesh<"tp">()) &&
              same(P::others<"dp", "pp">(), P::submesh<"tp">()));
static_assert(same(P::submesh<"tp", "dp", "pp">().submesh<"pp", "tp">(), P::others<"dp">()));
static_assert(same(P::permute<"dp", "tp", "pp">().others<"pp">(), P::submesh<"dp", "tp">()));
static_assert(same(P::submesh<"tp", "dp">().permute<"dp", "tp">(), P::submesh<"dp", "tp">()));
// dp of 2x2x2 and dp of 2x2x(1x2) are the same axis of 8 ranks.
static_assert(same(P::submesh<"dp">(), Mesh<Dim<"pp", 2>, Dim<"dp", 2>, Dim<"x", 1>, Dim<"y", 2>>::submesh<"dp">()));

// Another order, another root, other names or extents: another type.
static_assert(!same(P::submesh<"tp", "dp">(), P::submesh<"dp", "tp">()) && !same(P::permute<"tp", "dp", "pp">(), P{}));
static_assert(!same(P::submesh<"tp">(), Mesh<Dim<"tp", 2>>{}) && !same(P::submesh<"tp">(), P::submesh<"dp">()));
static_assert(!same(P::submesh<"tp">(), Mesh<Dim<"dp", 2>, Dim<"tp", 2>>::submesh<"tp">()));
static_assert(!same(M{}, Mesh<Dim<"dp", 2>, Dim<"tp", 4>>{}) && !same(Mesh<Dim<"a", 2>>{}, Mesh<Dim<"b", 2>>{}));
static_assert(!same(P::others<"pp", "dp", "tp">(), Mesh<>{}) &&
              same(P::others<"pp", "dp", "tp">(), P::others<"tp", "dp", "pp">()));

// Empty, structural, default-constructible: a mesh weighs nothing.
template <class... Ms>
consteval bool weighs_nothing(Ms...) {
  return ((std::is_empty_v<Ms> && std::is_trivial_v<Ms> && std::default_initializable<Ms> &&
           std::equality_comparable<Ms> && std::is_nothrow_default_constructible_v<Ms>) &&
          ...);
}
static_assert(weighs_nothing(M{}, P{}, Mesh<>{}, P::submesh<"tp">(), P::others<"pp", "dp", "tp">(),
                             M::permute<2, 1, 0>()));

template <auto Mesh>
struct structural {};
static_assert(std::same_as<structural<M{}>, structural<M::submesh<"dp", "cp", "tp">()>>);
static_assert(!std::same_as<structural<P::submesh<"tp">()>, structural<P::submesh<"dp">()>>);

}  // namespace
