// SPDX-License-Identifier: BSL-1.0
module;
#include <range/v3/algorithm/stable_sort.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/reverse.hpp>
#include <range/v3/view/transform.hpp>
#include <string>
#include <string_view>
#include <vector>

module tool.spelling;
import axial;
import tool.output;

namespace tool {
namespace {

namespace views = ranges::views;

constexpr unsigned most_listed = 65536;  // ranks in one array

std::string joined(const std::vector<std::string>& pieces, std::string_view separator) {
  std::string text;
  for (const std::string& piece : pieces) text.append(text.empty() ? std::string_view() : separator).append(piece);
  return text;
}

/// `(2, 4)`, `(8,)`
std::string tuple(const std::vector<std::string>& pieces) {
  return "(" + joined(pieces, ", ") + (pieces.size() == 1 ? ",)" : ")");
}

std::vector<std::string> names_of(const axial::MeshLayout& layout) {
  return views::iota(0u, layout.ndim) | views::transform([&](unsigned i) { return json(layout.names[i]); }) |
         ranges::to<std::vector>();
}

std::vector<std::string> extents_of(const axial::MeshLayout& layout) {
  return views::iota(0u, layout.ndim) | views::transform([&](unsigned i) { return std::to_string(layout.extent(i)); }) |
         ranges::to<std::vector>();
}

std::string why_no_extents(const NamedMesh& mesh) {
  if (mesh.layout().ranks == axial::dynamic) return "it needs every extent; give the number of ranks with --world N";
  return mesh.layout().ndim == 0 ? "the mesh has no dimensions" : "";
}

std::string why_no_array(const NamedMesh& mesh) {
  if (size_of(mesh.copies()) > 1)
    return "one array holds each rank once, and the mesh has " + std::to_string(size_of(mesh.copies())) +
           " copies; take the axes from the whole mesh there";
  if (mesh.layout().size() > most_listed)
    return "its order of ranks needs an array, and " + std::to_string(mesh.layout().size()) +
           " ranks are too many to list";
  return {};
}

/// `[[0, 4], [1, 5]]`: the rank at each coordinate, from an axis on.
std::string array(const NamedMesh& mesh, const std::vector<axial::Layout>& axes, std::size_t axis, unsigned position) {
  if (axis == axes.size()) return std::to_string(mesh.map().rank_at(position));
  return "[" +
         joined(views::iota(0u, size_of(axes[axis])) | views::transform([&](unsigned i) {
                  return array(mesh, axes, axis + 1, position + axial::position_of(axes[axis], i));
                }) | ranges::to<std::vector>(),
                ", ") +
         "]";
}

std::string array(const NamedMesh& mesh) { return array(mesh, mesh.axes(), 0, mesh.layout().offset); }

Spelling pytorch(const NamedMesh& mesh) {
  if (const std::string reason = why_no_extents(mesh); !reason.empty()) return {.text = {}, .reason = reason};
  const std::string names = ", mesh_dim_names=" + tuple(names_of(mesh.layout())) + ")";
  if (mesh.is_row_major())
    return {.text = "init_device_mesh(\"cuda\", " + tuple(extents_of(mesh.layout())) + names, .reason = {}};
  if (const std::string reason = why_no_array(mesh); !reason.empty()) return {.text = {}, .reason = reason};
  return {.text = "DeviceMesh(\"cuda\", " + array(mesh) + names, .reason = {}};
}

Spelling jax(const NamedMesh& mesh) {
  if (const std::string reason = why_no_extents(mesh); !reason.empty()) return {.text = {}, .reason = reason};
  const std::string names = ", " + tuple(names_of(mesh.layout())) + ")";
  if (mesh.is_row_major()) return {.text = "jax.make_mesh(" + tuple(extents_of(mesh.layout())) + names, .reason = {}};
  if (const std::string reason = why_no_array(mesh); !reason.empty()) return {.text = {}, .reason = reason};
  return {.text = "jax.sharding.Mesh(np.array(jax.devices())[np.array(" + array(mesh) + ")]" + names, .reason = {}};
}

std::string why_not_megatron(const NamedMesh& mesh) {
  if (const std::string reason = why_no_extents(mesh); !reason.empty()) return reason;
  const axial::MeshLayout& layout = mesh.layout();
  if (mesh.map().ranks) return "it numbers the ranks in order";
  if (layout.size() != layout.ranks)
    return "its dimensions span all " + std::to_string(layout.ranks) + " ranks, and these span " +
           std::to_string(layout.size());
  for (unsigned i = 0; i < layout.ndim; ++i)
    if (layout.axis(i).count > 1)
      return "it has no order inside a group, and \"" + std::string(layout.names[i]) + "\" is " +
             axial::to_string(layout.axis(i));
  return {};
}

/// Megatron's order has the fastest dimension first, whatever the order of the axes in the mesh.
Spelling megatron(const NamedMesh& mesh) {
  if (const std::string reason = why_not_megatron(mesh); !reason.empty()) return {.text = {}, .reason = reason};
  const axial::MeshLayout& layout = mesh.layout();
  auto order = views::iota(0u, layout.ndim) | views::reverse | ranges::to<std::vector>();
  if (!mesh.is_row_major())
    ranges::stable_sort(order, {},
                        [&](unsigned i) { return layout.axis(i).count ? layout.axis(i).modes[0].stride : 0; });
  std::vector<std::string> names, sizes;
  for (const unsigned i : order) {
    names.emplace_back(layout.names[i]);
    sizes.push_back(names.back() + "=" + std::to_string(layout.extent(i)));
  }
  return {.text = "order=\"" + joined(names, "-") + "\", " + joined(sizes, ", "), .reason = {}};
}

Spelling mpi(const NamedMesh& mesh) {
  if (const std::string reason = why_no_extents(mesh); !reason.empty()) return {.text = {}, .reason = reason};
  if (!mesh.is_row_major())
    return {.text = {},
            .reason = "a grid is row-major over the whole communicator; make that with MPI_Comm_split first"};
  const axial::MeshLayout& layout = mesh.layout();
  const std::vector<std::string> zeros(layout.ndim, "0");
  std::vector<std::string> names;
  for (unsigned i = 0; i < layout.ndim; ++i) names.emplace_back(layout.names[i]);
  return {.text = "MPI_Cart_create(comm, " + std::to_string(layout.ndim) + ", (int[]){" +
                  joined(extents_of(layout), ", ") + "}, (int[]){" + joined(zeros, ", ") + "}, 0, &grid);  // " +
                  joined(names, ", "),
          .reason = {}};
}

Spelling cpp(const NamedMesh& mesh) { return {.text = mesh.cpp(), .reason = {}}; }

}  // namespace

const std::vector<System> systems = {{"pytorch", "PyTorch", pytorch},
                                     {"jax", "JAX", jax},
                                     {"megatron", "Megatron", megatron},
                                     {"mpi", "MPI Cart", mpi},
                                     {"cpp", "C++", cpp}};

}  // namespace tool
