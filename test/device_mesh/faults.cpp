// SPDX-License-Identifier: BSL-1.0
// Creation in which one call of MPI fails on one rank: each call in turn, in each way to make a mesh. The call is made
// and then reported as failed, so that the other ranks go on as if nothing had happened.
#include <axial/ledger.hpp>

#include <functional>
#include <map>
#include <sstream>

#include "../support/meshes.hpp"

using axial::init_device_mesh, axial::init_device_mesh_on, axial::borrow, axial::Options, axial::plus;
using axial::ledger::clear_faults, axial::ledger::fail_next, axial::ledger::live_count, axial::ledger::Object;

namespace {

/// Makes a mesh, and communicates along all its axes when told to. What is returned keeps the mesh.
using Make = std::function<std::unique_ptr<AnyMesh>()>;

/// How many calls of each function a rank makes while f runs.
template <class F>
std::map<std::string, int> calls_of(F f) {
  std::istringstream text(axial::ledger::during(f).text());
  std::map<std::string, int> calls;
  std::string function, communicator;
  long long count, bytes;
  while (text >> function >> communicator >> count >> bytes) calls[function] += static_cast<int>(count);
  return calls;
}

/// By them the ranks agree: where one fails, the ranks cannot come to the same error.
bool is_of_the_agreement(const std::string& function) {
  for (const char* name : {"MPI_Allreduce", "MPI_Isend", "MPI_Irecv", "MPI_Testall", "MPI_Test"})
    if (function == name) return true;
  return false;
}

/// What a failure of them would say is known without their code.
bool tells_nothing(const std::string& function) { return function == "MPI_Initialized" || function == "MPI_Finalized"; }

/// The handler of the world's errors, as it was before.
class HandlerCheck {
 public:
  HandlerCheck() { MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before_); }
  ~HandlerCheck() {
    MPI_Errhandler after;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &after);
    BOOST_TEST((before_ == after), "the user's error handler is back");
    MPI_Errhandler_free(&before_);
    MPI_Errhandler_free(&after);
  }

 private:
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

void check_nothing_is_left() {
  BOOST_TEST(live_count(Object::communicator) == 0u);
  BOOST_TEST(live_count(Object::group) == 0u);
  BOOST_TEST(live_count(Object::request) == 0u);
}

/// Who throws what fails after the agreement.
enum class Reach {
  all,
  members,  // all but rank 0, which has left
  one       // a lazy mesh is made by then: the rank that cannot give the user's handler back
};

/// The `call`-th call of `function` fails on one rank, and the same error is thrown by all of them.
void check_fault(const std::string& function, int call, unsigned faulty, const Make& make, Reach reach = Reach::all) {
  const HandlerCheck handler;
  const std::string nothing = "nothing was thrown";
  if (world_rank() == faulty) fail_next(function, call, MPI_ERR_NO_MEM);
  std::unique_ptr<AnyMesh> mesh;
  std::string text = nothing;
  bool said_all = false;
  try {
    mesh = make();
  } catch (const axial::MpiError& error) {
    text = error.what();
    said_all = error.on_all_ranks();
    BOOST_TEST(error.operation() == function);
    BOOST_TEST(error.code() == MPI_ERR_NO_MEM);
  }
  clear_faults();
  const std::vector<std::string> texts = gather_texts(MPI_COMM_WORLD, text);
  const auto thrown = texts.size() - static_cast<std::size_t>(std::ranges::count(texts, nothing));
  for (const std::string& other : texts) BOOST_TEST((other == text || other == nothing || text == nothing));
  const bool is_over = reach == Reach::members && faulty == 0;  // nobody to tell, and nothing to do
  const bool by_all = thrown == texts.size();
  const bool by_members = reach == Reach::members && faulty != 0 && thrown == texts.size() - 1 && texts[0] == nothing;
  const bool by_one = reach == Reach::one && thrown == 1 && texts[faulty] != nothing;
  const bool by_none = thrown == 0 && (tells_nothing(function) || is_over);
  BOOST_TEST((by_all || by_members || by_one || by_none), texts[faulty]);
  if (text != nothing) BOOST_TEST(said_all == (by_all || by_members));
  if (thrown) BOOST_TEST(texts[faulty].find("on rank " + std::to_string(faulty)) != text.npos, texts[faulty]);
  mesh.reset();
  check_nothing_is_left();
}

/// Every call of every function fails in turn, on the first and on the last rank. After each the mesh can be made.
void check_all_faults(const Make& make, Reach reach = Reach::all) {
  make();  // what only the first creation calls is another test's affair
  for (const unsigned faulty : {0u, world_size() - 1}) {
    std::ostringstream mine;
    std::unique_ptr<AnyMesh> kept;
    for (const auto& [function, calls] : calls_of([&] { kept = make(); }))
      if (!is_of_the_agreement(function)) mine << function << ' ' << calls << ' ';
    std::istringstream all(gather_texts(MPI_COMM_WORLD, mine.str())[faulty]);
    std::string function;
    kept.reset();
    for (int calls; all >> function >> calls;)
      for (int call = 1; call <= calls; ++call) BOOST_TEST_CONTEXT(function << ", call " << call << " of " << calls) {
          check_fault(function, call, faulty, make, reach);
          const auto mesh = make();
          BOOST_TEST((!mesh || mesh->works()));
        }
  }
}

