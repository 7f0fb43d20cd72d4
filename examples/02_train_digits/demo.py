#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""demo.py BUILD [ARGUMENT...]: trains on 1 rank and on every mesh of 8, with the arguments given to each training.

Ends with a table, whose counts of calls and bytes come from a library between the program and MPI, and fails when a
mesh does not learn as well as one rank alone, or not the same.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MESHES = [(1, 1), (8, 1), (4, 2), (2, 4), (1, 8)]  # dp, tp: one rank, then all meshes of 8
LEAST_ACCURACY = 0.95
LARGEST_DIFFERENCE = 1e-9


def show_while_running(command, environment):
    """Runs a command, passes its output on as it comes, and returns it."""
    output = b""
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        while chunk := os.read(process.stdout.fileno(), 4096):
            output += chunk
            sys.stdout.buffer.write(chunk)
            sys.stdout.buffer.flush()
    if process.returncode != 0:
        sys.exit(f"demo: status {process.returncode} from {' '.join(map(str, command))}")
    return output.decode()


def read_counts(prefix, ranks):
    """For each rank: {(function, communicator): (calls, bytes)}."""
    counts = []
    for rank in range(ranks):
        rows = [line.split("\t") for line in pathlib.Path(f"{prefix}.{rank}").read_text().splitlines()]
        counts.append({(row[0], row[1]): (int(row[2]), int(row[3])) for row in rows})
    return counts


def communicators_made(counts):
    return sum(calls for (function, _), (calls, _) in counts.items() if function == "MPI_Comm_create_group")


def train(build, dp, tp, arguments, scratch):
    """One training, as a line of the table."""
    mesh, ranks = f"dp={dp},tp={tp}", dp * tp
    ledger = next(build.rglob("libaxial_ledger.so"), None)
    if ledger is None:
        sys.exit(f"demo: no libaxial_ledger.so in {build}: build the target axial_ledger")
    prefix, losses = scratch / f"counts-{mesh}", scratch / f"losses-{mesh}"
    environment = {**os.environ, "AXIAL_PRELOAD": str(ledger), "AXIAL_LEDGER": str(prefix)}
    program = build / "examples/02_train_digits/train_digits"
    bar = ["--bar"] if sys.stdout.isatty() else []  # the program itself writes to a pipe of mpiexec
    command = [ROOT / "scripts/mpiexec", "-n", ranks, program, "--mesh", mesh, "--losses", losses, *bar, *arguments]
    output = show_while_running(list(map(str, command)), environment)
    print(flush=True)

    counts = read_counts(prefix, ranks)
    rows, parameters = re.search(r"^ +0 +0 +0 +(\d+) +(\d+)$", output, re.M).groups()
    return {
        "mesh": mesh,
        "axes": (dp > 1) + (tp > 1),
        "communicators": {communicators_made(rank) for rank in counts},
        "rows": int(rows),
        "parameters": int(parameters),
        "dp": counts[0].get(("MPI_Allreduce", "axial:dp"), (0, 0)),
        "tp": counts[0].get(("MPI_Allreduce", "axial:tp"), (0, 0)),
        "losses": [float(line) for line in losses.read_text().split()],
        "accuracy": float(re.search(r"accuracy ([0-9.]+)", output)[1]),
    }


def difference(losses, reference):
    """The largest relative difference of two curves."""
    return max(abs(a - b) / abs(b) for a, b in zip(losses, reference, strict=True))


COLUMNS = {
    "mesh": lambda run: run["mesh"],
    "communicators": lambda run: ",".join(map(str, sorted(run["communicators"]))),
    "rows": lambda run: str(run["rows"]),
    "parameters": lambda run: str(run["parameters"]),
    "dp calls": lambda run: str(run["dp"][0]),
    "dp bytes": lambda run: str(run["dp"][1]),
    "tp calls": lambda run: str(run["tp"][0]),
    "tp bytes": lambda run: str(run["tp"][1]),
    "final loss": lambda run: f"{run['losses'][-1]:.8f}",
    "accuracy": lambda run: f"{run['accuracy']:.4f}",
    "difference": lambda run: f"{run['difference']:.1e}",
}


def print_table(runs):
    lines = [list(COLUMNS)] + [[text(run) for text in COLUMNS.values()] for run in runs]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print("  ".join(text.rjust(width) for text, width in zip(line, widths)))


def failures(runs):
    """What is required and does not hold."""
    for run in runs:
        if run["accuracy"] < LEAST_ACCURACY:
            yield f"{run['mesh']}: accuracy {run['accuracy']} is below {LEAST_ACCURACY}"
        if not run["difference"] <= LARGEST_DIFFERENCE:
            yield f"{run['mesh']}: losses differ from those of 1 rank by {run['difference']}, over {LARGEST_DIFFERENCE}"
        if run["communicators"] != {run["axes"]}:
            yield f"{run['mesh']}: {run['communicators']} communicators made by a rank, not {run['axes']}"
    for less, more in zip(runs[1:], runs[2:]):  # in order of tp
        if not more["parameters"] < less["parameters"]:
            yield f"{more['mesh']}: a rank holds {more['parameters']} parameters, no fewer than with {less['mesh']}"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build, arguments = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        runs = [train(build, dp, tp, arguments, pathlib.Path(scratch)) for dp, tp in MESHES]
    for run in runs:
        run["difference"] = difference(run["losses"], runs[0]["losses"])
    print(f"{len(runs)} trainings in {time.monotonic() - begin:.0f} s. Of one rank: the communicators that it made, the"
          " rows of data and the\nparameters that it holds, its all_reduces along each axis. Difference: of the losses,"
          " relative to 1 rank, the largest.\n")
    print_table(runs)
    failed = list(failures(runs))
    for failure in failed:
        print(f"demo: {failure}", file=sys.stderr)
    sys.exit(1 if failed else 0)


main()
