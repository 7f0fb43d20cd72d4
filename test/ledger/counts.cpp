// SPDX-License-Identifier: BSL-1.0
// Calls and bytes against calls of MPI that are made here.
#include <thread>

#include "world.hpp"

using axial::ledger::Counts, axial::ledger::during, axial::ledger::Kind;

namespace {

/// Buffers that are long enough for all that is sent here.
struct Buffers {
  double in[64] = {};
  double out[64] = {};
};

/// The bytes of f's only call, which must be to this function.
template <class F>
long long bytes(const std::string& function, F f) {
  const Counts counts = during(f);
  BOOST_TEST(counts.total() == 1);
  BOOST_TEST(counts.calls(function) == 1);
  return counts.bytes(function);
}

}  // namespace

BOOST_AUTO_TEST_CASE(calls_are_counted_by_function_and_name_of_the_communicator) {
  Buffers data;
  const Named tp("axial:tp"), dp("axial:dp");
  const Counts counts = during([&] {
    for (int i = 0; i < 3; ++i) MPI_Allreduce(data.in, data.out, 5, MPI_DOUBLE, MPI_SUM, tp);
    MPI_Allreduce(data.in, data.out, 1, MPI_FLOAT, MPI_SUM, dp);
    MPI_Barrier(dp);
    int flag = 0, rank = 0;
    MPI_Initialized(&flag);
    MPI_Comm_rank(MPI_COMM_SELF, &rank);
  });
  BOOST_TEST(counts.calls("MPI_Allreduce") == 4);
  BOOST_TEST(counts.calls_on("MPI_Allreduce", "axial:tp") == 3);
  BOOST_TEST(counts.calls_on("MPI_Allreduce", "axial:dp") == 1);
  BOOST_TEST(counts.calls_on("MPI_Allreduce", "MPI_COMM_WORLD") == 0);
  BOOST_TEST(counts.bytes("MPI_Allreduce") == 3 * 40 + 4);
  BOOST_TEST(counts.bytes_on("MPI_Allreduce", "axial:tp") == 3 * 40);
  BOOST_TEST(counts.total() == 7);
  BOOST_TEST(counts.text() ==
             "MPI_Allreduce axial:dp 1 4\n"
             "MPI_Allreduce axial:tp 3 120\n"
             "MPI_Barrier axial:dp 1 0\n"
             "MPI_Comm_rank MPI_COMM_SELF 1 0\n"
             "MPI_Initialized - 1 0\n");
}

BOOST_AUTO_TEST_CASE(calls_are_counted_by_kind_and_axis) {
  Buffers data;
  const Named tp("axial:tp"), model_tp("axial:model:tp"), dp("axial:dp"), other("tp");
  const Counts counts = during([&] {
    for (const MPI_Comm comm : {tp.get(), model_tp.get(), dp.get(), other.get()})
      MPI_Allreduce(data.in, data.out, 5, MPI_DOUBLE, MPI_SUM, comm);
    int rank = 0;
    MPI_Comm_rank(tp, &rank);
    MPI_Sendrecv(data.in, 2, MPI_INT, rank, 0, data.out, 2, MPI_INT, rank, 0, tp, MPI_STATUS_IGNORE);
  });
  BOOST_TEST(counts.calls(Kind::collective) == 4);
  BOOST_TEST(counts.bytes(Kind::collective) == 160);
  BOOST_TEST(counts.calls(Kind::collective, "tp") == 2);
  BOOST_TEST(counts.bytes(Kind::collective, "tp") == 80);
  BOOST_TEST(counts.calls(Kind::collective, "dp") == 1);
  BOOST_TEST(counts.calls(Kind::collective, "model") == 0);
  BOOST_TEST(counts.calls(Kind::point_to_point) == 1);
  BOOST_TEST(counts.bytes(Kind::point_to_point, "tp") == 8);
  BOOST_TEST(counts.calls(Kind::point_to_point, "dp") == 0);
  BOOST_TEST(counts.calls_along("tp") == 4);
  BOOST_TEST(counts.bytes_along("tp") == 88);
}

