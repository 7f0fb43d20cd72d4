// SPDX-License-Identifier: BSL-1.0
// Failures, delays and limits.
#include <chrono>

#include "world.hpp"

using namespace std::chrono_literals;
using axial::ledger::clear_faults, axial::ledger::fail_call, axial::ledger::fail_next, axial::ledger::fault_happened,
    axial::ledger::last_fault, axial::ledger::limit_communicators, axial::ledger::live_communicators,
    axial::ledger::live_count, axial::ledger::Object;

namespace {

using Clock = std::chrono::steady_clock;

/// What MPI_Reduce_local calls: keeps the time of the call.
Clock::time_point called;
void keep_time(void*, void*, int*, MPI_Datatype*) { called = Clock::now(); }

void reduce(MPI_Op op) {
  int in = 0, out = 0;
  MPI_Reduce_local(&in, &out, 1, MPI_INT, op);
}

std::string text_of(int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  return text;
}

void add(void*, void*, int*, MPI_Datatype*) {}

/// A test case whose orders end with it.
struct Clean {
  ~Clean() { clear_faults(); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_ordered_failure_comes_at_the_call_that_was_said_and_once, Clean) {
  double in = 0, out = 0;
  fail_next("MPI_Allreduce", 2, MPI_ERR_OTHER);
  std::vector<int> codes;
  for (int i = 0; i < 4; ++i) {
    in = i;
    codes.push_back(MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_MAX, world));
    BOOST_TEST(out == i);  // it was made nevertheless
    MPI_Barrier(world);    // others are not counted
  }
  BOOST_TEST(codes == (std::vector<int>{MPI_SUCCESS, MPI_ERR_OTHER, MPI_SUCCESS, MPI_SUCCESS}),
             boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_creation_may_fail_on_one_rank_alone_which_then_has_no_communicator, Clean) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm_group(world, &group);
  const bool here = world_rank() == 0;
  if (here) fail_next("MPI_Comm_create_group", 1, MPI_ERR_OTHER);
  MPI_Comm comm = MPI_COMM_NULL;
  const int code = MPI_Comm_create_group(world, group, 0, &comm);
  BOOST_TEST(code == (here ? MPI_ERR_OTHER : MPI_SUCCESS));
  BOOST_TEST((comm == MPI_COMM_NULL) == here);
  BOOST_TEST(live_communicators().size() == (here ? 0u : 1u));
  if (!here) MPI_Comm_free(&comm);
  MPI_Group_free(&group);
}

BOOST_FIXTURE_TEST_CASE(a_failure_may_be_ordered_for_a_call_of_whatever_function, Clean) {
  fail_call(3, MPI_ERR_OTHER);
  BOOST_TEST(!fault_happened());
  std::vector<int> codes;
  int size = 0, flag = 0;
  codes.push_back(MPI_Comm_size(world, &size));
  codes.push_back(MPI_Initialized(&flag));
  BOOST_TEST(!fault_happened());
  codes.push_back(MPI_Barrier(world));
  codes.push_back(MPI_Barrier(world));
  BOOST_TEST(codes == (std::vector<int>{MPI_SUCCESS, MPI_SUCCESS, MPI_ERR_OTHER, MPI_SUCCESS}),
             boost::test_tools::per_element());
  BOOST_TEST(fault_happened());
  BOOST_TEST(last_fault() == "MPI_Barrier");
  clear_faults();
  BOOST_TEST(!fault_happened());
}

BOOST_FIXTURE_TEST_CASE(all_calls_of_a_procedure_can_be_made_to_fail_one_after_another, Clean) {
  std::vector<std::string> failed;
  for (int k = 1;; ++k) {
    fail_call(k, MPI_ERR_OTHER);
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    const auto made = [](int code) { return code == MPI_SUCCESS; };
    if (made(MPI_Comm_group(world, &group)) && made(MPI_Comm_create_group(world, group, 0, &comm)) &&
        made(MPI_Comm_set_name(comm, "axial:tp"))) {
    }
    const std::string last = last_fault();
    clear_faults();
    if (group != MPI_GROUP_NULL) MPI_Group_free(&group);
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    BOOST_TEST(axial::ledger::live().empty());
    if (last.empty()) break;
    failed.push_back(last);
  }
  BOOST_TEST(failed == (std::vector<std::string>{"MPI_Comm_group", "MPI_Comm_create_group", "MPI_Comm_set_name"}),
             boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(cleared_orders_do_not_come, Clean) {
  fail_next("MPI_Barrier", 1, MPI_ERR_OTHER);
  fail_call(1, MPI_ERR_OTHER);
  clear_faults();
  BOOST_TEST(MPI_Barrier(world) == MPI_SUCCESS);
}

BOOST_FIXTURE_TEST_CASE(an_order_that_can_never_come_is_refused, Clean) {
  BOOST_CHECK_THROW(fail_next("MPI_Allredcue", 1, MPI_ERR_OTHER), std::invalid_argument);
  BOOST_CHECK_THROW(fail_next("MPI_Allreduce", 0, MPI_ERR_OTHER), std::invalid_argument);
  BOOST_CHECK_THROW(fail_call(0, MPI_ERR_OTHER), std::invalid_argument);
  BOOST_CHECK_THROW(axial::ledger::delay_next("MPI_Allredcue", 1, 1ms), std::invalid_argument);
}

BOOST_FIXTURE_TEST_CASE(what_a_failed_call_made_is_a_null_handle_and_does_not_live, Clean) {
  MPI_Group group = MPI_GROUP_EMPTY;
  fail_next("MPI_Comm_group", 1, MPI_ERR_OTHER);
  BOOST_TEST(MPI_Comm_group(world, &group) == MPI_ERR_OTHER);
  BOOST_TEST((group == MPI_GROUP_NULL));
  MPI_Op op = MPI_SUM;
  fail_next("MPI_Op_create", 1, MPI_ERR_OTHER);
  BOOST_TEST(MPI_Op_create(add, 1, &op) == MPI_ERR_OTHER);
  BOOST_TEST((op == MPI_OP_NULL));
  MPI_Datatype type = MPI_INT;
  fail_next("MPI_Type_contiguous", 1, MPI_ERR_OTHER);
  BOOST_TEST(MPI_Type_contiguous(2, MPI_INT, &type) == MPI_ERR_OTHER);
  BOOST_TEST((type == MPI_DATATYPE_NULL));
  MPI_Request request = MPI_REQUEST_NULL;
  fail_next("MPI_Barrier_init", 1, MPI_ERR_OTHER);
  BOOST_TEST(MPI_Barrier_init(world, MPI_INFO_NULL, &request) == MPI_ERR_OTHER);
  BOOST_TEST((request == MPI_REQUEST_NULL));
  BOOST_TEST(axial::ledger::live().empty());
}

BOOST_FIXTURE_TEST_CASE(an_operation_that_failed_to_begin_is_over, Clean) {
  int one = 1, sum = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  fail_next("MPI_Iallreduce", 1, MPI_ERR_OTHER);
  BOOST_TEST(MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, world, &request) == MPI_ERR_OTHER);
  BOOST_TEST((request == MPI_REQUEST_NULL));
  BOOST_TEST(sum == world_size());
  int lost = 0, kept = 0;
  fail_next("MPI_Irecv", 1, MPI_ERR_OTHER);
  BOOST_TEST(MPI_Irecv(&lost, 1, MPI_INT, world_rank(), 5, world, &request) == MPI_ERR_OTHER);
  BOOST_TEST((request == MPI_REQUEST_NULL));
  MPI_Sendrecv(&one, 1, MPI_INT, world_rank(), 5, &kept, 1, MPI_INT, world_rank(), 5, world, MPI_STATUS_IGNORE);
  BOOST_TEST(lost == 0);
  BOOST_TEST(kept == 1);
  BOOST_TEST(live_count(Object::request) == 0u);
}

BOOST_FIXTURE_TEST_CASE(an_idup_that_failed_leaves_nothing, Clean) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  fail_next("MPI_Comm_idup", 1, MPI_ERR_OTHER);
  BOOST_TEST(MPI_Comm_idup(world, &comm, &request) == MPI_ERR_OTHER);
  BOOST_TEST((comm == MPI_COMM_NULL));
  BOOST_TEST((request == MPI_REQUEST_NULL));
  BOOST_TEST(axial::ledger::live().empty());
}

BOOST_FIXTURE_TEST_CASE(what_failed_to_be_freed_is_gone, Clean) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(world, &comm);
  fail_next("MPI_Comm_free", 1, MPI_ERR_OTHER);
  BOOST_TEST(MPI_Comm_free(&comm) == MPI_ERR_OTHER);
  BOOST_TEST((comm == MPI_COMM_NULL));
  BOOST_TEST(axial::ledger::live().empty());
}

