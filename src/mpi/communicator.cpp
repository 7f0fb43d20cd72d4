// SPDX-License-Identifier: BSL-1.0
// The collectives: each is one call of MPI, with the 64-bit form when the count needs it, and a check of its code.
module;
#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "handle.hpp"

module axial;
import :state;

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
  checked(MPI_Type_size(mpi_type, &size), "MPI_Type_size");
  checked(MPI_Reduce_local(&largest, &result, 1, mpi_type, MPI_MAX), "MPI_Reduce_local");
  return std::memcmp(&result, &largest, static_cast<std::size_t>(size)) != 0;
}

/// Puts an operator of ours in the place of MPI's, unless one is there from an attempt that failed later.
void replace(Operator op, MPI_Op predefined, MPI_User_function_c* function) {
  if (op_of(operator_bits(op)) != predefined) return;
  MPI_Op made = MPI_OP_NULL;
  checked(MPI_Op_create_c(function, 1, &made), "MPI_Op_create_c");
  operator_bits(op) = bits_of(made);
}

void restore(Operator op, MPI_Op predefined) {
  MPI_Op mine = op_of(std::exchange(operator_bits(op), bits_of(predefined)));
  if (mine != predefined) MPI_Op_free(&mine);
}

}  // namespace

void prepare_operators() {
  constexpr DataType unsigned_types[] = {DataType::uint8, DataType::uint16, DataType::uint32, DataType::uint64};
  if (std::ranges::none_of(unsigned_types, compares_as_signed)) return;
  replace(Operator::min_unsigned, MPI_MIN, take_unsigned_extreme<false>);
  replace(Operator::max_unsigned, MPI_MAX, take_unsigned_extreme<true>);
}

void release_operators() {
  restore(Operator::min_unsigned, MPI_MIN);
  restore(Operator::max_unsigned, MPI_MAX);
}

const void* const mpi_in_place = MPI_IN_PLACE;

void throw_mpi_error(int code, NameView operation, NameView axis, NameView place) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  int error_class = MPI_ERR_UNKNOWN;
  MPI_Error_string(code, text, &length);
  MPI_Error_class(code, &error_class);
  std::ranges::replace(text, '\n', ' ');  // MPICH appends its call stack, a line for each call
  throw MpiError(code, error_class, std::string(std::string_view(operation)), std::string(std::string_view(axis)),
                 std::string(std::string_view(place)), text);
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

void Channel::copy_handle(void* to, std::size_t size) const {
  if (extent_ > 1 && handle_ == 0) {
    state_->check_status("native_handle", axis_.name);
    throw MeshError("native_handle along \"" + std::string(std::string_view(axis_.name)) +
                    "\": a lazy mesh has no communicator yet; a collective along the axis makes it, or mesh.create<\"" +
                    std::string(std::string_view(axis_.name)) + "\">()");
  }
  state_->check_status("native_handle", axis_.name);
  copy_bits(handle_, to, size);
}

void Channel::throw_failed(int code, NameView operation) const {
  throw_mpi_error(code, operation, axis_.name, NameView(state_->where_am_i()));
}

/// What an operation does, for checks, and what it reads and writes, for deadlines. Counts are of elements of `type`.
struct Channel::Operation {
  NameView name;
  const void* in;
  std::size_t in_count;
  void* out;
  std::size_t out_count;
  Bits type;
  Bits op = 0;
  int root = -1;
};

/// Counts that the short path does not take: 0 and those beyond int. And everything where the mesh has no short path.
template <class Call>
[[gnu::noinline, gnu::cold]] int Channel::take_long_path(const Operation& operation, std::size_t count,
                                                         const Call& call) const {
  state_->prepare(const_cast<Channel&>(*this), operation.name);  // the state's own
  ++calls_;
  if (state_->options().check) compare(operation, count);
  return run(operation, [&](const void* in, void* out, MPI_Request* request) {
    const MPI_Comm comm = comm_of(handle_);
    if (count <= 2147483647) return call(static_cast<int>(count), in, out, comm, request);
    return call(static_cast<MPI_Count>(count), in, out, comm, request);
  });
}

