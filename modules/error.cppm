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
  /// `on_all_ranks`: the error is the outcome of an agreement, so that every rank of the mesh throws it.
  explicit Error(std::string text, bool on_all_ranks = false);
  const char* what() const noexcept override;
  bool on_all_ranks() const noexcept;

 private:
  std::string text_;
  bool on_all_ranks_;
};

/// A mesh that does not fit: the number of ranks, another mesh on another rank, a size that the mesh forbids.
export class MeshError : public Error {
 public:
  explicit MeshError(std::string text, bool on_all_ranks = false);
};

/// A configuration that is not legal: what() lists all violations.
export class ConfigError : public Error {
 public:
  explicit ConfigError(std::string text);
};

/// An MPI function returned an error.
export class MpiError : public Error {
 public:
  /// `place` is where it happened, `rank 5 (dp=1, tp=1)`, or empty; `text` what MPI says of the code.
  MpiError(int code, int error_class, std::string operation, std::string axis, const std::string& place,
           const std::string& text, bool on_all_ranks = false);

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

/// Ranks did not come within Options::timeout. Afterwards a mesh can only be aborted, and the program end.
export class Timeout : public Error {
 public:
  /// `call` is the number of the operation among those on its axis, from 1; 0 where the creation of a mesh waited.
  Timeout(std::string stage, std::string axis, unsigned long long call, const std::string& text);

  /// What was waited for: `all_reduce`, or a stage of creation: `agreement`, `communicator`, `completion`.
  const char* stage() const noexcept;
  /// The axis on which; empty for stages of the whole mesh.
  const char* axis() const noexcept;
  unsigned long long call() const noexcept;

 private:
  std::string stage_;
  std::string axis_;
  unsigned long long call_;
};

}  // namespace axial
