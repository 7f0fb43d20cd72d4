// SPDX-License-Identifier: BSL-1.0
// How the arguments of a call are read, by the shape of its function.
#pragma once
#include <mpi.h>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "records.hpp"
#include "shape.hpp"

namespace axial::ledger {

// What MPI is asked.

inline std::string name_of(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return "MPI_COMM_NULL";
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  PMPI_Comm_get_name(comm, name, &length);
  return shown(name);
}

inline MPI_Count size_of(MPI_Datatype type) {
  MPI_Count size = 0;
  if (type != MPI_DATATYPE_NULL) PMPI_Type_size_x(type, &size);
  return size;
}

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

inline bool is_inter(MPI_Comm comm) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  return inter != 0;
}

inline int ranks_of(MPI_Comm comm) {
  int size = 0;
  is_inter(comm) ? PMPI_Comm_remote_size(comm, &size) : PMPI_Comm_size(comm, &size);
  return size;
}

/// The number of ranks that a neighbourhood collective sends to.
inline int neighbours_of(MPI_Comm comm) {
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

inline std::string name_of_op(MPI_Op op) {
  const std::pair<MPI_Op, const char*> names[] = {
      {MPI_SUM, "MPI_SUM"},     {MPI_PROD, "MPI_PROD"},      {MPI_MIN, "MPI_MIN"},       {MPI_MAX, "MPI_MAX"},
      {MPI_BAND, "MPI_BAND"},   {MPI_BOR, "MPI_BOR"},        {MPI_BXOR, "MPI_BXOR"},     {MPI_LAND, "MPI_LAND"},
      {MPI_LOR, "MPI_LOR"},     {MPI_LXOR, "MPI_LXOR"},      {MPI_MINLOC, "MPI_MINLOC"}, {MPI_MAXLOC, "MPI_MAXLOC"},
      {MPI_NO_OP, "MPI_NO_OP"}, {MPI_REPLACE, "MPI_REPLACE"}};
  for (const auto& [predefined, name] : names)
    if (op == predefined) return name;
  return "an operator of the program";
}

// What the arguments say.

inline MPI_Comm communicator_of(MPI_Comm comm) { return comm; }
inline MPI_Comm communicator_of(const MPI_Comm* comm) { return *comm; }

/// The communicator of a call, or MPI_COMM_NULL.
template <Shape shape, class Arguments>
MPI_Comm comm_in([[maybe_unused]] const Arguments& arguments) {
  if constexpr (shape.communicator >= 0)
    return communicator_of(std::get<shape.communicator>(arguments));
  else
    return MPI_COMM_NULL;
}

// An argument is one value for all blocks, or a list with one for each.
template <class Value>
Value at(const Value* list, int i) {
  return list[i];
}
inline MPI_Count at(MPI_Count count, int) { return count; }
inline int at(int count, int) { return count; }  // or a type, which is an int in MPICH

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
  else if constexpr (shape.root_sends)
    return std::get<shape.root>(arguments) == (is_inter(comm) ? MPI_ROOT : rank_in(comm));
  else
    return std::get<0>(arguments) != MPI_IN_PLACE;
}

template <Shape shape, class Arguments>
Operation operation_of(const Arguments& arguments) {
  Operation operation;
  const MPI_Comm comm = comm_in<shape>(arguments);
  if constexpr (shape.communicator >= 0) {
    operation.communicator = name_of(comm);
    if (comm == MPI_COMM_NULL) return operation;  // a mistake, which MPI itself will report
  }
  operation.bytes =
      sends<shape>(arguments, comm) ? bytes_of<shape.sent>(arguments, comm) : bytes_of<shape.instead>(arguments, comm);
  return operation;
}

/// `5 x 8 bytes`: elements, of all ranks where the count is a list of theirs, and the size of their type.
template <Data data, class Arguments>
std::string elements_of(const Arguments& arguments, MPI_Comm comm) {
  if constexpr (data.type < 0) {
    return "";
  } else {
    const auto& count = std::get<data.count>(arguments);
    constexpr bool is_list = std::is_pointer_v<std::tuple_element_t<data.count, Arguments>>;
    long long sum = 0;
    for (int i = 0; i < (is_list ? ranks_of(comm) : 1); ++i) sum += at(count, i);
    return std::to_string(sum) + " x " + std::to_string(size_of(std::get<data.type>(arguments))) + " bytes";
  }
}

/// `MPI_Bcast(5 x 8 bytes, root 0)`: a call with what must be the same on all ranks.
template <Shape shape, class Arguments>
std::string call_text(const char* function, const Arguments& arguments, MPI_Comm comm) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() || part.empty() ? "" : ", ") + part; };
  if (!is_inter(comm)) {  // between two groups it is one thing in each
    if constexpr (!shape.uneven)
      add(sends<shape>(arguments, comm) ? elements_of<shape.sent>(arguments, comm)
                                        : elements_of<shape.instead>(arguments, comm));
    if constexpr (shape.op >= 0) add(name_of_op(std::get<shape.op>(arguments)));
    if constexpr (shape.root >= 0) add("root " + std::to_string(std::get<shape.root>(arguments)));
  }
  return function + ("(" + text + ")");
}

}  // namespace axial::ledger