BOOST_AUTO_TEST_CASE(each_function_has_a_kind) {
  const std::pair<const char*, Kind> kinds[] = {{"MPI_Ireduce_scatter_block_c", Kind::collective},
                                                {"MPI_Isend", Kind::point_to_point},
                                                {"MPI_Recv_init", Kind::point_to_point},
                                                {"MPI_Rput", Kind::one_sided},
                                                {"MPI_Comm_create_group", Kind::communicator},
                                                {"MPI_Comm_free", Kind::communicator},
                                                {"MPI_Comm_group", Kind::group},
                                                {"MPI_Group_size", Kind::group},
                                                {"MPI_Op_create_c", Kind::op},
                                                {"MPI_Type_get_contents", Kind::datatype},
                                                {"MPI_Startall", Kind::request},
                                                {"MPI_Waitsome", Kind::request},
                                                {"MPI_Comm_rank", Kind::environment},
                                                {"MPI_Comm_set_name", Kind::environment},
                                                {"MPI_Finalize", Kind::environment}};
  for (const auto& [function, kind] : kinds) BOOST_TEST((axial::ledger::kind_of(function) == kind), function);
  BOOST_CHECK_THROW(axial::ledger::kind_of("MPI_Allredcue"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(what_the_ledger_itself_asks_is_not_counted) {
  const Named comm("axial:tp");
  BOOST_TEST(during([] { axial::ledger::live(); }).total() == 0);
  BOOST_TEST(during([] {}).text() == "");
}

BOOST_AUTO_TEST_CASE(reductions_and_broadcasts_hand_in_their_buffer) {
  Buffers data;
  const auto allreduce = [&] { MPI_Allreduce(data.in, data.out, 5, MPI_DOUBLE, MPI_SUM, world); };
  const auto in_place = [&] { MPI_Allreduce(MPI_IN_PLACE, data.out, 5, MPI_DOUBLE, MPI_SUM, world); };
  const auto large = [&] { MPI_Allreduce_c(data.in, data.out, 5, MPI_DOUBLE, MPI_SUM, world); };
  const auto reduce = [&] { MPI_Reduce(data.in, data.out, 3, MPI_DOUBLE, MPI_SUM, 0, world); };
  const auto bcast = [&] { MPI_Bcast(data.in, 3, MPI_INT, 0, world); };
  const auto scan = [&] { MPI_Scan(data.in, data.out, 7, MPI_FLOAT, MPI_SUM, world); };
  BOOST_TEST(bytes("MPI_Allreduce", allreduce) == 40);
  BOOST_TEST(bytes("MPI_Allreduce", in_place) == 40);
  BOOST_TEST(bytes("MPI_Allreduce_c", large) == 40);
  BOOST_TEST(bytes("MPI_Reduce", reduce) == 24);
  BOOST_TEST(bytes("MPI_Bcast", bcast) == 12);
  BOOST_TEST(bytes("MPI_Scan", scan) == 28);
}

BOOST_AUTO_TEST_CASE(reduce_scatter_and_all_to_all_hand_in_a_block_for_each_rank) {
  Buffers data;
  const int size = world_size();
  std::vector<int> counts, offsets;
  int sum = 0;
  for (int i = 0; i < size; ++i) {
    counts.push_back(i + 1);
    offsets.push_back(sum);
    sum += counts.back();
  }
  const auto block = [&] { MPI_Reduce_scatter_block(data.in, data.out, 2, MPI_DOUBLE, MPI_SUM, world); };
  const auto in_place = [&] { MPI_Reduce_scatter_block(MPI_IN_PLACE, data.out, 2, MPI_DOUBLE, MPI_SUM, world); };
  const auto uneven = [&] { MPI_Reduce_scatter(data.in, data.out, counts.data(), MPI_DOUBLE, MPI_SUM, world); };
  const auto all_to_all = [&] { MPI_Alltoall(data.in, 3, MPI_INT, data.out, 3, MPI_INT, world); };
  const auto uneven_all_to_all = [&] {
    const int mine = world_rank() + 1;
    const std::vector<int> equal(counts.size(), mine), begins(counts.size(), 0);
    MPI_Alltoallv(data.in, counts.data(), offsets.data(), MPI_DOUBLE, data.out, equal.data(), begins.data(), MPI_DOUBLE,
                  world);
  };
  BOOST_TEST(bytes("MPI_Reduce_scatter_block", block) == 16 * size);
  BOOST_TEST(bytes("MPI_Reduce_scatter_block", in_place) == 16 * size);
  BOOST_TEST(bytes("MPI_Reduce_scatter", uneven) == 8 * sum);
  BOOST_TEST(bytes("MPI_Alltoall", all_to_all) == 12 * size);
  BOOST_TEST(during(uneven_all_to_all).bytes("MPI_Alltoallv") == 8 * sum);
}

BOOST_AUTO_TEST_CASE(gathers_hand_in_one_block) {
  Buffers data;
  const int size = world_size(), rank = world_rank();
  std::vector<int> counts, offsets;
  int sum = 0;
  for (int i = 0; i < size; ++i) {
    counts.push_back(i + 1);
    offsets.push_back(sum);
    sum += counts.back();
  }
  const void* at_root = rank == 0 ? MPI_IN_PLACE : data.in;
  const auto all = [&] { MPI_Allgather(data.in, 2, MPI_FLOAT, data.out, 2, MPI_FLOAT, world); };
  const auto all_in_place = [&] { MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, data.out, 2, MPI_FLOAT, world); };
  const auto to_root = [&] { MPI_Gather(at_root, 2, MPI_FLOAT, data.out, 2, MPI_FLOAT, 0, world); };
  const auto uneven_in_place = [&] {
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, data.out, counts.data(), offsets.data(), MPI_DOUBLE, world);
  };
  BOOST_TEST(bytes("MPI_Allgather", all) == 8);
  BOOST_TEST(bytes("MPI_Allgather", all_in_place) == 8);
  BOOST_TEST(bytes("MPI_Gather", to_root) == 8);
  BOOST_TEST(bytes("MPI_Allgatherv", uneven_in_place) == 8 * (rank + 1));
}

BOOST_AUTO_TEST_CASE(a_scatter_hands_in_all_blocks_at_the_root_and_gets_one_elsewhere) {
  Buffers data;
  const int size = world_size(), root = size - 1;
  const auto scatter = [&] { MPI_Scatter(data.in, 2, MPI_INT, data.out, 2, MPI_INT, root, world); };
  const long long wanted = world_rank() == root ? 8 * size : 8;
  BOOST_TEST(bytes("MPI_Scatter", scatter) == wanted);
}

BOOST_AUTO_TEST_CASE(a_neighbourhood_sends_to_its_neighbours) {
  Buffers data;
  const int dims[] = {world_size()}, periods[] = {1};
  MPI_Comm ring = MPI_COMM_NULL;
  MPI_Cart_create(world, 1, dims, periods, 0, &ring);
  MPI_Comm_set_name(ring, "ring");
  const auto to_both = [&] { MPI_Neighbor_alltoall(data.in, 3, MPI_DOUBLE, data.out, 3, MPI_DOUBLE, ring); };
  BOOST_TEST(bytes("MPI_Neighbor_alltoall", to_both) == 2 * 24);
  MPI_Comm_free(&ring);
}

BOOST_AUTO_TEST_CASE(point_to_point_counts_what_is_sent_and_the_buffer_that_receives) {
  Buffers data;
  const int size = world_size(), rank = world_rank();
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  const Named comm("axial:pp");
  const Counts counts = during([&] {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(data.out, 10, MPI_INT, previous, 0, comm, &request);
    MPI_Send(data.in, 4, MPI_INT, next, 0, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(data.in, 2, MPI_INT, next, 1, data.out, 2, MPI_INT, previous, 1, comm, MPI_STATUS_IGNORE);
  });
  BOOST_TEST(counts.text() ==
             "MPI_Irecv axial:pp 1 40\n"
             "MPI_Send axial:pp 1 16\n"
             "MPI_Sendrecv axial:pp 1 8\n"
             "MPI_Wait - 1 0\n");
}

BOOST_AUTO_TEST_CASE(what_does_not_block_is_counted_under_its_own_name) {
  Buffers data;
  const Named comm("axial:dp");
  const Counts counts = during([&] {
    MPI_Request requests[2];
    MPI_Iallreduce(data.in, data.out, 5, MPI_DOUBLE, MPI_SUM, comm, &requests[0]);
    MPI_Ibarrier(comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  });
  BOOST_TEST(counts.text() == "MPI_Iallreduce axial:dp 1 40\nMPI_Ibarrier axial:dp 1 0\nMPI_Waitall - 1 0\n");
}

BOOST_AUTO_TEST_CASE(what_is_persistent_moves_its_bytes_each_time_it_is_started) {
  Buffers data;
  const Named comm("axial:dp");
  const Counts counts = during([&] {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Allreduce_init(data.in, data.out, 5, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL, &request);
    for (int i = 0; i < 3; ++i) {
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Startall(1, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
  });
  BOOST_TEST(counts.text() ==
             "MPI_Allreduce_init axial:dp 1 0\n"
             "MPI_Request_free - 1 0\n"
             "MPI_Start axial:dp 3 120\n"
             "MPI_Startall axial:dp 1 40\n"
             "MPI_Wait - 4 0\n");
}

BOOST_AUTO_TEST_CASE(a_communicator_is_created_on_its_parent_and_freed_under_its_own_name) {
  const Counts counts = during([] {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_group(world, &group);
    MPI_Comm_create_group(world, group, 0, &comm);
    MPI_Group_free(&group);
    MPI_Comm_set_name(comm, "axial:tp");
    MPI_Comm_free(&comm);
  });
  BOOST_TEST(counts.text() ==
             "MPI_Comm_create_group MPI_COMM_WORLD 1 0\n"
             "MPI_Comm_free axial:tp 1 0\n"
             "MPI_Comm_group MPI_COMM_WORLD 1 0\n"
             "MPI_Comm_set_name (unnamed) 1 0\n"
             "MPI_Group_free - 1 0\n");
}

BOOST_AUTO_TEST_CASE(all_threads_are_counted) {
  const auto ask = [] {
    int flag = 0;
    for (int i = 0; i < 1000; ++i) MPI_Initialized(&flag);
  };
  const Counts counts = during([&] {
    std::thread other(ask);
    ask();
    other.join();
  });
  BOOST_TEST(counts.text() == "MPI_Initialized - 2000 0\n");
}
