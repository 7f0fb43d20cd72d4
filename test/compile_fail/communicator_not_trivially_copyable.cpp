// SPDX-License-Identifier: BSL-1.0
#include <string>
#include <vector>

import axial;
using Mesh = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;
struct Named {
  std::string name;
};
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: all_gather cannot take Named: elements must be trivially copyable}}
void f(const DeviceMesh& mesh) {
  std::vector<Named> x(1), y(4);
  mesh.all_gather<"tp">(x, y);
}
#else
void f(const DeviceMesh& mesh) {
  std::vector<char> x(1), y(4);
  mesh.all_gather<"tp">(x, y);
}
#endif
