// SPDX-License-Identifier: BSL-1.0
// No collective allocates memory.
#include <atomic>
#include <cstdlib>
#include <new>

#include "collectives.hpp"

namespace {

std::atomic<int> allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

BOOST_AUTO_TEST_CASE(collectives_do_not_allocate) {
  if (world_size() != 4) return;
  using M = Mesh<Dim<"a", 4>, Dim<"alone", 1>>;
  const auto mesh = axial::init_device_mesh<M>(axial::borrow(MPI_COMM_WORLD));
  const auto check = [](const auto& axis) {
    for (const Collective& each : collectives_of(axis)) {
      const int before = allocations;
      each.call();
      const int after = allocations;
      BOOST_TEST(after == before, each.operation);
    }
  };
  const int before = allocations;
  check(mesh.communicator<"a">());
  check(mesh.communicator<"alone">());
  BOOST_TEST(allocations > before);  // the table itself allocates: the count counts
}
