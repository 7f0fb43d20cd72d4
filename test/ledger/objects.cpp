// SPDX-License-Identifier: BSL-1.0
// What lives, by whom it was made, and where.
#include <functional>
#include <thread>

#include "world.hpp"

using axial::ledger::Live, axial::ledger::live, axial::ledger::live_count, axial::ledger::live_communicators;
using axial::ledger::Object;

namespace {

using Names = std::vector<std::string>;

/// The functions that made what lives of a kind.
Names makers(Object kind) {
  Names names;
  for (const Live& each : live(kind)) names.push_back(each.created_by);
  return names;
}

/// A function, and a call of it that makes a handle.
template <class Handle>
using Makers = std::vector<std::pair<std::string, std::function<void(Handle*)>>>;

/// What each of them makes lives, made by this function, until it is freed.
template <class Handle>
void check_lives(Object kind, const Makers<Handle>& all, int (*free)(Handle*)) {
  const Names before = makers(kind);
  for (const auto& [function, make] : all) {
    Handle handle{};
    make(&handle);
    Names with = before;
    with.push_back(function);
    BOOST_TEST(makers(kind) == with, boost::test_tools::per_element());
    BOOST_TEST(live_count(kind) == with.size());
    free(&handle);
    BOOST_TEST(makers(kind) == before, function);
  }
}

/// A group that is freed at the end.
class Group {
 public:
  explicit Group(MPI_Comm comm) { MPI_Comm_group(comm, &group_); }
  ~Group() { MPI_Group_free(&group_); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  operator MPI_Group() const { return group_; }

 private:
  MPI_Group group_ = MPI_GROUP_NULL;
};

void add(void*, void*, int*, MPI_Datatype*) {}
void add_many(void*, void*, MPI_Count*, MPI_Datatype*) {}

}  // namespace

/// Where the loader knows it by name.
[[gnu::noinline]] void make_type_in_a_known_function(MPI_Datatype* type) {
  MPI_Type_contiguous(2, MPI_INT, type);
  asm volatile("");  // it is not the last call, which would return to another function
}

BOOST_AUTO_TEST_CASE(communicators_live_under_their_names_until_they_are_freed) {
  BOOST_TEST(live_communicators() == Names{}, boost::test_tools::per_element());
  {
    const Named tp("axial:tp");
    MPI_Comm others[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
    MPI_Comm_split(world, MPI_UNDEFINED, 0, &others[0]);  // makes none
    MPI_Comm_split(world, 0, 0, &others[1]);
    BOOST_TEST(live_communicators() == (Names{"(unnamed)", "axial:tp"}), boost::test_tools::per_element());
    MPI_Comm_free(&others[1]);
    BOOST_TEST(live_communicators() == Names{"axial:tp"}, boost::test_tools::per_element());
  }
  BOOST_TEST(live_communicators() == Names{}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_function_that_makes_a_communicator_is_known) {
  const Group group(world);
  const int size = world_size(), rank = world_rank(), next = (rank + 1) % size, yes = 1;
  MPI_Comm grid = MPI_COMM_NULL, pair = MPI_COMM_NULL;
  MPI_Cart_create(world, 1, &size, &yes, 0, &grid);
  const int side = rank % 2;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(world, side, rank, &half);
  if (size > 1) MPI_Intercomm_create(half, 0, world, 1 - side, 0, &pair);
  const std::vector<int> ends(1, size);
  const std::vector<int> edges(static_cast<std::size_t>(size), 0);
  const std::vector<int> index = [&] {
    std::vector<int> sums;
    for (int i = 1; i <= size; ++i) sums.push_back(i);
    return sums;
  }();
  Makers<MPI_Comm> all = {
      {"MPI_Comm_dup", [](MPI_Comm* made) { MPI_Comm_dup(world, made); }},
      {"MPI_Comm_dup_with_info", [](MPI_Comm* made) { MPI_Comm_dup_with_info(world, MPI_INFO_NULL, made); }},
      {"MPI_Comm_idup",
       [](MPI_Comm* made) {
         MPI_Request request = MPI_REQUEST_NULL;
         MPI_Comm_idup(world, made, &request);
         MPI_Wait(&request, MPI_STATUS_IGNORE);
       }},
      {"MPI_Comm_idup_with_info",
       [](MPI_Comm* made) {
         MPI_Request request = MPI_REQUEST_NULL;
         MPI_Comm_idup_with_info(world, MPI_INFO_NULL, made, &request);
         MPI_Wait(&request, MPI_STATUS_IGNORE);
       }},
      {"MPI_Comm_create", [&](MPI_Comm* made) { MPI_Comm_create(world, group, made); }},
      {"MPI_Comm_create_group", [&](MPI_Comm* made) { MPI_Comm_create_group(world, group, 0, made); }},
      {"MPI_Comm_split", [](MPI_Comm* made) { MPI_Comm_split(world, 0, 0, made); }},
      {"MPI_Comm_split_type",
       [](MPI_Comm* made) { MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, made); }},
      {"MPI_Cart_create", [&](MPI_Comm* made) { MPI_Cart_create(world, 1, &size, &yes, 0, made); }},
      {"MPI_Cart_sub", [&](MPI_Comm* made) { MPI_Cart_sub(grid, &yes, made); }},
      {"MPI_Graph_create", [&](MPI_Comm* made) { MPI_Graph_create(world, size, index.data(), edges.data(), 0, made); }},
      {"MPI_Dist_graph_create",
       [&](MPI_Comm* made) {
         MPI_Dist_graph_create(world, 1, &rank, &yes, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, made);
       }},
      {"MPI_Dist_graph_create_adjacent",
       [&](MPI_Comm* made) {
         MPI_Dist_graph_create_adjacent(world, 1, &next, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                        made);
       }},
  };
  if (size > 1) {
    all.push_back(
        {"MPI_Intercomm_create", [&](MPI_Comm* made) { MPI_Intercomm_create(half, 0, world, 1 - side, 0, made); }});
    all.push_back({"MPI_Intercomm_merge", [&](MPI_Comm* made) { MPI_Intercomm_merge(pair, side, made); }});
  }
  check_lives(Object::communicator, all, MPI_Comm_free);
  check_lives(Object::communicator, {all[0]}, MPI_Comm_disconnect);
  if (size > 1) MPI_Comm_free(&pair);
  MPI_Comm_free(&half);
  MPI_Comm_free(&grid);
  BOOST_TEST(live_count(Object::communicator) == 0u);
}

BOOST_AUTO_TEST_CASE(a_communicator_of_a_session_is_known) {
  MPI_Session session = MPI_SESSION_NULL;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  BOOST_TEST(makers(Object::group) == Names{"MPI_Group_from_session_pset"}, boost::test_tools::per_element());
  check_lives(Object::communicator,
              Makers<MPI_Comm>{{"MPI_Comm_create_from_group",
                                [&](MPI_Comm* made) {
                                  MPI_Comm_create_from_group(group, "test", MPI_INFO_NULL, MPI_ERRORS_RETURN, made);
                                }}},
              MPI_Comm_free);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
}

BOOST_AUTO_TEST_CASE(each_function_that_makes_a_group_is_known) {
  const Group all(world), self(MPI_COMM_SELF);
  int first = 0, range[1][3] = {{0, 0, 1}};
  char memory[8];
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, world, &window);
  Makers<MPI_Group> makers_of_groups = {
      {"MPI_Comm_group", [](MPI_Group* made) { MPI_Comm_group(world, made); }},
      {"MPI_Win_get_group", [&](MPI_Group* made) { MPI_Win_get_group(window, made); }},
      {"MPI_Group_incl", [&](MPI_Group* made) { MPI_Group_incl(all, 1, &first, made); }},
      {"MPI_Group_range_incl", [&](MPI_Group* made) { MPI_Group_range_incl(all, 1, range, made); }},
      {"MPI_Group_union", [&](MPI_Group* made) { MPI_Group_union(all, self, made); }},
      {"MPI_Group_intersection", [&](MPI_Group* made) { MPI_Group_intersection(all, self, made); }},
  };
  if (world_size() > 1) {
    makers_of_groups.push_back({"MPI_Group_excl", [&](MPI_Group* made) { MPI_Group_excl(all, 1, &first, made); }});
    makers_of_groups.push_back(
        {"MPI_Group_range_excl", [&](MPI_Group* made) { MPI_Group_range_excl(all, 1, range, made); }});
    makers_of_groups.push_back(
        {"MPI_Group_difference", [&](MPI_Group* made) { MPI_Group_difference(all, self, made); }});
  }
  check_lives(Object::group, makers_of_groups, MPI_Group_free);
  MPI_Win_free(&window);
}

BOOST_AUTO_TEST_CASE(the_empty_group_is_not_made) {
  const Group all(world);
  MPI_Group none = MPI_GROUP_NULL;
  MPI_Group_incl(all, 0, nullptr, &none);
  BOOST_TEST((none == MPI_GROUP_EMPTY));
  BOOST_TEST(live_count(Object::group) == 1u);
  MPI_Group_difference(all, all, &none);
  BOOST_TEST(live_count(Object::group) == 1u);
}

BOOST_AUTO_TEST_CASE(a_handle_that_is_given_twice_lives_until_it_is_freed_twice) {
  MPI_Group one = MPI_GROUP_NULL, two = MPI_GROUP_NULL;
  MPI_Comm_group(world, &one);
  MPI_Comm_group(world, &two);
  BOOST_TEST(live_count(Object::group) == 2u);
  MPI_Group_free(&one);
  BOOST_TEST(live_count(Object::group) == 1u);
  MPI_Group_free(&two);
  BOOST_TEST(live_count(Object::group) == 0u);
}

BOOST_AUTO_TEST_CASE(operators_live_until_they_are_freed) {
  check_lives(Object::op,
              Makers<MPI_Op>{{"MPI_Op_create", [](MPI_Op* made) { MPI_Op_create(add, 1, made); }},
                             {"MPI_Op_create_c", [](MPI_Op* made) { MPI_Op_create_c(add_many, 1, made); }}},
              MPI_Op_free);
}

BOOST_AUTO_TEST_CASE(each_function_that_makes_a_datatype_is_known) {
  int lengths[] = {1}, offsets[] = {0}, sizes[] = {4}, parts[] = {2}, ranks[] = {1};
  int spread[] = {MPI_DISTRIBUTE_BLOCK}, arguments[] = {MPI_DISTRIBUTE_DFLT_DARG};
  MPI_Aint addresses[] = {0};
  MPI_Datatype types[] = {MPI_INT};
  check_lives(
      Object::datatype,
      Makers<MPI_Datatype>{
          {"MPI_Type_contiguous", [&](MPI_Datatype* made) { MPI_Type_contiguous(2, MPI_INT, made); }},
          {"MPI_Type_contiguous_c", [&](MPI_Datatype* made) { MPI_Type_contiguous_c(2, MPI_INT, made); }},
          {"MPI_Type_vector", [&](MPI_Datatype* made) { MPI_Type_vector(2, 1, 2, MPI_INT, made); }},
          {"MPI_Type_create_hvector", [&](MPI_Datatype* made) { MPI_Type_create_hvector(2, 1, 8, MPI_INT, made); }},
          {"MPI_Type_indexed", [&](MPI_Datatype* made) { MPI_Type_indexed(1, lengths, offsets, MPI_INT, made); }},
          {"MPI_Type_create_hindexed",
           [&](MPI_Datatype* made) { MPI_Type_create_hindexed(1, lengths, addresses, MPI_INT, made); }},
          {"MPI_Type_create_indexed_block",
           [&](MPI_Datatype* made) { MPI_Type_create_indexed_block(1, 1, offsets, MPI_INT, made); }},
          {"MPI_Type_create_hindexed_block",
           [&](MPI_Datatype* made) { MPI_Type_create_hindexed_block(1, 1, addresses, MPI_INT, made); }},
          {"MPI_Type_create_struct",
           [&](MPI_Datatype* made) { MPI_Type_create_struct(1, lengths, addresses, types, made); }},
          {"MPI_Type_create_subarray",
           [&](MPI_Datatype* made) { MPI_Type_create_subarray(1, sizes, parts, offsets, MPI_ORDER_C, MPI_INT, made); }},
          {"MPI_Type_create_darray",
           [&](MPI_Datatype* made) {
             MPI_Type_create_darray(1, 0, 1, sizes, spread, arguments, ranks, MPI_ORDER_C, MPI_INT, made);
           }},
          {"MPI_Type_create_resized", [&](MPI_Datatype* made) { MPI_Type_create_resized(MPI_INT, 0, 8, made); }},
          {"MPI_Type_dup", [&](MPI_Datatype* made) { MPI_Type_dup(MPI_INT, made); }}},
      MPI_Type_free);
}

BOOST_AUTO_TEST_CASE(predefined_datatypes_are_not_made) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
  BOOST_TEST(live_count(Object::datatype) == 0u);
}

