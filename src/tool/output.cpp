// SPDX-License-Identifier: BSL-1.0
module;
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

module tool.output;
import axial;

namespace tool {
namespace {

constexpr std::size_t piece = 1 << 16;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

Output::Output(std::string path)
    : path_(std::move(path)), file_(path_.empty() ? stdout : std::fopen(path_.c_str(), "w")) {
  if (!file_) fail();
  buffer_.reserve(piece + 64);
}

Output::~Output() {
  if (file_ && file_ != stdout) std::fclose(file_);
}

Output& Output::operator<<(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= piece) flush();
  return *this;
}

Output& Output::operator<<(unsigned long long number) {
  char digits[20];
  const char* end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  return *this << std::string_view(digits, static_cast<std::size_t>(end - digits));
}

void Output::finish() {
  flush();
  std::FILE* file = file_ == stdout ? nullptr : std::exchange(file_, nullptr);
  if (file && std::fclose(file) != 0) fail();
}

void Output::flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size() || std::fflush(file_) != 0) fail();
  buffer_.clear();
}

void Output::fail() const {
  const int error = errno;
  if (error == EPIPE) throw OutputClosed();
  throw BadInput((path_.empty() ? "the standard output" : in_quotes(path_)) +
                 " cannot be written: " + std::strerror(error));
}

std::string json(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string xml(std::string_view text) {
  std::string result;
  for (const char c : nlohmann::json::parse(json(text)).get<std::string>()) switch (c) {  // well-formed UTF-8
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      case '"': result += "&quot;"; break;
      default: result += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
  return result;
}

std::string padded(std::string_view text, std::size_t width, bool left) {
  std::size_t length = 0;
  for (const char c : text) length += !continues_character(c);
  const std::string blanks(length < width ? width - length : 0, ' ');
  return left ? std::string(text) + blanks : blanks + std::string(text);
}

void put_json_head(Output& out, const NamedMesh& mesh) {
  const axial::MeshLayout& layout = mesh.layout();
  const auto axes = mesh.axes();
  const auto put_number = [&](unsigned number) {
    if (number == axial::dynamic)
      out << "null";
    else
      out << number;
  };
  out << "{\"names\": [";
  for (unsigned i = 0; i < layout.ndim; ++i) out << (i == 0 ? "" : ", ") << json(layout.names[i]);
  out << "], \"shape\": [";
  put_list(out, axes, ", ", [&](const axial::Layout& axis) { put_number(size_of(axis)); });
  out << "], \"strides\": [";
  put_list(out, axes, ", ", [&](const axial::Layout& axis) {
    if (axis.count > 1)
      out << "null";
    else
      out << (axis.count == 0 ? 0 : axis.modes[0].stride);  // of an axis of extent 1 it is 0, as in Mesh
  });
  out << "], \"size\": ";
  put_number(layout.size());
}

}  // namespace tool
