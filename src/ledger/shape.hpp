// SPDX-License-Identifier: BSL-1.0
// What the ledger knows of each function of MPI: what it is for, and which of its arguments are what.
#pragma once
#include <axial/ledger.hpp>

namespace axial::ledger {

/// How many blocks of data there are, and which of a list of counts say their lengths.
enum class Blocks { one, mine, ranks, neighbours, partitions };

/// Blocks of elements, by the positions of arguments: the number or the list of numbers of elements, the type or the
/// list of types. Without a position of the count it is one element.
struct Data {
  int count = -1;
  int type = -1;
  Blocks blocks = Blocks::one;
};

/// Which ranks of the communicator must make the same call.
enum class Together { none, group, all };

/// What becomes of requests: the last argument of the functions that make one, the first of the others, which may have
/// the length of a list before it.
enum class Requests { untouched, pending, received, persistent, started, completed };

/// What the arguments of a function are, by their positions; -1 is none.
struct Shape {
  Kind kind = Kind::environment;
  Together together = Together::none;
  Requests requests = Requests::untouched;
  int communicator = -1;
  Data sent{};
  Data instead{};       // of `sent`, when argument 0 is MPI_IN_PLACE, or on a rank that is not the root
  bool uneven = false;  // ranks may hand in different numbers of elements
  int op = -1;
  int root = -1;
  bool root_sends = false;  // and no other rank
  int made = -1;            // an object of this kind
  bool frees = false;       // argument 0
  bool names = false;       // argument 0, with argument 1

  constexpr Shape on(int position) const {
    Shape shape = *this;
    shape.communicator = position;
    return shape;
  }
  constexpr Shape by(Together ranks) const {
    Shape shape = *this;
    shape.together = ranks;
    return shape;
  }
  constexpr Shape sends(int count, int type, Blocks blocks = Blocks::one) const {
    Shape shape = *this;
    shape.sent = {count, type, blocks};
    return shape;
  }
  constexpr Shape or_gets(int count, int type, Blocks blocks = Blocks::one) const {
    Shape shape = *this;
    shape.instead = {count, type, blocks};
    return shape;
  }
  constexpr Shape unevenly() const {
    Shape shape = *this;
    shape.uneven = true;
    return shape;
  }
  /// The operator follows the type.
  constexpr Shape reduces(int count, int type, Blocks blocks = Blocks::one) const {
    Shape shape = sends(count, type, blocks);
    shape.op = type + 1;
    return shape;
  }
  constexpr Shape rooted(int position) const {
    Shape shape = *this;
    shape.root = position;
    return shape;
  }
  constexpr Shape from(int position) const {
    Shape shape = rooted(position);
    shape.root_sends = true;
    return shape;
  }
  constexpr Shape makes(int position) const {
    Shape shape = *this;
    shape.made = position;
    return shape;
  }
  constexpr Shape freeing() const {
    Shape shape = *this;
    shape.frees = true;
    return shape;
  }
  constexpr Shape naming() const {
    Shape shape = *this;
    shape.names = true;
    return shape;
  }
  constexpr Shape with(Requests what) const {
    Shape shape = *this;
    shape.requests = what;
    return shape;
  }
};

// What the table begins with.
constexpr Shape local{};
constexpr Shape collective{.kind = Kind::collective, .together = Together::all};
constexpr Shape point_to_point{.kind = Kind::point_to_point};
constexpr Shape one_sided{.kind = Kind::one_sided};
constexpr Shape communicator{.kind = Kind::communicator, .together = Together::all};
constexpr Shape group{.kind = Kind::group};
constexpr Shape op{.kind = Kind::op};
constexpr Shape datatype{.kind = Kind::datatype};
constexpr Shape request{.kind = Kind::request};

/// The objects that functions of a kind make, free or name.
constexpr Object object_of(Kind kind) {
  switch (kind) {
    case Kind::group: return Object::group;
    case Kind::op: return Object::op;
    case Kind::datatype: return Object::datatype;
    case Kind::request: return Object::request;
    default: return Object::communicator;
  }
}

}  // namespace axial::ledger
