// SPDX-License-Identifier: BSL-1.0
// All that the programs here include, and this includes nothing.
#pragma once

extern "C" int printf(const char*, ...);

/// Ends main, or a function that it asks, with the line of an expression that does not hold.
#define EXPECT(...) \
  if (!(__VA_ARGS__)) return __LINE__