BOOST_AUTO_TEST_CASE(the_contents_of_a_datatype_live_unless_they_are_predefined) {
  MPI_Datatype inner = MPI_DATATYPE_NULL, outer = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &inner);
  MPI_Type_contiguous(2, inner, &outer);
  int count = 0;
  MPI_Aint none = 0;
  MPI_Datatype content = MPI_DATATYPE_NULL;
  MPI_Type_get_contents(outer, 1, 0, 1, &count, &none, &content);
  BOOST_TEST(makers(Object::datatype).back() == "MPI_Type_get_contents");
  BOOST_TEST(live_count(Object::datatype) == 3u);
  MPI_Type_free(&content);
  MPI_Type_get_contents(inner, 1, 0, 1, &count, &none, &content);  // an MPI_INT
  BOOST_TEST(live_count(Object::datatype) == 2u);
  MPI_Count large = 0;
  MPI_Type_contiguous_c(2, inner, &content);
  MPI_Datatype contents = MPI_DATATYPE_NULL;
  MPI_Type_get_contents_c(content, 0, 0, 1, 1, nullptr, nullptr, &large, &contents);
  BOOST_TEST(makers(Object::datatype).back() == "MPI_Type_get_contents_c");
  BOOST_TEST(live_count(Object::datatype) == 4u);
  MPI_Type_free(&contents);
  MPI_Type_free(&content);
  MPI_Type_free(&inner);
  MPI_Type_free(&outer);
  BOOST_TEST(live_count(Object::datatype) == 0u);
}

