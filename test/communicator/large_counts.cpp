// SPDX-License-Identifier: BSL-1.0
// Counts beyond int: which form of a function of MPI is called, and with which count. The functions are defined here
// and only note what they are asked, so the ranges need not exist.
#include <span>

#include "../support/meshes.hpp"

namespace {

struct Call {
  std::string_view function;
  MPI_Count count = -1;
  friend bool operator==(const Call&, const Call&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Call& call) {
    return out << call.function << " of " << call.count;
  }
};
Call last;
bool noting = false;

}  // namespace

// Function(PARAMETERS(count)), and Function_c: both note the count, or hand the arguments on.
#define NOTE(Function, PARAMETERS, ...)                         \
  extern "C" int Function(PARAMETERS(int)) {                    \
    last = {#Function, count};                                  \
    return noting ? MPI_SUCCESS : P##Function(__VA_ARGS__);     \
  }                                                             \
  extern "C" int Function##_c(PARAMETERS(MPI_Count)) {          \
    last = {#Function "_c", count};                             \
    return noting ? MPI_SUCCESS : P##Function##_c(__VA_ARGS__); \
  }
#define REDUCTION(Count) const void *in, void *out, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm
#define ROOTED(Count) const void *in, void *out, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm
#define COPY(Count) void *data, Count count, MPI_Datatype type, int root, MPI_Comm comm
#define TO_OR_FROM_ONE(Count) \
  const void *in, Count count, MPI_Datatype type, void *out, Count each, MPI_Datatype out_type, int root, MPI_Comm comm
#define GATHER(Count) \
  const void *in, Count count, MPI_Datatype type, void *out, Count each, MPI_Datatype out_type, MPI_Comm comm
NOTE(MPI_Allreduce, REDUCTION, in, out, count, type, op, comm)
NOTE(MPI_Reduce_scatter_block, REDUCTION, in, out, count, type, op, comm)
NOTE(MPI_Reduce, ROOTED, in, out, count, type, op, root, comm)
NOTE(MPI_Bcast, COPY, data, count, type, root, comm)
NOTE(MPI_Allgather, GATHER, in, count, type, out, each, out_type, comm)
NOTE(MPI_Alltoall, GATHER, in, count, type, out, each, out_type, comm)
NOTE(MPI_Gather, TO_OR_FROM_ONE, in, count, type, out, each, out_type, root, comm)
NOTE(MPI_Scatter, TO_OR_FROM_ONE, in, count, type, out, each, out_type, root, comm)
NOTE(MPI_Scan, REDUCTION, in, out, count, type, op, comm)

BOOST_AUTO_TEST_CASE(the_64_bit_form_is_called_when_int_cannot_hold_the_count_and_only_then) {
  if (world_size() != 2) return;
  const auto mesh = axial::init_device_mesh<Mesh<Dim<"a", 2>>>(axial::borrow(MPI_COMM_WORLD));
  const auto& axis = mesh.communicator();
  noting = true;
  using axial::in_place, axial::plus;
  static char memory[2];
  struct Eight {
    char bytes[8];
  };
  const auto chars = [](std::size_t count, int at = 0) { return std::span(memory + at, count); };
  const auto eights = [](std::size_t count, int at = 0) {
    return std::span(reinterpret_cast<Eight*>(memory + at), count);
  };
  constexpr std::size_t most = 2147483647;
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{1}, most - 1, most, most + 1, 2 * most + 2, std::size_t{1} << 40}) {
    const auto check = [](const std::string& function, std::size_t count, auto call) {
      last = {};
      call();
      const std::string wanted = function + (count > most ? "_c" : "");
      BOOST_TEST(last == (Call{wanted, static_cast<MPI_Count>(count)}));
    };
    check("MPI_Allreduce", n, [&] { axis.all_reduce(chars(n), chars(n, 1), plus); });
    check("MPI_Allreduce", n, [&] { axis.all_reduce(in_place(chars(n)), plus); });
    check("MPI_Reduce", n, [&] { axis.reduce(chars(n), chars(n, 1), plus, 1); });
    check("MPI_Reduce", n, [&] { axis.reduce(in_place(chars(n)), plus, 0); });
    check("MPI_Bcast", n, [&] { axis.broadcast(in_place(chars(n)), 0); });
    check("MPI_Bcast", 8 * n, [&] { axis.broadcast(in_place(eights(n)), 0); });
    check("MPI_Allgather", n, [&] { axis.all_gather(chars(n), chars(2 * n, 1)); });
    check("MPI_Allgather", n, [&] { axis.all_gather(in_place(chars(2 * n))); });
    check("MPI_Allgather", 8 * n, [&] { axis.all_gather(eights(n), eights(2 * n, 1)); });
    check("MPI_Alltoall", n, [&] { axis.all_to_all(chars(2 * n), chars(2 * n, 1)); });
    check("MPI_Gather", n, [&] { axis.gather(chars(n), chars(2 * n, 1), 1); });
    check("MPI_Gather", 8 * n, [&] { axis.gather(in_place(eights(2 * n)), 0); });
    check("MPI_Scatter", n, [&] { axis.scatter(chars(2 * n), chars(n, 1), 1); });
    check("MPI_Scan", n, [&] { axis.scan(chars(n), chars(n, 1), plus); });
    check("MPI_Reduce_scatter_block", n, [&] { axis.reduce_scatter(chars(2 * n), chars(n, 1), plus); });
    check("MPI_Reduce_scatter_block", n, [&] { axis.reduce_scatter(in_place(chars(2 * n)), plus); });
  }
  struct Odd {
    char bytes[3];
  };
  const auto odd = std::span(reinterpret_cast<Odd*>(memory), most / 3 + 1);  // 2147483648 bytes, but for the rounding
  axis.broadcast(in_place(odd), 0);
  BOOST_TEST(last == (Call{"MPI_Bcast_c", static_cast<MPI_Count>(3 * (most / 3 + 1))}));
  noting = false;
}
