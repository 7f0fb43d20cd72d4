# SPDX-License-Identifier: BSL-1.0
# Makes find_package(axial) add this source tree as a subdirectory.
include(FetchContent)
FetchContent_Declare(axial SOURCE_DIR ${CMAKE_CURRENT_LIST_DIR}/../.. OVERRIDE_FIND_PACKAGE)
