// SPDX-License-Identifier: BSL-1.0
// Each function in the table below is defined here under its name in MPI, counts the call and hands it on to PMPI.
#include "mpi_counter.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <set>
#include <tuple>
#include <type_traits>

namespace mpi_counter {

// Counts.

Count Counts::of(const std::string& function) const {
  Count sum;
  for (const auto& [key, count] : counts_) {
    if (key.first != function) continue;
    sum.calls += count.calls;
    sum.bytes += count.bytes;
  }
  return sum;
}

Count Counts::on(const std::string& function, const std::string& communicator) const {
  const auto found = counts_.find({function, communicator});
  return found == counts_.end() ? Count{} : found->second;
}

long long Counts::calls(const std::string& function) const { return of(function).calls; }
long long Counts::bytes(const std::string& function) const { return of(function).bytes; }
long long Counts::calls_on(const std::string& function, const std::string& communicator) const {
  return on(function, communicator).calls;
}
long long Counts::bytes_on(const std::string& function, const std::string& communicator) const {
  return on(function, communicator).bytes;
}

long long Counts::total() const {
  long long sum = 0;
  for (const auto& [key, count] : counts_) sum += count.calls;
  return sum;
}

std::string Counts::text(char separator) const {
  std::string lines;
  for (const auto& [key, count] : counts_)
    lines += key.first + separator + key.second + separator + std::to_string(count.calls) + separator +
             std::to_string(count.bytes) + '\n';
  return lines;
}

void Counts::add(const std::string& function, const std::string& communicator, Count count) {
  Count& sum = counts_[{function, communicator}];
  sum.calls += count.calls;
  sum.bytes += count.bytes;
}

Counts operator-(const Counts& later, const Counts& earlier) {
  Counts difference;
  for (const auto& [key, count] : later.counts_) {
    const Count before = earlier.on(key.first, key.second);
    if (count.calls != before.calls)
      difference.add(key.first, key.second, {count.calls - before.calls, count.bytes - before.bytes});
  }
  return difference;
}

namespace {

// What is remembered.

/// Where a call communicates and how much.
struct Operation {
  std::string communicator = "-";
  long long bytes = 0;
};

std::string name_of(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return "MPI_COMM_NULL";
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  PMPI_Comm_get_name(comm, name, &length);
  return length > 0 ? name : "(unnamed)";
}

/// All that this process has called. Any thread may call MPI.
class Registry {
 public:
  /// Counts a call that has returned `code`; gives the code that its caller is told.
  int finish(const char* function, const Operation& operation, int code) {
    const std::lock_guard lock(mutex_);
    counts_.add(function, operation.communicator, {.calls = 1, .bytes = operation.bytes});
    const auto order = orders_.find(function);
    if (order == orders_.end() || --order->second.calls_left > 0) return code;
    return orders_.extract(order).mapped().code;
  }

