// SPDX-License-Identifier: BSL-1.0
// Collective calls that differ between ranks. What could hang if it were made is only prepared here.
#include "world.hpp"

using axial::ledger::clear_sequences, axial::ledger::compare_sequences, axial::ledger::compare_traces;

namespace {

/// Begins a test case with nothing noted.
struct Fresh {
  Fresh() { clear_sequences(); }
  ~Fresh() { clear_sequences(); }
};

bool is_odd(int rank = 1) { return world_rank() == rank && world_size() > 1; }

/// The text, where there is more than one rank.
std::string among_ranks(const std::string& text) { return world_size() > 1 ? text : ""; }

/// Ranks may give it different operators.
void all_reduce(MPI_Op op, MPI_Comm comm) {
  int value = 0;
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, op, comm);
}
void prepare_broadcast(int count, MPI_Datatype type, int root, MPI_Comm comm) {
  double data[8];
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Bcast_init(data, count, type, root, comm, MPI_INFO_NULL, &request);
  MPI_Request_free(&request);
}
void prepare_broadcast(int root, MPI_Comm comm) { prepare_broadcast(1, MPI_INT, root, comm); }

}  // namespace

BOOST_FIXTURE_TEST_CASE(equal_sequences_do_not_differ, Fresh) {
  const Named tp("axial:tp");
  double in[4] = {}, out[16];
  std::vector<int> counts(static_cast<std::size_t>(world_size()), 1), offsets(counts.size(), 0);
  const int mine = world_rank() + 1;
  MPI_Allreduce(in, out, 4, MPI_DOUBLE, MPI_SUM, tp);
  MPI_Gather(world_rank() == 0 ? MPI_IN_PLACE : in, 2, MPI_DOUBLE, out, 2, MPI_DOUBLE, 0, tp);
  MPI_Scatter(in, 1, MPI_INT, out, 1, MPI_INT, 0, tp);
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = static_cast<int>(i) + 1, offsets[i] = 0;
  MPI_Gatherv(in, mine, MPI_CHAR, out, counts.data(), offsets.data(), MPI_CHAR, 0, tp);  // each rank its own count
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(tp, world_rank() % 2, 0, &part);  // each rank its own colour
  if (is_odd()) MPI_Barrier(MPI_COMM_SELF);        // elsewhere
  MPI_Comm_free(&part);
  BOOST_TEST(compare_sequences(tp.get()) == "");
}

BOOST_FIXTURE_TEST_CASE(another_operator_is_found, Fresh) {
  const Named tp("axial:tp");
  all_reduce(MPI_SUM, tp);
  all_reduce(is_odd() ? MPI_MAX : MPI_SUM, tp);
  BOOST_TEST(compare_sequences(tp.get()) == among_ranks("call 2 on \"axial:tp\": rank 1 made MPI_Allreduce(1 x 4 "
                                                        "bytes, MPI_MAX), rank 0 MPI_Allreduce(1 x 4 bytes, MPI_SUM)"));
}

BOOST_FIXTURE_TEST_CASE(another_count_is_found, Fresh) {
  const Named tp("axial:tp");
  prepare_broadcast(is_odd() ? 4 : 3, MPI_DOUBLE, 0, tp);
  BOOST_TEST(compare_sequences(tp.get()) == among_ranks("call 1 on \"axial:tp\": rank 1 made MPI_Bcast_init(4 x 8 "
                                                        "bytes, root 0), rank 0 MPI_Bcast_init(3 x 8 bytes, root 0)"));
}

BOOST_FIXTURE_TEST_CASE(another_size_of_the_type_is_found, Fresh) {
  const Named tp("axial:tp");
  prepare_broadcast(3, is_odd() ? MPI_FLOAT : MPI_DOUBLE, 0, tp);
  BOOST_TEST(compare_sequences(tp.get()) == among_ranks("call 1 on \"axial:tp\": rank 1 made MPI_Bcast_init(3 x 4 "
                                                        "bytes, root 0), rank 0 MPI_Bcast_init(3 x 8 bytes, root 0)"));
}

