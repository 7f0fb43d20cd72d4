// SPDX-License-Identifier: BSL-1.0
// Which device a process gets, without any device: all inputs are given.
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <initializer_list>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

import axial;

namespace {

using axial::DeviceInputs;
using Reason = axial::DeviceChoice::Reason;
using Variables = std::vector<std::pair<const char*, const char*>>;

Variables variables;
const char* look_up(const char* name) {
  for (const auto& [set, value] : variables)
    if (std::strcmp(set, name) == 0) return value;
  return nullptr;
}

axial::DeviceChoice choose(DeviceInputs inputs, const Variables& set = {}) {
  variables = set;
  inputs.environment = look_up;
  return axial::choose_device(inputs);
}

/// The text of the choice, or of the error.
std::string outcome(const DeviceInputs& inputs, const Variables& set = {}) {
  try {
    return axial::to_string(choose(inputs, set));
  } catch (const axial::MeshError& error) {
    BOOST_TEST(!error.on_all_ranks());
    return error.what();
  }
}

/// The devices of all ranks of a node, without variables.
std::vector<int> devices_of_node(unsigned ranks, int devices) {
  std::vector<int> chosen;
  for (unsigned rank = 0; rank < ranks; ++rank)
    chosen.push_back(choose({.devices = devices, .local_rank = rank, .local_size = ranks}).device);
  return chosen;
}

struct Case {
  DeviceInputs inputs;
  Variables variables;
  const char* outcome;
};

void expect(std::initializer_list<Case> cases) {
  for (const Case& c : cases) BOOST_TEST(outcome(c.inputs, c.variables) == c.outcome);
}

const Variables torchrun = {{"LOCAL_RANK", "2"}};

BOOST_AUTO_TEST_CASE(the_option_wins_then_what_is_chosen_then_LOCAL_RANK_then_the_launcher_then_the_node_local_rank) {
  const Variables all = {{"SLURM_LOCALID", "1"}, {"LOCAL_RANK", "2"}};
  expect({
      {{.devices = 8, .chosen = 3, .wanted = 4, .local_rank = 5, .local_size = 8}, all, "device 4 (Options::device)"},
      {{.devices = 8, .chosen = 3, .local_rank = 5, .local_size = 8}, all, "device 3 (already chosen)"},
      {{.devices = 8, .local_rank = 5, .local_size = 8}, all, "device 2 (LOCAL_RANK)"},
      {{.devices = 8, .local_rank = 5, .local_size = 8}, {{"SLURM_LOCALID", "1"}}, "device 1 (SLURM_LOCALID)"},
      {{.devices = 8, .local_rank = 5, .local_size = 8}, {}, "device 5 (node-local rank)"},
  });
}

BOOST_AUTO_TEST_CASE(device_0_can_be_wanted_chosen_and_named) {
  expect({
      {{.devices = 4, .chosen = 3, .wanted = 0}, torchrun, "device 0 (Options::device)"},
      {{.devices = 4, .chosen = 0}, torchrun, "device 0 (already chosen)"},
      {{.devices = 4, .local_rank = 1, .local_size = 4}, {{"LOCAL_RANK", "0"}}, "device 0 (LOCAL_RANK)"},
  });
}

BOOST_AUTO_TEST_CASE(a_choice_says_why) {
  const axial::DeviceChoice named = choose({.devices = 4}, torchrun);
  BOOST_TEST((named.device == 2 && named.reason == Reason::environment && named.variable == "LOCAL_RANK"));
  const axial::DeviceChoice ranked = choose({.devices = 4, .local_rank = 1, .local_size = 4});
  BOOST_TEST((ranked.device == 1 && ranked.reason == Reason::node_local_rank && ranked.variable.empty()));
  BOOST_TEST((choose({.devices = 4, .wanted = 1}).reason == Reason::option));
  BOOST_TEST((choose({.devices = 4, .chosen = 1}).reason == Reason::already_chosen));
  BOOST_TEST((choose({}).reason == Reason::none && choose({}).device == -1));
  std::ostringstream stream;
  stream << named;
  BOOST_TEST(stream.str() == "device 2 (LOCAL_RANK)");
}

// pytorch #150897: with the rank in the world they were 0 to 3 and 4 to 7.
BOOST_AUTO_TEST_CASE(two_nodes_of_4_ranks_and_8_devices_use_devices_0_to_3_on_both) {
  const std::vector<unsigned> node_of_rank = {0, 0, 0, 0, 1, 1, 1, 1};
  const axial::Hosts hosts(node_of_rank.data(), node_of_rank.size());
  std::vector<int> chosen;
  for (unsigned rank = 0; rank < 8; ++rank)
    chosen.push_back(
        choose({.devices = 8, .local_rank = hosts.local_rank(rank), .local_size = hosts.count_on(hosts.host_of(rank))})
            .device);
  BOOST_TEST(chosen == std::vector({0, 1, 2, 3, 0, 1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ranks_share_devices_evenly_or_not_at_all) {
  BOOST_TEST(devices_of_node(3, 4) == std::vector({0, 1, 2}), boost::test_tools::per_element());
  BOOST_TEST(devices_of_node(4, 4) == std::vector({0, 1, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(devices_of_node(8, 4) == std::vector({0, 1, 2, 3, 0, 1, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(devices_of_node(3, 1) == std::vector({0, 0, 0}), boost::test_tools::per_element());

  const char* const uneven = "6 ranks on this node cannot share 4 devices evenly: start at most 4, or a multiple of 4";
  for (unsigned rank = 0; rank < 6; ++rank) {  // all of them, also the four that could have one
    const std::string text = std::to_string(rank);
    const DeviceInputs inputs{.devices = 4, .local_rank = rank, .local_size = 6};
    expect({{inputs, {}, uneven}, {inputs, {{"SLURM_LOCALID", text.c_str()}}, uneven}});
  }
  // Who chooses for himself shares as he likes.
  expect({
      {{.devices = 4, .local_size = 6}, torchrun, "device 2 (LOCAL_RANK)"},
      {{.devices = 4, .wanted = 1, .local_size = 6}, {}, "device 1 (Options::device)"},
      {{.devices = 4, .chosen = 1, .local_size = 6}, {}, "device 1 (already chosen)"},
  });
}

BOOST_AUTO_TEST_CASE(each_launcher_is_honoured) {
  for (const char* variable : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
                               "MVP_COMM_WORLD_LOCAL_RANK", "MPT_LRANK", "PALS_LOCAL_RANKID", "PMI_LOCAL_RANK",
                               "FLUX_TASK_LOCAL_ID", "JSM_NAMESPACE_LOCAL_RANK", "SLURM_LOCALID"}) {
    // A part of a job: the launcher knows of the other part's ranks, this one has two on the node.
    const DeviceInputs inputs{.devices = 4, .local_rank = 0, .local_size = 2};
    const std::string reason = std::string(" (") + variable + ")";
    BOOST_TEST(outcome(inputs, {{variable, "3"}}) == "device 3" + reason);
    BOOST_TEST(outcome(inputs, {{variable, "6"}}) == "device 2" + reason);
  }
}

BOOST_AUTO_TEST_CASE(the_inner_launcher_wins) {
  const DeviceInputs inputs{.devices = 8, .local_size = 8};
  // mpiexec in a Slurm batch script, Flux inside of Slurm, Flux inside of jsrun
  expect({
      {inputs, {{"SLURM_LOCALID", "0"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "5"}}, "device 5 (OMPI_COMM_WORLD_LOCAL_RANK)"},
      {inputs, {{"SLURM_LOCALID", "0"}, {"MPI_LOCALRANKID", "5"}}, "device 5 (MPI_LOCALRANKID)"},
      {inputs, {{"SLURM_LOCALID", "0"}, {"FLUX_TASK_LOCAL_ID", "5"}}, "device 5 (FLUX_TASK_LOCAL_ID)"},
      {inputs, {{"JSM_NAMESPACE_LOCAL_RANK", "0"}, {"FLUX_TASK_LOCAL_ID", "5"}}, "device 5 (FLUX_TASK_LOCAL_ID)"},
  });
}

BOOST_AUTO_TEST_CASE(the_only_device_belongs_to_every_rank) {
  expect({
      {{.devices = 1, .local_rank = 3, .local_size = 4}, {{"LOCAL_RANK", "3"}}, "device 0 (LOCAL_RANK)"},
      {{.devices = 1, .local_rank = 3, .local_size = 5}, {{"SLURM_LOCALID", "3"}}, "device 0 (SLURM_LOCALID)"},
      {{.devices = 1, .local_rank = 3, .local_size = 5}, {}, "device 0 (node-local rank)"},
      {{.devices = 1, .wanted = 1}, {}, "Options::device is 1, but this process sees only device 0"},
  });
}

BOOST_AUTO_TEST_CASE(without_devices_none_is_chosen) {
  expect({
      {{}, {}, "no device"},
      {{.chosen = 0, .local_rank = 3, .local_size = 4}, {}, "no device"},
      {{.devices = -1}, {}, "no device"},
      {{}, {{"LOCAL_RANK", "abc"}}, "no device"},
      {{.wanted = 0}, {}, "Options::device is 0, but this process sees no device"},
  });
}

BOOST_AUTO_TEST_CASE(a_device_that_is_not_there_is_an_error) {
  expect({
      {{.devices = 4, .local_size = 4}, {{"LOCAL_RANK", "3"}}, "device 3 (LOCAL_RANK)"},
      {{.devices = 4, .local_size = 8},
       {{"LOCAL_RANK", "4"}},
       "LOCAL_RANK is 4, but this process sees 4 devices, 0 to 3"},
      {{.devices = 4},
       {{"LOCAL_RANK", "4294967295"}},
       "LOCAL_RANK is 4294967295, but this process sees 4 devices, 0 to 3"},
      {{.devices = 4, .wanted = 3}, {}, "device 3 (Options::device)"},
      {{.devices = 4, .wanted = 4}, {}, "Options::device is 4, but this process sees 4 devices, 0 to 3"},
      {{.devices = 4, .wanted = -2}, {}, "Options::device is -2, but this process sees 4 devices, 0 to 3"},
      {{.devices = 4, .chosen = 4}, {}, "the device already chosen is 4, but this process sees 4 devices, 0 to 3"},
  });
}

BOOST_AUTO_TEST_CASE(a_malformed_variable_is_an_error) {
  for (const char* value :
       {"", "abc", "-1", "+1", "1 ", " 1", "1x", "0x1", "1.0", "4294967296", "99999999999999999999"})
    for (const char* variable : {"LOCAL_RANK", "SLURM_LOCALID"})
      for (const int devices : {1, 4})
        BOOST_TEST(outcome({.devices = devices}, {{variable, value}}) ==
                   std::string(variable) + " is \"" + value + "\", but a rank is a decimal number, 0 to 4294967295");
  // Nobody reads it.
  const Variables malformed = {{"LOCAL_RANK", "abc"}};
  expect({
      {{.devices = 4, .wanted = 1}, malformed, "device 1 (Options::device)"},
      {{.devices = 4, .chosen = 1}, malformed, "device 1 (already chosen)"},
      {{.devices = 4}, {{"LOCAL_RANK", "2"}, {"SLURM_LOCALID", "abc"}}, "device 2 (LOCAL_RANK)"},
  });
}

BOOST_AUTO_TEST_CASE(without_an_environment_no_variable_is_set) {
  variables = torchrun;
  BOOST_TEST(axial::choose_device({.devices = 4, .local_rank = 1, .local_size = 4}).device == 1);
}

}  // namespace
