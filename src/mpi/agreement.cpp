// SPDX-License-Identifier: BSL-1.0
// How ranks come to one verdict: what travels, by a reduction, or point to point where a deadline must name who is
// late.
module;
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "handle.hpp"

module axial;
import :state;

namespace axial {

void checked(int code, const char* operation, NameView axis) {
  if (code != MPI_SUCCESS) throw_mpi_error(code, operation, axis);
}

/// FNV-1a, 64 bits.
std::uint64_t fingerprint_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

namespace {

/// Copies a text, and says with an ellipsis where it had to end.
template <std::size_t N>
void put_text(char (&to)[N], std::string_view text) {
  const std::size_t length = text.copy(to, N - 1);
  to[length] = '\0';
  if (length < text.size()) std::copy_n("...", 4, to + N - 4);
}

/// `rank 5`, `ranks 1, 3 and 5`; after eight of them, how many more.
std::string list_ranks(const std::vector<unsigned>& ranks) {
  constexpr std::size_t most = 8;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  const std::size_t shown = std::min(ranks.size(), most);
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[i]);
  if (ranks.size() > most) text += " and " + std::to_string(ranks.size() - most) + " more";
  return text;
}

/// Descriptions differ from that of the first rank.
[[noreturn]] void throw_difference(const std::vector<unsigned>& odd, const char* other, unsigned first_rank,
                                   const char* first) {
  throw MeshError("the ranks have different meshes: " + list_ranks(odd) +
                      (odd.size() == 1 ? " has " : " differ, the first of them with ") + other + "; rank " +
                      std::to_string(first_rank) + " has " + first,
                  true);
}

/// A tag that is legal everywhere, for messages on communicators of the user.
constexpr int reserved_tag = 32767;

}  // namespace

void Failure::take(const MpiError& error) {
  if (kind_ != Kind::none) return;
  kind_ = Kind::mpi;
  code_ = error.code();
  error_class_ = error.error_class();
  put_text(operation_, error.operation());
  put_text(axis_, error.axis());
  const std::string_view what = error.what();
  const std::size_t reason = what.find("failed: ");
  put_text(text_, reason == what.npos ? what : what.substr(reason + 8));
}

void Failure::take(const char* text) {
  if (kind_ != Kind::none) return;
  kind_ = Kind::mesh;
  put_text(text_, text);
}

void Failure::rethrow(unsigned rank, bool on_all_ranks) const {
  if (kind_ == Kind::mesh) throw MeshError(text_, on_all_ranks);
  throw MpiError(code_, error_class_, operation_, axis_, "rank " + std::to_string(rank), text_, on_all_ranks);
}

/// What a rank tells the others.
struct Party::Packet {
  std::uint64_t print = 0;
  Failure failure = {};
  char text[504] = {};
};

Party::Party(const CommunicatorView& view, const Deadline& deadline, std::string what, std::vector<unsigned> members)
    : comm_(view.native_handle<MPI_Comm>()),
      rank_(view.rank()),
      size_(view.size()),
      what_(std::move(what)),
      members_(std::move(members)),
      deadline_(deadline) {
  if (!members_.empty() || !deadline_.is_set()) return;
  members_.resize(size_);
  std::iota(members_.begin(), members_.end(), 0u);
}

void Party::agree(const char* stage, const std::string& description, const Failure& failure) const {
  if (members_.empty())
    agree_by_reduction(description, failure);
  else
    agree_by_exchange(stage, description, failure);
}

