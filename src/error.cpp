// SPDX-License-Identifier: BSL-1.0
module;
#include <string>
#include <utility>

module axial;

namespace axial {

Error::Error(std::string text, bool on_all_ranks) : text_(std::move(text)), on_all_ranks_(on_all_ranks) {}
const char* Error::what() const noexcept { return text_.c_str(); }
bool Error::on_all_ranks() const noexcept { return on_all_ranks_; }

MeshError::MeshError(std::string text, bool on_all_ranks) : Error(std::move(text), on_all_ranks) {}

ConfigError::ConfigError(std::string text) : Error(std::move(text)) {}

namespace {
/// ` along "tp"`, or nothing.
std::string on_axis(const std::string& axis) { return axis.empty() ? "" : " along \"" + axis + "\""; }
}  // namespace

MpiError::MpiError(int code, int error_class, std::string operation, std::string axis, const std::string& place,
                   const std::string& text, bool on_all_ranks)
    : Error(operation + on_axis(axis) + " failed" + (place.empty() ? "" : " on " + place) + ": " + text, on_all_ranks),
      code_(code),
      error_class_(error_class),
      operation_(std::move(operation)),
      axis_(std::move(axis)) {}
int MpiError::code() const noexcept { return code_; }
int MpiError::error_class() const noexcept { return error_class_; }
const char* MpiError::operation() const noexcept { return operation_.c_str(); }
const char* MpiError::axis() const noexcept { return axis_.c_str(); }

Timeout::Timeout(std::string stage, std::string axis, unsigned long long call, const std::string& text)
    : Error(stage + on_axis(axis) + (call ? ", call " + std::to_string(call) : "") + ": " + text),
      stage_(std::move(stage)),
      axis_(std::move(axis)),
      call_(call) {}
const char* Timeout::stage() const noexcept { return stage_.c_str(); }
const char* Timeout::axis() const noexcept { return axis_.c_str(); }
unsigned long long Timeout::call() const noexcept { return call_; }

}  // namespace axial
