// SPDX-License-Identifier: BSL-1.0
// The collectives: each is one call of MPI, with the 64-bit form when the count needs it, and a check of its code.
module;
#include "handle.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

module axial;

namespace axial {
namespace {

MPI_Datatype type_of(Bits bits) { return handle_of<MPI_Datatype>(bits); }
MPI_Op op_of(Bits bits) { return handle_of<MPI_Op>(bits); }

/// The function of MPI that takes counts of this type: int, or MPI_Count.
template <class Count, class Small, class Large>
constexpr auto by_count(Small* small, Large* large) {
  if constexpr (std::is_same_v<Count, int>)
    return small;
  else
    return large;
}

}  // namespace

const Bits mpi_datatypes[] = {
    bits_of(MPI_C_BOOL),  bits_of(MPI_INT8_T),      bits_of(MPI_INT16_T),  bits_of(MPI_INT32_T),  bits_of(MPI_INT64_T),
    bits_of(MPI_UINT8_T), bits_of(MPI_UINT16_T),    bits_of(MPI_UINT32_T), bits_of(MPI_UINT64_T), bits_of(MPI_FLOAT),
    bits_of(MPI_DOUBLE),  bits_of(MPI_LONG_DOUBLE), bits_of(MPI_BYTE)};

Bits mpi_operators[] = {bits_of(MPI_SUM),  bits_of(MPI_PROD), bits_of(MPI_MIN),  bits_of(MPI_MAX),
                        bits_of(MPI_BAND), bits_of(MPI_BOR),  bits_of(MPI_BXOR), bits_of(MPI_LAND),
                        bits_of(MPI_LOR),  bits_of(MPI_LXOR), bits_of(MPI_MIN),  bits_of(MPI_MAX)};

namespace {

template <class T, bool Max>
void take_extreme(const void* in, void* out, MPI_Count count) {
  const T* from = static_cast<const T*>(in);
  T* to = static_cast<T*>(out);
  for (MPI_Count i = 0; i < count; ++i) to[i] = Max ? std::max(from[i], to[i]) : std::min(from[i], to[i]);
}

/// MPI_MAX and MPI_MIN of unsigned integers, as a user's operator.
template <bool Max>
void take_unsigned_extreme(void* in, void* out, MPI_Count* count, MPI_Datatype* type) {
  int size = 0;
  MPI_Type_size(*type, &size);
  switch (size) {
    case 1: return take_extreme<std::uint8_t, Max>(in, out, *count);
    case 2: return take_extreme<std::uint16_t, Max>(in, out, *count);
    case 4: return take_extreme<std::uint32_t, Max>(in, out, *count);
    default: return take_extreme<std::uint64_t, Max>(in, out, *count);
  }
}

Bits& operator_bits(Operator op) { return mpi_operators[static_cast<unsigned>(op)]; }

/// MPICH 4.0 compares unsigned integers as signed ones (pmodels/mpich#6083), and other versions of other libraries did.
bool compares_as_signed(DataType type) {
  const std::uint64_t largest = ~std::uint64_t{0};
  std::uint64_t result = 0;
  int size = 0;
  const MPI_Datatype mpi_type = type_of(mpi_datatypes[static_cast<unsigned>(type)]);
  MPI_Type_size(mpi_type, &size);
  MPI_Reduce_local(&largest, &result, 1, mpi_type, MPI_MAX);
  return std::memcmp(&result, &largest, static_cast<std::size_t>(size)) != 0;
}

}  // namespace

void prepare_operators() {
  constexpr DataType unsigned_types[] = {DataType::uint8, DataType::uint16, DataType::uint32, DataType::uint64};
  if (std::ranges::none_of(unsigned_types, compares_as_signed)) return;
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create_c(take_unsigned_extreme<false>, 1, &op);
  operator_bits(Operator::min_unsigned) = bits_of(op);
  MPI_Op_create_c(take_unsigned_extreme<true>, 1, &op);
  operator_bits(Operator::max_unsigned) = bits_of(op);
}

void release_operators() {
  for (const Operator op : {Operator::min_unsigned, Operator::max_unsigned}) {
    MPI_Op mine = op_of(operator_bits(op));
    if (mine != MPI_MIN && mine != MPI_MAX) MPI_Op_free(&mine);
  }
}

const void* const mpi_in_place = MPI_IN_PLACE;

void throw_mpi_error(int code, NameView operation, NameView axis) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  int error_class = MPI_ERR_UNKNOWN;
  MPI_Error_string(code, text, &length);
  MPI_Error_class(code, &error_class);
  std::ranges::replace(text, '\n', ' ');  // MPICH appends its call stack, a line for each call
  throw MpiError(code, error_class, std::string(std::string_view(operation)), std::string(std::string_view(axis)),
                 text);
}

void throw_wrong_size(NameView axis, NameView operation, NameView what, std::size_t given, std::size_t wanted) {
  TextSink text;
  put(text, operation, NameView(" along \""), axis, NameView("\": the "), what, NameView(" has "), given,
      NameView(" elements and must have "), wanted);
  throw MeshError(text.take());
}

