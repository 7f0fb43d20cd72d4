// SPDX-License-Identifier: BSL-1.0
// The table of hosts, made once and then only read.
module;
#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

module axial;

namespace axial {
namespace {

std::string counted(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// Throws unless `index`, of a rank or host, is below `count`.
void require_below(unsigned index, std::size_t count, const char* noun) {
  if (index < count) return;
  throw MeshError(std::string(noun) + " " + std::to_string(index) + " is out of range: " + counted(count, noun) +
                  ", counted from 0");
}

bool all_equal(const std::vector<unsigned>& counts) {
  return std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) == counts.end();
}

std::string describe(const std::vector<unsigned>& counts) {
  std::string hosts = counted(counts.size(), "host");
  if (counts.empty()) return hosts;
  if (all_equal(counts)) return hosts + " of " + counted(counts[0], "rank");
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  std::string list;
  if (counts.size() > 8)
    list = std::to_string(*least) + " to " + std::to_string(*most);
  else
    for (std::size_t host = 0; host < counts.size(); ++host)
      list += (host == 0 ? "" : host + 1 == counts.size() ? " and " : ", ") + std::to_string(counts[host]);
  return hosts + " of " + list + " ranks";
}

}  // namespace

struct HostTable {
  HostTable(const unsigned* keys, std::size_t ranks) : host(ranks), local(ranks), by_node(ranks) {
    std::unordered_map<unsigned, unsigned> number_of;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      host[rank] = number_of.try_emplace(keys[rank], static_cast<unsigned>(number_of.size())).first->second;
      if (host[rank] == counts.size()) counts.push_back(0);
      local[rank] = counts[host[rank]]++;
    }
    begin.resize(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), begin.begin(), 0u);
    for (std::size_t rank = 0; rank < ranks; ++rank)
      by_node[begin[host[rank]] + local[rank]] = static_cast<unsigned>(rank);
    text = describe(counts);
  }

  std::vector<unsigned> host, local;    // of each rank
  std::vector<unsigned> counts, begin;  // of each host: how many ranks, and where they begin in by_node
  std::vector<unsigned> by_node;
  std::string text;
};

Hosts::Hosts(const unsigned* keys, std::size_t ranks) : table_(std::make_shared<const HostTable>(keys, ranks)) {}
Hosts::Hosts(const Hosts&) noexcept = default;
Hosts& Hosts::operator=(const Hosts&) noexcept = default;
Hosts::~Hosts() = default;

unsigned Hosts::size() const { return static_cast<unsigned>(table_->counts.size()); }
unsigned Hosts::ranks() const { return static_cast<unsigned>(table_->host.size()); }
bool Hosts::is_even() const { return all_equal(table_->counts); }
NameView Hosts::text() const { return {table_->text.data(), table_->text.size()}; }

unsigned Hosts::host_of(unsigned rank) const {
  require_below(rank, table_->host.size(), "rank");
  return table_->host[rank];
}

unsigned Hosts::local_rank(unsigned rank) const {
  require_below(rank, table_->local.size(), "rank");
  return table_->local[rank];
}

unsigned Hosts::count_on(unsigned host) const {
  require_below(host, table_->counts.size(), "host");
  return table_->counts[host];
}

View<HostRanks> Hosts::ranks_on(unsigned host) const {
  require_below(host, table_->counts.size(), "host");
  return View(HostRanks{table_->by_node.data() + table_->begin[host], table_->counts[host]});
}

void Hosts::order_by_node(unsigned* ranks_out) const {
  std::copy(table_->by_node.begin(), table_->by_node.end(), ranks_out);
}

}  // namespace axial