template <class M>
Make make_with(const Options& options) {
  return [options, view = borrow(MPI_COMM_WORLD)] {
    return std::make_unique<MeshOf<M>>(init_device_mesh<M>(view, options));
  };
}

/// A mesh of several dimensions for each number of ranks.
template <class F>
void each_chosen(F f) {
  each(Types<Mesh<Dim<"a", 2>, Dim<"b", 1>>, Mesh<Dim<"a", 2>, Dim<"alone", 1>, Dim<"b", 2>>,
             Mesh<Dim<"a", 2>, Dim<"b", 3>>, Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"c", 2>>>{},
       [&]<class M> {
         if (M::world() == world_size()) f.template operator()<M>();
       });
}

std::string text_of_code(int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  return text;
}

std::vector<unsigned> reversed() {
  std::vector<unsigned> ranks;
  for (unsigned rank = world_size(); rank-- > 0;) ranks.push_back(rank);
  return ranks;
}

}  // namespace

// The first case: what the first creation of a process does is done once.
BOOST_AUTO_TEST_CASE(what_fails_in_the_preparations_of_a_process_is_thrown_by_all_and_done_by_the_next_creation) {
  // In this order: each is reached while those before it have failed.
  const std::pair<const char*, int> calls[] = {{"MPI_Comm_create_keyval", 1}, {"MPI_Comm_set_attr", 1},
                                               {"MPI_Type_size", 1},          {"MPI_Reduce_local", 1},
                                               {"MPI_Op_create_c", 1},        {"MPI_Op_create_c", 2}};
  const unsigned last = world_size() - 1;
  each_mesh([&]<class M> {
    if constexpr (M::ndim() == 1)
      for (const auto& [function, call] : calls)
        BOOST_TEST_CONTEXT(function << ", call " << call) check_fault(function, call, last, make_with<M>({}));
  });
  each_mesh([&]<class M> {
    if constexpr (M::ndim() == 1) {
      const auto mesh = init_device_mesh<M>(borrow(MPI_COMM_WORLD));
      BOOST_TEST(mesh.all_reduce(world_rank(), axial::max) == last);  // by an operator of ours
    }
  });
}

BOOST_AUTO_TEST_CASE(a_call_that_fails_in_a_creation_is_thrown_by_all_and_nothing_is_left) {
  each_chosen([]<class M> { check_all_faults(make_with<M>({})); });
}

BOOST_AUTO_TEST_CASE(a_call_that_fails_under_a_rank_map_is_thrown_by_all) {
  each_chosen([]<class M> { check_all_faults(make_with<M>({.rank_map = reversed()})); });
}

BOOST_AUTO_TEST_CASE(a_call_that_fails_in_an_order_by_node_is_thrown_by_all) {
  each_chosen([]<class M> { check_all_faults(make_with<M>({.rank_map = axial::order::by_node})); });
}

BOOST_AUTO_TEST_CASE(a_call_that_fails_under_a_deadline_is_thrown_by_all) {
  each_chosen([]<class M> { check_all_faults(make_with<M>({.timeout = std::chrono::seconds(30)})); });
}

BOOST_AUTO_TEST_CASE(a_call_that_fails_for_a_lazy_mesh_is_thrown_by_all_or_is_the_handler_given_back) {
  each_chosen([]<class M> { check_all_faults(make_with<M>({.lazy = true}), Reach::one); });
}

BOOST_AUTO_TEST_CASE(a_call_that_fails_on_a_member_or_on_an_outsider_is_thrown_by_all_members) {
  each_chosen([]<class M> {
    std::vector<unsigned> members = reversed();
    members.pop_back();  // all but rank 0
    using Line = Mesh<Dim<"a", M::size() - 1>>;
    check_all_faults(
        [members, view = borrow(MPI_COMM_WORLD)]() -> std::unique_ptr<AnyMesh> {
          const auto mesh = init_device_mesh_on<Line>(view, members);
          return mesh ? std::make_unique<MeshOf<Line>>(*mesh) : nullptr;
        },
        Reach::members);
  });
}

BOOST_AUTO_TEST_CASE(a_communicator_whose_first_creation_failed_serves_the_next) {
  each_chosen([]<class M> {
    const Split fresh(0, world_rank());
    const std::size_t before = live_count(Object::communicator);
    if (world_rank() == 0) fail_next("MPI_Comm_set_attr", 1, MPI_ERR_NO_MEM);
    const std::string text = text_of<axial::MpiError>([&] { init_device_mesh<M>(borrow<MPI_Comm>(fresh)); });
    check_same_text(MPI_COMM_WORLD, text, "MPI_Comm_set_attr failed on rank 0: " + text_of_code(MPI_ERR_NO_MEM));
    BOOST_TEST(live_count(Object::communicator) == before);
    BOOST_TEST(kind_of<M>()(fresh)->works());
  });
}
