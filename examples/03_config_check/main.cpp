// SPDX-License-Identifier: BSL-1.0
// Does the model fit the mesh? Asked of the compiler for the mesh that the program is built for, and at run time for
// numbers of the command line, before any job is queued: config_check --dp 2 --pp 4 --tp 8
//
// too_wide.cpp is the same for a mesh that the model does not fit: it does not compile, and the error says why.
#include <CLI/CLI.hpp>
#include <iostream>

import axial;
import qwen2;

using M = axial::Mesh<axial::Dim<"dp", 4>, axial::Dim<"pp", 4>, axial::Dim<"tp", 4>>;
static_assert(qwen2::Checked<M>::require());  // one error, with all violations and the nearest legal values

int main(int argc, char** argv) {
  axial::Count dp = 4, pp = 4, tp = 4;
  CLI::App app{"Checks Qwen2-7B against a mesh of dp x pp x tp ranks."};
  app.add_option("--dp", dp, "data parallel ranks")->capture_default_str();
  app.add_option("--pp", pp, "pipeline stages")->capture_default_str();
  app.add_option("--tp", tp, "tensor parallel ranks")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  std::cout << M{} << ": " << qwen2::Checked<M>::report() << "\n";

  const auto report = qwen2::check(dp, pp, tp);  // report.require() would throw ConfigError
  std::cout << "dp=" << dp << " pp=" << pp << " tp=" << tp << (report.ok() ? ": " : ":\n") << report << "\n";
  return report.ok() ? 0 : 1;
}
