// SPDX-License-Identifier: BSL-1.0
// What a mesh is made in: MPI's life, the communicators of a program, the options of a mesh.
module;
#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>

export module axial:environment;
export import :communicator;

namespace axial {

/// A share of something that only src/ knows. A class of its own, so that no importer instantiates std::shared_ptr.
class Share {
 public:
  Share() noexcept;
  explicit Share(std::shared_ptr<const void> held) noexcept;
  Share(const Share&) noexcept;
  Share(Share&&) noexcept;
  Share& operator=(const Share&) noexcept;
  Share& operator=(Share&&) noexcept;
  ~Share();
  const void* get() const noexcept;

 private:
  std::shared_ptr<const void> held_;
};

/// A communicator to make meshes on: one that is not ours, which is looked at and never freed, or a subset of one.
/// Communicated on only by what takes a view and says that it is collective over it.
export class CommunicatorView {
 public:
  /// My rank in it.
  unsigned rank() const;
  /// Its number of ranks.
  unsigned size() const;
  /// The handle itself, `native_handle<MPI_Comm>()`.
  template <class Handle>
  Handle native_handle() const {
    Handle handle;
    copy_handle(&handle, sizeof handle);
    return handle;
  }

  /// A communicator of these ranks, in this order; freed with the last view of it and the last mesh made on it.
  /// Collective over these ranks: no other is needed. Throws MeshError on a rank that is not among them, and where one
  /// is out of range or given twice.
  CommunicatorView subset(std::initializer_list<unsigned> ranks) const { return subset(ranks.begin(), ranks.size()); }
  template <class Ranks>
    requires requires(const Ranks& ranks) { static_cast<const unsigned*>(ranks.data()) + ranks.size(); }
  CommunicatorView subset(const Ranks& ranks) const {
    return subset(ranks.data(), ranks.size());
  }

 private:
  friend CommunicatorView borrow_handle(const void* handle, std::size_t size);
  explicit CommunicatorView(Bits bits, Share owner = {});
  CommunicatorView subset(const unsigned* ranks, std::size_t count) const;
  void copy_handle(void* to, std::size_t size) const;
  Bits bits_;
  unsigned rank_;
  unsigned size_;
  Share owner_;
};

CommunicatorView borrow_handle(const void* handle, std::size_t size);

/// A view of an existing communicator: `borrow(MPI_COMM_WORLD)`. Throws MeshError when it is null or an
/// intercommunicator, or when MPI is not initialised.
export template <class Handle>
CommunicatorView borrow(Handle communicator) {
  static_assert(std::is_trivially_copyable_v<Handle>, "borrow takes an MPI_Comm");
  return borrow_handle(&communicator, sizeof communicator);
}

/// How many threads may call MPI, as MPI_THREAD_SINGLE ... MPI_THREAD_MULTIPLE.
export enum class ThreadLevel { single, funneled, serialized, multiple };

/// MPI from construction to destruction: initialised here and finalised at the end, or borrowed when the program has
/// initialised it already. Throws Error when MPI offers less than the thread level asked for, or was finalised before.
export class Environment {
 public:
  explicit Environment(ThreadLevel level = ThreadLevel::funneled);
  Environment(int argc, char** argv, ThreadLevel level = ThreadLevel::funneled);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  /// All processes of the job.
  CommunicatorView world() const;
  /// The thread level that MPI offers.
  ThreadLevel thread_level() const;
  /// True when this object initialised MPI and will finalise it.
  bool owns_mpi() const;

 private:
  bool owns_ = false;
  int exceptions_;
};

int run_erased(int argc, char** argv, ThreadLevel level, int (*call)(void*, Environment&), void* f);

/// Calls f(environment) and returns what it returns, or 0. An exception that leaves f on one rank is printed and ends
/// the whole job; one that leaves f on all ranks by agreement is printed by each, and each returns EXIT_FAILURE.
export template <class F>
int run(int argc, char** argv, F&& f, ThreadLevel level = ThreadLevel::funneled) {
  using Function = std::remove_reference_t<F>;
  Function* pointer = std::addressof(f);
  const auto call = [](void* to_pointer, Environment& environment) -> int {
    Function& callee = **static_cast<Function**>(to_pointer);
    if constexpr (std::is_void_v<decltype(callee(environment))>)
      return callee(environment), 0;
    else
      return static_cast<int>(callee(environment));
  };
  return run_erased(argc, argv, level, call, &pointer);
}

/// Which order of ranks `Options::rank_map` asks for.
export namespace order {
/// Ranks of one node next to each other: nodes in the order of their first rank, ranks in their own order.
struct by_node_t {};
inline constexpr by_node_t by_node{};
}  // namespace order

/// Which rank of the communicator has which place in a mesh: the rank of each place, or an order to be found out. Empty
/// is each rank at its own place.
export class RankMap {
 public:
  RankMap() noexcept = default;
  RankMap(order::by_node_t) noexcept : by_node_(true) {}
  RankMap(std::initializer_list<unsigned> ranks) : RankMap(ranks.begin(), ranks.size()) {}
  template <class Ranks>
    requires requires(const Ranks& ranks) { static_cast<const unsigned*>(ranks.data()) + ranks.size(); }
  RankMap(const Ranks& ranks) : RankMap(ranks.data(), ranks.size()) {}

