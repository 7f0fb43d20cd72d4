#include <axial/ledger.hpp>
#include <iostream>

import axial;

int main(int argc, char** argv) {
  return axial::run(argc, argv, [](axial::Environment& env) {
    using M = axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>;
    auto mesh = axial::init_device_mesh<M>(env.world());
    const auto counts = axial::ledger::during([&] { mesh.all_reduce<"tp">(1.0, axial::plus); });
    std::cout << counts.text() + axial::ledger::live_communicators().back() + "\n";
  });
}
