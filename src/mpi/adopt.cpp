// SPDX-License-Identifier: BSL-1.0
// Meshes on communicators that exist: one for each axis, and the proof by communication that they are the axes of this
// mesh.
module;
#include <sched.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "handle.hpp"

module axial;
import :state;

namespace axial {
namespace {

/// What a rank tells the others of one of its communicators.
struct Claim {
  std::uint64_t mesh = 0;                     // the fingerprint of the mesh and its options
  std::uint64_t identity = 0;                 // a number that this process alone has
  unsigned axis = 0;                          // for which it passed the communicator
  unsigned coordinates[max_dimensions] = {};  // its ranks in all of its communicators
  char problem[256] = {};                     // what it has found to be wrong
};

std::uint64_t random_identity() {
  std::uint64_t number = 0;
  if (getentropy(&number, sizeof number) != 0)
    throw Error("from_communicators needs random numbers, and there are none");
  return number;
}

class Adoption {
 public:
  Adoption(const CommunicatorView* const* views, const MeshInfo& info, const Options& options)
      : info_(info), options_(options), deadline_(options.timeout), ndim_(info.mesh->ndim) {
    mine_.mesh = fingerprint_of(description_of(info, options));
    if (options.rank_map.size() || options.rank_map.is_by_node())
      complain("the ranks of the communicators are the coordinates, so there is no rank_map");
    mine_.identity = random_identity();
    for (unsigned i = 0; i < ndim_; ++i) {
      views_.push_back(views[i]);
      comms_.push_back(views[i]->native_handle<MPI_Comm>());
      mine_.coordinates[i] = views[i]->rank();
    }
  }

  /// Throws on all ranks that the communicators connect.
  void verify() {
    gather();
    for (unsigned i = 0; i < ndim_; ++i) check_axis(i);
    check_crossings();
    conclude();
  }

 private:
  template <class... Parts>
  void complain(const Parts&... parts) {
    if (mine_.problem[0] != '\0') return;
    std::string text = "from_communicators of " + title_of(info_, options_) + ": ";
    ((text += parts), ...);
    mine_.problem[text.copy(mine_.problem, sizeof mine_.problem - 1)] = '\0';
  }
  std::string name_of(unsigned axis) const {
    return "\"" + std::string(std::string_view(info_.mesh->names[axis])) + "\"";
  }

  /// All claims along all communicators at once, since ranks may have passed them in different orders.
  void gather() {
    sent_.assign(ndim_, mine_);
    claims_.assign(ndim_, {});
    std::vector<MPI_Request> requests(ndim_, MPI_REQUEST_NULL);
    for (unsigned i = 0; i < ndim_; ++i) {
      sent_[i].axis = i;
      claims_[i].resize(views_[i]->size());
      checked(MPI_Iallgather(&sent_[i], sizeof(Claim), MPI_BYTE, claims_[i].data(), sizeof(Claim), MPI_BYTE, comms_[i],
                             &requests[i]),
              "MPI_Iallgather", info_.mesh->names[i]);
    }
    wait(requests);
  }
  void wait(std::vector<MPI_Request>& requests) {
    for (int done = 0; !done;) {
      checked(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
              "MPI_Testall");
      if (!done && deadline_.has_passed())
        throw Timeout("from_communicators", "", 0, "not all ranks came " + deadline_.text());
      if (!done) sched_yield();
    }
  }

  /// Size, the same mesh and axis on all its ranks, and coordinates that differ along this axis alone.
  void check_axis(unsigned axis) {
    const unsigned extent = info_.mesh->extent(axis);
    const std::vector<Claim>& claims = claims_[axis];
    if (extent != dynamic && extent != claims.size())
      complain("the communicator for ", name_of(axis), " has ", std::to_string(claims.size()),
               " ranks and the dimension ", std::to_string(extent));
    for (unsigned rank = 0; rank < claims.size(); ++rank) {
      const Claim& other = claims[rank];
      const std::string who = "rank " + std::to_string(rank) + " of the communicator for " + name_of(axis);
      if (other.mesh != mine_.mesh)
        complain(who, " makes another mesh, or has other options");
      else if (other.axis != axis)
        complain(who, " has passed it for ", name_of(other.axis));
      else
        for (unsigned i = 0; i < ndim_; ++i)
          if (const unsigned wanted = i == axis ? rank : mine_.coordinates[i]; other.coordinates[i] != wanted)
            complain(who, " has coordinate ", std::to_string(other.coordinates[i]), " along ", name_of(i), ", not ",
                     std::to_string(wanted));
    }
  }