void throw_wrong_root(NameView axis, NameView operation, unsigned root, unsigned extent) {
  TextSink text;
  put(text, operation, NameView(" along \""), axis, NameView("\": root "), root, NameView(" is not below the extent "),
      extent);
  throw MeshError(text.take());
}

void root_must_be_below_the_extent() {}  // never called: named where a constant expression must stop

void copy_bits(std::uintptr_t bits, void* to, std::size_t size) {
  if (size != sizeof(MPI_Comm)) throw MeshError("native_handle gives an MPI_Comm and nothing else");
  std::memcpy(to, &bits, size);
}

void Channel::check_open(NameView operation) const {
  if (limit_ != 0) return;
  TextSink text;
  put(text, operation, NameView(" along \""), axis_.name, NameView("\": the mesh is closed"));
  throw MeshError(text.take());
}

void Channel::copy_handle(void* to, std::size_t size) const {
  check_open("native_handle");
  copy_bits(handle_, to, size);
}

/// Counts that the short path does not take: 0, those beyond int, and all once the mesh is closed.
template <class Call>
[[gnu::noinline, gnu::cold]] int Channel::take_long_path(NameView operation, std::size_t count,
                                                         const Call& call) const {
  check_open(operation);
  return count == 0 ? call(0) : call(static_cast<MPI_Count>(count));
}

int Channel::all_reduce(const void* in, void* out, std::size_t count, Bits type, Bits op, Self self) {
  const MPI_Comm comm = comm_of(self->handle_);
  if (self->is_short(count)) [[likely]]
    return MPI_Allreduce(in, out, static_cast<int>(count), type_of(type), op_of(op), comm);
  return self->take_long_path("all_reduce", count, [=]<class Count>(Count n) {
    constexpr auto call = by_count<Count>(MPI_Allreduce, MPI_Allreduce_c);
    return call(in, out, n, type_of(type), op_of(op), comm);
  });
}

int Channel::reduce(const void* in, void* out, std::size_t count, Bits type, Bits op, unsigned root, Self self) {
  const MPI_Comm comm = comm_of(self->handle_);
  const int to = static_cast<int>(root);
  if (self->is_short(count)) [[likely]]
    return MPI_Reduce(in, out, static_cast<int>(count), type_of(type), op_of(op), to, comm);
  return self->take_long_path("reduce", count, [=]<class Count>(Count n) {
    constexpr auto call = by_count<Count>(MPI_Reduce, MPI_Reduce_c);
    return call(in, out, n, type_of(type), op_of(op), to, comm);
  });
}

/// At the root alone. MPICH before 4.2 takes MPI_IN_PLACE for an address of data when the root is not rank 0 and shares
/// its node (pmodels/mpich#6540): there the input is a copy of `count` elements of `size` bytes.
int Channel::reduce_in_place(void* both, std::size_t count, [[maybe_unused]] std::size_t size, Bits type, Bits op,
                             unsigned root, Self self) {
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40200300
  if (root != 0) {
    const std::string copy(static_cast<const char*>(both), count * size);
    return reduce(copy.data(), both, count, type, op, root, self);
  }
#endif
  return reduce(MPI_IN_PLACE, both, count, type, op, root, self);
}

int Channel::broadcast(void* data, std::size_t count, Bits type, unsigned root, Self self) {
  const MPI_Comm comm = comm_of(self->handle_);
  const int from = static_cast<int>(root);
  if (self->is_short(count)) [[likely]]
    return MPI_Bcast(data, static_cast<int>(count), type_of(type), from, comm);
  return self->take_long_path("broadcast", count, [=]<class Count>(Count n) {
    constexpr auto call = by_count<Count>(MPI_Bcast, MPI_Bcast_c);
    return call(data, n, type_of(type), from, comm);
  });
}

int Channel::all_gather(const void* in, void* out, std::size_t count, Bits type, Self self) {
  const MPI_Comm comm = comm_of(self->handle_);
  const MPI_Datatype each = type_of(type);
  const int small = static_cast<int>(count);
  if (self->is_short(count)) [[likely]]
    return MPI_Allgather(in, small, each, out, small, each, comm);
  return self->take_long_path("all_gather", count, [=]<class Count>(Count n) {
    constexpr auto call = by_count<Count>(MPI_Allgather, MPI_Allgather_c);
    return call(in, n, each, out, n, each, comm);
  });
}

int Channel::reduce_scatter(const void* in, void* out, std::size_t count, Bits type, Bits op, Self self) {
  const MPI_Comm comm = comm_of(self->handle_);
  if (self->is_short(count)) [[likely]]
    return MPI_Reduce_scatter_block(in, out, static_cast<int>(count), type_of(type), op_of(op), comm);
  return self->take_long_path("reduce_scatter", count, [=]<class Count>(Count n) {
    constexpr auto call = by_count<Count>(MPI_Reduce_scatter_block, MPI_Reduce_scatter_block_c);
    return call(in, out, n, type_of(type), op_of(op), comm);
  });
}

int Channel::barrier(Self self) {
  if (self->limit_ == 0) [[unlikely]]
    self->check_open("barrier");
  return MPI_Barrier(comm_of(self->handle_));
}

}  // namespace axial