BOOST_AUTO_TEST_CASE(a_datatype_has_its_name) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &type);
  BOOST_TEST(live(Object::datatype)[0].name == "");
  MPI_Type_set_name(type, "row");
  BOOST_TEST(live(Object::datatype)[0].name == "row");
  MPI_Type_free(&type);
}

BOOST_AUTO_TEST_CASE(a_request_ends_by_each_function_that_completes_it) {
  const Named comm("axial:dp");
  const auto begin = [&](int count) {
    std::vector<MPI_Request> requests(static_cast<std::size_t>(count));
    for (MPI_Request& request : requests) MPI_Ibarrier(comm, &request);
    BOOST_TEST(live_count(Object::request) == static_cast<std::size_t>(count));
    BOOST_TEST(live(Object::request)[0].name == "axial:dp");
    BOOST_TEST(live(Object::request)[0].created_by == "MPI_Ibarrier");
    return requests;
  };
  const auto left = [] { return live_count(Object::request); };
  int flag = 0, index = 0, indices[2];
  auto requests = begin(1);
  MPI_Wait(requests.data(), MPI_STATUS_IGNORE);
  BOOST_TEST(left() == 0u);
  requests = begin(1);
  for (flag = 0; flag == 0;) MPI_Test(requests.data(), &flag, MPI_STATUS_IGNORE);
  BOOST_TEST(left() == 0u);
  requests = begin(2);
  MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  BOOST_TEST(left() == 0u);
  requests = begin(2);
  for (flag = 0; flag == 0;) MPI_Testall(2, requests.data(), &flag, MPI_STATUSES_IGNORE);
  BOOST_TEST(left() == 0u);
  requests = begin(2);
  MPI_Waitany(2, requests.data(), &index, MPI_STATUS_IGNORE);
  BOOST_TEST(left() == 1u);
  for (flag = 0; flag == 0;) MPI_Testany(2, requests.data(), &index, &flag, MPI_STATUS_IGNORE);
  BOOST_TEST(left() == 0u);
  requests = begin(2);
  while (left() > 0) MPI_Waitsome(2, requests.data(), &index, indices, MPI_STATUSES_IGNORE);
  BOOST_TEST((requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL));
  requests = begin(2);
  while (left() > 0) MPI_Testsome(2, requests.data(), &index, indices, MPI_STATUSES_IGNORE);
  BOOST_TEST((requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL));
}

