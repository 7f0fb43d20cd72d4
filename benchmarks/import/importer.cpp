// SPDX-License-Identifier: BSL-1.0
import axial;

using M = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;

unsigned place(const axial::DeviceMesh<M>& mesh) { return mesh.local_rank<"tp">().value() + mesh.extent<"dp">(); }