  Counts counts() {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

  void order_failure(const std::string& function, int k, int code) {
    const std::lock_guard lock(mutex_);
    orders_[function] = {.calls_left = k, .code = code};
  }

  void was_made(MPI_Comm comm) {
    const std::lock_guard lock(mutex_);
    if (comm != MPI_COMM_NULL) live_.insert(comm);
  }
  void was_freed(MPI_Comm comm) {
    const std::lock_guard lock(mutex_);
    live_.erase(comm);
  }
  std::set<MPI_Comm> live() {
    const std::lock_guard lock(mutex_);
    return live_;
  }

  void was_made_persistent(MPI_Request request, const Operation& operation) {
    const std::lock_guard lock(mutex_);
    persistent_[request] = operation;
  }
  void is_freed(MPI_Request request) {
    const std::lock_guard lock(mutex_);
    persistent_.erase(request);
  }
  /// What these persistent operations move together; on "-" unless all of them are on communicators of one name.
  Operation started(int count, const MPI_Request* requests) {
    const std::lock_guard lock(mutex_);
    Operation sum;
    for (int i = 0; i < count; ++i) {
      const Operation& each = persistent_[requests[i]];
      sum.communicator = i == 0 || sum.communicator == each.communicator ? each.communicator : "-";
      sum.bytes += each.bytes;
    }
    return sum;
  }

 private:
  struct Order {
    int calls_left = 0;
    int code = MPI_SUCCESS;
  };
  std::mutex mutex_;
  Counts counts_;
  std::map<std::string, Order> orders_;
  std::set<MPI_Comm> live_;
  std::map<MPI_Request, Operation> persistent_;
};

Registry& registry() {
  static Registry& registry = *new Registry;  // never destroyed: MPI may be called by destructors of static objects
  return registry;
}

// How arguments are read.

/// How many blocks of data there are, and which of a list of counts say their lengths.
enum class Blocks { one, mine, ranks, neighbours, partitions };

/// Blocks of elements, by the positions of arguments: the number or the list of numbers of elements, the type or the
/// list of types. Without a position of the count it is one element.
struct Data {
  int count = -1;
  int type = -1;
  Blocks blocks = Blocks::one;
};

/// What the arguments of a function are, by their positions; -1 is none.
struct Shape {
  int communicator = -1;
  Data sent{};
  Data instead{};  // of `sent`, when argument 0 is MPI_IN_PLACE, or on a rank that is not the root
  int root = -1;
  int made = -1;  // a communicator
  bool frees = false;
  bool persistent = false;

