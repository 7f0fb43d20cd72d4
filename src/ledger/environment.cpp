// SPDX-License-Identifier: BSL-1.0
// The environment variables, for programs that know nothing of the ledger.
#include <mpi.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <system_error>

#include "records.hpp"

namespace axial::ledger {
namespace {

/// `[rank:]function:k[:value]`
struct Order {
  std::optional<int> rank;
  std::string function;
  int k = 0;
  std::optional<int> value;
};

struct Settings {
  std::optional<Order> fail, delay;
  std::optional<int> limit;
  bool prints = true;
  bool fails = false;
};
Settings settings;

bool leaked = false;  // and the process is to fail

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? nullptr : value;
}

[[noreturn]] void refuse(const char* name, const char* wanted) {
  std::fprintf(stderr, "ledger: %s=%s is not %s\n", name, variable(name), wanted);
  std::exit(EXIT_FAILURE);
}

std::optional<int> number(std::string_view text, int least = 0) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stopped == end && value >= least ? std::optional(value) : std::nullopt;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(':');
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool is_counted(const std::string& function) {
  try {
    kind_of(function);
    return true;
  } catch (const std::exception&) {
    return function == "*";
  }
}

std::optional<Order> order(std::string_view text) {
  std::vector<std::string_view> parts = split(text);
  Order order;
  order.rank = number(parts[0]);
  if (order.rank) parts.erase(parts.begin());
  if (parts.size() < 2 || parts.size() > 3) return {};
  order.function = parts[0];
  const std::optional<int> k = number(parts[1], 1);
  if (!k || !is_counted(order.function)) return {};
  order.k = *k;
  if (parts.size() == 3 && !(order.value = number(parts[2], 1))) return {};
  return order;
}

bool is_for(const std::optional<Order>& order, int rank) { return order && order->rank.value_or(rank) == rank; }

/// Each process's own file.
void write_counts(int rank) {
  const char* path = variable("AXIAL_LEDGER");
  if (path == nullptr) return;
  const std::string name = std::string(path) + "." + std::to_string(rank);
  const std::string text = snapshot().text('\t');
  std::FILE* file = std::fopen(name.c_str(), "w");
  const bool written = file != nullptr && std::fputs(text.c_str(), file) >= 0;
  if ((file != nullptr && std::fclose(file) != 0) || !written) std::perror(("ledger: " + name).c_str());
}

void print_leaks(int rank) {
  std::string lines;
  for (const Live& each : leaks()) {
    const bool ends_alone = each.kind == Object::request && each.created_by.find("_init") == std::string::npos;
    lines += "ledger: rank " + std::to_string(rank) + ": " + text(each) + " was never " +
             (ends_alone ? "completed\n" : "freed\n");
  }
  std::fputs(lines.c_str(), stderr);
  leaked = settings.fails && !lines.empty();
}

// Here all destructors of the program have run, and its output is still to be written.
[[gnu::destructor]] void fail_where_leaked() {
  if (!leaked) return;
  std::fflush(nullptr);
  std::_Exit(EXIT_FAILURE);
}

}  // namespace

void read_environment() {
  if (const char* value = variable("AXIAL_LEDGER_FAIL"))
    if (!(settings.fail = order(value)))
      refuse("AXIAL_LEDGER_FAIL", "[rank:]function:k[:code], with a function of MPI or *");
  if (const char* value = variable("AXIAL_LEDGER_DELAY"))
    if (!(settings.delay = order(value)) || !settings.delay->value)
      refuse("AXIAL_LEDGER_DELAY", "[rank:]function:k:milliseconds, with a function of MPI or *");
  if (const char* value = variable("AXIAL_LEDGER_LIMIT"))
    if (!(settings.limit = number(value))) refuse("AXIAL_LEDGER_LIMIT", "a number of communicators");
  if (const char* value = variable("AXIAL_LEDGER_LEAKS")) {
    settings.prints = value != std::string_view("0");
    settings.fails = value == std::string_view("fail");
    if (settings.prints && !settings.fails) refuse("AXIAL_LEDGER_LEAKS", "0 or fail");
  }
}

void follow_environment(int rank) {
  if (is_for(settings.fail, rank))
    fail_next(settings.fail->function, settings.fail->k, settings.fail->value.value_or(MPI_ERR_OTHER));
  if (is_for(settings.delay, rank))
    delay_next(settings.delay->function, settings.delay->k, std::chrono::milliseconds(*settings.delay->value));
  if (settings.limit) limit_communicators(static_cast<std::size_t>(*settings.limit));
}

void report(int rank) {
  write_counts(rank);
  if (settings.prints) print_leaks(rank);
}

}  // namespace axial::ledger
