# SPDX-License-Identifier: BSL-1.0
# How tests are registered. In a test's source all #includes come first, all imports after.
find_package(Boost 1.74 CONFIG REQUIRED COMPONENTS unit_test_framework)

# axial_test(NAME SOURCES file... [LIBRARIES target...]): Boost.Test cases that need no MPI. A source that begins with
# `module axial;` is a white-box test: it sees what the module does not export.
function(axial_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(test_${name} ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE axial::axial axial_test_main ${arg_LIBRARIES})
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 ENVIRONMENT BOOST_TEST_COLOR_OUTPUT=no)
endfunction()

# axial_static_test(NAME SOURCES file...): files of static_asserts. They pass by being compiled.
function(axial_static_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES")
  add_library(test_${name} OBJECT ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE axial::axial)
endfunction()

# axial_bare_importer(NAME SOURCES file...): a program that includes nothing, imports axial and fails by its exit code.
function(axial_bare_importer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES")
  add_executable(test_${name} ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE axial::axial)
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 60)
endfunction()

# axial_fails(NAME TEXT command...): the command must fail and print TEXT.
function(axial_fails name text)
  add_test(NAME ${name} COMMAND ${axial_SOURCE_DIR}/test/support/fails.sh ${text} ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 90 ENVIRONMENT "AXIAL_YIELD=1;AXIAL_TIMEOUT=60")
endfunction()

# axial_mpi_runs(NAME COMMAND program [argument...] RANKS n... [ENVIRONMENT VARIABLE=value...]): the tests NAME.n, one
# for each number of ranks; every line of output is headed by its rank.
function(axial_mpi_runs name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND;RANKS;ENVIRONMENT")
  foreach(ranks IN LISTS arg_RANKS)
    add_test(NAME ${name}.${ranks} COMMAND ${axial_SOURCE_DIR}/scripts/mpiexec -l -n ${ranks} ${arg_COMMAND})
    # The time limit of scripts/mpiexec comes first: it ends all ranks.
    set_tests_properties(${name}.${ranks} PROPERTIES PROCESSORS ${ranks} TIMEOUT 90
      ENVIRONMENT "AXIAL_YIELD=1;AXIAL_TIMEOUT=60;${arg_ENVIRONMENT}")
  endforeach()
endfunction()

# axial_mpi_test(NAME SOURCES file... RANKS n... [LIBRARIES target...] [ENVIRONMENT VARIABLE=value...]): Boost.Test cases
# that run with MPI initialised, once for each number of ranks. A failure on any rank fails the run.
function(axial_mpi_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES;RANKS;ENVIRONMENT")
  add_executable(test_${name} ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE axial::axial axial_mpi_test_main ${arg_LIBRARIES})
  axial_mpi_runs(${name} COMMAND $<TARGET_FILE:test_${name}> RANKS ${arg_RANKS}
    ENVIRONMENT BOOST_TEST_COLOR_OUTPUT=no BOOST_TEST_REPORT_LEVEL=no ${arg_ENVIRONMENT})
endfunction()