/// Under a deadline, on copies of the buffers on the heap: what was given up may still read and write them.
template <class Call>
int Channel::run(const Operation& operation, const Call& call) const {
  const Deadline deadline(state_->options().timeout);
  if (!deadline.is_set()) return call(operation.in, operation.out, nullptr);
  int width = 0;
  MPI_Type_size(type_of(operation.type), &width);
  const auto copy = [&](const void* from, std::size_t count) {
    const char* bytes = static_cast<const char*>(from);
    return std::vector<char>(bytes, bytes + count * static_cast<std::size_t>(width));
  };
  const bool in_place = operation.in == MPI_IN_PLACE;
  const auto buffers = std::make_shared<std::pair<std::vector<char>, std::vector<char>>>(
      copy(in_place ? nullptr : operation.in, in_place ? 0 : operation.in_count),
      copy(operation.out, operation.out_count));
  auto& [in, out] = *buffers;
  LeftToMpi kept(buffers);
  MPI_Request request = MPI_REQUEST_NULL;
  int code = call(in_place ? MPI_IN_PLACE : in.data(), out.data(), &request);
  for (int done = 0; code == MPI_SUCCESS;) {
    code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done || code != MPI_SUCCESS) break;
    if (state_->is_aborted() || deadline.has_passed()) {
      state_->check_status(operation.name, axis_.name);
      state_->time_out(operation.name, axis_.name, calls_);
    }
    sched_yield();
  }
  if (request == MPI_REQUEST_NULL) kept.take_back();  // nothing is under way, also where the call failed
  if (code == MPI_SUCCESS) std::ranges::copy(out, static_cast<char*>(operation.out));
  return code;
}

/// The ranks of the axis tell each other what they are about to call; on a difference all of them throw.
void Channel::compare(const Operation& operation, std::size_t count) const {
  struct Call {
    std::uint64_t count, type, op;
    std::int64_t root;
    char name[32];
  };
  Call mine{.count = count, .type = operation.type, .op = operation.op, .root = operation.root, .name = {}};
  std::string_view(operation.name).copy(mine.name, sizeof mine.name - 1);
  const std::uint64_t print = fingerprint_of(std::string(reinterpret_cast<const char*>(&mine), sizeof mine));
  std::uint64_t words[2] = {print, ~print};  // the largest of x and of ~x tell whether all x are equal
  const Bits word = bits_of(MPI_UINT64_T), byte = bits_of(MPI_BYTE);
  check(run({operation.name, MPI_IN_PLACE, 0, words, 2, word},
            [&](const void* in, void* out, MPI_Request* request) {
              const MPI_Comm comm = comm_of(handle_);
              return request ? MPI_Iallreduce(in, out, 2, MPI_UINT64_T, MPI_MAX, comm, request)
                             : MPI_Allreduce(in, out, 2, MPI_UINT64_T, MPI_MAX, comm);
            }),
        operation.name);
  if (words[0] == ~words[1]) return;
  constexpr int size = sizeof(Call);
  std::vector<Call> all(extent_);
  check(run({operation.name, &mine, size, all.data(), all.size() * size, byte},
            [&](const void* in, void* out, MPI_Request* request) {
              const MPI_Comm comm = comm_of(handle_);
              return request ? MPI_Iallgather(in, size, MPI_BYTE, out, size, MPI_BYTE, comm, request)
                             : MPI_Allgather(in, size, MPI_BYTE, out, size, MPI_BYTE, comm);
            }),
        operation.name);
  const auto same = [&](unsigned a, unsigned b) { return std::memcmp(&all[a], &all[b], sizeof(Call)) == 0; };
  // The odd ones are those that differ from what most ranks call, from rank 0 where no call has most.
  unsigned usual = 0, most = 0;
  for (unsigned rank = 0; rank < extent_; ++rank) {
    unsigned like = 0;
    for (unsigned other = 0; other < extent_; ++other) like += same(rank, other);
    if (like > most) usual = rank, most = like;
  }
  unsigned odd = 0;
  while (same(odd, usual)) ++odd;
  const auto text = [&](unsigned rank) {
    const Call& call = all[rank];
    return std::to_string(rank) + " calls " + call.name + " of " + std::to_string(call.count) + " elements" +
           (call.root < 0 ? "" : " with root " + std::to_string(call.root));
  };
  const bool alike = text(odd).substr(text(odd).find(' ')) == text(usual).substr(text(usual).find(' '));
  const char* const hidden = all[odd].type != all[usual].type ? " of another type" : " with another operator";
  throw MeshError("along \"" + std::string(std::string_view(axis_.name)) + "\" rank " + text(odd) +
                      (alike ? hidden : "") + ", and rank " + text(usual),
                  true);
}

int Channel::all_reduce(const void* in, void* out, std::size_t count, Bits type, Bits op, Self self) {
  if (self->is_short(count)) [[likely]]
    return MPI_Allreduce(in, out, static_cast<int>(count), type_of(type), op_of(op), comm_of(self->handle_));
  return self->take_long_path(
      {"all_reduce", in, count, out, count, type, op}, count,
      [=]<class Count>(Count n, const void* from, void* to, MPI_Comm comm, MPI_Request* request) {
        constexpr auto call = by_count<Count>(MPI_Allreduce, MPI_Allreduce_c);
        constexpr auto start = by_count<Count>(MPI_Iallreduce, MPI_Iallreduce_c);
        return request ? start(from, to, n, type_of(type), op_of(op), comm, request)
                       : call(from, to, n, type_of(type), op_of(op), comm);
      });
}

