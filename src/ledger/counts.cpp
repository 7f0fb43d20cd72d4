// SPDX-License-Identifier: BSL-1.0
// Calls and bytes.
#include <mutex>
#include <stdexcept>

#include "records.hpp"
#include "shape.hpp"

namespace axial::ledger {
namespace {

std::map<std::string, Kind> listed_functions() {
  using enum Blocks;
  using enum Requests;
#define COUNT(Name, parameters, shape) {"MPI_" #Name, (shape).kind},
#define OWN(Name, shape) COUNT(Name, , shape)
  return {
#include "functions.inc"
  };
#undef OWN
#undef COUNT
}

struct State {
  std::mutex mutex;
  Counts counts;
};

State& state() {
  static State& state = *new State;
  return state;
}

}  // namespace

Kind kind_of(const std::string& function) {
  static const auto& kinds = *new std::map<std::string, Kind>(listed_functions());
  const auto found = kinds.find(function);
  if (found == kinds.end()) throw std::invalid_argument("the ledger does not count " + function);
  return found->second;
}

std::string axis_of(const std::string& communicator) {
  return communicator.starts_with("axial:") ? communicator.substr(communicator.rfind(':') + 1) : "";
}

std::string shown(const std::string& name) { return name.empty() ? "(unnamed)" : name; }

template <class Predicate>
Count Counts::sum(Predicate counts) const {
  Count sum;
  for (const auto& [key, count] : counts_) {
    if (!counts(key.first, key.second)) continue;
    sum.calls += count.calls;
    sum.bytes += count.bytes;
  }
  return sum;
}

namespace {

using Text = const std::string&;

auto calls_to(Text function) {
  return [&](Text called, Text) { return called == function; };
}
auto calls_to(Text function, Text communicator) {
  return [&](Text called, Text where) { return called == function && where == communicator; };
}
auto calls_of(Kind kind) {
  return [kind](Text called, Text) { return kind_of(called) == kind; };
}
auto calls_of(Kind kind, Text axis) {
  return [kind, &axis](Text called, Text where) { return axis_of(where) == axis && kind_of(called) == kind; };
}
auto calls_in(Text axis) {
  return [&](Text, Text where) { return axis_of(where) == axis; };
}

}  // namespace

long long Counts::calls(Text function) const { return sum(calls_to(function)).calls; }
long long Counts::bytes(Text function) const { return sum(calls_to(function)).bytes; }
long long Counts::calls_on(Text function, Text communicator) const {
  return sum(calls_to(function, communicator)).calls;
}
long long Counts::bytes_on(Text function, Text communicator) const {
  return sum(calls_to(function, communicator)).bytes;
}
long long Counts::calls(Kind kind) const { return sum(calls_of(kind)).calls; }
long long Counts::bytes(Kind kind) const { return sum(calls_of(kind)).bytes; }
long long Counts::calls(Kind kind, Text axis) const { return sum(calls_of(kind, axis)).calls; }
long long Counts::bytes(Kind kind, Text axis) const { return sum(calls_of(kind, axis)).bytes; }
long long Counts::calls_along(Text axis) const { return sum(calls_in(axis)).calls; }
long long Counts::bytes_along(Text axis) const { return sum(calls_in(axis)).bytes; }
long long Counts::total() const {
  return sum([](Text, Text) { return true; }).calls;
}

std::string Counts::text(char separator) const {
  std::string lines;
  for (const auto& [key, count] : counts_)
    lines += key.first + separator + key.second + separator + std::to_string(count.calls) + separator +
             std::to_string(count.bytes) + '\n';
  return lines;
}

void Counts::add(Text function, Text communicator, Count count) {
  Count& sum = counts_[{function, communicator}];
  sum.calls += count.calls;
  sum.bytes += count.bytes;
}

Counts operator-(const Counts& later, const Counts& earlier) {
  Counts difference;
  for (const auto& [key, count] : later.counts_) {
    const auto found = earlier.counts_.find(key);
    const Count before = found == earlier.counts_.end() ? Count{} : found->second;
    if (count.calls != before.calls)
      difference.add(key.first, key.second, {count.calls - before.calls, count.bytes - before.bytes});
  }
  return difference;
}

Counts snapshot() {
  const std::lock_guard lock(state().mutex);
  return state().counts;
}

void count_call(Text function, const Operation& operation) {
  const std::lock_guard lock(state().mutex);
  state().counts.add(function, operation.communicator, {.calls = 1, .bytes = operation.bytes});
}

}  // namespace axial::ledger
