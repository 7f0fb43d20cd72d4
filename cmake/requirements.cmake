# SPDX-License-Identifier: BSL-1.0
# What a build needs that compiles axial's modules: ours, and each consumer's, since BMIs are never installed.
# Leaves in `axial_unmet` a sentence on the first need that is not met, or nothing.
set(axial_unmet "")
if(POLICY CMP0155)
  cmake_policy(GET CMP0155 _axial_scans)  # NEW: C++20 sources are scanned for imports
endif()
if(CMAKE_VERSION VERSION_LESS 3.30)
  string(CONCAT axial_unmet "axial needs CMake 3.30 or newer (`pip install cmake`), "
    "and this is CMake ${CMAKE_VERSION}.")
elseif(NOT CMAKE_GENERATOR MATCHES "^Ninja")
  string(CONCAT axial_unmet "axial needs the generator Ninja (`cmake -G Ninja`), "
    "since \"${CMAKE_GENERATOR}\" cannot build C++20 modules.")
elseif(NOT CMAKE_CXX_COMPILER_LOADED)
  # Before project(): nothing is known of the compiler.
elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 22)
  string(CONCAT axial_unmet "axial needs Clang 22 or newer (`cmake -DCMAKE_CXX_COMPILER=clang++-22`), "
    "and the C++ compiler is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}.")
elseif(NOT CMAKE_CXX_COMPILER_CLANG_SCAN_DEPS)
  set(axial_unmet "axial needs clang-scan-deps, which finds imports (`apt-get install clang-tools-22`).")
elseif(DEFINED CMAKE_CXX_SCAN_FOR_MODULES AND NOT CMAKE_CXX_SCAN_FOR_MODULES
       OR NOT DEFINED CMAKE_CXX_SCAN_FOR_MODULES AND NOT _axial_scans STREQUAL "NEW")
  string(CONCAT axial_unmet "axial needs sources to be scanned for imports: "
    "`cmake_minimum_required(VERSION 3.30)`, and CMAKE_CXX_SCAN_FOR_MODULES not OFF.")
endif()