void Party::agree_by_reduction(const std::string& description, const Failure& failure) const {
  constexpr std::uint64_t most = ~std::uint64_t{0} / 2;  // MPICH 4.0 compares as signed (pmodels/mpich#6083)
  const std::uint64_t print = fingerprint_of(description);
  // The largest of x and of ~x tell whether all x are equal; the third word is largest for the first that failed.
  std::uint64_t words[3] = {print, ~print, failure ? most - rank_ : 0};
  checked(MPI_Allreduce(MPI_IN_PLACE, words, 3, MPI_UINT64_T, MPI_MAX, comm_), "MPI_Allreduce");
  const auto tell = [&](Packet packet, unsigned root) {
    checked(MPI_Bcast(&packet, sizeof packet, MPI_BYTE, static_cast<int>(root), comm_), "MPI_Bcast");
    return packet;
  };
  Packet mine{.print = print, .failure = failure};
  put_text(mine.text, description);
  if (words[0] != ~words[1]) {
    const Packet first = tell(mine, 0);
    const unsigned char differs = print != first.print;
    std::vector<unsigned char> all(size_);
    checked(MPI_Allgather(&differs, 1, MPI_UNSIGNED_CHAR, all.data(), 1, MPI_UNSIGNED_CHAR, comm_), "MPI_Allgather");
    std::vector<unsigned> odd;
    for (unsigned rank = 0; rank < size_; ++rank)
      if (all[rank]) odd.push_back(rank);
    throw_difference(odd, tell(mine, odd.front()).text, 0, first.text);
  }
  if (words[2] != 0) {
    const auto rank = static_cast<unsigned>(most - words[2]);
    tell(mine, rank).failure.rethrow(rank);
  }
}

void Party::agree_by_exchange(const char* stage, const std::string& description, const Failure& failure) const {
  Packet mine{.print = fingerprint_of(description), .failure = failure};
  put_text(mine.text, description);
  const std::vector<Packet> all = exchange(stage, {}, mine);
  std::vector<unsigned> odd;
  const Packet* other = nullptr;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].print == all[0].print) continue;
    odd.push_back(members_[i]);
    if (other == nullptr) other = &all[i];
  }
  if (other) throw_difference(odd, other->text, members_[0], all[0].text);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].failure) all[i].failure.rethrow(members_[i]);
}

void Party::arrive(const char* stage, NameView axis) const {
  if (!deadline_.is_set()) return;
  exchange(stage, axis, {});
  exchange(stage, axis, {});  // who gave up on a late rank, which sees that all had come, does not come twice
}

std::vector<Party::Packet> Party::exchange(const char* stage, NameView axis, const Packet& mine) const {
  const std::size_t count = members_.size();
  const auto packets = std::make_shared<std::vector<Packet>>(count + 1, mine);
  LeftToMpi kept(packets);
  std::vector<MPI_Request> requests(2 * count, MPI_REQUEST_NULL);
  const auto bytes = static_cast<int>(sizeof(Packet));
  for (std::size_t i = 0; i < count; ++i) {
    if (members_[i] == rank_) continue;
    const auto peer = static_cast<int>(members_[i]);
    checked(MPI_Irecv(&(*packets)[i], bytes, MPI_BYTE, peer, reserved_tag, comm_, &requests[i]), "MPI_Irecv", axis);
    checked(MPI_Isend(&(*packets)[count], bytes, MPI_BYTE, peer, reserved_tag, comm_, &requests[count + i]),
            "MPI_Isend", axis);
  }
  for (int done = 0;;) {
    checked(MPI_Testall(static_cast<int>(2 * count), requests.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall", axis);
    if (done) break;
    if (deadline_.has_passed()) {
      std::vector<unsigned> missing;
      for (std::size_t i = 0; i < count; ++i) {
        int came = 1;
        if (requests[i] != MPI_REQUEST_NULL) MPI_Test(&requests[i], &came, MPI_STATUS_IGNORE);
        if (!came) missing.push_back(members_[i]);
      }
      if (missing.empty()) continue;  // only sends are left, to ranks that have come
      throw Timeout(stage, std::string(std::string_view(axis)), 0,
                    list_ranks(missing) + " did not come " + deadline_.text() + ", in " + what_);
    }
    sched_yield();
  }
  kept.take_back();
  packets->pop_back();
  return std::move(*packets);
}

Watchdog::Watchdog(const Deadline& deadline, const std::string& text) {
  if (!deadline.is_set()) return;
  thread_ = std::thread([this, end = deadline.end() + std::chrono::seconds(1), text] {
    std::unique_lock lock(mutex_);
    if (done_.wait_until(lock, end, [this] { return is_done_; })) return;
    std::fputs(("axial: " + text + "\n").c_str(), stderr);
    std::fflush(nullptr);
    std::_Exit(EXIT_FAILURE);
  });
}

Watchdog::~Watchdog() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  done_.notify_one();
  thread_.join();
}

}  // namespace axial
