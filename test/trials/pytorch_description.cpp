// SPDX-License-Identifier: BSL-1.0
// pytorch#182102, PR #183039: a mesh that is read again warns of groups that it has not got. Here what is written is
// plain text, and a process without MPI reads it.
#include <boost/test/unit_test.hpp>
#include <string>

import axial;

using axial::Dim, axial::Mesh;

BOOST_AUTO_TEST_CASE(a_mesh_is_written_as_text_and_read_again_without_mpi) {
  using M = Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;
  const std::string written = axial::to_string(M{});
  BOOST_TEST(written == "Mesh(dp=2, tp=4)");
  const std::string extents = written.substr(5, written.size() - 6);
  const auto read = [](auto mesh) { return std::string(axial::to_string(mesh.groups(axial::axis<"tp">))); };
  const auto groups = axial::dispatch<Mesh<Dim<"dp", 4>, Dim<"tp", 2>>, M>(extents, read);
  BOOST_TEST(groups == "[[0, 1, 2, 3], [4, 5, 6, 7]]");
}