BOOST_FIXTURE_TEST_CASE(another_root_is_found, Fresh) {
  const Named tp("axial:tp");
  prepare_broadcast(is_odd() ? 1 : 0, tp);
  BOOST_TEST(compare_sequences(tp.get()) == among_ranks("call 1 on \"axial:tp\": rank 1 made MPI_Bcast_init(1 x 4 "
                                                        "bytes, root 1), rank 0 MPI_Bcast_init(1 x 4 bytes, root 0)"));
}

BOOST_FIXTURE_TEST_CASE(another_order_is_found, Fresh) {
  const Named tp("axial:tp");
  if (is_odd()) prepare_broadcast(0, tp);
  all_reduce(MPI_SUM, tp);
  if (!is_odd()) prepare_broadcast(0, tp);
  BOOST_TEST(compare_sequences(tp.get()) == among_ranks("call 1 on \"axial:tp\": rank 1 made MPI_Bcast_init(1 x 4 "
                                                        "bytes, root 0), rank 0 MPI_Allreduce(1 x 4 bytes, MPI_SUM)"));
}

BOOST_FIXTURE_TEST_CASE(a_missing_call_is_found, Fresh) {
  const Named tp("axial:tp");
  all_reduce(MPI_SUM, tp);
  if (!is_odd()) prepare_broadcast(0, tp);
  BOOST_TEST(
      compare_sequences(tp.get()) ==
      among_ranks("call 2 on \"axial:tp\": rank 1 made no more calls, rank 0 MPI_Bcast_init(1 x 4 bytes, root 0)"));
}

BOOST_FIXTURE_TEST_CASE(the_odd_ranks_are_those_that_differ_from_most, Fresh) {
  if (world_size() < 4) return;
  const Named tp("axial:tp");
  prepare_broadcast(is_odd(0) ? 1 : 0, tp);
  BOOST_TEST(compare_sequences(tp.get()) ==
             "call 1 on \"axial:tp\": rank 0 made MPI_Bcast_init(1 x 4 bytes, root 1), rank 1 MPI_Bcast_init(1 x 4 "
             "bytes, root 0)");
  clear_sequences();
  all_reduce(world_rank() % 2 == 1 ? MPI_MAX : MPI_SUM, tp);
  BOOST_TEST(compare_sequences(tp.get()) ==
             "call 1 on \"axial:tp\": ranks 1, 3 made MPI_Allreduce(1 x 4 bytes, MPI_MAX), rank 0 MPI_Allreduce(1 x 4 "
             "bytes, MPI_SUM)");
}

BOOST_FIXTURE_TEST_CASE(the_creation_of_a_communicator_is_a_call_on_its_parent, Fresh) {
  const Named tp("axial:tp");
  if (is_odd()) prepare_broadcast(0, tp);
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(tp, &copy);
  BOOST_TEST(
      compare_sequences(tp.get()) ==
      among_ranks("call 1 on \"axial:tp\": rank 1 made MPI_Bcast_init(1 x 4 bytes, root 0), rank 0 MPI_Comm_dup()"));
  BOOST_TEST(compare_sequences(copy) == "");
  MPI_Comm_free(&copy);
}

