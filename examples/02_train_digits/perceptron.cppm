// SPDX-License-Identifier: BSL-1.0
// The model on a mesh: data parallel along dp, tensor parallel along tp.
//
//   layer    weight      what a rank holds of it                                   then
//   first    64 x 64     everything                                                tanh
//   second   64 x 128    columns: those of its share, along tp, of the 128 units   tanh
//   third    128 x 10    rows: those of the same units                             softmax
//
// A rank carries its hidden units from input to output without a word to the others. Only what all units contribute to
// is summed along tp: the logits on the way forward, the derivative by the first layer's output on the way back.
// Ranks along dp hold the same parameters and different rows of the data: they sum their gradients.
module;
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

export module perceptron;
import axial;
import digits;
import matrix;

export inline constexpr auto dp = axial::axis<"dp">;
export inline constexpr auto tp = axial::axis<"tp">;

inline constexpr std::size_t first_units = 64;
inline constexpr std::size_t hidden_units = 128;

struct Layer {
  Matrix weight;  // inputs x outputs
  Matrix bias;    // 1 x outputs
};

/// What a rank holds of the parameters, or of the gradient by them.
using Layers = std::array<Layer, 3>;

/// The `place`-th number in [-1, 1) of a sequence that the seed chooses: SplitMix64, at any place at once.
double random_number(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t x = seed + (place + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

/// A weight of inputs x outputs elements, of which a rank holds some rows and columns.
struct Part {
  std::size_t inputs, outputs;
  axial::Shard rows, columns;
};

/// Random numbers of Glorot's range. Each depends on the seed and on its place in the whole: on every mesh, training
/// begins with the same model.
Layer initial_layer(const Part& part, std::uint64_t seed, std::uint64_t number) {
  Layer layer{Matrix(part.rows.size, part.columns.size), Matrix(1, part.columns.size)};
  const double range = std::sqrt(6.0 / static_cast<double>(part.inputs + part.outputs));
  for (std::size_t i = 0; i < part.rows.size; ++i)
    for (std::size_t j = 0; j < part.columns.size; ++j) {
      const std::size_t place = (part.rows.offset + i) * part.outputs + part.columns.offset + j;
      layer.weight.row(i)[j] = range * random_number(seed, (number << 32) + place);
    }
  return layer;
}

Layers initial_layers(axial::Shard units, std::uint64_t seed) {
  const axial::Shard pixels{0, pixel_count}, first{0, first_units}, classes{0, class_count};
  return {initial_layer({pixel_count, first_units, pixels, first}, seed, 0),
          initial_layer({first_units, hidden_units, first, units}, seed, 1),
          initial_layer({hidden_units, class_count, units, classes}, seed, 2)};
}

/// All numbers in one array, which one collective can take.
std::vector<double> packed(const Layers& layers) {
  std::vector<double> numbers;
  for (const Layer& layer : layers)
    for (const Matrix* part : {&layer.weight, &layer.bias}) numbers.insert(numbers.end(), part->begin(), part->end());
  return numbers;
}

/// Adds `factor` times numbers that are packed in the same order.
void add_packed(Layers& layers, const std::vector<double>& numbers, double factor) {
  const double* from = numbers.data();
  for (Layer& layer : layers)
    for (Matrix* part : {&layer.weight, &layer.bias})
      for (double& number : *part) number += factor * *from++;
}

/// Turns logits into the derivative of the cross entropy by them, softmax minus 1 at the label. Returns the cross
/// entropy, summed over the rows.
double cross_entropy(Matrix& logits, const std::vector<unsigned char>& labels) {
  double loss = 0;
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    double* row = logits.row(i);
    const double largest = *std::max_element(row, row + class_count);
    double sum = 0;
    for (std::size_t j = 0; j < class_count; ++j) sum += std::exp(row[j] - largest);
    loss += largest + std::log(sum) - row[labels[i]];
    for (std::size_t j = 0; j < class_count; ++j) row[j] = std::exp(row[j] - largest) / sum;
    row[labels[i]] -= 1;
  }
  return loss;
}

/// The number of rows whose largest logit is the label's.
unsigned count_matches(const Matrix& logits, const std::vector<unsigned char>& labels) {
  unsigned matches = 0;
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    const double* row = logits.row(i);
    if (std::max_element(row, row + class_count) == row + labels[i]) ++matches;
  }
  return matches;
}

/// A perceptron with layers 64-64-128-10, of which this rank holds its part. Member functions that take samples are
/// collective: ranks along tp give the same samples, ranks along dp different ones, any number, also none.
export template <axial::mesh_type M>
class Perceptron {
 public:
  Perceptron(const axial::DeviceMesh<M>& mesh, std::uint64_t seed)
      : mesh_(mesh), layers_(initial_layers(mesh.shard(tp, hidden_units), seed)) {}

  /// The number of parameters that this rank holds.
  std::size_t parameter_count() const { return packed(layers_).size(); }

  /// One step down the gradient on a batch, of which `mine` are this rank's samples and `batch_size` all. Returns the
  /// loss before the step, summed over the batch.
  double descend(const Samples& mine, std::size_t batch_size, double rate) {
    const Outputs outputs = forward(mine.pixels);
    Matrix error = outputs.logits;
    const double loss = cross_entropy(error, mine.labels);
    std::vector<double> sums = packed(backward(mine.pixels, outputs, std::move(error)));
    sums.push_back(loss);
    mesh_.all_reduce(dp, axial::in_place(sums), axial::plus);  // one call: latency counts, not only bytes
    add_packed(layers_, sums, -rate / static_cast<double>(batch_size));
    return sums.back();
  }

  /// How many samples of all ranks are recognised.
  unsigned count_recognised(const Samples& mine) const {
    return mesh_.all_reduce(dp, count_matches(forward(mine.pixels).logits, mine.labels), axial::plus);
  }

 private:
  struct Outputs {
    Matrix first, second, logits;
  };

  Outputs forward(const Matrix& pixels) const {
    const auto& [first, second, third] = layers_;
    Outputs outputs;
    outputs.first = product(pixels, first.weight);
    add_to_rows(outputs.first, first.bias);
    apply_tanh(outputs.first);

    outputs.second = product(outputs.first, second.weight);
    add_to_rows(outputs.second, second.bias);
    apply_tanh(outputs.second);

    outputs.logits = product(outputs.second, third.weight);  // what my hidden units contribute
    mesh_.all_reduce(tp, axial::in_place(outputs.logits), axial::plus);
    add_to_rows(outputs.logits, third.bias);  // after the sum: once, not once for each rank
    return outputs;
  }

  /// The gradient, summed over this rank's samples. `error` is the derivative by the logits; on its way
  /// back it becomes that by each layer's output in turn.
  Layers backward(const Matrix& pixels, const Outputs& outputs, Matrix error) const {
    const auto& [first, second, third] = layers_;
    Layers gradient;
    gradient[2] = {product(transposed(outputs.second), error), sum_of_rows(error)};

    error = product(error, transposed(third.weight));
    through_tanh(error, outputs.second);
    gradient[1] = {product(transposed(outputs.first), error), sum_of_rows(error)};

    error = product(error, transposed(second.weight));  // what my hidden units contribute
    mesh_.all_reduce(tp, axial::in_place(error), axial::plus);
    through_tanh(error, outputs.first);
    gradient[0] = {product(transposed(pixels), error), sum_of_rows(error)};
    return gradient;
  }

  axial::DeviceMesh<M> mesh_;  // a copy shares the communicators
  Layers layers_;
};
