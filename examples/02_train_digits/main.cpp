// SPDX-License-Identifier: BSL-1.0
// Trains a perceptron on handwritten digits, on the mesh that the command line names:
//
//   mpiexec -n 8 train_digits --mesh dp=4,tp=2
//
// What to see here: a closed set of mesh types, one of them chosen at run time by `dispatch`; one generic program for
// all of them; collectives along one axis after the other. How the model is parallel is in perceptron.cppm.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <string>
#include <vector>

import axial;
import console;
import digits;
import perceptron;

template <unsigned Dp, unsigned Tp>
using Grid = axial::Mesh<axial::Dim<"dp", Dp>, axial::Dim<"tp", Tp>>;

struct Options {
  std::string mesh;
  std::string data = DIGITS_CSV;
  std::string losses;
  unsigned epochs = 40;
  std::size_t batch = 96;
  double rate = 0.4;
  std::uint64_t seed = 1;
  Progress::Style style = is_terminal() ? Progress::Style::bar : Progress::Style::lines;
};

void declare(CLI::App& app, Options& options) {
  app.add_option("--mesh", options.mesh, "how the ranks are laid out")->capture_default_str();
  app.add_option("--data", options.data, "the file of digits")->capture_default_str();
  app.add_option("--losses", options.losses, "a file to write the loss of each epoch to");
  app.add_option("--epochs", options.epochs, "passes over the data")->check(CLI::Range(1, 9999))->capture_default_str();
  app.add_option("--batch", options.batch, "samples of a batch; 0: all")->capture_default_str();
  app.add_option("--rate", options.rate, "step of the descent")->check(CLI::Range(0.0, 100.0))->capture_default_str();
  app.add_option("--seed", options.seed, "of the first weights")->capture_default_str();
  app.add_flag_callback("--quiet", [&] { options.style = Progress::Style::quiet; }, "show no losses");
  app.add_flag_callback("--bar", [&] { options.style = Progress::Style::bar; }, "show a bar even without a terminal");
}

/// Rank 0 reads the file and gives it to the ranks along its dp; each of them gives it to those along its tp. When
/// rank 0 throws, the others wait in vain: axial::run ends the whole job with the text of the exception.
template <axial::mesh_type M>
std::vector<Digit> read_once(const axial::DeviceMesh<M>& mesh, const std::string& path) {
  std::vector<Digit> digits(digit_count);
  if (mesh.rank() == 0) digits = read_digits(path);
  if (mesh.local_rank(tp) == 0) mesh.broadcast(dp, axial::in_place(digits), 0);
  mesh.broadcast(tp, axial::in_place(digits), 0);
  return digits;
}

/// My share of some digits: another one for each coordinate along dp, the same along tp.
template <axial::mesh_type M>
Samples share_of(const axial::DeviceMesh<M>& mesh, std::span<const Digit> digits) {
  const axial::Shard mine = mesh.shard(dp, digits.size());
  return to_samples(digits.subspan(mine.offset, mine.size));
}

struct Batch {
  Samples mine;
  std::size_t size;  // of all ranks' shares
};

template <axial::mesh_type M>
std::vector<Batch> make_batches(const axial::DeviceMesh<M>& mesh, std::span<const Digit> digits, std::size_t size) {
  std::vector<Batch> batches;
  for (std::size_t begin = 0; begin < digits.size(); begin += batches.back().size) {
    const auto rest = digits.subspan(begin);
    const auto batch = rest.first(size == 0 ? rest.size() : std::min(size, rest.size()));
    batches.push_back({share_of(mesh, batch), batch.size()});
  }
  return batches;
}

/// Every rank tells what it holds, rank 0 prints it.
template <axial::mesh_type M>
void print_mesh(const axial::DeviceMesh<M>& mesh, std::size_t rows, std::size_t parameters) {
  const Holding mine{mesh.rank().value(), mesh.local_rank(dp).value(), mesh.local_rank(tp).value(), rows, parameters};
  const auto table = mesh.all_gather(dp, mesh.all_gather(tp, mine));  // table[dp][tp]
  if (mesh.rank() != 0) return;
  std::cout << M{} << "\n";
  print_heading();
  for (const auto& lines : table)
    for (const Holding& line : lines) print(line);
}

/// The whole program, on a mesh whose type is known.
template <axial::mesh_type M>
void train(const axial::CommunicatorView& world, const Options& options) {
  const auto mesh = axial::init_device_mesh<M>(world);
  const std::vector<Digit> digits = read_once(mesh, options.data);
  const std::vector<Digit> training = select(digits, false);
  const std::vector<Digit> testing = select(digits, true);
  const std::vector<Batch> batches = make_batches(mesh, training, options.batch);
  Perceptron model(mesh, options.seed);

  std::size_t rows = 0;
  for (const Batch& batch : batches) rows += batch.mine.labels.size();
  print_mesh(mesh, rows, model.parameter_count());

  const bool speaks = mesh.rank() == 0;
  Progress progress(speaks ? options.style : Progress::Style::quiet, options.epochs);
  for (unsigned epoch = 0; epoch < options.epochs; ++epoch) {
    double loss = 0;
    for (const auto& [mine, size] : batches) loss += model.descend(mine, size, options.rate);
    progress.add(loss / static_cast<double>(training.size()));
  }
  const unsigned recognised = model.count_recognised(share_of(mesh, testing));
  if (!speaks) return;
  print_result(progress.losses().back(), recognised, testing.size());
  if (!options.losses.empty()) write_losses(options.losses, progress.losses());
}

int main(int argc, char** argv) {
  return axial::run(argc, argv, [&](axial::Environment& env) {
    const axial::CommunicatorView world = env.world();
    Options options;
    options.mesh = "dp=" + std::to_string(world.size()) + ",tp=1";
    CLI::App app("Trains a perceptron on handwritten digits, with data (dp) and tensor (tp) parallelism.");
    declare(app, options);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {  // also thrown by --help
      return world.rank() == 0 ? app.exit(error) : error.get_exit_code();
    }
    axial::dispatch<Grid<1, 1>, Grid<2, 1>, Grid<1, 2>, Grid<3, 1>, Grid<1, 3>, Grid<4, 1>, Grid<2, 2>, Grid<1, 4>,
                    Grid<6, 1>, Grid<3, 2>, Grid<2, 3>, Grid<1, 6>, Grid<8, 1>, Grid<4, 2>, Grid<2, 4>, Grid<1, 8>>(
        options.mesh, [&](auto mesh) { train<decltype(mesh)>(world, options); });
    return 0;
  });
}