BOOST_FIXTURE_TEST_CASE(a_creation_by_a_group_is_no_call_of_all_ranks, Fresh) {
  const Named tp("axial:tp");
  if (is_odd()) {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_group(MPI_COMM_SELF, &group);
    MPI_Comm_create_group(tp, group, 0, &comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
  }
  BOOST_TEST(compare_sequences(tp.get()) == "");
}

BOOST_FIXTURE_TEST_CASE(the_starts_of_prepared_collectives_have_an_order, Fresh) {
  const Named tp("axial:tp");
  int sum = 0, most = 0;
  MPI_Request requests[2];
  MPI_Allreduce_init(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, tp, MPI_INFO_NULL, &requests[0]);
  MPI_Allreduce_init(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, tp, MPI_INFO_NULL, &requests[1]);
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  BOOST_TEST(compare_sequences(tp.get()) == "");
  MPI_Start(&requests[is_odd() ? 1 : 0]);
  MPI_Start(&requests[is_odd() ? 0 : 1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  BOOST_TEST(compare_sequences(tp.get()) ==
             among_ranks("call 5 on \"axial:tp\": rank 1 made start of MPI_Allreduce_init(1 x 4 bytes, MPI_MAX), rank "
                         "0 start of MPI_Allreduce_init(1 x 4 bytes, MPI_SUM)"));
  for (MPI_Request& request : requests) MPI_Request_free(&request);
}

BOOST_FIXTURE_TEST_CASE(a_sequence_ends_with_its_communicator, Fresh) {
  for (int i = 0; i < 3; ++i) {  // whose handle may be given again
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(world, &comm);
    BOOST_TEST(compare_sequences(comm) == "");
    all_reduce(is_odd() ? MPI_MAX : MPI_SUM, comm);
    BOOST_TEST(compare_sequences(comm).starts_with("call 1 on \"(unnamed)\"") == (world_size() > 1));
    MPI_Comm_free(&comm);
  }
}

BOOST_FIXTURE_TEST_CASE(a_difference_is_found_among_many_calls, Fresh) {
  const Named tp("axial:tp");
  for (int i = 0; i < 5000; ++i) prepare_broadcast(i == 4000 && is_odd() ? 1 : 0, tp);
  BOOST_TEST(compare_sequences(tp.get()).starts_with(among_ranks("call 4001 on \"axial:tp\": rank 1 made ")));
  for (int i = 0; i < 5000; ++i) prepare_broadcast(0, tp);
  BOOST_TEST(compare_sequences(tp.get()) ==
             among_ranks("calls on \"axial:tp\" differ before number 5905, and are no longer known"));
}

BOOST_FIXTURE_TEST_CASE(the_comparison_itself_is_not_noted, Fresh) {
  const auto counts = axial::ledger::during([] {
    for (int i = 0; i < 2; ++i) compare_sequences(world);
    compare_traces(world);
  });
  BOOST_TEST(counts.total() == 0);
  BOOST_TEST(compare_sequences(world) == "");
  BOOST_TEST(compare_traces(world) == "");
}

BOOST_FIXTURE_TEST_CASE(traces_compare_functions_and_names_on_all_communicators, Fresh) {
  {
    const Named tp("axial:tp"), dp("axial:dp");
    all_reduce(is_odd() ? MPI_MAX : MPI_SUM, tp);  // the same by name
    BOOST_TEST(compare_traces(world) == "");
    prepare_broadcast(0, is_odd() ? dp : tp);
    BOOST_TEST(
        compare_traces(world) ==
        among_ranks(
            "collective call 4: rank 1 made MPI_Bcast_init on \"axial:dp\", rank 0 MPI_Bcast_init on \"axial:tp\""));
    clear_sequences();
  }
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_group(MPI_COMM_SELF, &group);
  if (is_odd()) MPI_Comm_create_group(world, group, 0, &comm);
  BOOST_TEST(
      compare_traces(world) ==
      among_ranks("collective call 3: rank 1 made MPI_Comm_create_group on \"MPI_COMM_WORLD\", rank 0 no more calls"));
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  MPI_Group_free(&group);
}

BOOST_AUTO_TEST_CASE(ranks_of_an_intercommunicator_are_not_compared) {
  if (world_size() == 1) return;
  MPI_Comm half = MPI_COMM_NULL, pair = MPI_COMM_NULL;
  const int side = world_rank() % 2;
  MPI_Comm_split(world, side, 0, &half);
  MPI_Intercomm_create(half, 0, world, 1 - side, 0, &pair);
  BOOST_CHECK_THROW(compare_sequences(pair), std::invalid_argument);
  MPI_Comm_free(&pair);
  MPI_Comm_free(&half);
}