  constexpr Shape sends(int count, int type, Blocks blocks = Blocks::one) const {
    Shape shape = *this;
    shape.sent = {count, type, blocks};
    return shape;
  }
  constexpr Shape or_gets(int count, int type, Blocks blocks = Blocks::one) const {
    Shape shape = *this;
    shape.instead = {count, type, blocks};
    return shape;
  }
  constexpr Shape from(int position) const {
    Shape shape = *this;
    shape.root = position;
    return shape;
  }
  constexpr Shape makes(int position) const {
    Shape shape = *this;
    shape.made = position;
    return shape;
  }
  constexpr Shape later() const {
    Shape shape = *this;
    shape.persistent = true;
    return shape;
  }
};

constexpr Shape local{};  // communicates nowhere
constexpr Shape on(int position) { return {.communicator = position}; }
constexpr Shape frees(int position) { return {.communicator = position, .frees = true}; }

MPI_Comm communicator_of(MPI_Comm comm) { return comm; }
MPI_Comm communicator_of(const MPI_Comm* comm) { return *comm; }

// An argument is one value for all blocks, or a list with one for each.
template <class Value>
Value at(const Value* list, int i) {
  return list[i];
}
MPI_Count at(MPI_Count count, int) { return count; }
int at(int count, int) { return count; }  // or a type, which is an int in MPICH

MPI_Count size_of(MPI_Datatype type) {
  MPI_Count size = 0;
  if (type != MPI_DATATYPE_NULL) PMPI_Type_size_x(type, &size);
  return size;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

bool is_inter(MPI_Comm comm) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  return inter != 0;
}

int ranks_of(MPI_Comm comm) {
  int size = 0;
  is_inter(comm) ? PMPI_Comm_remote_size(comm, &size) : PMPI_Comm_size(comm, &size);
  return size;
}

/// The number of ranks that a neighbourhood collective sends to.
int neighbours_of(MPI_Comm comm) {
  int topology = MPI_UNDEFINED, degree = 0, in = 0, weighted = 0;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    PMPI_Cartdim_get(comm, &degree);
    return 2 * degree;
  }
  if (topology == MPI_GRAPH) PMPI_Graph_neighbors_count(comm, rank_in(comm), &degree);
  if (topology == MPI_DIST_GRAPH) PMPI_Dist_graph_neighbors_count(comm, &in, &degree, &weighted);
  return degree;
}

template <Data data, class Arguments>
long long bytes_of(const Arguments& arguments, [[maybe_unused]] MPI_Comm comm) {
  long long bytes = 0;
  if constexpr (data.type >= 0) {
    int first = 0, blocks = 1;
    if constexpr (data.blocks == Blocks::mine) first = rank_in(comm);
    if constexpr (data.blocks == Blocks::ranks) blocks = ranks_of(comm);
    if constexpr (data.blocks == Blocks::neighbours) blocks = neighbours_of(comm);
    if constexpr (data.blocks == Blocks::partitions) blocks = std::get<1>(arguments);
    for (int i = first; i < first + blocks; ++i) {
      MPI_Count elements = 1;
      if constexpr (data.count >= 0) elements = at(std::get<data.count>(arguments), i);
      bytes += elements * size_of(at(std::get<data.type>(arguments), i));
    }
  }
  return bytes;
}

/// Whether `sent` says what this rank hands in, rather than `instead`.
template <Shape shape, class Arguments>
bool sends(const Arguments& arguments, [[maybe_unused]] MPI_Comm comm) {
  if constexpr (shape.instead.type < 0)
    return true;
  else if constexpr (shape.root >= 0)
    return std::get<shape.root>(arguments) == (is_inter(comm) ? MPI_ROOT : rank_in(comm));
  else
    return std::get<0>(arguments) != MPI_IN_PLACE;
}

template <Shape shape, class Arguments>
Operation operation_of(const Arguments& arguments) {
  Operation operation;
  MPI_Comm comm = MPI_COMM_NULL;
  if constexpr (shape.communicator >= 0) {
    comm = communicator_of(std::get<shape.communicator>(arguments));
    operation.communicator = name_of(comm);
    if (comm == MPI_COMM_NULL) return operation;  // a mistake, which MPI itself will report
  }
  operation.bytes =
      sends<shape>(arguments, comm) ? bytes_of<shape.sent>(arguments, comm) : bytes_of<shape.instead>(arguments, comm);
  return operation;
}

// How a call is counted.

/// Calls PMPI's function F; what it has to do with is looked at before, since it may free it.
template <auto F, Shape shape, class... Argument>
int count(const char* function, Argument... argument) {
  const std::tuple<Argument...> arguments(argument...);
  const Operation operation = operation_of<shape>(arguments);
  if constexpr (shape.frees) registry().was_freed(*std::get<shape.communicator>(arguments));
  const int code = F(argument...);
  if constexpr (shape.persistent) {
    registry().was_made_persistent(*std::get<sizeof...(Argument) - 1>(arguments), operation);
    return registry().finish(function, {.communicator = operation.communicator}, code);
  }
  const int reported = registry().finish(function, operation, code);
  if constexpr (shape.made >= 0) {
    MPI_Comm& made = *std::get<shape.made>(arguments);
    if (reported == MPI_SUCCESS) registry().was_made(made);
    if (reported != code) made = MPI_COMM_NULL;
  }
  return reported;
}

template <class>
struct Signature;
template <class... Argument>
struct Signature<int (*)(Argument...)> {
  template <std::size_t I>
  using argument = std::tuple_element_t<I, std::tuple<Argument...>>;
};
template <auto F, std::size_t I>
using Argument = Signature<decltype(F)>::template argument<I>;

/// Each process's own file.
void write_counts(int rank) {
  const char* path = std::getenv("AXIAL_MPI_COUNTER");
  if (path == nullptr || *path == '\0') return;
  const std::string name = std::string(path) + "." + std::to_string(rank);
  const std::string text = registry().counts().text('\t');
  std::FILE* file = std::fopen(name.c_str(), "w");
  const bool written = file != nullptr && std::fputs(text.c_str(), file) >= 0;
  if ((file != nullptr && std::fclose(file) != 0) || !written) std::perror(("mpi_counter: " + name).c_str());
}

}  // namespace

// What tests ask.

Counts snapshot() { return registry().counts(); }

std::vector<std::string> live_communicators() {
  std::vector<std::string> names;
  std::ranges::transform(registry().live(), std::back_inserter(names), name_of);
  std::ranges::sort(names);
  return names;
}

void fail_next(const std::string& function, int k, int code) { registry().order_failure(function, k, code); }

// The functions of MPI.

// The parameters of F, and their names. They have the types of PMPI's function, and a function of another signature
// than that of its declaration in mpi.h does not compile.
#define PARAMETERS_1(F) Argument<F, 0> a
#define PARAMETERS_2(F) PARAMETERS_1(F), Argument<F, 1> b
#define PARAMETERS_3(F) PARAMETERS_2(F), Argument<F, 2> c
#define PARAMETERS_4(F) PARAMETERS_3(F), Argument<F, 3> d
#define PARAMETERS_5(F) PARAMETERS_4(F), Argument<F, 4> e
#define PARAMETERS_6(F) PARAMETERS_5(F), Argument<F, 5> f
#define PARAMETERS_7(F) PARAMETERS_6(F), Argument<F, 6> g
#define PARAMETERS_8(F) PARAMETERS_7(F), Argument<F, 7> h
#define PARAMETERS_9(F) PARAMETERS_8(F), Argument<F, 8> i
#define PARAMETERS_10(F) PARAMETERS_9(F), Argument<F, 9> j
#define PARAMETERS_11(F) PARAMETERS_10(F), Argument<F, 10> k
#define PARAMETERS_12(F) PARAMETERS_11(F), Argument<F, 11> l
#define PARAMETERS_13(F) PARAMETERS_12(F), Argument<F, 12> m
#define NAMES_1 a
#define NAMES_2 NAMES_1, b
#define NAMES_3 NAMES_2, c
#define NAMES_4 NAMES_3, d
#define NAMES_5 NAMES_4, e
#define NAMES_6 NAMES_5, f
#define NAMES_7 NAMES_6, g
#define NAMES_8 NAMES_7, h
#define NAMES_9 NAMES_8, i
#define NAMES_10 NAMES_9, j
#define NAMES_11 NAMES_10, k
#define NAMES_12 NAMES_11, l
#define NAMES_13 NAMES_12, m

// MPI_Name, which has so many parameters and this shape.
#define COUNT(Name, parameters, shape)                                  \
  extern "C" int MPI_##Name(PARAMETERS_##parameters(PMPI_##Name)) {     \
    return count<PMPI_##Name, shape>("MPI_" #Name, NAMES_##parameters); \
  }
