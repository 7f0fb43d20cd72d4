// SPDX-License-Identifier: BSL-1.0
// The only include of mpi.h, and the way between its handles and the bits that the interfaces hold.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <cstring>

namespace axial {

template <class Handle>
Handle handle_of(std::uintptr_t bits) {
  static_assert(sizeof(Handle) <= sizeof bits);
  Handle handle;
  std::memcpy(&handle, &bits, sizeof handle);
  return handle;
}

template <class Handle>
std::uintptr_t bits_of(Handle handle) {
  static_assert(sizeof(Handle) <= sizeof(std::uintptr_t));
  std::uintptr_t bits = 0;
  std::memcpy(&bits, &handle, sizeof handle);
  return bits;
}

inline MPI_Comm comm_of(std::uintptr_t bits) { return handle_of<MPI_Comm>(bits); }

}  // namespace axial
