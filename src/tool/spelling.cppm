// SPDX-License-Identifier: BSL-1.0
// The same mesh in the words of other systems.
module;
#include <string>
#include <string_view>
#include <vector>

export module tool.spelling;
import tool.mesh;

namespace tool {

/// A mesh as one system writes it, or why it cannot be said there.
export struct Spelling {
  std::string text;
  std::string reason;  ///< empty where there is a text
};

/// A system: its key for machines, which `--from` reads of all but C++, and what it is called.
export struct System {
  std::string_view key;
  std::string_view label;
  Spelling (*write)(const NamedMesh& mesh);
};

export extern const std::vector<System> systems;

/// Reads `pytorch:...`, `jax:...`, `megatron:...` or `mpi:...` and returns it with the words that follow as those of a
/// NamedMesh. Megatron's order alone takes the extents from the mesh that comes first in `words`. Throws BadInput.
export std::vector<std::string> read_spelling(std::string_view text, std::vector<std::string> words);

/// What `read_spelling` takes, a line for each system, as `--help` lists it.
export std::string spellings_help();

}  // namespace tool
