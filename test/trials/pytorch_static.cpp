// SPDX-License-Identifier: BSL-1.0
// What DeviceMesh of PyTorch answers on meshes of more ranks than run in tests; computed by hand.
import axial;

using axial::Dim, axial::Mesh;

namespace {

using M234 = Mesh<Dim<"a", 2>, Dim<"b", 3>, Dim<"c", 4>>;
using M22222 = Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>, Dim<"d", 2>, Dim<"e", 2>>;
using M282 = Mesh<Dim<"edp", 2>, Dim<"ep", 8>, Dim<"etp", 2>>;

static_assert(M234::coordinates_of(17) == axial::Coordinates<M234>{1, 1, 1});
static_assert(M234::coordinates_of(23) == axial::Coordinates<M234>{1, 2, 3});
static_assert(M234::coordinates_of(6) == axial::Coordinates<M234>{0, 1, 2});
static_assert([] {
  for (unsigned r = 0; r < 12; ++r)
    if (M234::groups<"a">()[r][0] != r || M234::groups<"a">()[r][1] != r + 12) return false;
  return M234::group_count<"a">() == 12;
}());
using Three = const unsigned[8][3];
static_assert(
    M234::groups<"b">() ==
    Three{{0, 4, 8}, {1, 5, 9}, {2, 6, 10}, {3, 7, 11}, {12, 16, 20}, {13, 17, 21}, {14, 18, 22}, {15, 19, 23}});
using Six = const unsigned[4][6];
static_assert(M234::groups<"a", "b">() ==
              Six{{0, 4, 8, 12, 16, 20}, {1, 5, 9, 13, 17, 21}, {2, 6, 10, 14, 18, 22}, {3, 7, 11, 15, 19, 23}});
using Eight = const unsigned[3][8];
static_assert(M234::groups<"a", "c">() ==
              Eight{{0, 1, 2, 3, 12, 13, 14, 15}, {4, 5, 6, 7, 16, 17, 18, 19}, {8, 9, 10, 11, 20, 21, 22, 23}});
static_assert(M234::groups<"c", "a">() ==
              Eight{{0, 12, 1, 13, 2, 14, 3, 15}, {4, 16, 5, 17, 6, 18, 7, 19}, {8, 20, 9, 21, 10, 22, 11, 23}});
// Three axes of the dense mesh are one of the expert mesh.
static_assert(axial::same_groups<decltype(M22222::flatten<"b", "c", "d">()), "b_c_d", M282, "ep">);

}  // namespace
