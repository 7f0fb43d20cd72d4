// SPDX-License-Identifier: BSL-1.0
// What the program prints.
module;
#include <fmt/core.h>
#include <fmt/os.h>
#include <unistd.h>

#include <boost/timer/progress_display.hpp>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

export module console;

export bool is_terminal() { return isatty(STDOUT_FILENO) != 0; }

/// A line of the table of ranks: where a rank is, and what it holds.
export struct Holding {
  unsigned rank, dp, tp;
  std::size_t rows, parameters;
};

export void print_heading() {
  fmt::print("{:>4} {:>4} {:>4} {:>6} {:>11}\n", "rank", "dp", "tp", "rows", "parameters");
}

export void print(const Holding& line) {
  fmt::print("{:>4} {:>4} {:>4} {:>6} {:>11}\n", line.rank, line.dp, line.tp, line.rows, line.parameters);
}

/// Keeps the losses and shows them: a line for each epoch, or first a bar and at the end all of them, eight to a line.
export class Progress {
 public:
  enum class Style { quiet, lines, bar };

  Progress(Style style, unsigned epochs) : style_(style), epochs_(epochs) {
    if (style == Style::bar) bar_.emplace(epochs);
  }

  void add(double loss) {
    losses_.push_back(loss);
    if (style_ == Style::lines) fmt::print("epoch {:>4}  loss {:.8f}\n", losses_.size(), loss);
    std::fflush(stdout);  // somebody may be waiting for it
    if (!bar_) return;
    ++*bar_;
    if (losses_.size() == epochs_) print_all();
  }

  const std::vector<double>& losses() const { return losses_; }

 private:
  void print_all() const {
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      if (i % 8 == 0) fmt::print("{}{:>4}:", i ? "\n" : "loss of each epoch, from\n", i + 1);
      fmt::print(" {:.8f}", losses_[i]);
    }
    fmt::print("\n");
  }

  Style style_;
  unsigned epochs_;
  std::vector<double> losses_;
  std::optional<boost::timer::progress_display> bar_;
};

export void print_result(double loss, unsigned recognised, std::size_t tests) {
  const double accuracy = recognised / static_cast<double>(tests);
  fmt::print("final loss {:.8f}, accuracy {:.4f} ({} of {})\n", loss, accuracy, recognised, tests);
}

/// One loss a line, with all its digits. Throws when the file cannot be opened.
export void write_losses(const std::string& path, const std::vector<double>& losses) {
  auto file = fmt::output_file(path);
  for (const double loss : losses) file.print("{:.17g}\n", loss);
}