BOOST_AUTO_TEST_CASE(sends_and_receives_live_until_they_are_completed) {
  const Named comm("axial:pp");
  const int size = world_size(), rank = world_rank(), next = (rank + 1) % size, previous = (rank + size - 1) % size;
  int in[2] = {1, 2}, out[2] = {};
  MPI_Request requests[4];
  for (int i = 0; i < 2; ++i) MPI_Irecv(&out[i], 1, MPI_INT, previous, i, comm, &requests[i]);
  for (int i = 0; i < 2; ++i) MPI_Isend(&in[i], 1, MPI_INT, next, i, comm, &requests[2 + i]);
  BOOST_TEST(makers(Object::request) == (Names{"MPI_Irecv", "MPI_Irecv", "MPI_Isend", "MPI_Isend"}),
             boost::test_tools::per_element());
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  BOOST_TEST(live_count(Object::request) == 0u);
  MPI_Irecv(out, 1, MPI_INT, previous, 7, comm, requests);
  MPI_Cancel(requests);
  MPI_Request_free(requests);
  BOOST_TEST(live_count(Object::request) == 0u);
}

BOOST_AUTO_TEST_CASE(a_persistent_request_lives_until_it_is_freed) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Barrier_init(world, MPI_INFO_NULL, &request);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    BOOST_TEST(makers(Object::request) == Names{"MPI_Barrier_init"}, boost::test_tools::per_element());
  }
  MPI_Request_free(&request);
  BOOST_TEST(live_count(Object::request) == 0u);
}