  /// Along one axis and then another must lead to the same processes as in the other order: else the ranks are a
  /// covering of the mesh, more than it has, with coordinates that are given twice. Each process counts for a number
  /// that depends on its coordinates; the sums of both orders are compared. All start at once, and send one number
  /// whatever the sizes are, since ranks may have passed anything.
  void check_crossings() {
    for (unsigned a = 0; a < ndim_; ++a)
      for (unsigned b = a + 1; b < ndim_; ++b) crossings_.push_back({.a = a, .b = b});
    std::vector<MPI_Request> requests;
    for (Crossing& crossing : crossings_) {
      const unsigned a = crossing.a, b = crossing.b;
      for (unsigned i = 0; i < claims_[a].size(); ++i)
        crossing.along_a[0] += number_of(claims_[a][i], i, mine_.coordinates[b]);
      for (unsigned i = 0; i < claims_[b].size(); ++i)
        crossing.along_b[0] += number_of(claims_[b][i], mine_.coordinates[a], i);
      requests.push_back(start_sum(crossing.along_a, b));
      requests.push_back(start_sum(crossing.along_b, a));
    }
    wait(requests);
    for (const Crossing& crossing : crossings_)
      if (crossing.along_a[1] != crossing.along_b[1])
        complain("the communicators for ", name_of(crossing.a), " and ", name_of(crossing.b),
                 " do not cross: along one and then the other are other processes than the other way round");
  }
  struct Crossing {
    unsigned a, b;
    std::uint64_t along_a[2] = {};  // of the processes along a, and the sum of that along b
    std::uint64_t along_b[2] = {};
  };
  /// A step of splitmix64 over the identity and both coordinates.
  static std::uint64_t number_of(const Claim& claim, std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = claim.identity + (a << 32 | b) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
  }
  MPI_Request start_sum(std::uint64_t (&numbers)[2], unsigned axis) {
    MPI_Request request = MPI_REQUEST_NULL;
    checked(MPI_Iallreduce(&numbers[0], &numbers[1], 1, MPI_UINT64_T, MPI_SUM, comms_[axis], &request),
            "MPI_Iallreduce", info_.mesh->names[axis]);
    return request;
  }

  /// Problems go from rank to rank, twice along each axis. Where all ranks within one walk along each axis see sizes,
  /// coordinates and crossings of the mesh, they are the mesh; so in what is none, each rank is that close to a
  /// problem.
  void conclude() {
    for (unsigned round = 0; round < 2 * ndim_; ++round) {
      gather();
      for (const auto& claims : claims_)
        for (const Claim& claim : claims) {
          const std::string_view theirs = claim.problem, ours = mine_.problem;
          if (!theirs.empty() && (ours.empty() || theirs < ours))
            std::memcpy(mine_.problem, claim.problem, sizeof mine_.problem);
        }
    }
    if (mine_.problem[0] != '\0') throw MeshError(mine_.problem, true);
  }

  const MeshInfo& info_;
  const Options& options_;
  Deadline deadline_;
  unsigned ndim_;
  std::vector<const CommunicatorView*> views_;
  std::vector<MPI_Comm> comms_;
  Claim mine_;
  // What MPI reads and writes.
  std::vector<Claim> sent_;
  std::vector<std::vector<Claim>> claims_;
  std::vector<Crossing> crossings_;
};

}  // namespace

SharedState adopt_state(const CommunicatorView* const* views, const MeshInfo& info, const Options& options,
                        const std::source_location& where) {
  prepare_for_finalise();
  auto adoption = std::make_unique<Adoption>(views, info, options);
  try {
    adoption->verify();
  } catch (const MeshError&) {  // all communication has ended
    throw;
  } catch (...) {
    static_cast<void>(adoption.release());  // what is under way may still be written to
    throw;
  }
  const MeshLayout& mesh = *info.mesh;
  unsigned world = 1, position = 0;
  for (unsigned i = 0; i < mesh.ndim; ++i) world *= views[i]->size();
  for (unsigned i = 0; i < mesh.ndim; ++i) position += position_of(mesh.axis(i), views[i]->rank());
  const unsigned rank = mesh.any ? 0 : info.map.rank_at(position);
  const auto state = std::make_shared<MeshState>(info, options, where, nullptr, world, rank, std::vector<unsigned>());
  for (unsigned i = 0; i < mesh.ndim; ++i) state->adopt(info.axes[i], views[i]->native_handle<MPI_Comm>());
  return SharedState(state);
}

}  // namespace axial
