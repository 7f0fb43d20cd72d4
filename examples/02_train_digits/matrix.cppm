// SPDX-License-Identifier: BSL-1.0
// The linear algebra of a perceptron. Nothing here knows of ranks.
module;
#include <cmath>
#include <cstddef>
#include <vector>

export module matrix;

/// A matrix of doubles, stored row by row; as a range, its elements in that order.
export class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), elements_(rows * columns) {}

  inline std::size_t rows() const { return rows_; }
  inline std::size_t columns() const { return columns_; }
  inline double* row(std::size_t i) { return elements_.data() + i * columns_; }
  inline const double* row(std::size_t i) const { return elements_.data() + i * columns_; }

  inline std::size_t size() const { return elements_.size(); }
  inline double* begin() { return elements_.data(); }
  inline double* end() { return begin() + size(); }
  inline const double* begin() const { return elements_.data(); }
  inline const double* end() const { return begin() + size(); }

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> elements_;
};

/// The rows of b weighted by those of a: the inner loop runs along a row, which is what caches and vector units like.
export Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c(a.rows(), b.columns());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t k = 0; k < a.columns(); ++k) {
      const double weight = a.row(i)[k];
      const double* from = b.row(k);
      double* to = c.row(i);
      for (std::size_t j = 0; j < b.columns(); ++j) to[j] += weight * from[j];
    }
  return c;
}

export Matrix transposed(const Matrix& a) {
  Matrix t(a.columns(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) t.row(j)[i] = a.row(i)[j];
  return t;
}

export Matrix sum_of_rows(const Matrix& a) {
  Matrix sum(1, a.columns());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) sum.row(0)[j] += a.row(i)[j];
  return sum;
}

export void add_to_rows(Matrix& a, const Matrix& row) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) a.row(i)[j] += row.row(0)[j];
}

export void apply_tanh(Matrix& a) {
  for (double& x : a) x = std::tanh(x);
}

/// Takes the derivative by y = tanh(x) to the derivative by x: tanh' = 1 - tanh^2.
export void through_tanh(Matrix& derivative, const Matrix& y) {
  const double* value = y.begin();
  for (double& d : derivative) {
    d *= 1 - *value * *value;
    ++value;
  }
}
