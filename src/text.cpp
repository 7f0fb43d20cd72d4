// SPDX-License-Identifier: BSL-1.0
// The parts of text and mesh that must not be templates or constexpr.
module;
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

module axial;

namespace axial {

void TextSink::write(const char* from, std::size_t count) { text_.append(from, count); }
Text TextSink::take() { return std::move(text_); }

char* write_number(char* to, float value) { return std::to_chars(to, to + 64, value).ptr; }
char* write_number(char* to, double value) { return std::to_chars(to, to + 64, value).ptr; }
char* write_number(char* to, long double value) { return std::to_chars(to, to + 64, value).ptr; }

// Never called: they are named where a constant expression must stop.
void coordinate_out_of_range() { std::abort(); }
void rank_out_of_range() { std::abort(); }

void throw_no_such_mesh(std::string_view text, bool well_formed, TextSink& legal) {
  const std::string problem =
      well_formed ? " is none of the meshes"
                  : " is no mesh: write NAME=EXTENT, separated by commas, each extent from 1 to 2147483647";
  throw MeshError("\"" + std::string(text) + "\"" + problem + "; the meshes are: " + legal.take());
}

}  // namespace axial