  bool is_by_node() const { return by_node_; }
  /// The number of ranks given; 0 for the other orders.
  std::size_t size() const { return size_; }
  const unsigned* data() const { return static_cast<const unsigned*>(ranks_.get()); }

 private:
  RankMap(const unsigned* ranks, std::size_t count);
  Share ranks_;
  std::size_t size_ = 0;
  bool by_node_ = false;
};

/// Options of a mesh; all meshes derived from it have the same.
export struct Options {
  std::string name = {};                   ///< Shown in errors and in the names of the communicators.
  std::chrono::milliseconds timeout = {};  ///< Of the creation and of each operation; none waits for ever.
  RankMap rank_map = {};                   ///< Which rank has which place; on top of the mesh type's own base map.
  bool lazy = false;                       ///< An axis gets its communicator at the first collective on it.
  bool check = false;                      ///< Ranks compare what they call before each collective.
  int device = -1;                         ///< The device to use; -1 chooses one.
};

/// What the choice of a device is made from.
export struct DeviceInputs {
  int devices = 0;          ///< How many the process sees.
  int chosen = -1;          ///< The device that the program has chosen already, or -1.
  int wanted = -1;          ///< Options::device, or -1.
  unsigned local_rank = 0;  ///< My rank among the ranks of my node.
  unsigned local_size = 1;  ///< How many ranks of the job my node has.
  /// getenv of the job; null when no variable is to be read.
  const char* (*environment)(const char* name) = nullptr;
};

/// Which device was chosen, and why. Prints as `device 2 (LOCAL_RANK)`, or `no device`.
export struct DeviceChoice {
  enum class Reason { none, option, already_chosen, environment, node_local_rank };

  int device = -1;               ///< -1 when there are no devices.
  Reason reason = Reason::none;  ///< Which of the inputs it was.
  NameView variable = {};        ///< The variable's name when it was the environment, else empty.

  /// `Options::device`, `already chosen`, `node-local rank`, or the name of the variable.
  NameView why() const;

  template <class Sink>
  friend void put(Sink& sink, const DeviceChoice& choice) {
    if (choice.device < 0) return put(sink, NameView("no device"));
    put(sink, NameView("device "), choice.device, NameView(" ("), choice.why(), NameView(")"));
  }
};

/// The device of this process, a function of the inputs alone: `wanted`, else the one already chosen, else LOCAL_RANK,
/// else the node-local rank, as the launcher's variable or else MPI has it, modulo `devices`. The only device is
/// everybody's, whatever LOCAL_RANK is. Throws MeshError for a device that the process does not see, for a variable
/// that is not a number, and when the ranks of the node outnumber the devices and are not a multiple of them.
export DeviceChoice choose_device(const DeviceInputs&);

/// The ranks on one host, where a Hosts keeps them.
struct HostRanks {
  const unsigned* ranks = nullptr;
  unsigned count = 0;

  constexpr std::size_t size() const { return count; }
  constexpr unsigned operator[](unsigned i) const { return ranks[i]; }
};

struct HostTable;

/// Which ranks share a node. Hosts are numbered by their first rank. Copies share one table, which never changes.
export class Hosts {
 public:
  /// One key for each rank; ranks with equal keys share a host.
  Hosts(const unsigned* keys, std::size_t ranks);
  Hosts(const Hosts&) noexcept;  // and no moves: there is no empty state
  Hosts& operator=(const Hosts&) noexcept;
  ~Hosts();

  /// The number of hosts.
  unsigned size() const;
  /// The number of ranks on all of them.
  unsigned ranks() const;
  /// True when all hosts have equally many ranks.
  bool is_even() const;
  /// The host of a rank; throws MeshError when there is no such rank.
  unsigned host_of(unsigned rank) const;
  /// The place of a rank among the ranks of its host; throws MeshError when there is no such rank.
  unsigned local_rank(unsigned rank) const;
  /// The number of ranks on a host; throws MeshError when there is no such host.
  unsigned count_on(unsigned host) const;
  /// The ranks on a host in increasing order, valid as long as any copy of these Hosts; throws MeshError when there is
  /// no such host.
  View<HostRanks> ranks_on(unsigned host) const;
  /// Writes ranks() numbers: all ranks, those of the first host first, of each host in increasing order. A rank map
  /// that makes the ranks of a node neighbours.
  void order_by_node(unsigned* ranks_out) const;

  /// `2 hosts of 4 ranks`, `3 hosts of 3, 3 and 2 ranks`, with more than eight hosts `16 hosts of 6 to 8 ranks`.
  template <class Sink>
  friend void put(Sink& sink, const Hosts& hosts) {
    put(sink, hosts.text());
  }

 private:
  NameView text() const;

  std::shared_ptr<const HostTable> table_;
};

/// The nodes of the ranks of a communicator. Collective over it.
export Hosts find_hosts(const CommunicatorView& view);

}  // namespace axial
