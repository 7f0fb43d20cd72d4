// SPDX-License-Identifier: BSL-1.0
// What the subcommands write: piece by piece, so that a list of any length needs no memory.
module;
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

export module tool.output;
import tool.mesh;

namespace tool {

/// The reader is gone, as in `axial groups ... | head -1`.
export struct OutputClosed {};

/// A file or the standard output, written to in large pieces. Throws OutputClosed, or BadInput where the file cannot be
/// written.
export class Output {
 public:
  /// The standard output where `path` is empty.
  explicit Output(std::string path = {});
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  Output& operator<<(std::string_view text);
  Output& operator<<(unsigned long long number);
  /// Writes what is left; without it nothing of the last piece appears.
  void finish();

 private:
  [[noreturn]] void fail() const;
  void flush();

  std::string path_;
  std::FILE* file_;
  std::string buffer_;
};

/// The elements, each written by `put`, separated.
export template <class Range, class Put>
void put_list(Output& out, Range&& elements, std::string_view separator, Put&& put) {
  bool first = true;
  for (auto&& element : elements) {
    if (!first) out << separator;
    first = false;
    put(element);
  }
}

/// Numbers, separated.
export template <class Range>
void put_numbers(Output& out, Range&& numbers, std::string_view separator) {
  put_list(out, numbers, separator, [&](unsigned number) { out << number; });
}

/// The text in quotes, as JSON writes it.
export std::string json(std::string_view text);

/// The text as an XML document can hold it.
export std::string xml(std::string_view text);

/// The text with blanks before it (or behind, `left`), so that it is `width` characters long.
export std::string padded(std::string_view text, std::size_t width, bool left = false);

/// `{"names": ..., "shape": ..., "strides": ..., "size": ...`, for what follows. An extent that is not known is null,
/// and so is the stride of an axis that is not one mode.
export void put_json_head(Output& out, const NamedMesh& mesh);

}  // namespace tool
