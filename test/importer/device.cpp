// SPDX-License-Identifier: BSL-1.0
#include "expect.hpp"

import axial;

namespace {
const char* second_rank(const char* name) { return axial::NameView(name) == "LOCAL_RANK" ? "1" : nullptr; }
}  // namespace

int main() {
  using Reason = axial::DeviceChoice::Reason;
  const axial::DeviceChoice choice = axial::choose_device({.devices = 4, .local_size = 4, .environment = second_rank});
  EXPECT(choice.device == 1 && choice.reason == Reason::environment && choice.variable == "LOCAL_RANK");
  EXPECT(choice.why() == "LOCAL_RANK" && axial::to_string(choice) == "device 1 (LOCAL_RANK)");
  EXPECT(axial::choose_device({}).reason == Reason::none && axial::to_string(axial::DeviceChoice{}) == "no device");
  try {
    axial::choose_device({.devices = 4, .local_size = 6});
  } catch (const axial::MeshError& error) {
    printf("%s\n", error.what());
    return 0;
  }
  return 1;
}