BOOST_FIXTURE_TEST_CASE(a_delay_comes_before_the_call_that_was_said, Clean) {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(keep_time, 1, &op);
  axial::ledger::delay_next("MPI_Reduce_local", 2, 50ms);
  const auto begin = Clock::now();
  reduce(op);
  const auto first = called;
  reduce(op);
  BOOST_TEST((called - first >= 50ms));
  axial::ledger::delay_call(2, 50ms);
  int flag = 0;
  MPI_Initialized(&flag);
  const auto before = Clock::now();
  reduce(op);
  BOOST_TEST((called - before >= 50ms));
  BOOST_TEST((first >= begin));
  BOOST_TEST(!fault_happened());
  MPI_Op_free(&op);
}

BOOST_FIXTURE_TEST_CASE(a_communicator_beyond_the_limit_is_not_made, Clean) {
  limit_communicators(2);
  MPI_Comm comms[3] = {MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL};
  BOOST_TEST(MPI_Comm_dup(world, &comms[0]) == MPI_SUCCESS);
  BOOST_TEST(MPI_Comm_dup(world, &comms[1]) == MPI_SUCCESS);
  BOOST_TEST(!fault_happened());
  const int code = MPI_Comm_dup(world, &comms[2]);
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  BOOST_TEST(error_class == MPI_ERR_OTHER);
  BOOST_TEST(text_of(code) == "communicator limit of the ledger reached");
  BOOST_TEST((comms[2] == MPI_COMM_NULL));
  BOOST_TEST(live_count(Object::communicator) == 2u);
  BOOST_TEST(last_fault() == "MPI_Comm_dup");
  MPI_Comm_free(&comms[0]);
  BOOST_TEST(MPI_Comm_dup(world, &comms[2]) == MPI_SUCCESS);
  MPI_Comm_free(&comms[1]);
  MPI_Comm_free(&comms[2]);
}

BOOST_FIXTURE_TEST_CASE(ranks_below_the_limit_get_their_communicator, Clean) {
  const bool here = world_rank() == 0;
  if (here) limit_communicators(0);
  MPI_Comm comm = MPI_COMM_NULL;
  const int code = MPI_Comm_dup(world, &comm);
  BOOST_TEST((code != MPI_SUCCESS) == here);
  BOOST_TEST((comm == MPI_COMM_NULL) == here);
  if (!here) MPI_Comm_free(&comm);
}
