// SPDX-License-Identifier: BSL-1.0
// Every collective in every shape, as a table: for tests that ask the same of all. Include it last, since it imports.
#pragma once
#include <functional>
#include <span>

#include "../support/meshes.hpp"

/// A collective, ready to be called on an axis of at most 8 ranks.
struct Collective {
  const char* operation;  // as errors call it
  const char* function;   // of MPI
  std::function<void()> call;
};

/// Of all ranks of the axis, each with the same root: the last rank.
template <class Axis>
std::vector<Collective> collectives_of(const Axis& axis) {
  constexpr std::size_t n = 5, extent = Axis::extent();
  static double in[8 * n], out[8 * n];
  const std::span<double> a(in, n), b(out, n), all(in, n * extent), all_out(out, n * extent), ones(in, extent);
  const typename Axis::rank_type last(extent - 1);
  using axial::in_place, axial::plus;
  return {
      {"all_reduce", "MPI_Allreduce", [&axis] { axis.all_reduce(1.0, plus); }},
      {"all_reduce", "MPI_Allreduce", [=, &axis] { axis.all_reduce(a, b, plus); }},
      {"all_reduce", "MPI_Allreduce", [=, &axis] { axis.all_reduce(in_place(a), plus); }},
      {"reduce", "MPI_Reduce", [=, &axis] { axis.reduce(1.0, plus, last); }},
      {"reduce", "MPI_Reduce", [=, &axis] { axis.reduce(a, b, plus, last); }},
      {"reduce", "MPI_Reduce", [=, &axis] { axis.reduce(in_place(a), plus, 0); }},
      {"broadcast", "MPI_Bcast", [=, &axis] { axis.broadcast(1.0, last); }},
      {"broadcast", "MPI_Bcast", [=, &axis] { axis.broadcast(a, b, last); }},
      {"broadcast", "MPI_Bcast", [=, &axis] { axis.broadcast(in_place(a), last); }},
      {"all_gather", "MPI_Allgather", [&axis] { axis.all_gather(1.0); }},
      {"all_gather", "MPI_Allgather", [=, &axis] { axis.all_gather(a, all_out); }},
      {"all_gather", "MPI_Allgather", [=, &axis] { axis.all_gather(in_place(all)); }},
      {"reduce_scatter", "MPI_Reduce_scatter_block", [=, &axis] { axis.reduce_scatter(ones, plus); }},
      {"reduce_scatter", "MPI_Reduce_scatter_block", [=, &axis] { axis.reduce_scatter(all, b, plus); }},
      {"reduce_scatter", "MPI_Reduce_scatter_block", [=, &axis] { axis.reduce_scatter(in_place(all), plus); }},
      {"gather", "MPI_Gather", [=, &axis] { axis.gather(1.0, last); }},
      {"gather", "MPI_Gather", [=, &axis] { axis.gather(a, all_out, last); }},
      {"gather", "MPI_Gather", [=, &axis] { axis.gather(in_place(all), last); }},
      {"scatter", "MPI_Scatter", [=, &axis] { axis.scatter(ones, last); }},
      {"scatter", "MPI_Scatter", [=, &axis] { axis.scatter(all, b, last); }},
      {"scatter", "MPI_Scatter", [=, &axis] { axis.scatter(in_place(all), last); }},
      {"all_to_all", "MPI_Alltoall", [=, &axis] { axis.all_to_all(ones); }},
      {"all_to_all", "MPI_Alltoall", [=, &axis] { axis.all_to_all(all, all_out); }},
      {"all_to_all", "MPI_Alltoall", [=, &axis] { axis.all_to_all(in_place(all)); }},
      {"scan", "MPI_Scan", [&axis] { axis.scan(1.0, plus); }},
      {"scan", "MPI_Scan", [=, &axis] { axis.scan(a, b, plus); }},
      {"scan", "MPI_Scan", [=, &axis] { axis.scan(in_place(a), plus); }},
      {"exclusive_scan", "MPI_Exscan", [&axis] { axis.exclusive_scan(1.0, plus); }},
      {"exclusive_scan", "MPI_Exscan", [=, &axis] { axis.exclusive_scan(a, b, plus); }},
      {"exclusive_scan", "MPI_Exscan", [=, &axis] { axis.exclusive_scan(in_place(a), plus); }},
      {"barrier", "MPI_Barrier", [&axis] { axis.barrier(); }},
  };
}
