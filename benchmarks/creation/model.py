# SPDX-License-Identifier: BSL-1.0
"""What it costs to make the communicators of a mesh, counted: no times, no assumptions on a network.

A mesh is row-major, given by its extents, over a world of as many ranks. The formulas are those of the algorithms that
MPICH 4.0.2 chooses, without its variants for ranks that share a node, while no more than about 60 communicators are
alive (beyond, it takes a second reduction for each). On 6 and 8 ranks a test compares them with the messages that are
sent; 128 ranks, where MPICH reduces in another way, were compared by hand. Below, d is the extent of an axis, log the
binary logarithm rounded down, and p = 2^log(n) for a communicator of n ranks.
"""
import math
from fractions import Fraction
from typing import NamedTuple


class Cost(NamedTuple):
    """Of one rank: rounds that follow each other on the longest path, messages and bytes sent (a mean over the ranks),
    calls of MPI that communicate."""
    rounds: int = 0
    messages: Fraction = Fraction(0)
    bytes: Fraction = Fraction(0)
    calls: int = 0

    def __add__(self, other):
        return Cost(*(a + b for a, b in zip(self, other)))

    def times(self, n):
        return Cost(*(n * a for a in self))


CALL = Cost(calls=1)


def total(costs):
    return sum(costs, Cost())


# Algorithms of MPICH, in src/mpi/coll, and the choice among them, in maint/tuning/coll/mpir/generic.json.


def is_power_of_two(n):
    return n & (n - 1) == 0


def log(n):
    return n.bit_length() - 1


def round_up_log(n):
    return (n - 1).bit_length()


def recursive_doubling(n, size):
    """allreduce: log p exchanges of everything among p ranks; the n - p others hand in before and get the result after.
    """
    p = 1 << log(n)
    messages = Fraction(p * log(p) + 2 * (n - p), n)
    return Cost(log(p) + 2 * (n > p), messages, messages * size)


def halving_and_doubling(n, size):
    """allreduce as reduce_scatter and allgather: 2 log p exchanges among p ranks, of 1/2, 1/4 ... 1/p and back."""
    p = 1 << log(n)
    rest = 2 * (n - p)
    return Cost(2 * log(p) + 2 * (n > p), Fraction(2 * p * log(p) + rest, n), Fraction((2 * (p - 1) + rest) * size, n))


def allreduce(n, count, word):
    size = count * word
    return recursive_doubling(n, size) if size <= 8 or count < 1 << log(n) else halving_and_doubling(n, size)


def allgather(n, size):
    """Of `size` bytes from each: recursive doubling or Bruck, in ceil(log n) rounds, or a ring, in n - 1, from 524,288
    bytes in all where n is a power of two, else from 81,920. All of them send all but their last receiver's block."""
    ring = n * size >= (524288 if is_power_of_two(n) else 81920)
    rounds = n - 1 if ring else round_up_log(n)
    return Cost(rounds, Fraction(rounds), Fraction(size * (n - 1)))


def broadcast(n, size):
    """A binomial tree."""
    return Cost(round_up_log(n), Fraction(n - 1, n), Fraction(size * (n - 1), n))


# Creation in MPICH, in src/mpi/comm. Agreement on a context id is an AND of 65 words of 4 bytes (contextid.c), and each
# new communicator broadcasts a sequence number of 4 bytes among its members (commutil.c, init_comm_seq).

CONTEXT_WORDS = 65


def context_id(n):
    return allreduce(n, CONTEXT_WORDS, 4)


def create_group(d):
    """MPI_Comm_create_group: the context id by recursive doubling over the members alone (allreduce_group.c)."""
    return CALL + recursive_doubling(d, CONTEXT_WORDS * 4) + broadcast(d, 4)


def split(world, d):
    """MPI_Comm_split: an allgather of color and key and a context id over the world (comm_split.c)."""
    return CALL + allgather(world, 8) + context_id(world) + broadcast(d, 4)


def cart_create(world):
    """MPI_Cart_create without reordering: a context id over the world (topo_impl.c)."""
    return CALL + context_id(world) + broadcast(world, 4)


def create(world, d, groups):
    """MPI_Comm_create for each of `groups` groups by all ranks, each of them a member of one: a context id over the
    world for each (comm_impl.c)."""
    return (CALL + context_id(world)).times(groups) + broadcast(d, 4)


# Ways to make the communicators of all axes.


def size_of(extents):
    return math.prod(extents)


def true_axes(extents):
    return [d for d in extents if d > 1]


def splits_needed(extents, world, in_order=True):
    """Axes for which a split is needed: not those of one rank, and not one that is the world in its own order."""
    return [d for d in true_axes(extents) if not (d == world and in_order)]


def torch_axes(extents, world):
    """(extent, number of groups) for each axis for which torch's DeviceMesh calls new_group: all that have not as many
    ranks as the world, also those of one rank."""
    return [(d, size_of(extents) // d) for d in extents if d != world]


def splits(extents):
    return total(split(size_of(extents), d) for d in splits_needed(extents, size_of(extents)))


def cart(extents):
    """MPI_Cart_sub is a split."""
    world = size_of(extents)
    return cart_create(world) + total(split(world, d) for d in true_axes(extents))


def all_groups(extents):
    """torch's loop of new_group over all groups on all ranks, with MPI_Comm_create for new_group, as in its MPI backend
    (ProcessGroupMPI.cpp), which calls a barrier before each, too."""
    world = size_of(extents)
    return total(create(world, d, groups) for d, groups in torch_axes(extents, world))


def groups(extents):
    """What axial does once the ranks agree."""
    return total(create_group(d) for d in true_axes(extents))


def agreement(extents, reductions):
    """`reductions`: how many allreduces axial makes over the world, and their bytes in all; of so few words that it is
    recursive doubling."""
    number, size = reductions
    return (CALL + recursive_doubling(size_of(extents), Fraction(size, max(number, 1)))).times(number)


def axial(extents, reductions):
    return agreement(extents, reductions) + groups(extents)


# The meshes that are shown.


def balanced(exponent, ndim=3):
    """2^exponent ranks on axes as equal as powers of two can be, the larger ones first: 14 -> 32x32x16."""
    return tuple(1 << (exponent // ndim + (i < exponent % ndim)) for i in range(ndim))


EXPONENTS = range(3, 21)
OTHERS = [(2, 4), (1, 32, 1, 8), (3, 20, 8), (8, 16, 8), (1, 1280, 8), (12, 1024, 8)]
