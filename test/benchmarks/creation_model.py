#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The model of benchmarks/creation says of torch what torch did, of axial's groups how many there are, and of MPI what
is called and sent."""
import csv
import os
import subprocess
import sys
import unittest
from fractions import Fraction
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "benchmarks/creation"))
import counts  # noqa: E402
import model  # noqa: E402

BUILD = Path(os.environ["AXIAL_BUILD"])
TOOL = os.environ["AXIAL_TOOL"]
# The shapes that bench_creation knows: the one that is timed; an axis of one rank and one of all; three; no powers.
SHAPES = ["2x4", "1x8", "2x2x2", "3x1x2"]


def extents_of(shape):
    return tuple(map(int, shape.split("x")))


def group_lists(shape, ranks):
    """For each axis its groups, as the tool lists them."""
    extents = extents_of(shape)
    names = [f"a{i}" for i in range(len(extents))]
    mesh = [",".join(f"{name}={extent}" for name, extent in zip(names, extents))]
    if ranks != "-":
        mesh.append(f"ranks:{ranks}")
    for name in names:
        command = [TOOL, "groups", *mesh, "--axis", name, "--tsv"]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        yield [list(map(int, line.split())) for line in output.splitlines()]


class Golden(unittest.TestCase):
    def test_every_row_of_torch(self):
        with open(SOURCE / "test/data/creation.tsv", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        self.assertEqual(len(rows), 84)
        for row in rows:
            with self.subTest(row["mesh"]):
                extents, world, member = extents_of(row["shape"]), int(row["world"]), row["member"] == "yes"
                # A mesh of fewer ranks than there are is one of its own ranks, in increasing order.
                table = row["table"]
                ranks = list(range(model.size_of(extents))) if table == "-" else list(map(int, table.split(",")))
                in_order = ranks == list(range(world))
                places = "-" if table == "-" else ",".join(str(sorted(ranks).index(rank)) for rank in ranks)
                axes = model.torch_axes(extents, world)
                self.assertEqual(sum(groups for _, groups in axes), int(row["torch_new_group_calls"]))
                self.assertEqual(len(axes) if member else 0, int(row["torch_groups_joined"]))
                self.assertEqual(len(extents) - len(axes) if member else 0, int(row["axes_reusing_world"]))
                self.assertEqual(len(model.splits_needed(extents, world, in_order)), int(row["splits_needed"]))
                # The same from axial's groups, listed.
                lists = list(group_lists(row["shape"], places))
                mine = [[[sorted(ranks)[i] for i in group] for group in groups] for groups in lists]
                calls = [group for groups in mine for group in groups if len(group) != world]
                self.assertEqual(len(calls), int(row["torch_new_group_calls"]))
                self.assertEqual(sum(int(row["rank"]) in group for group in calls), int(row["torch_groups_joined"]))
                needed = [groups for groups in mine if len(groups[0]) > 1 and groups != [list(range(world))]]
                self.assertEqual(len(needed), int(row["splits_needed"]))


class Counted(unittest.TestCase):
    def check(self, shape, way, cost, calls):
        with self.subTest(shape=shape, way=way):
            counted = counts.count(BUILD, shape, way)
            self.assertEqual(counted.calls, {function: number for function, number in calls.items() if number})
            self.assertEqual((counted.messages, counted.sent), (cost.messages, cost.bytes))
            self.assertEqual(sum(calls.values()), cost.calls)

    def test_calls_messages_and_bytes_are_those_of_the_model(self):
        for shape in SHAPES:
            extents = extents_of(shape)
            world, axes = model.size_of(extents), len(model.true_axes(extents))
            splits = len(model.splits_needed(extents, world))
            new_groups = sum(groups for _, groups in model.torch_axes(extents, world))
            self.check(shape, "groups", model.groups(extents), {"MPI_Comm_create_group": axes})
            self.check(shape, "splits", model.splits(extents), {"MPI_Comm_split": splits})
            self.check(shape, "cart", model.cart(extents), {"MPI_Cart_create": 1, "MPI_Cart_sub": axes})
            self.check(shape, "all_groups", model.all_groups(extents), {"MPI_Comm_create": new_groups})

    def test_axial_agrees_and_makes_a_group_for_each_axis(self):
        reductions = counts.reductions(counts.count(BUILD, "2x4", "axial"))
        self.assertGreaterEqual(reductions[0], 1)
        for shape in SHAPES:
            extents = extents_of(shape)
            self.check(shape, "axial", model.axial(extents, reductions),
                       {"MPI_Allreduce": reductions[0], "MPI_Comm_create_group": len(model.true_axes(extents))})


class Formulas(unittest.TestCase):
    """Values worked out by hand; a split becomes a ring where MPICH's tuning file says."""

    def test_an_axis_of_8_ranks_costs_the_same_in_every_world(self):
        self.assertEqual({model.create_group(8)[:3]}, {(6, Fraction(31, 8), 780 + Fraction(7, 2))})
        self.assertEqual(model.groups((1 << 17, 8)).rounds - model.groups((1 << 10, 8)).rounds, 2 * 7)

    def test_rounds_of_one_split(self):
        for ranks, rounds in [(6, 3 + 6), (8, 3 + 6), (64, 6 + 12), (96, 7 + 14), (128, 7 + 7), (10239, 14 + 15),
                              (10240, 10239 + 15), (32768, 15 + 15), (65536, 65535 + 16)]:
            self.assertEqual(model.split(ranks, 2).rounds - 1, rounds, ranks)  # less the broadcast

    def test_a_mesh_of_2_to_the_20(self):
        extents = model.balanced(20)
        self.assertEqual(extents, (128, 128, 64))
        self.assertEqual(model.groups(extents).rounds, 2 * 20)
        self.assertEqual(model.splits(extents).rounds, 3 * (2**20 - 1 + 20) + 20)
        self.assertEqual(model.all_groups(extents).calls, 2 * 2**13 + 2**14)
        self.assertEqual({model.size_of(model.balanced(e)) for e in model.EXPONENTS}, {2**e for e in range(3, 21)})


if __name__ == "__main__":
    unittest.main()
