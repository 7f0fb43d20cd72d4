// SPDX-License-Identifier: BSL-1.0
// dealii#18482, #18071, #19567, #20097 (test/TRIALS.md): constants of MPI that a module had not wrapped. No header of
// MPI and none of the standard library; exits with the line of what failed.
#include "../importer/expect.hpp"

import axial;

using axial::plus, axial::multiplies, axial::min, axial::max, axial::bit_and, axial::bit_or, axial::bit_xor,
    axial::logical_and, axial::logical_or;
using Mesh = axial::Mesh<axial::Dim<"a", 2>>;
using DeviceMesh = axial::DeviceMesh<Mesh>;

/// Rank 0 hands in `a`, rank 1 `b`.
template <class T, class... Operators>
int all_operators(const DeviceMesh& mesh, T a, T b, Operators... operators) {
  const T mine = mesh.rank() == 0 ? a : b;
  int wrong = 0;
  ((wrong += mesh.all_reduce(mine, operators) != operators(a, b)), ...);
  ((wrong += mesh.reduce(mine, operators, 1).value_or(operators(a, b)) != operators(a, b)), ...);
  wrong += mesh.all_gather(mine)[1] != b || mesh.broadcast(mine, 0) != a;
  return wrong;
}

template <class... T>
int all_numbers(const DeviceMesh& mesh) {
  return (all_operators<T>(mesh, T(3), T(5), plus, multiplies, min, max) + ...);
}
template <class... T>
int all_integers(const DeviceMesh& mesh) {
  return (all_operators<T>(mesh, T(12), T(10), bit_and, bit_or, bit_xor, logical_and, logical_or) + ...) +
         (all_operators<T>(mesh, T(0), T(10), logical_and, logical_or) + ...) + all_numbers<T...>(mesh);
}

enum class Colour : short { red, green };
struct Pair {
  char first;
  double second;
  bool operator==(const Pair&) const = default;
};

int all_operators_and_types_without_a_header_of_mpi(const axial::CommunicatorView& world) {
  const auto mesh = axial::init_device_mesh<Mesh>(world);
  EXPECT(all_integers<char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long,
                      long long, unsigned long long, wchar_t, char8_t, char16_t, char32_t>(mesh) == 0);
  EXPECT(all_numbers<float, double, long double>(mesh) == 0);
  const bool both[] = {true, false};
  for (const bool a : both)
    for (const bool b : both)
      EXPECT(all_operators(mesh, a, b, plus, multiplies, min, max, bit_and, bit_or, bit_xor, logical_and, logical_or) ==
             0);
  EXPECT(all_operators(mesh, Colour::red, Colour::green) == 0);
  EXPECT(all_operators(mesh, Pair{'a', 1}, Pair{'b', 2}) == 0);
  mesh.barrier();
  return 0;
}

int main(int argc, char** argv) {
  return axial::run(argc, argv, [](axial::Environment& environment) {
    return all_operators_and_types_without_a_header_of_mpi(environment.world());
  });
}