BOOST_AUTO_TEST_CASE(an_object_knows_the_site_that_was_said) {
  MPI_Datatype types[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
  {
    const std::string file = "train.cpp";  // gone when it is asked for
    axial_ledger_site(file.c_str(), 17);
    std::thread([] { axial_ledger_site("other.cpp", 1); }).join();
    MPI_Type_contiguous(2, MPI_INT, &types[0]);
    axial_ledger_site(nullptr, 0);
  }
  MPI_Type_contiguous(2, MPI_INT, &types[1]);
  const std::vector<Live> made = live(Object::datatype);
  BOOST_TEST(made[0].where == "train.cpp:17");
  BOOST_TEST(made[1].where != "train.cpp:17");
  BOOST_TEST(axial::ledger::text(made[0]) == "datatype made by MPI_Type_contiguous at train.cpp:17");
  for (MPI_Datatype& type : types) MPI_Type_free(&type);
}

BOOST_AUTO_TEST_CASE(an_object_knows_its_caller_where_no_site_was_said) {
  MPI_Datatype known = MPI_DATATYPE_NULL, here = MPI_DATATYPE_NULL;
  make_type_in_a_known_function(&known);
  MPI_Type_contiguous(2, MPI_INT, &here);
  const std::vector<Live> made = live(Object::datatype);
  BOOST_TEST(made[0].where.starts_with("make_type_in_a_known_function(int*)+0x"), made[0].where);
  BOOST_TEST(made[0].where.ends_with(" in test_ledger"), made[0].where);
  BOOST_TEST(made[1].where != made[0].where);
  MPI_Type_free(&known);
  MPI_Type_free(&here);
}

BOOST_AUTO_TEST_CASE(objects_of_all_kinds_are_listed_in_the_order_in_which_they_were_made) {
  const Named comm("axial:tp");
  const Group group(comm);
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(add, 1, &op);
  Names texts;
  for (const Live& each : axial::ledger::leaks()) texts.push_back(axial::ledger::text(each).substr(0, 15));
  BOOST_TEST(texts == (Names{"communicator \"a", "group made by M", "operator made b"}),
             boost::test_tools::per_element());
  MPI_Op_free(&op);
}
