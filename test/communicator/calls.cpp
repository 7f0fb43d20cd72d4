// SPDX-License-Identifier: BSL-1.0
// Calls of MPI, counted and made to fail: one for each collective, none where there is nothing to say.
#include <axial/ledger.hpp>
#include "collectives.hpp"

using axial::ledger::during, axial::ledger::fail_next;

namespace {

using M = Mesh<Dim<"a", 2>, Dim<"b", 2>, Dim<"alone", 1>>;

auto make() { return axial::init_device_mesh<M>(axial::borrow(MPI_COMM_WORLD)); }

std::string mpi_text(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(code, text, &length);
  return text;
}

std::string place(const axial::DeviceMesh<M>& mesh) {
  return "rank " + std::to_string(mesh.rank().value()) + " (a=" + std::to_string(mesh.local_rank<"a">().value()) +
         ", b=" + std::to_string(mesh.local_rank<"b">().value()) + ", alone=0)";
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_collective_is_one_call_on_the_communicator_of_its_axis) {
  const auto mesh = make();
  const auto check = [](const auto& axis) {
    for (const Collective& each : collectives_of(axis)) {
      const auto counts = during(each.call);
      BOOST_TEST(counts.total() == 1, each.operation << ": " << counts.text());
      BOOST_TEST(counts.calls_on(each.function, "axial:" + std::string(std::string_view(axis.name()))) == 1);
    }
  };
  check(mesh.communicator<"a">());
  check(mesh.communicator<"b">());
}

BOOST_AUTO_TEST_CASE(on_an_axis_of_one_rank_nothing_is_called) {
  const auto mesh = make();
  for (const Collective& each : collectives_of(mesh.communicator<"alone">()))
    BOOST_TEST(during(each.call).total() == 0);
}

BOOST_AUTO_TEST_CASE(lengths_of_0_are_called_as_others_are) {
  const auto mesh = make();
  std::vector<int> none, out;
  const auto counts = during([&] {
    mesh.all_reduce<"a">(none, out, axial::plus);
    mesh.broadcast<"a">(axial::in_place(none), 1);
    mesh.all_gather<"a">(none, out);
    mesh.reduce_scatter<"a">(none, out, axial::plus);
    mesh.reduce<"a">(none, out, axial::plus, 0);
  });
  BOOST_TEST(counts.total() == 5, counts.text());
}

BOOST_AUTO_TEST_CASE(bytes_are_those_of_the_elements) {
  const auto mesh = make();
  struct Twelve {
    int three[3];
  };
  std::vector<Twelve> in(5), out(10);
  std::vector<short> shorts(7);
  const auto bytes = [&](const char* function, auto call) { return during(call).bytes(function); };
  BOOST_TEST(bytes("MPI_Bcast", [&] { mesh.broadcast<"b">(Twelve{}, 0); }) == 12);
  BOOST_TEST(bytes("MPI_Bcast", [&] { mesh.broadcast<"b">(axial::in_place(in), 0); }) == 60);
  BOOST_TEST(bytes("MPI_Allgather", [&] { mesh.all_gather<"b">(in, out); }) == 60);
  BOOST_TEST(bytes("MPI_Allreduce", [&] { mesh.all_reduce<"b">(axial::in_place(shorts), axial::plus); }) == 14);
  BOOST_TEST(bytes("MPI_Allreduce", [&] { mesh.all_reduce<"b">(true, axial::plus); }) == 1);
  BOOST_TEST(bytes("MPI_Alltoall", [&] { mesh.all_to_all<"b">(axial::in_place(out)); }) == 120);
  BOOST_TEST(bytes("MPI_Gather", [&] { mesh.gather<"b">(in, out, 0); }) == 60);
  BOOST_TEST(bytes("MPI_Scan", [&] { mesh.scan<"b">(axial::in_place(shorts), axial::plus); }) == 14);
}

BOOST_AUTO_TEST_CASE(what_is_refused_is_not_called) {
  const auto mesh = make();
  std::vector<int> three(3), four(4);
  const axial::Rank<"a"> beyond(2);
  const auto refused = [](const std::string& text, auto call) {
    std::string found;
    const auto counts = during([&] { found = text_of(call); });
    BOOST_TEST(found == text);
    BOOST_TEST(counts.total() == 0, counts.text());
  };
  using axial::in_place, axial::plus;
  refused("all_reduce along \"a\": the output has 4 elements and must have 3",
          [&] { mesh.all_reduce<"a">(three, four, plus); });
  refused("all_gather along \"a\": the output has 4 elements and must have 6",
          [&] { mesh.all_gather<"a">(three, four); });
  refused("all_gather along \"a\": the range has 3 elements and must have 4",
          [&] { mesh.all_gather<"a">(in_place(three)); });
  refused("reduce_scatter along \"a\": the input has 4 elements and must have 6",
          [&] { mesh.reduce_scatter<"a">(four, three, plus); });
  refused("reduce_scatter along \"a\": the input has 4 elements and must have 2",
          [&] { mesh.reduce_scatter<"a">(four, plus); });
  refused("reduce_scatter along \"a\": the range has 3 elements and must have 4",
          [&] { mesh.reduce_scatter<"a">(in_place(three), plus); });
  refused("all_to_all along \"a\": the output has 4 elements and must have 3",
          [&] { mesh.all_to_all<"a">(three, four); });
  refused("all_to_all along \"a\": the range has 3 elements and must have 4",
          [&] { mesh.all_to_all<"a">(in_place(three)); });
  refused("all_to_all along \"a\": the input has 3 elements and must have 2", [&] { mesh.all_to_all<"a">(three); });
  refused("gather along \"a\": the range has 3 elements and must have 4",
          [&] { mesh.gather<"a">(in_place(three), 0); });
  refused("scatter along \"a\": the range has 3 elements and must have 4",
          [&] { mesh.scatter<"a">(in_place(three), 0); });
  refused("scan along \"a\": the output has 4 elements and must have 3", [&] { mesh.scan<"a">(three, four, plus); });
  refused("exclusive_scan along \"a\": the output has 4 elements and must have 3",
          [&] { mesh.exclusive_scan<"a">(three, four, plus); });
  if (mesh.local_rank<"a">() == 1) {  // elsewhere the other range is not looked at
    refused("gather along \"a\": the output has 4 elements and must have 6", [&] { mesh.gather<"a">(three, four, 1); });
    refused("scatter along \"a\": the input has 4 elements and must have 6",
            [&] { mesh.scatter<"a">(four, three, 1); });
    refused("scatter along \"a\": the input has 3 elements and must have 2", [&] { mesh.scatter<"a">(three, 1); });
    refused("reduce along \"a\": the output has 4 elements and must have 3",
            [&] { mesh.reduce<"a">(three, four, plus, 1); });
    refused("broadcast along \"a\": the output has 4 elements and must have 3",
            [&] { mesh.broadcast<"a">(three, four, 1); });
  }
  refused("all_reduce along \"alone\": the output has 4 elements and must have 3",
          [&] { mesh.all_reduce<"alone">(three, four, plus); });
  const std::string out_of_range = " along \"a\": root 2 is not below the extent 2";
  refused("broadcast" + out_of_range, [&] { mesh.broadcast<"a">(1, beyond); });
  refused("broadcast" + out_of_range, [&] { mesh.broadcast<"a">(three, three, beyond); });
  refused("broadcast" + out_of_range, [&] { mesh.broadcast<"a">(in_place(three), beyond); });
  refused("gather" + out_of_range, [&] { mesh.gather<"a">(1, beyond); });
  refused("gather" + out_of_range, [&] { mesh.gather<"a">(three, three, beyond); });
  refused("scatter" + out_of_range, [&] { mesh.scatter<"a">(four, beyond); });
  refused("scatter" + out_of_range, [&] { mesh.scatter<"a">(in_place(four), beyond); });
  refused("reduce" + out_of_range, [&] { mesh.reduce<"a">(1, plus, beyond); });
  refused("reduce" + out_of_range, [&] { mesh.reduce<"a">(three, three, plus, beyond); });
  refused("reduce" + out_of_range, [&] { mesh.reduce<"a">(in_place(three), plus, beyond); });
  refused("broadcast along \"alone\": root 1 is not below the extent 1",
          [&] { mesh.broadcast<"alone">(1, axial::Rank<"alone">(1)); });
}

BOOST_AUTO_TEST_CASE(a_code_of_mpi_becomes_an_error_that_names_the_operation_and_the_axis) {
  const auto mesh = make();
  const auto& axis = mesh.communicator<"b">();
  for (const Collective& each : collectives_of(axis))
    for (const int code : {MPI_ERR_COMM, MPI_ERR_OTHER, MPI_ERR_NO_MEM}) {
      fail_next(each.function, 1, code);
      try {
        each.call();
        BOOST_TEST(false, each.operation << " did not throw");
      } catch (const axial::MpiError& error) {
        BOOST_TEST(error.code() == code);
        BOOST_TEST(error.error_class() == code);
        BOOST_TEST(error.operation() == std::string_view(each.operation));
        BOOST_TEST(error.axis() == std::string_view("b"));
        BOOST_TEST(error.what() ==
                   std::string(each.operation) + " along \"b\" failed on " + place(mesh) + ": " + mpi_text(code));
      }
      each.call();
    }
}

BOOST_AUTO_TEST_CASE(an_error_of_mpi_itself_is_one_line) {
  const auto mesh = make();
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int data = 0;
  const int code = MPI_Bcast(&data, 1, MPI_INT, 7, MPI_COMM_SELF);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  BOOST_TEST(code != MPI_ERR_ROOT);  // its class
  fail_next("MPI_Allreduce", 1, code);
  try {
    mesh.all_reduce<"b">(1, axial::plus);
    BOOST_TEST(false);
  } catch (const axial::MpiError& error) {
    BOOST_TEST(error.code() == code);
    BOOST_TEST(error.error_class() == MPI_ERR_ROOT);
    BOOST_TEST(std::string_view(error.what()).find('\n') == std::string_view::npos);
    BOOST_TEST(std::string_view(error.what()).find("Invalid root") != std::string_view::npos);
  }
}
