// SPDX-License-Identifier: BSL-1.0
// Every member of a mesh says the same by literal, by tag, by index, and with the name left out; on values, references
// and types.
#include <concepts>
#include <type_traits>

import axial;

namespace {

using axial::axis, axial::Dim;
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"cp", 1>, Dim<"tp", 4>>;
using Fold = decltype(Mesh::submesh<"tp", "dp">());

/// True when each of the calls gives what the first one gives, of the same type.
template <class First, class... Rest>
consteval bool same(const First& first, const Rest&... rest) {
  return (std::same_as<First, Rest> && ...) && ((first == rest) && ...);
}

template <class M, axial::fixed_string Name, int Index>
consteval bool spellings_agree(unsigned rank) {
  using One = decltype(M::template submesh<Name>());
  constexpr auto name = axis<Name>;
  constexpr auto index = axis<Index>;
  const M m;
  return same(M::template extent<Name>(), m.extent(name), M::template extent<Index>(), m.extent(index), One::extent(),
              axial::extent_of<M, Name>) &&
         same(M::template stride<Name>(), m.stride(name), M::template stride<Index>(), m.stride(index), One::stride(),
              axial::stride_of<M, Name>) &&
         same(M::template index_of<Name>(), m.index_of(name), M::template index_of<Index>(), m.index_of(index)) &&
         same(M::template coordinate_of<Name>(rank), m.coordinate_of(name, rank), m.coordinate_of(index, rank),
              M::template coordinate_of<Index>(rank), One::coordinate_of(rank), M::coordinates_of(rank)[Index],
              m.coordinates_of(rank).get(name), M::coordinates_of(rank).template get<Name>(),
              M::coordinates_of(rank).template get<Index>(), One::coordinates_of(rank).get()) &&
         same(M::template groups<Name>(), m.groups(name), M::template groups<Index>(), m.groups(index),
              One::groups()) &&
         same(M::template group_of<Name>(rank), m.group_of(name, rank), M::template group_of<Index>(rank),
              m.group_of(index, rank), One::group_of(rank)) &&
         same(M::template group_index<Name>(rank), m.group_index(name, rank), M::template group_index<Index>(rank),
              m.group_index(index, rank), One::group_index(rank)) &&
         same(M::template group_count<Name>(), m.group_count(name), M::template group_count<Index>(),
              m.group_count(index), One::group_count()) &&
         same(M::template neighbor<Name>(rank, 1), m.neighbor(name, rank, 1),
              M::template neighbor<Index>(rank, 1, true), m.neighbor(index, rank, 1, true), One::neighbor(rank, 1)) &&
         same(M::template neighbor<Name>(rank, -1, false), m.neighbor(name, rank, -1, false),
              M::template neighbor<Index>(rank, -1, false), One::neighbor(rank, -1, false)) &&
         same(M::template shard<Name>(10, 0), m.shard(name, 10, 0), M::template shard<Index>(10, 0),
              m.shard(index, 10, 0), One::shard(10, 0)) &&
         same(M::template submesh<Name>(), m.submesh(name), M::template submesh<Index>(), m.submesh(index),
              One::submesh(), One::permute(), One::template permute<Name>()) &&
         same(M::template others<Name>(), m.others(name), M::template others<Index>(), m.others(index)) &&
         axial::has_dimension<M, Name> && axial::has_dimension<const M, Name>;
}
static_assert(spellings_agree<Mesh, "dp", 0>(6) && spellings_agree<Mesh, "cp", 1>(6) &&
              spellings_agree<Mesh, "tp", 2>(6));
static_assert(spellings_agree<Fold, "tp", 0>(6) && spellings_agree<Fold, "dp", 1>(6));
static_assert(spellings_agree<axial::Mesh<Dim<"x", 1>>, "x", 0>(0));

// Several names: literals, tags, indices, mixed.
constexpr Mesh mesh;
constexpr auto dp = axis<"dp">;
constexpr auto cp = axis<"cp">;
constexpr auto tp = axis<"tp">;
static_assert(same(mesh.groups<"tp", "dp">(), mesh.groups(tp, dp), mesh.groups<2, 0>(), mesh.groups<"tp", 0>()));
static_assert(same(mesh.submesh<"tp", "dp">(), mesh.submesh(tp, dp), mesh.submesh<2, "dp">(), Fold{}));
static_assert(same(mesh.permute<"tp", "dp", "cp">(), mesh.permute(tp, dp, cp), mesh.permute<2, 0, 1>()));
static_assert(same(mesh.others<"cp">(), mesh.others(cp), mesh.submesh<"dp", "tp">()));
static_assert(same(mesh.others<"dp", "cp">(), mesh.others(dp, cp), mesh.submesh(tp), mesh.others<"cp", "dp">()));
static_assert(mesh.group_of<"tp", "dp">(6) == axial::List{0, 4, 1, 5, 2, 6, 3, 7} &&
              mesh.group_index<"dp", "tp">(6) == 0 && mesh.group_count(dp, tp) == 1 &&
              mesh.group_count<"dp", "tp">() == 1);

// The members that take no name.
template <class M>
consteval bool sizes_are(const M& m, unsigned ndim, unsigned size, unsigned copies, unsigned world) {
  return m.ndim() == ndim && m.size() == size && m.copies() == copies && m.world() == world &&
         M::names().size() == ndim && M::shape().size() == ndim && m.contains(world - 1) && !m.contains(world) &&
         !m.contains(~0u) && m.all_coordinates().size() == size;
}
static_assert(sizes_are(mesh, 3, 8, 1, 8) && sizes_are(Fold{}, 2, 8, 1, 8) && sizes_are(mesh.submesh(dp), 1, 2, 4, 8));
static_assert(sizes_are(axial::Mesh<>{}, 0, 1, 1, 1) && sizes_are(mesh.others(dp, cp, tp), 0, 1, 8, 8));
static_assert(mesh.names() == axial::List{"dp", "cp", "tp"} && mesh.shape() == axial::List{2, 1, 4});
static_assert(Fold::names() == axial::List{"tp", "dp"} && Fold::shape() == axial::List{4, 2});
static_assert(mesh.try_coordinates_of(7).value() == mesh.coordinates_of(7) && !mesh.try_coordinates_of(8));

constexpr bool has_tp(const auto& mesh) { return axial::has_dimension<decltype(mesh), "tp">; }  // of a reference
static_assert(has_tp(Mesh{}) && axial::extent_of<const Mesh&, "tp"> == axial::extent_of<Mesh, "tp">);
static_assert(axial::has_dimension<Mesh, "tp"> && axial::has_dimension<Mesh, 2> && !axial::has_dimension<Mesh, 3>);
static_assert(!axial::has_dimension<Mesh, "tq"> && !axial::has_dimension<Fold, "cp"> &&
              !axial::has_dimension<Mesh, "">);
static_assert(!axial::has_dimension<int, "tp"> && !axial::has_dimension<Mesh, -1> &&
              !axial::has_dimension<axial::Mesh<>, 0>);
static_assert(axial::mesh_type<Mesh> && axial::mesh_type<Fold> && axial::mesh_type<const Mesh> &&
              axial::mesh_type<axial::Mesh<>>);
static_assert(!axial::mesh_type<int> && !axial::mesh_type<Dim<"dp", 2>> && !axial::mesh_type<Mesh&>);

// Members are plain functions of the type: callable on a reference whose object is not known to the compiler.
template <axial::mesh_type M>
unsigned in_generic_code(const M& m, const M* pointer, unsigned rank) {
  constexpr unsigned extent = M::extent(axis<"tp">);
  return extent + m.extent(axis<"tp">) + pointer->stride(axis<"dp">) + m.size() +
         m.coordinates_of(rank).get(axis<"tp">) + m.submesh(axis<"tp">).group_of(rank)[0] +
         m.groups(axis<"dp">, axis<"tp">)[0][1] + m.shard(axis<"dp">, 7, 0).size;
}
[[maybe_unused]] unsigned (*const instances[])(const Mesh&, const Mesh*, unsigned) = {&in_generic_code<Mesh>};
[[maybe_unused]] unsigned (*const of_sub_meshes)(const Fold&, const Fold*, unsigned) = &in_generic_code<Fold>;

// Meshes and coordinates are values that a template may take.
template <auto Value>
constexpr auto parameter = Value;
static_assert(parameter<Mesh{}>.size() == 8 && parameter<Fold{}>.size() == 8 &&
              parameter<Mesh::coordinates_of(6)>[2] == 2);
static_assert(
    std::same_as<std::integral_constant<unsigned, parameter<Mesh{}>.size()>, std::integral_constant<unsigned, 8>>);

// Coordinates.
using Coordinates = axial::Coordinates<Mesh>;
static_assert(Coordinates{1, 0, 2} == Mesh::coordinates_of(6) && Coordinates{} == Coordinates(0u, 0L, short{0}));
static_assert(Coordinates{0, 0, 3} < Coordinates{1, 0, 0} && Coordinates{1, 0, 2} > Coordinates{1, 0, 1});
static_assert((Coordinates{1, 0, 2} <=> Coordinates{1, 0, 2}) == 0 && Coordinates::size() == 3);
static_assert(Mesh::rank_of({1, 0, 2}) == 6 && axial::Mesh<Dim<"x", 4>>::rank_of({3}) == 3 &&
              axial::Mesh<>::rank_of({}) == 0);
static_assert([] {
  Coordinates c{1, 0, 2};
  const auto [a, b, t] = c;
  c[2] = 3;
  unsigned sum = 0;
  for (const unsigned x : c) sum += x;
  return a == 1 && b == 0 && t == 2 && sum == 4 && c.get(tp) == 3 && c.get<2>() == 3 && c.get<"dp">() == 1;
}());
// Coordinates of different meshes do not compare; a single number is no coordinate of several axes.
template <class A, class B>
concept comparable = requires(A a, B b) { a == b; };
static_assert(!comparable<Coordinates, axial::Coordinates<Fold>> && !std::convertible_to<int, Coordinates>);
static_assert(std::convertible_to<int, axial::Coordinates<axial::Mesh<Dim<"x", 4>>>>);

}  // namespace
