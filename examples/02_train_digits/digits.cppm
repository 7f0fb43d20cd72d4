// SPDX-License-Identifier: BSL-1.0
// The data: pictures of handwritten digits, read with care.
module;
#include <fmt/core.h>

#include <charconv>
#include <cstddef>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

export module digits;
import matrix;

export inline constexpr std::size_t pixel_count = 64;
export inline constexpr std::size_t class_count = 10;
export inline constexpr std::size_t digit_count = 1797;

/// One row of the file.
export struct Digit {
  unsigned char pixels[pixel_count];  // 0 (white) to 16 (black)
  unsigned char label;                // 0 to 9
};

/// The same as numbers: for each label a row of pixels, from 0 to 1.
export struct Samples {
  Matrix pixels;
  std::vector<unsigned char> labels;
};

/// A place in a file, written as compilers and editors do.
struct Place {
  const std::string& path;
  std::size_t line;

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}:{}: {}", path, line, what));
  }
};

std::vector<std::string_view> split(std::string_view line, const Place& place) {
  std::vector<std::string_view> fields;
  std::size_t comma = 0;
  do {
    comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    line.remove_prefix(comma == line.npos ? line.size() : comma + 1);
  } while (comma != line.npos);
  if (fields.size() != pixel_count + 1)
    place.fail(fmt::format("a line has {} fields, this one {}", pixel_count + 1, fields.size()));
  return fields;
}

unsigned char parse_number(std::string_view field, int largest, const Place& place) {
  int value = -1;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc{} || end != field.data() + field.size() || value < 0 || value > largest)
    place.fail(fmt::format("\"{}\" is no integer from 0 to {}", field, largest));
  return static_cast<unsigned char>(value);
}

Digit parse_digit(std::string_view line, const Place& place) {
  const auto fields = split(line, place);
  Digit digit;
  for (std::size_t i = 0; i < pixel_count; ++i) digit.pixels[i] = parse_number(fields[i], 16, place);
  digit.label = parse_number(fields.back(), class_count - 1, place);
  return digit;
}

/// All digits of the file, in its order. Throws, naming file and line, when there is anything but 1797 good ones.
export std::vector<Digit> read_digits(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  std::vector<Digit> digits;
  Place place{.path = path, .line = 1};
  for (std::string line; std::getline(file, line); ++place.line)
    if (place.line > 1)
      digits.push_back(parse_digit(line, place));
    else if (split(line, place).back() != "label")
      place.fail("the first line names the columns, the last of them \"label\"");
  if (digits.size() != digit_count)
    place.fail(fmt::format("the file ends after {} digits and must have {}", digits.size(), digit_count));
  return digits;
}

/// The fixed rule: every fifth digit, beginning with the first, is for testing (360), the others for training (1437).
export std::vector<Digit> select(std::span<const Digit> all, bool for_testing) {
  std::vector<Digit> chosen;
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((i % 5 == 0) == for_testing) chosen.push_back(all[i]);
  return chosen;
}

export Samples to_samples(std::span<const Digit> digits) {
  Samples samples{Matrix(digits.size(), pixel_count), std::vector<unsigned char>(digits.size())};
  for (std::size_t i = 0; i < digits.size(); ++i) {
    for (std::size_t j = 0; j < pixel_count; ++j) samples.pixels.row(i)[j] = digits[i].pixels[j] / 16.0;
    samples.labels[i] = digits[i].label;
  }
  return samples;
}
