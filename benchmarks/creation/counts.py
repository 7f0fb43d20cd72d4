# SPDX-License-Identifier: BSL-1.0
"""Counts what bench_creation calls and sends. The only file that knows how calls and messages are counted."""
import collections
import math
import os
import pathlib
import subprocess
import sys
import tempfile
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Nothing of these communicates while a mesh is made; what frees it is not counted.
LOCAL = {"MPI_Comm_free", "MPI_Comm_get_attr", "MPI_Comm_get_errhandler", "MPI_Comm_group", "MPI_Comm_rank", "MPI_Comm_set_errhandler",
         "MPI_Comm_set_name", "MPI_Comm_size", "MPI_Comm_test_inter", "MPI_Errhandler_free", "MPI_Finalized",
         "MPI_Group_free", "MPI_Group_incl", "MPI_Initialized"}


class Counts:
    """Of one creation: `calls` {function: calls} of a rank and `bytes` {function: bytes handed in}, without local
    functions and equal on all ranks; `messages` and `sent` bytes of all functions, means over the ranks."""

    def __init__(self, ranks):
        first, *rest = [(rank["calls"], rank["bytes"]) for rank in ranks]
        if any(other != first for other in rest):
            sys.exit(f"creation: the ranks called differently: {[calls for calls, _ in [first, *rest]]}")
        self.calls, self.bytes = first
        self.messages, self.sent = (Fraction(sum(rank[key] for rank in ranks), len(ranks))
                                    for key in ("messages", "sent"))


def library(build, name):
    found = next(build.rglob(f"lib{name}.so"), None)
    if found is None:
        sys.exit(f"creation: no lib{name}.so in {build}: build the target {name}")
    return str(found)


def launch(build, ranks, arguments, environment=None):
    program = build / "benchmarks/creation/bench_creation"
    command = [str(word) for word in (ROOT / "scripts/mpiexec", "-n", ranks, program, *arguments)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})})


def record(build, ranks, shape, way, times, folder):
    """For each rank what a whole run has called and sent."""
    calls, messages = folder / f"calls{times}", folder / f"messages{times}"
    preload = f"{library(build, 'axial_ledger')}:{library(build, 'bench_creation_messages')}"
    done = launch(build, ranks, (shape, way, times), {
        "AXIAL_PRELOAD": preload, "AXIAL_LEDGER": str(calls), "BENCH_MESSAGES": str(messages),
        "MPIR_CVAR_NOLOCAL": "1"})
    if done.returncode != 0:
        sys.exit(f"creation: status {done.returncode} from bench_creation {shape} {way}\n{done.stdout}{done.stderr}")
    counted = []
    for rank in range(ranks):
        counter = collections.Counter()
        for line in (folder / f"{calls.name}.{rank}").read_text().splitlines():
            function, _, number, size = line.split("\t")
            counter["calls", function] += int(number)
            counter["bytes", function] += int(size)
        counter["messages"], counter["sent"] = map(int, (folder / f"{messages.name}.{rank}").read_text().split())
        counted.append(counter)
    return counted


def count(build, shape, way):
    """Counts of one creation: those of two in a run less those of one. A way that is not there counts nothing."""
    ranks = math.prod(map(int, shape.split("x")))
    with tempfile.TemporaryDirectory() as folder:
        once, twice = (record(build, ranks, shape, way, times, pathlib.Path(folder)) for times in (1, 2))
    each = []
    for few, many in zip(once, twice):
        many.subtract(few)
        each.append({"messages": many.pop("messages"), "sent": many.pop("sent"),
                     **{kind: {function: number for (of, function), number in many.items()
                               if of == kind and number and function not in LOCAL} for kind in ("calls", "bytes")}})
    return Counts(each)


def reductions(counts):
    """The number of allreduces by which axial's ranks agree, and their bytes in all."""
    return counts.calls.get("MPI_Allreduce", 0), counts.bytes.get("MPI_Allreduce", 0)
