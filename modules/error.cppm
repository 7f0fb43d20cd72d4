// SPDX-License-Identifier: BSL-1.0
// The exceptions. All of them carry one line that says what is wrong and, where it can be known, what would be right.
module;
#include <exception>
#include <string>

export module axial:error;
export import :fixed_string;

namespace axial {

/// The base of all exceptions of this library.
export class Error : public std::exception {
 public:
  explicit Error(std::string text);
  const char* what() const noexcept override;

 private:
  std::string text_;
};

/// A mesh that does not fit: the number of ranks, another mesh on another rank, a size that the mesh forbids.
export class MeshError : public Error {
 public:
  /// `on_all_ranks`: the error is the outcome of an agreement, so that every rank of the mesh throws it.
  explicit MeshError(std::string text, bool on_all_ranks = false);
  bool on_all_ranks() const noexcept;

 private:
  bool on_all_ranks_;
};

/// A configuration that is not legal: what() lists all violations.
export class ConfigError : public Error {
 public:
  explicit ConfigError(std::string text);
};

/// An MPI function returned an error.
export class MpiError : public Error {
 public:
  MpiError(int code, int error_class, std::string operation, std::string axis, const std::string& text);

  /// The code that MPI returned, and its class.
  int code() const noexcept;
  int error_class() const noexcept;
  /// What was being done: `all_reduce`, or the MPI function outside of collectives.
  const char* operation() const noexcept;
  /// The axis on which it was done; empty when it was done on none.
  const char* axis() const noexcept;

 private:
  int code_;
  int error_class_;
  std::string operation_;
  std::string axis_;
};

}  // namespace axial
