#include <iostream>

import axial;

int main(int argc, char** argv) {
  return axial::run(argc, argv, [](axial::Environment& env) {
    using M = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
    auto mesh = axial::init_device_mesh<M>(env.world());
    std::cout << axial::to_string(mesh.coordinates()) + "\n";  // one write, since the ranks share the output
  });
}
