// SPDX-License-Identifier: BSL-1.0
// What was made and has not ended, by whom, and where.
#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string_view>

#include "records.hpp"

namespace axial::ledger {
namespace {

/// What axial_ledger_site said last.
struct Site {
  const char* file = nullptr;
  unsigned line = 0;
};
thread_local Site site;

struct Entry {
  long long number;  // in the order of creation
  Origin origin;
  std::string site;  // empty when it was not said
  std::string name;
  Prepared prepared;
};

struct State {
  std::mutex mutex;
  long long made = 0;
  std::map<std::pair<Object, Bits>, std::deque<Entry>> entries;  // none is empty

  std::size_t count(Object kind) const {
    std::size_t sum = 0;
    for (const auto& [key, those] : entries) sum += key.first == kind ? those.size() : 0;
    return sum;
  }
};

State& state() {
  static State& state = *new State;
  return state;
}

std::string hexadecimal(const void* address, const void* base) {
  char text[32];
  std::snprintf(text, sizeof text, "+0x%zx",
                static_cast<std::size_t>(static_cast<const char*>(address) - static_cast<const char*>(base)));
  return text;
}

std::string demangled(const char* symbol) {
  int status = 0;
  char* readable = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  const std::string name = status == 0 ? readable : symbol;
  std::free(readable);
  return name;
}

/// `function+0x1c in program`, or `program+0x1234` where the function is not known to the loader.
std::string place_of(const void* address) {
  Dl_info info{};
  if (dladdr(static_cast<const char*>(address) - 1, &info) == 0) return "an unknown place";  // -1: within the call
  const std::string_view path = info.dli_fname;
  const std::string file(path.substr(path.rfind('/') + 1));
  if (info.dli_sname == nullptr) return file + hexadecimal(address, info.dli_fbase);
  return demangled(info.dli_sname) + hexadecimal(address, info.dli_saddr) + " in " + file;
}

template <class Wanted>
std::vector<Live> live_if(Wanted wanted) {
  std::vector<std::pair<long long, Live>> found;
  {
    const std::lock_guard lock(state().mutex);
    for (const auto& [key, those] : state().entries)
      for (const Entry& entry : those)
        if (wanted(key.first))
          found.push_back({entry.number,
                           {.kind = key.first,
                            .name = entry.name,
                            .created_by = entry.origin.function,
                            .where = entry.site.empty() ? place_of(entry.origin.caller) : entry.site}});
  }
  std::ranges::sort(found, {}, [](const auto& each) { return each.first; });
  std::vector<Live> list;
  for (auto& [number, each] : found) list.push_back(std::move(each));
  return list;
}

}  // namespace

bool was_made(Object kind, Bits handle, const Origin& origin, const std::string& name, std::size_t most,
              Prepared prepared) {
  const std::lock_guard lock(state().mutex);
  if (kind == Object::communicator && state().count(kind) >= most) return false;
  const std::string said = site.file == nullptr ? "" : site.file + (':' + std::to_string(site.line));
  state().entries[{kind, handle}].push_back({++state().made, origin, said, name, std::move(prepared)});
  return true;
}

void has_ended(Object kind, Bits handle) {
  const std::lock_guard lock(state().mutex);
  const auto found = state().entries.find({kind, handle});
  if (found == state().entries.end()) return;
  found->second.pop_front();
  if (found->second.empty()) state().entries.erase(found);
}

void was_named(Object kind, Bits handle, const char* name) {
  const std::lock_guard lock(state().mutex);
  const auto found = state().entries.find({kind, handle});
  if (found != state().entries.end()) found->second.back().name = name;
}

Prepared prepared_of(Bits request) {
  const std::lock_guard lock(state().mutex);
  const auto found = state().entries.find({Object::request, request});
  return found == state().entries.end() ? Prepared{} : found->second.back().prepared;
}

std::vector<Live> live() {
  return live_if([](Object) { return true; });
}

std::vector<Live> live(Object kind) {
  return live_if([kind](Object each) { return each == kind; });
}

std::size_t live_count(Object kind) {
  const std::lock_guard lock(state().mutex);
  return state().count(kind);
}

std::vector<std::string> live_communicators() {
  std::vector<std::string> names;
  for (const Live& each : live(Object::communicator)) names.push_back(shown(each.name));
  std::ranges::sort(names);
  return names;
}

std::vector<Live> leaks() { return live(); }

std::string text(const Live& live) {
  constexpr const char* kinds[] = {"communicator", "group", "operator", "datatype", "request"};
  std::string text = kinds[static_cast<int>(live.kind)];
  if (live.kind == Object::request) text += " on";
  if (!live.name.empty()) text += " \"" + live.name + '"';
  return text + " made by " + live.created_by + " at " + live.where;
}

}  // namespace axial::ledger

extern "C" void axial_ledger_site(const char* file, unsigned line) { axial::ledger::site = {file, line}; }
