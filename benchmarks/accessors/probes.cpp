// SPDX-License-Identifier: BSL-1.0
// What a program asks a mesh for all the time, each in a function of its own, whose instructions `run` counts.
import axial;

namespace {

using M = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using Odd = axial::Mesh<axial::Dim<"x", 3>, axial::Dim<"y", 5>, axial::Dim<"z", 7>>;
using DeviceMesh = axial::DeviceMesh<M>;
using Submesh = axial::DeviceMesh<decltype(M::submesh<"tp">())>;
constexpr auto tp = axial::axis<"tp">;

}  // namespace

extern "C" {

unsigned local_rank(const DeviceMesh& mesh) { return mesh.local_rank<"tp">().value(); }
unsigned local_rank_by_tag(const DeviceMesh& mesh) { return mesh.local_rank(tp).value(); }
unsigned local_rank_of_submesh(const Submesh& mesh) { return mesh.local_rank<"tp">().value(); }
unsigned global_rank(const DeviceMesh& mesh) { return mesh.rank().value(); }
unsigned extent(const DeviceMesh& mesh) { return mesh.extent<"tp">(); }
unsigned size(const DeviceMesh& mesh) { return mesh.size(); }
unsigned stride() { return M::stride<"dp">(); }
unsigned coordinate_of(unsigned rank) { return M::coordinate_of<"tp">(rank); }
unsigned coordinate_of_odd_extents(unsigned rank) { return Odd::coordinate_of<"y">(rank); }

}  // extern "C"