// Also MPI_Name_c, for counts beyond int.
#define COUNT_C(Name, parameters, shape) COUNT(Name, parameters, shape) COUNT(Name##_c, parameters, shape)
// A collective that blocks, one that returns a request, and one to be started: all in both forms.
#define COUNT_3(Name, name, blocking, requesting, persistent, shape) \
  COUNT_C(Name, blocking, shape)                                     \
  COUNT_C(I##name, requesting, shape)                                \
  COUNT(Name##_init, persistent, (shape).later()) COUNT(Name##_init_c, persistent, (shape).later())
// The same of a send.
#define COUNT_SEND(Name, name) COUNT_3(Name, name, 6, 7, 7, on(5).sends(1, 2))

using enum Blocks;

// clang-format off
COUNT(Barrier, 1, on(0)) COUNT(Ibarrier, 2, on(0)) COUNT(Barrier_init, 3, on(0).later())
COUNT_3(Bcast, bcast, 5, 6, 7, on(4).sends(1, 2))
COUNT_3(Reduce, reduce, 7, 8, 9, on(6).sends(2, 3))
COUNT_3(Allreduce, allreduce, 6, 7, 8, on(5).sends(2, 3))
COUNT_3(Scan, scan, 6, 7, 8, on(5).sends(2, 3))
COUNT_3(Exscan, exscan, 6, 7, 8, on(5).sends(2, 3))
COUNT_3(Reduce_scatter, reduce_scatter, 6, 7, 8, on(5).sends(2, 3, ranks))
COUNT_3(Reduce_scatter_block, reduce_scatter_block, 6, 7, 8, on(5).sends(2, 3, ranks))
COUNT_3(Gather, gather, 8, 9, 10, on(7).sends(1, 2).or_gets(4, 5))
COUNT_3(Gatherv, gatherv, 9, 10, 11, on(8).sends(1, 2).or_gets(4, 6, mine))
COUNT_3(Allgather, allgather, 7, 8, 9, on(6).sends(1, 2).or_gets(4, 5))
COUNT_3(Allgatherv, allgatherv, 8, 9, 10, on(7).sends(1, 2).or_gets(4, 6, mine))
COUNT_3(Scatter, scatter, 8, 9, 10, on(7).sends(1, 2, ranks).from(6).or_gets(4, 5))
COUNT_3(Scatterv, scatterv, 9, 10, 11, on(8).sends(1, 3, ranks).from(7).or_gets(5, 6))
COUNT_3(Alltoall, alltoall, 7, 8, 9, on(6).sends(1, 2, ranks).or_gets(4, 5, ranks))
COUNT_3(Alltoallv, alltoallv, 9, 10, 11, on(8).sends(1, 3, ranks).or_gets(5, 7, ranks))
COUNT_3(Alltoallw, alltoallw, 9, 10, 11, on(8).sends(1, 3, ranks).or_gets(5, 7, ranks))
COUNT_3(Neighbor_allgather, neighbor_allgather, 7, 8, 9, on(6).sends(1, 2))
COUNT_3(Neighbor_allgatherv, neighbor_allgatherv, 8, 9, 10, on(7).sends(1, 2))
COUNT_3(Neighbor_alltoall, neighbor_alltoall, 7, 8, 9, on(6).sends(1, 2, neighbours))
COUNT_3(Neighbor_alltoallv, neighbor_alltoallv, 9, 10, 11, on(8).sends(1, 3, neighbours))
COUNT_3(Neighbor_alltoallw, neighbor_alltoallw, 9, 10, 11, on(8).sends(1, 3, neighbours))
COUNT_C(Reduce_local, 5, local)

COUNT_SEND(Send, send) COUNT_SEND(Bsend, bsend) COUNT_SEND(Ssend, ssend) COUNT_SEND(Rsend, rsend)
COUNT_C(Recv, 7, on(5).sends(1, 2)) COUNT_C(Irecv, 7, on(5).sends(1, 2))
COUNT(Recv_init, 7, on(5).sends(1, 2).later()) COUNT(Recv_init_c, 7, on(5).sends(1, 2).later())
COUNT_C(Sendrecv, 12, on(10).sends(1, 2)) COUNT_C(Sendrecv_replace, 9, on(7).sends(1, 2))
COUNT_C(Isendrecv, 12, on(10).sends(1, 2)) COUNT_C(Isendrecv_replace, 9, on(7).sends(1, 2))
COUNT(Psend_init, 9, on(6).sends(2, 3, partitions).later()) COUNT(Precv_init, 9, on(6).sends(2, 3, partitions).later())
COUNT(Pready, 2, local) COUNT(Pready_range, 3, local) COUNT(Pready_list, 3, local) COUNT(Parrived, 3, local)
COUNT(Probe, 4, on(2)) COUNT(Iprobe, 5, on(2)) COUNT(Mprobe, 5, on(2)) COUNT(Improbe, 6, on(2))
COUNT_C(Mrecv, 5, local.sends(1, 2)) COUNT_C(Imrecv, 5, local.sends(1, 2))
COUNT(Wait, 2, local) COUNT(Waitany, 4, local) COUNT(Waitall, 3, local) COUNT(Waitsome, 5, local)
COUNT(Test, 3, local) COUNT(Testany, 5, local) COUNT(Testall, 4, local) COUNT(Testsome, 5, local)
COUNT(Request_get_status, 3, local) COUNT(Cancel, 1, local) COUNT(Test_cancelled, 2, local)
COUNT(Grequest_start, 5, local) COUNT(Grequest_complete, 1, local)
COUNT_C(Get_count, 3, local) COUNT_C(Get_elements, 3, local) COUNT(Get_elements_x, 3, local)
COUNT_C(Buffer_attach, 2, local) COUNT_C(Buffer_detach, 2, local)
COUNT_C(Pack, 7, on(6)) COUNT_C(Unpack, 7, on(6)) COUNT_C(Pack_size, 4, on(2))

COUNT(Comm_create, 3, on(0).makes(2)) COUNT(Comm_create_group, 4, on(0).makes(3))
COUNT(Comm_create_from_group, 5, local.makes(4))
COUNT(Comm_dup, 2, on(0).makes(1)) COUNT(Comm_dup_with_info, 3, on(0).makes(2))
COUNT(Comm_idup, 3, on(0).makes(1)) COUNT(Comm_idup_with_info, 4, on(0).makes(2))
COUNT(Comm_split, 4, on(0).makes(3)) COUNT(Comm_split_type, 5, on(0).makes(4))
COUNT(Cart_create, 6, on(0).makes(5)) COUNT(Cart_sub, 3, on(0).makes(2)) COUNT(Graph_create, 6, on(0).makes(5))
COUNT(Dist_graph_create, 9, on(0).makes(8)) COUNT(Dist_graph_create_adjacent, 10, on(0).makes(9))
COUNT(Intercomm_create, 6, on(0).makes(5)) COUNT(Intercomm_create_from_groups, 8, local.makes(7))
COUNT(Intercomm_merge, 3, on(0).makes(2)) COUNT(Comm_accept, 5, on(3).makes(4)) COUNT(Comm_connect, 5, on(3).makes(4))
COUNT(Comm_join, 2, local.makes(1)) COUNT(Comm_spawn, 8, on(5).makes(6)) COUNT(Comm_spawn_multiple, 9, on(6).makes(7))
COUNT(Comm_free, 1, frees(0)) COUNT(Comm_disconnect, 1, frees(0)) COUNT(Comm_get_parent, 1, local)

COUNT(Comm_rank, 2, on(0)) COUNT(Comm_size, 2, on(0)) COUNT(Comm_remote_size, 2, on(0)) COUNT(Comm_test_inter, 2, on(0))
COUNT(Comm_compare, 3, on(0)) COUNT(Comm_group, 2, on(0)) COUNT(Comm_remote_group, 2, on(0))
COUNT(Comm_get_name, 3, on(0)) COUNT(Comm_set_name, 2, on(0)) COUNT(Comm_get_info, 2, on(0))
COUNT(Comm_set_info, 2, on(0))
COUNT(Topo_test, 2, on(0)) COUNT(Cart_coords, 4, on(0)) COUNT(Cart_get, 5, on(0)) COUNT(Cart_map, 5, on(0))
COUNT(Cart_rank, 3, on(0)) COUNT(Cart_shift, 5, on(0)) COUNT(Cartdim_get, 2, on(0)) COUNT(Dims_create, 3, local)
COUNT(Graph_get, 5, on(0)) COUNT(Graph_map, 5, on(0)) COUNT(Graph_neighbors, 4, on(0)) COUNT(Graphdims_get, 3, on(0))
COUNT(Graph_neighbors_count, 3, on(0))
COUNT(Dist_graph_neighbors, 7, on(0)) COUNT(Dist_graph_neighbors_count, 4, on(0))

COUNT(Group_incl, 4, local) COUNT(Group_excl, 4, local) COUNT(Group_range_incl, 4, local)
COUNT(Group_range_excl, 4, local)
COUNT(Group_union, 3, local) COUNT(Group_intersection, 3, local) COUNT(Group_difference, 3, local)
COUNT(Group_compare, 3, local) COUNT(Group_translate_ranks, 5, local) COUNT(Group_rank, 2, local)
COUNT(Group_size, 2, local) COUNT(Group_free, 1, local) COUNT(Group_from_session_pset, 3, local)

COUNT(Comm_create_keyval, 4, local) COUNT(Comm_free_keyval, 1, local) COUNT(Comm_get_attr, 4, on(0))
COUNT(Comm_set_attr, 3, on(0)) COUNT(Comm_delete_attr, 2, on(0))
COUNT(Type_create_keyval, 4, local) COUNT(Type_free_keyval, 1, local) COUNT(Type_get_attr, 4, local)
COUNT(Type_set_attr, 3, local) COUNT(Type_delete_attr, 2, local)
COUNT(Win_create_keyval, 4, local) COUNT(Win_free_keyval, 1, local) COUNT(Win_get_attr, 4, local)
COUNT(Win_set_attr, 3, local) COUNT(Win_delete_attr, 2, local)

COUNT(Comm_create_errhandler, 2, local) COUNT(Comm_get_errhandler, 2, on(0)) COUNT(Comm_set_errhandler, 2, on(0))
COUNT(Comm_call_errhandler, 2, on(0)) COUNT(Win_create_errhandler, 2, local) COUNT(Win_get_errhandler, 2, local)
COUNT(Win_set_errhandler, 2, local) COUNT(Win_call_errhandler, 2, local) COUNT(Session_create_errhandler, 2, local)
COUNT(Session_get_errhandler, 2, local) COUNT(Session_set_errhandler, 2, local) COUNT(Session_call_errhandler, 2, local)
COUNT(Errhandler_free, 1, local) COUNT(Error_class, 2, local) COUNT(Error_string, 3, local)
COUNT(Add_error_class, 1, local) COUNT(Add_error_code, 2, local) COUNT(Add_error_string, 2, local)

COUNT_C(Op_create, 3, local) COUNT(Op_free, 1, local) COUNT(Op_commutative, 2, local)
COUNT_C(Type_contiguous, 3, local) COUNT_C(Type_vector, 5, local) COUNT_C(Type_create_hvector, 5, local)
COUNT_C(Type_indexed, 5, local) COUNT_C(Type_create_hindexed, 5, local) COUNT_C(Type_create_indexed_block, 5, local)
COUNT_C(Type_create_hindexed_block, 5, local) COUNT_C(Type_create_struct, 5, local)
COUNT_C(Type_create_subarray, 7, local)
COUNT_C(Type_create_darray, 10, local) COUNT_C(Type_create_resized, 4, local) COUNT(Type_dup, 2, local)
COUNT(Type_commit, 1, local) COUNT(Type_free, 1, local) COUNT(Type_match_size, 3, local)
COUNT_C(Type_size, 2, local) COUNT(Type_size_x, 2, local) COUNT_C(Type_get_extent, 3, local)
COUNT(Type_get_extent_x, 3, local) COUNT_C(Type_get_true_extent, 3, local) COUNT(Type_get_true_extent_x, 3, local)
COUNT(Type_get_envelope, 5, local) COUNT(Type_get_envelope_c, 6, local) COUNT(Type_get_contents, 7, local)
COUNT(Type_get_contents_c, 9, local) COUNT(Type_get_name, 3, local) COUNT(Type_set_name, 2, local)
COUNT(Get_address, 2, local)

COUNT_C(Win_create, 6, on(4)) COUNT_C(Win_allocate, 6, on(3)) COUNT_C(Win_allocate_shared, 6, on(3))
COUNT(Win_create_dynamic, 3, on(1)) COUNT(Win_attach, 3, local) COUNT(Win_detach, 2, local) COUNT(Win_free, 1, local)
COUNT_C(Win_shared_query, 5, local) COUNT(Win_get_group, 2, local) COUNT(Win_get_info, 2, local)
COUNT(Win_set_info, 2, local) COUNT(Win_get_name, 3, local) COUNT(Win_set_name, 2, local)
COUNT_C(Put, 8, local.sends(1, 2)) COUNT_C(Rput, 9, local.sends(1, 2)) COUNT_C(Get, 8, local.sends(1, 2))
COUNT_C(Rget, 9, local.sends(1, 2)) COUNT_C(Accumulate, 9, local.sends(1, 2))
COUNT_C(Raccumulate, 10, local.sends(1, 2))
COUNT_C(Get_accumulate, 12, local.sends(1, 2)) COUNT_C(Rget_accumulate, 13, local.sends(1, 2))
COUNT(Fetch_and_op, 7, local.sends(-1, 2)) COUNT(Compare_and_swap, 7, local.sends(-1, 3))
COUNT(Win_fence, 2, local) COUNT(Win_start, 3, local) COUNT(Win_complete, 1, local) COUNT(Win_post, 3, local)
COUNT(Win_wait, 1, local) COUNT(Win_test, 2, local) COUNT(Win_lock, 4, local) COUNT(Win_lock_all, 2, local)
COUNT(Win_unlock, 2, local) COUNT(Win_unlock_all, 1, local) COUNT(Win_flush, 2, local) COUNT(Win_flush_all, 1, local)
COUNT(Win_flush_local, 2, local) COUNT(Win_flush_local_all, 1, local) COUNT(Win_sync, 1, local)

COUNT(Info_create, 1, local) COUNT(Info_create_env, 3, local) COUNT(Info_dup, 2, local) COUNT(Info_free, 1, local)
COUNT(Info_set, 3, local) COUNT(Info_delete, 2, local) COUNT(Info_get, 5, local) COUNT(Info_get_string, 5, local)
COUNT(Info_get_valuelen, 4, local) COUNT(Info_get_nkeys, 2, local) COUNT(Info_get_nthkey, 3, local)
COUNT(Alloc_mem, 3, local) COUNT(Free_mem, 1, local)
COUNT(Init, 2, local) COUNT(Init_thread, 4, local) COUNT(Initialized, 1, local) COUNT(Finalized, 1, local)
COUNT(Query_thread, 1, local) COUNT(Is_thread_main, 1, local) COUNT(Abort, 2, on(0))
COUNT(Get_version, 2, local) COUNT(Get_library_version, 2, local) COUNT(Get_processor_name, 2, local)
COUNT(Session_init, 3, local) COUNT(Session_finalize, 1, local) COUNT(Session_get_info, 2, local)
COUNT(Session_get_num_psets, 3, local) COUNT(Session_get_nth_pset, 5, local) COUNT(Session_get_pset_info, 3, local)
COUNT(Open_port, 2, local) COUNT(Close_port, 1, local) COUNT(Publish_name, 3, local) COUNT(Unpublish_name, 3, local)
COUNT(Lookup_name, 3, local)
    // clang-format on

    extern "C" int MPI_Start(MPI_Request* request) {
  const Operation operation = registry().started(1, request);
  return registry().finish("MPI_Start", operation, PMPI_Start(request));
}

extern "C" int MPI_Startall(int count, MPI_Request* requests) {
  const Operation operation = registry().started(count, requests);
  return registry().finish("MPI_Startall", operation, PMPI_Startall(count, requests));
}

extern "C" int MPI_Request_free(MPI_Request* request) {
  registry().is_freed(*request);
  return registry().finish("MPI_Request_free", {}, PMPI_Request_free(request));
}

extern "C" int MPI_Finalize() {
  const int rank = rank_in(MPI_COMM_WORLD);
  const int code = PMPI_Finalize();  // may run callbacks of the program, which call MPI
  const int reported = registry().finish("MPI_Finalize", {}, code);
  write_counts(rank);
  return reported;
}

}  // namespace mpi_counter
