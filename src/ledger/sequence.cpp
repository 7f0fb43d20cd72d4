// SPDX-License-Identifier: BSL-1.0
// The order of collective calls, and its comparison across ranks.
#include <mpi.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <stdexcept>

#include "../mpi/handle.hpp"
#include "arguments.hpp"
#include "records.hpp"

namespace axial::ledger {

/// The last calls, each with a hash of all calls up to it; of those before, the hash alone.
class Sequence {
 public:
  static constexpr std::size_t most = 4096;

  void add(const std::string& call) {
    std::uint64_t hash = kept_.empty() ? before_ : kept_.back().hash;
    for (const char c : call + '\n') hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;  // FNV-1a
    kept_.push_back({hash, call});
    if (kept_.size() <= most) return;
    before_ = kept_.front().hash;
    kept_.pop_front();
    ++dropped_;
  }

  std::uint64_t dropped() const { return dropped_; }
  std::uint64_t size() const { return dropped_ + kept_.size(); }
  /// The hash of the first n calls, where no more than n were dropped; 0 beyond the end.
  std::uint64_t hash(std::uint64_t n) const {
    return n > size() ? 0 : n == dropped_ ? before_ : kept_[n - dropped_ - 1].hash;
  }
  /// The call at a place, from 0.
  std::string call(std::uint64_t place) const {
    return place < size() ? kept_[place - dropped_].call : "no more calls";
  }

 private:
  struct Entry {
    std::uint64_t hash;
    std::string call;
  };
  std::uint64_t before_ = 14695981039346656037u;
  std::uint64_t dropped_ = 0;
  std::deque<Entry> kept_;
};

namespace {

struct State {
  std::mutex mutex;
  std::map<Bits, std::shared_ptr<Sequence>> sequences;
  Sequence trace;
};

State& state() {
  static State& state = *new State;
  return state;
}

using Hash = std::uint64_t;

/// The value of each rank.
std::vector<Hash> gathered(MPI_Comm comm, Hash mine) {
  std::vector<Hash> all(static_cast<std::size_t>(ranks_of(comm)));
  PMPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm);
  return all;
}

std::string broadcast(MPI_Comm comm, std::string text, std::size_t root) {
  unsigned long length = text.size();
  PMPI_Bcast(&length, 1, MPI_UNSIGNED_LONG, static_cast<int>(root), comm);
  text.resize(length);
  PMPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, static_cast<int>(root), comm);
  return text;
}

bool all_equal(const std::vector<Hash>& values) { return std::ranges::count(values, values[0]) == std::ssize(values); }

/// Of the hashes of the first 1, 2, ... calls after `from`, the first place where this rank has not what rank 0 has.
Hash first_difference(MPI_Comm comm, const Sequence& mine, Hash from) {
  std::vector<Hash> hashes;
  for (Hash n = from + 1; n <= mine.size(); ++n) hashes.push_back(mine.hash(n));
  unsigned long length = hashes.size();
  PMPI_Bcast(&length, 1, MPI_UNSIGNED_LONG, 0, comm);
  std::vector<Hash> firsts = hashes;
  firsts.resize(length);
  PMPI_Bcast(firsts.data(), static_cast<int>(length), MPI_UINT64_T, 0, comm);
  return from + static_cast<Hash>(std::ranges::mismatch(hashes, firsts).in1 - hashes.begin());
}

/// The ranks that have not what most have, the lower ones where there are as many of both; first of all a rank that has
/// what most have.
std::vector<std::size_t> odd_ranks(const std::vector<Hash>& values) {
  const Hash most =
      *std::ranges::max_element(values, {}, [&](Hash value) { return std::ranges::count(values, value); });
  std::vector<std::size_t> ranks = {static_cast<std::size_t>(std::ranges::find(values, most) - values.begin())};
  const auto odd = std::ranges::find_if(values, [most](Hash value) { return value != most; });
  for (std::size_t rank = 0; rank < values.size(); ++rank)
    if (values[rank] == *odd) ranks.push_back(rank);
  return ranks;
}

/// `rank 5`, `ranks 1, 3`; after eight of them, how many more.
std::string list(std::vector<std::size_t> ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  const std::size_t shown = std::min<std::size_t>(ranks.size(), 8);
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
  return shown < ranks.size() ? text + " and " + std::to_string(ranks.size() - shown) + " more" : text;
}

/// The text of the first difference; `what` heads the number of a call, and `where` follows it.
std::string compare(MPI_Comm comm, const Sequence& mine, const std::string& what, const std::string& where) {
  if (is_inter(comm)) throw std::invalid_argument("the ledger compares the ranks of an intracommunicator");
  if (all_equal(gathered(comm, mine.hash(mine.size())))) return "";

  const Hash from = std::ranges::max(gathered(comm, mine.dropped()));
  const Hash hash_before = from < mine.dropped() ? 0 : mine.hash(from);
  if (!all_equal(gathered(comm, hash_before)))
    return what + "s" + where + " differ before number " + std::to_string(from + 1) + ", and are no longer known";

  const Hash place = std::ranges::min(gathered(comm, first_difference(comm, mine, from)));
  std::vector<std::size_t> odd = odd_ranks(gathered(comm, mine.hash(place + 1)));
  const std::size_t usual = odd[0];
  odd.erase(odd.begin());
  const std::string usual_call = broadcast(comm, mine.call(place), usual);
  const std::string odd_call = broadcast(comm, mine.call(place), odd[0]);
  return what + " " + std::to_string(place + 1) + where + ": " + list(odd) + " made " + odd_call + ", rank " +
         std::to_string(usual) + " " + usual_call;
}

}  // namespace

std::shared_ptr<Sequence> sequence_of(Bits comm) {
  const std::lock_guard lock(state().mutex);
  std::shared_ptr<Sequence>& sequence = state().sequences[comm];
  if (sequence == nullptr) sequence = std::make_shared<Sequence>();
  return sequence;
}

void note(Sequence& sequence, const std::string& call) {
  const std::lock_guard lock(state().mutex);
  sequence.add(call);
}

void note_in_trace(const std::string& function, const std::string& communicator) {
  const std::lock_guard lock(state().mutex);
  state().trace.add(communicator == "-" ? function : function + " on \"" + communicator + '"');
}

void end_sequence(Bits comm) {
  const std::lock_guard lock(state().mutex);
  state().sequences.erase(comm);
}

std::string compare_sequences(Communicator comm) {
  const MPI_Comm mine = comm_of(comm.bits());
  const std::shared_ptr<Sequence> sequence = sequence_of(comm.bits());
  std::unique_lock lock(state().mutex);
  const Sequence copy = *sequence;
  lock.unlock();
  return compare(mine, copy, "call", " on \"" + name_of(mine) + '"');
}

std::string compare_traces(Communicator comm) {
  std::unique_lock lock(state().mutex);
  const Sequence copy = state().trace;
  lock.unlock();
  return compare(comm_of(comm.bits()), copy, "collective call", "");
}

void clear_sequences() {
  const std::lock_guard lock(state().mutex);
  for (const auto& [comm, sequence] : state().sequences) *sequence = {};
  state().trace = {};
}

}  // namespace axial::ledger
