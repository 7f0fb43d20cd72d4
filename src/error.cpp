// SPDX-License-Identifier: BSL-1.0
module;
#include <string>
#include <utility>

module axial;

namespace axial {

Error::Error(std::string text) : text_(std::move(text)) {}
const char* Error::what() const noexcept { return text_.c_str(); }

MeshError::MeshError(std::string text, bool on_all_ranks) : Error(std::move(text)), on_all_ranks_(on_all_ranks) {}
bool MeshError::on_all_ranks() const noexcept { return on_all_ranks_; }

ConfigError::ConfigError(std::string text) : Error(std::move(text)) {}

MpiError::MpiError(int code, int error_class, std::string operation, std::string axis, const std::string& text)
    : Error(operation + (axis.empty() ? "" : " along \"" + axis + "\"") + " failed: " + text),
      code_(code),
      error_class_(error_class),
      operation_(std::move(operation)),
      axis_(std::move(axis)) {}
int MpiError::code() const noexcept { return code_; }
int MpiError::error_class() const noexcept { return error_class_; }
const char* MpiError::operation() const noexcept { return operation_.c_str(); }
const char* MpiError::axis() const noexcept { return axis_.c_str(); }

}  // namespace axial
