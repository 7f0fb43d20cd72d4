// SPDX-License-Identifier: BSL-1.0
#include "expect.hpp"

import axial;

int main() {
  try {
    throw axial::MpiError(17, 1, "all_reduce", "tp", "rank 3 (tp=1)", "no");
  } catch (const axial::Error& error) {
    printf("%s\n", error.what());
  }
  const axial::MpiError error(17, 1, "all_reduce", "tp", "rank 3 (tp=1)", "no");
  EXPECT(error.code() == 17 && error.error_class() == 1 && error.operation()[0] == 'a' && error.axis()[0] == 't');
  const axial::MeshError mesh_error("no mesh", true);
  EXPECT(mesh_error.on_all_ranks() && mesh_error.what()[0] == 'n');
  return 0;
}
