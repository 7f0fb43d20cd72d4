// SPDX-License-Identifier: BSL-1.0
// Each function of the table is defined here under its name in MPI, keeps account of the call and hands it on to PMPI.
#include <utility>

#include "../mpi/handle.hpp"
#include "arguments.hpp"
#include "records.hpp"
#include "shape.hpp"

namespace axial::ledger {
namespace {

template <Shape shape>
constexpr bool makes_request = shape.requests == Requests::pending || shape.requests == Requests::received ||
                               shape.requests == Requests::persistent;

template <class Arguments>
MPI_Request& made_request(const Arguments& arguments) {
  return *std::get<std::tuple_size_v<Arguments> - 1>(arguments);
}

/// The requests that a function starts or completes.
template <class Arguments>
std::pair<MPI_Request*, int> requests_in(const Arguments& arguments) {
  if constexpr (std::is_pointer_v<std::tuple_element_t<0, Arguments>>)
    return {std::get<0>(arguments), 1};
  else
    return {std::get<1>(arguments), std::get<0>(arguments)};
}

/// What persistent requests move together, when they are started; on "-" unless all are on communicators of one name.
Operation start(const char* function, std::pair<MPI_Request*, int> requests) {
  Operation sum;
  for (int i = 0; i < requests.second; ++i) {
    const Prepared each = prepared_of(bits_of(requests.first[i]));
    sum.communicator = i == 0 || sum.communicator == each.operation.communicator ? each.operation.communicator : "-";
    sum.bytes += each.operation.bytes;
    if (each.sequence == nullptr) continue;
    note(*each.sequence, "start of " + each.call);
    note_in_trace(function, each.operation.communicator);
  }
  return sum;
}

/// Notes a collective call before it is made.
template <Shape shape, class Arguments>
void note_call(const char* function, const Arguments& arguments, const Operation& operation) {
  if constexpr (shape.together != Together::none) {
    note_in_trace(function, operation.communicator);
    const MPI_Comm comm = comm_in<shape>(arguments);
    if (shape.together == Together::all && comm != MPI_COMM_NULL)
      note(*sequence_of(bits_of(comm)), call_text<shape>(function, arguments, comm));
  }
}

template <Shape shape, class Arguments>
Prepared prepare(const char* function, const Arguments& arguments, const Operation& operation) {
  Prepared prepared;
  if constexpr (shape.requests == Requests::persistent) {
    prepared.operation = operation;
    if constexpr (shape.together == Together::all) {
      const MPI_Comm comm = comm_in<shape>(arguments);
      prepared.sequence = sequence_of(bits_of(comm));
      prepared.call = call_text<shape>(function, arguments, comm);
    }
  }
  return prepared;
}

/// Ends a request that its caller does not get.
template <Requests requests>
void settle(MPI_Request& request) {
  if (requests == Requests::received) PMPI_Cancel(&request);
  if (requests == Requests::persistent)
    PMPI_Request_free(&request);
  else
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// Takes the object back that its caller does not get.
template <Object kind, class Handle>
void take_back(Handle& handle) {
  if constexpr (kind == Object::communicator) {
    if (handle != MPI_COMM_NULL) keep_lost(bits_of(handle));
    handle = MPI_COMM_NULL;
  } else if constexpr (kind == Object::group) {
    if (handle != MPI_GROUP_NULL && handle != MPI_GROUP_EMPTY) PMPI_Group_free(&handle);
    handle = MPI_GROUP_NULL;
  } else if constexpr (kind == Object::op) {
    PMPI_Op_free(&handle);
  } else if constexpr (kind == Object::datatype) {
    PMPI_Type_free(&handle);
  }
}

template <Shape shape, class Arguments>
void take_back_all(const Arguments& arguments) {
  if constexpr (makes_request<shape>) settle<shape.requests>(made_request(arguments));
  if constexpr (shape.made >= 0) take_back<object_of(shape.kind)>(*std::get<shape.made>(arguments));
}

template <Object kind, class Handle>
bool is_predefined([[maybe_unused]] Handle handle) {
  if constexpr (kind == Object::communicator) return handle == MPI_COMM_NULL;
  if constexpr (kind == Object::group) return handle == MPI_GROUP_NULL || handle == MPI_GROUP_EMPTY;
  return false;
}

/// Keeps what was made; gives the code for the caller.
template <Shape shape, class Arguments>
int keep(const Arguments& arguments, const Origin& origin, const Operation& operation, const Prepared& prepared) {
  if constexpr (shape.made >= 0) {
    constexpr Object kind = object_of(shape.kind);
    auto& made = *std::get<shape.made>(arguments);
    if (!is_predefined<kind>(made)) {
      if (!was_made(kind, bits_of(made), origin, "", communicator_limit())) {
        if constexpr (makes_request<shape>) settle<shape.requests>(made_request(arguments));
        if constexpr (kind == Object::communicator) PMPI_Comm_free(&made);
        return report_limit(origin.function);
      }
    }
  }
  if constexpr (makes_request<shape>) {
    const MPI_Request request = made_request(arguments);
    const std::string name = operation.communicator == "-" ? "" : operation.communicator;
    if (request != MPI_REQUEST_NULL) was_made(Object::request, bits_of(request), origin, name, SIZE_MAX, prepared);
  }
  return MPI_SUCCESS;
}

/// The requests that a call may complete, before it.
template <Shape shape, class Arguments>
std::vector<MPI_Request> completable([[maybe_unused]] const Arguments& arguments) {
  std::vector<MPI_Request> requests;
  if constexpr (shape.requests == Requests::completed) {
    const auto [first, number] = requests_in(arguments);
    if (number > 0) requests.assign(first, first + number);
  }
  return requests;
}

/// Those of them that are gone after it have ended.
template <Shape shape, class Arguments>
void end_completed([[maybe_unused]] const Arguments& arguments,
                   [[maybe_unused]] const std::vector<MPI_Request>& before) {
  if constexpr (shape.requests == Requests::completed)
    for (std::size_t i = 0; i < before.size(); ++i)
      if (before[i] != MPI_REQUEST_NULL && requests_in(arguments).first[i] == MPI_REQUEST_NULL)
        has_ended(Object::request, bits_of(before[i]));
}

/// Calls PMPI's function F; what it has to do with is looked at before, since it may free it.
template <auto F, Shape shape, class... Argument>
int count(const char* function, [[maybe_unused]] const void* caller, Argument... argument) {
  const std::tuple<Argument...> arguments(argument...);
  const std::optional<int> fault = fault_of(function);
  Operation operation = operation_of<shape>(arguments);
  note_call<shape>(function, arguments, operation);
  if constexpr (shape.requests == Requests::started) operation = start(function, requests_in(arguments));
  [[maybe_unused]] const Prepared prepared = prepare<shape>(function, arguments, operation);
  if constexpr (shape.requests == Requests::persistent) operation.bytes = 0;  // counted at each start
  [[maybe_unused]] Bits freed = 0;
  if constexpr (shape.frees) freed = bits_of(*std::get<0>(arguments));
  if constexpr (shape.frees && shape.kind == Kind::communicator) end_sequence(freed);
  const std::vector<MPI_Request> before = completable<shape>(arguments);

  const int code = F(argument...);
  count_call(function, operation);
  end_completed<shape>(arguments, before);
  if (code != MPI_SUCCESS) return fault.value_or(code);
  if constexpr (shape.frees) has_ended(object_of(shape.kind), freed);
  if constexpr (shape.names) was_named(object_of(shape.kind), bits_of(std::get<0>(arguments)), std::get<1>(arguments));
  if constexpr (shape.made >= 0 || makes_request<shape>) {
    if (!fault) return keep<shape>(arguments, {function, caller}, operation, prepared);
    take_back_all<shape>(arguments);
  }
  return fault.value_or(MPI_SUCCESS);
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

/// Whether a datatype that MPI_Type_get_contents gave has to be freed.
bool is_to_be_freed(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_INTEGER && combiner != MPI_COMBINER_F90_REAL &&
         combiner != MPI_COMBINER_F90_COMPLEX;
}

/// The datatypes that a call of MPI_Type_get_contents gave, which has reported this code.
template <class Number>
int keep_contents(int code, Number number, MPI_Datatype* types, const Origin& origin) {
  for (Number i = 0; i < number; ++i) {
    if (!is_to_be_freed(types[i])) continue;
    if (code == MPI_SUCCESS)
      was_made(Object::datatype, bits_of(types[i]), origin, "");
    else
      take_back<Object::datatype>(types[i]);
  }
  return code;
}

}  // namespace

using enum Blocks;
using enum Requests;

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

#define COUNT(Name, parameters, shape)                                                               \
  extern "C" int MPI_##Name(PARAMETERS_##parameters(PMPI_##Name)) {                                  \
    return count<PMPI_##Name, shape>("MPI_" #Name, __builtin_return_address(0), NAMES_##parameters); \
  }
#define OWN(Name, shape)
#include "functions.inc"

extern "C" int MPI_Type_get_contents(MPI_Datatype type, int integers, int addresses, int number, int* integer,
                                     MPI_Aint* address, MPI_Datatype* types) {
  const void* caller = __builtin_return_address(0);
  const int code = count<PMPI_Type_get_contents, datatype>("MPI_Type_get_contents", caller, type, integers, addresses,
                                                           number, integer, address, types);
  int wanted[4] = {};
  PMPI_Type_get_envelope(type, &wanted[0], &wanted[1], &wanted[2], &wanted[3]);
  return keep_contents(code, wanted[2], types, {"MPI_Type_get_contents", caller});
}

extern "C" int MPI_Type_get_contents_c(MPI_Datatype type, MPI_Count integers, MPI_Count addresses, MPI_Count counts,
                                       MPI_Count number, int* integer, MPI_Aint* address, MPI_Count* count_of,
                                       MPI_Datatype* types) {
  const void* caller = __builtin_return_address(0);
  const int code = count<PMPI_Type_get_contents_c, datatype>(
      "MPI_Type_get_contents_c", caller, type, integers, addresses, counts, number, integer, address, count_of, types);
  MPI_Count wanted[4] = {};
  int combiner = 0;
  PMPI_Type_get_envelope_c(type, &wanted[0], &wanted[1], &wanted[2], &wanted[3], &combiner);
  return keep_contents(code, wanted[3], types, {"MPI_Type_get_contents_c", caller});
}

// MPICH 4.0 gives another text for a code that was added to a class of its own.
extern "C" int MPI_Error_string(int error, char* text, int* length) {
  const int code =
      count<PMPI_Error_string, local>("MPI_Error_string", __builtin_return_address(0), error, text, length);
  if (const std::optional<std::string> ours = limit_text(error)) {
    *length = static_cast<int>(ours->size());
    text[ours->copy(text, MPI_MAX_ERROR_STRING - 1)] = '\0';
  }
  return code;
}

extern "C" int MPI_Init(int* argc, char*** argv) {
  read_environment();
  const int code = count<PMPI_Init, local>("MPI_Init", nullptr, argc, argv);
  follow_environment(rank_in(MPI_COMM_WORLD));
  return code;
}

extern "C" int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  read_environment();
  const int code = count<PMPI_Init_thread, local>("MPI_Init_thread", nullptr, argc, argv, required, provided);
  follow_environment(rank_in(MPI_COMM_WORLD));
  return code;
}

extern "C" int MPI_Finalize() {
  const int rank = rank_in(MPI_COMM_WORLD);
  free_lost();
  const int code = count<PMPI_Finalize, local>("MPI_Finalize", nullptr);  // may run callbacks of the program
  report(rank);
  return code;
}

}  // namespace axial::ledger
