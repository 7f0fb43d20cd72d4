// SPDX-License-Identifier: BSL-1.0
// What the tests of the run time share: meshes for each number of ranks, loops over their axes, communicators that free
// themselves, texts of errors. Include it last, since it imports.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

import axial;

/// A list of types.
template <class... T>
struct Types {};

/// Calls f.operator()<T>() for each of the types.
template <class... T, class F>
void each(Types<T...>, F f) {
  (f.template operator()<T>(), ...);
}

/// Calls f.operator()<I>() for each index below N: the axes of a mesh, which take an index for a name.
template <std::size_t N, class F>
void each_index(F f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (f.template operator()<I>(), ...);
  }(std::make_index_sequence<N>{});
}

using axial::Dim, axial::Mesh;

/// 1 to 4 dimensions on 1, 2, 3, 4, 6, 8 ranks; extents of 1 in front, in the middle, at the end.
using AllMeshes =
    Types<Mesh<>, Mesh<Dim<"a", 1>>, Mesh<Dim<"a", 1>, Dim<"b", 1>, Dim<"c", 1>>,                          //
          Mesh<Dim<"a", 2>>, Mesh<Dim<"a", 2>, Dim<"b", 1>>, Mesh<Dim<"a", 1>, Dim<"b", 2>, Dim<"c", 1>>,  //
          Mesh<Dim<"a", 3>>, Mesh<Dim<"a", 1>, Dim<"b", 3>>,                                               //
          Mesh<Dim<"a", 4>>, Mesh<Dim<"a", 2>, Dim<"b", 2>>, Mesh<Dim<"a", 4>, Dim<"b", 1>>,               //
          Mesh<Dim<"a", 1>, Dim<"b", 2>, Dim<"c", 1>, Dim<"d", 2>>,                                        //
          Mesh<Dim<"a", 6>>, Mesh<Dim<"a", 2>, Dim<"b", 3>>, Mesh<Dim<"a", 3>, Dim<"b", 1>, Dim<"c", 2>>,  //
          Mesh<Dim<"a", 8>>, Mesh<Dim<"a", 2>, Dim<"b", 4>>, Mesh<Dim<"a", 4>, Dim<"b", 2>>,               //
          Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>>, Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 1>, Dim<"d", 2>>>;

inline unsigned rank_in(MPI_Comm comm) {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  return static_cast<unsigned>(rank);
}
inline unsigned size_of(MPI_Comm comm) {
  int size = -1;
  MPI_Comm_size(comm, &size);
  return static_cast<unsigned>(size);
}
inline unsigned world_rank() { return rank_in(MPI_COMM_WORLD); }
inline unsigned world_size() { return size_of(MPI_COMM_WORLD); }

/// Calls f.operator()<M>() for each mesh of as many ranks as there are.
template <class F>
void each_mesh(F f) {
  each(AllMeshes{}, [&]<class M> {
    if (M::world() == world_size()) f.template operator()<M>();
  });
}

/// A mesh without its type: what is asked of all meshes alike is compiled once.
class AnyMesh {
 public:
  virtual ~AnyMesh() = default;
  virtual std::unique_ptr<AnyMesh> copy() const = 0;
  virtual std::unique_ptr<AnyMesh> last_axis() const = 0;  // its sub-mesh
  virtual void close() = 0;
  virtual unsigned rank() const = 0;
  virtual bool works() const = 0;  // all axes reduce
};

template <class M>
class MeshOf : public AnyMesh {
 public:
  explicit MeshOf(const axial::DeviceMesh<M>& mesh) : mesh_(mesh) {}
  std::unique_ptr<AnyMesh> copy() const override { return std::make_unique<MeshOf>(mesh_); }
  std::unique_ptr<AnyMesh> last_axis() const override {
    if constexpr (M::ndim() == 0)
      return copy();
    else
      return std::make_unique<MeshOf<decltype(M::template submesh<M::ndim() - 1>())>>(
          mesh_.template submesh<M::ndim() - 1>());
  }
  void close() override { mesh_.close(); }
  unsigned rank() const override { return mesh_.rank().value(); }
  bool works() const override {
    bool all = true;
    each_index<M::ndim()>(
        [&]<std::size_t I> { all = mesh_.template all_reduce<I>(1u, axial::plus) == M::template extent<I>() && all; });
    return all;
  }

 private:
  axial::DeviceMesh<M> mesh_;
};

/// How to make a mesh on all ranks of a communicator, and what it is.
struct Kind {
  std::string text;
  std::vector<std::pair<std::string, unsigned>> axes;  // names and extents
  std::unique_ptr<AnyMesh> (*make)(MPI_Comm, const axial::Options&);

  std::unique_ptr<AnyMesh> operator()(MPI_Comm comm = MPI_COMM_WORLD, const axial::Options& options = {}) const {
    return make(comm, options);
  }
};

template <class M>
Kind kind_of() {
  Kind kind{.text = axial::to_string(M{}), .axes = {}, .make = [](MPI_Comm comm, const axial::Options& options) {
              return std::unique_ptr<AnyMesh>(new MeshOf<M>(axial::init_device_mesh<M>(axial::borrow(comm), options)));
            }};
  for (unsigned i = 0; i < M::ndim(); ++i) kind.axes.emplace_back(std::string_view(M::names()[i]), M::shape()[i]);
  return kind;
}

/// The meshes of as many ranks as there are.
inline std::vector<Kind> kinds() {
  std::vector<Kind> all;
  each_mesh([&]<class M> { all.push_back(kind_of<M>()); });
  return all;
}

/// A communicator of the test, split from the world and freed at the end; null for a negative colour.
class Split {
 public:
  Split(int colour, unsigned key) {
    MPI_Comm_split(MPI_COMM_WORLD, colour < 0 ? MPI_UNDEFINED : colour, static_cast<int>(key), &comm_);
  }
  ~Split() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  Split(const Split&) = delete;
  Split& operator=(const Split&) = delete;
  operator MPI_Comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// The text of the error that f throws.
template <class Error = axial::MeshError, class F>
std::string text_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// One text of each rank.
inline std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& mine) {
  using Block = std::array<char, 2048>;
  Block block{};
  mine.copy(block.data(), block.size() - 1);
  std::vector<Block> all(size_of(comm));
  MPI_Allgather(&block, sizeof block, MPI_CHAR, all.data(), sizeof block, MPI_CHAR, comm);
  std::vector<std::string> texts;
  for (const Block& each : all) texts.emplace_back(each.data());
  return texts;
}

/// Every rank of comm has this text.
inline void check_same_text(MPI_Comm comm, const std::string& mine, const std::string& wanted) {
  BOOST_TEST(mine == wanted);
  for (const std::string& text : gather_texts(comm, mine)) BOOST_TEST(text == mine);
}