int Channel::reduce(const void* in, void* out, std::size_t count, Bits type, Bits op, unsigned root, Self self) {
  const int at = static_cast<int>(root);
  if (self->is_short(count)) [[likely]]
    return MPI_Reduce(in, out, static_cast<int>(count), type_of(type), op_of(op), at, comm_of(self->handle_));
  return self->take_long_path(
      {"reduce", in, count, out, root == self->coordinate_ ? count : 0, type, op, at}, count,
      [=]<class Count>(Count n, const void* from, void* to, MPI_Comm comm, MPI_Request* request) {
        constexpr auto call = by_count<Count>(MPI_Reduce, MPI_Reduce_c);
        constexpr auto start = by_count<Count>(MPI_Ireduce, MPI_Ireduce_c);
        return request ? start(from, to, n, type_of(type), op_of(op), at, comm, request)
                       : call(from, to, n, type_of(type), op_of(op), at, comm);
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
  const int from = static_cast<int>(root);
  if (self->is_short(count)) [[likely]]
    return MPI_Bcast(data, static_cast<int>(count), type_of(type), from, comm_of(self->handle_));
  return self->take_long_path({"broadcast", MPI_IN_PLACE, 0, data, count, type, 0, from}, count,
                              [=]<class Count>(Count n, const void*, void* both, MPI_Comm comm, MPI_Request* request) {
                                constexpr auto call = by_count<Count>(MPI_Bcast, MPI_Bcast_c);
                                constexpr auto start = by_count<Count>(MPI_Ibcast, MPI_Ibcast_c);
                                return request ? start(both, n, type_of(type), from, comm, request)
                                               : call(both, n, type_of(type), from, comm);
                              });
}

int Channel::all_gather(const void* in, void* out, std::size_t count, Bits type, Self self) {
  const MPI_Datatype each = type_of(type);
  const int small = static_cast<int>(count);
  if (self->is_short(count)) [[likely]]
    return MPI_Allgather(in, small, each, out, small, each, comm_of(self->handle_));
  return self->take_long_path(
      {"all_gather", in, count, out, count * self->extent_, type}, count,
      [=]<class Count>(Count n, const void* from, void* to, MPI_Comm comm, MPI_Request* request) {
        constexpr auto call = by_count<Count>(MPI_Allgather, MPI_Allgather_c);
        constexpr auto start = by_count<Count>(MPI_Iallgather, MPI_Iallgather_c);
        return request ? start(from, n, each, to, n, each, comm, request) : call(from, n, each, to, n, each, comm);
      });
}

int Channel::reduce_scatter(const void* in, void* out, std::size_t count, Bits type, Bits op, Self self) {
  if (self->is_short(count)) [[likely]]
    return MPI_Reduce_scatter_block(in, out, static_cast<int>(count), type_of(type), op_of(op), comm_of(self->handle_));
  const std::size_t all = count * self->extent_;
  return self->take_long_path(
      {"reduce_scatter", in, all, out, in == MPI_IN_PLACE ? all : count, type, op}, count,
      [=]<class Count>(Count n, const void* from, void* to, MPI_Comm comm, MPI_Request* request) {
        constexpr auto call = by_count<Count>(MPI_Reduce_scatter_block, MPI_Reduce_scatter_block_c);
        constexpr auto start = by_count<Count>(MPI_Ireduce_scatter_block, MPI_Ireduce_scatter_block_c);
        return request ? start(from, to, n, type_of(type), op_of(op), comm, request)
                       : call(from, to, n, type_of(type), op_of(op), comm);
      });
}

/// `count` of each rank. `in` of the root is MPI_IN_PLACE where its block is at its place in `out`.
int Channel::gather(const void* in, void* out, std::size_t count, Bits type, unsigned root, Self self) {
  const MPI_Datatype each = type_of(type);
  const int small = static_cast<int>(count), at = static_cast<int>(root);
  if (self->is_short(count)) [[likely]]
    return MPI_Gather(in, small, each, out, small, each, at, comm_of(self->handle_));
  return self->take_long_path(
      {"gather", in, count, out, root == self->coordinate_ ? count * self->extent_ : 0, type, 0, at}, count,
      [=]<class Count>(Count n, const void* from, void* to, MPI_Comm comm, MPI_Request* request) {
        constexpr auto call = by_count<Count>(MPI_Gather, MPI_Gather_c);
        constexpr auto start = by_count<Count>(MPI_Igather, MPI_Igather_c);
        return request ? start(from, n, each, to, n, each, at, comm, request)
                       : call(from, n, each, to, n, each, at, comm);
      });
}

/// `count` for each rank. `out` of the root is MPI_IN_PLACE where its block stays at its place in `in`.
int Channel::scatter(const void* in, void* out, std::size_t count, Bits type, unsigned root, Self self) {
  const MPI_Datatype each = type_of(type);
  const int small = static_cast<int>(count), from_rank = static_cast<int>(root);
  if (self->is_short(count)) [[likely]]
    return MPI_Scatter(in, small, each, out, small, each, from_rank, comm_of(self->handle_));
  const bool stays = out == MPI_IN_PLACE;
  return self->take_long_path(
      {"scatter", in, root == self->coordinate_ ? count * self->extent_ : 0, out, stays ? 0 : count, type, 0,
       from_rank},
      count, [=]<class Count>(Count n, const void* from, void* copy, MPI_Comm comm, MPI_Request* request) {
        constexpr auto call = by_count<Count>(MPI_Scatter, MPI_Scatter_c);
        constexpr auto start = by_count<Count>(MPI_Iscatter, MPI_Iscatter_c);
        void* const to = stays ? MPI_IN_PLACE : copy;
        return request ? start(from, n, each, to, n, each, from_rank, comm, request)
                       : call(from, n, each, to, n, each, from_rank, comm);
      });
}

/// `count` from each rank to each rank.
int Channel::all_to_all(const void* in, void* out, std::size_t count, Bits type, Self self) {
  const MPI_Datatype each = type_of(type);
  const int small = static_cast<int>(count);
  if (self->is_short(count)) [[likely]]
    return MPI_Alltoall(in, small, each, out, small, each, comm_of(self->handle_));
  const std::size_t all = count * self->extent_;
  return self->take_long_path(
      {"all_to_all", in, all, out, all, type}, count,
      [=]<class Count>(Count n, const void* from, void* to, MPI_Comm comm, MPI_Request* request) {
        constexpr auto call = by_count<Count>(MPI_Alltoall, MPI_Alltoall_c);
        constexpr auto start = by_count<Count>(MPI_Ialltoall, MPI_Ialltoall_c);
        return request ? start(from, n, each, to, n, each, comm, request) : call(from, n, each, to, n, each, comm);
      });
}

int Channel::scan(const void* in, void* out, std::size_t count, Bits type, Bits op, Self self) {
  if (self->is_short(count)) [[likely]]
    return MPI_Scan(in, out, static_cast<int>(count), type_of(type), op_of(op), comm_of(self->handle_));
  return self->take_long_path(
      {"scan", in, count, out, count, type, op}, count,
      [=]<class Count>(Count n, const void* from, void* to, MPI_Comm comm, MPI_Request* request) {
        constexpr auto call = by_count<Count>(MPI_Scan, MPI_Scan_c);
        constexpr auto start = by_count<Count>(MPI_Iscan, MPI_Iscan_c);
        return request ? start(from, to, n, type_of(type), op_of(op), comm, request)
                       : call(from, to, n, type_of(type), op_of(op), comm);
      });
}

int Channel::exclusive_scan(const void* in, void* out, std::size_t count, Bits type, Bits op, Self self) {
  if (self->is_short(count)) [[likely]]
    return MPI_Exscan(in, out, static_cast<int>(count), type_of(type), op_of(op), comm_of(self->handle_));
  return self->take_long_path(
      {"exclusive_scan", in, count, out, count, type, op}, count,
      [=]<class Count>(Count n, const void* from, void* to, MPI_Comm comm, MPI_Request* request) {
        constexpr auto call = by_count<Count>(MPI_Exscan, MPI_Exscan_c);
        constexpr auto start = by_count<Count>(MPI_Iexscan, MPI_Iexscan_c);
        return request ? start(from, to, n, type_of(type), op_of(op), comm, request)
                       : call(from, to, n, type_of(type), op_of(op), comm);
      });
}

int Channel::barrier(Self self) {
  if (self->is_short(1)) [[likely]]
    return MPI_Barrier(comm_of(self->handle_));
  return self->take_long_path({"barrier", MPI_IN_PLACE, 0, nullptr, 0, bits_of(MPI_BYTE)}, 0,
                              [](auto, const void*, void*, MPI_Comm comm, MPI_Request* request) {
                                return request ? MPI_Ibarrier(comm, request) : MPI_Barrier(comm);
                              });
}

}  // namespace axial
