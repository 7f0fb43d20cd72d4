// SPDX-License-Identifier: BSL-1.0
// test/data/collectives.tsv: what real processes got from torch's collectives, asked of axial's. A table of global
// ranks is a communicator whose ranks are in that order.
#include <fstream>
#include <sstream>

#include "reference.hpp"

namespace {

/// One row, asked of all ranks of a case in turn.
struct Row {
  std::string name, names, shape, table, axis, operation, root, count, rank, result;

  friend std::istream& operator>>(std::istream& in, Row& row) {
    return in >> row.name >> row.names >> row.shape >> row.table >> row.axis >> row.operation >> row.root >>
           row.count >> row.rank >> row.result;
  }
};

template <class T>
std::vector<T> numbers(std::string text) {
  std::ranges::replace(text, ',', ' ');
  std::ranges::replace(text, 'x', ' ');
  std::istringstream in(text);
  return {std::istream_iterator<T>(in), {}};
}

unsigned ranks_of(const Row& row) {
  unsigned product = 1;
  for (const unsigned extent : numbers<unsigned>(row.shape)) product *= extent;
  return product;
}

/// `dp=2,tp=4`
std::string mesh_text(const Row& row) {
  const auto extents = numbers<unsigned>(row.shape);
  std::istringstream names(row.names);
  std::string text, name;
  for (const unsigned extent : extents) {
    std::getline(names, name, ',');
    text += (text.empty() ? "" : ",") + name + "=" + std::to_string(extent);
  }
  return text;
}

/// What this rank has after the operation, as the table writes it.
template <class Axis>
std::string answer(const Axis& axis, const Row& row) {
  const auto count = std::stoul(row.count);
  const typename Axis::rank_type root(row.root == "-" ? 0 : static_cast<unsigned>(std::stoul(row.root)));
  std::vector<long long> in(count), out(count);
  for (std::size_t i = 0; i < count; ++i) in[i] = 1000ll * world_rank() + 7 * static_cast<long long>(i);
  if (row.operation == "all_reduce_sum") axis.all_reduce(in, out, axial::plus);
  if (row.operation == "all_reduce_max") axis.all_reduce(in, out, axial::max);
  if (row.operation == "all_reduce_min") axis.all_reduce(in, out, axial::min);
  if (row.operation == "broadcast") axis.broadcast(in, out, root);
  if (row.operation == "reduce") {
    axis.reduce(in, out, axial::plus, root);
    if (axis.rank() != root) return "none";
  }
  if (row.operation == "gather") {
    out.resize(count * axis.extent());
    axis.gather(in, out, root);
    if (axis.rank() != root) return "none";
  }
  if (row.operation == "scatter") {
    out.resize(count / axis.extent());
    axis.scatter(in, out, root);
  }
  if (row.operation == "all_to_all") axis.all_to_all(in, out);
  if (row.operation == "all_gather") {
    out.resize(count * axis.extent());
    axis.all_gather(in, out);
  }
  if (row.operation == "reduce_scatter") {
    out.resize(count / axis.extent());
    axis.reduce_scatter(in, out, axial::plus);
  }
  std::string text;
  for (const long long value : out) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}

template <class M>
std::string answer(MPI_Comm comm, const Row& row) {
  const auto mesh = axial::init_device_mesh<M>(axial::borrow(comm));
  std::string text;
  each_index<M::ndim()>([&]<std::size_t I> {
    if (M::names()[I] == std::string_view(row.axis)) text = answer(mesh.template communicator<I>(), row);
  });
  return text;
}

std::string answer(const Row& row) {
  unsigned position = world_rank();
  if (row.table != "-") {
    const auto table = numbers<unsigned>(row.table);
    position = static_cast<unsigned>(std::ranges::find(table, world_rank()) - table.begin());
  }
  const Split comm(0, position);
  return axial::dispatch<Mesh<Dim<"dp", 4>>, Mesh<Dim<"dp", 2>, Dim<"tp", 2>>, Mesh<Dim<"dp", 2>, Dim<"tp", 4>>,
                         Mesh<Dim<"dp", 2>, Dim<"pp", 2>, Dim<"tp", 2>>, Mesh<Dim<"a", 2>, Dim<"b", 4>>,
                         Mesh<Dim<"x", 3>, Dim<"y", 1>, Dim<"z", 2>>>(mesh_text(row),
                                                                      [&]<class M>(M) { return answer<M>(comm, row); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(collectives_give_what_torch_gives) {
  const std::vector<std::string> to_come = {"shift"};  // an operation not there yet
  std::ifstream file(AXIAL_TEST_DATA "/collectives.tsv");
  std::string columns;
  std::getline(file, columns);
  int rows = 0, replayed = 0, skipped = 0;
  for (Row row; file >> row; ++rows) {
    if (ranks_of(row) != world_size()) continue;
    if (std::ranges::count(to_come, row.operation)) {
      ++skipped;
    } else {
      ++replayed;
      if (row.rank == std::to_string(world_rank()))
        BOOST_TEST(answer(row) == row.result, row.name << " " << row.operation << " along " << row.axis);
    }
  }
  BOOST_TEST(rows == 992);
  struct Share {
    unsigned ranks;
    int replayed, skipped;
  };
  for (const Share share : {Share{4, 200, 20}, Share{6, 138, 18}, Share{8, 560, 56}})
    if (share.ranks == world_size()) {
      BOOST_TEST(replayed == share.replayed);
      BOOST_TEST(skipped == share.skipped);
    }
}
