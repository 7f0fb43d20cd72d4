#!/usr/bin/python3
# SPDX-License-Identifier: BSL-1.0
"""`axial groups`, `coords` and `show`: their formats to the letter, and the answers of torch."""
import itertools
import json
import os
import re
import subprocess
import unittest

from tool import TOOL, ToolTest, call, table


class Formats(ToolTest):
    def test_groups_are_lines_of_ranks_in_order_of_their_index(self):
        self.assertEqual(self.output("groups dp=2,cp=2,tp=2 flatten:tp,dp --axis tp_dp --tsv"), "0 4 1 5\n2 6 3 7\n")
        self.assertEqual(self.output("groups dp=4 ranks:3,2,1,0 --axis dp --tsv"), "3 2 1 0\n")
        self.assertEqual(self.output("groups dp=2,tp=2 --axis dp --tsv"), "0 2\n1 3\n")

    def test_an_axis_may_be_several_and_be_left_out_where_there_is_one(self):
        self.assertEqual(self.output("groups dp=2,cp=2,tp=2 --axis tp,dp --tsv"), "0 4 1 5\n2 6 3 7\n")
        self.assertEqual(self.output("groups dp=2,tp=2 --axis dp,tp --tsv"), "0 1 2 3\n")
        self.assertEqual(self.output("groups dp=3 --tsv"), "0 1 2\n")

    def test_groups_for_humans_begin_with_the_index(self):
        self.assertEqual(self.output("groups dp=2,tp=2 --axis tp"), "0: 0 1\n1: 2 3\n")
        self.assertEqual(self.lines("groups dp=11,tp=2 --axis tp")[0], " 0: 0 1")

    def test_coords_are_a_line_for_each_rank_of_the_root(self):
        self.assertEqual(self.output("coords dp=2,tp=2 --tsv"), "0\t0,0\n1\t0,1\n2\t1,0\n3\t1,1\n")
        self.assertEqual(self.output("coords dp=2,tp=2 slice:dp=1 --tsv"), "0\t-\n1\t-\n2\t0\n3\t1\n")
        self.assertEqual(self.output("coords dp=2 slice:dp=1 --tsv"), "0\t-\n1\t\n")
        self.assertEqual(self.output("coords dp=4 ranks:3,1,2,0 --tsv"), "0\t3\n1\t1\n2\t2\n3\t0\n")

    def test_coords_for_humans_are_a_table(self):
        self.assertEqual(self.output("coords data=2,tp=2 slice:tp=1"),
                         "rank  data\n   0     -\n   1     0\n   2     -\n   3     1\n")
        self.assertEqual(self.output("coords dp=2 slice:dp=1"), "rank\n   0  -\n   1\n")

    def test_json_of_groups(self):
        self.assertEqual(self.document("groups dp=2,cp=2,tp=2 flatten:dp,tp --axis cp --json"), {
            "names": ["dp_tp", "cp"], "shape": [4, 2], "strides": [None, 2], "size": 8,
            "groups": [[0, 2], [1, 3], [4, 6], [5, 7]]})

    def test_json_of_coords(self):
        self.assertEqual(self.document("coords dp=2,tp=2 slice:dp=0 --json"), {
            "names": ["tp"], "shape": [2], "strides": [1], "size": 2, "coords": [[0], [1], None, None]})
        self.assertEqual(self.document("coords dp=2 slice:dp=0 --json")["coords"], [[], None])

    def test_json_of_names_that_need_quoting(self):
        name = 'a"\\\t\u00e9'
        self.assertEqual(self.document("groups", f"x{name}=2", "--json")["names"], ["x" + name])
        bad = json.loads(subprocess.run([TOOL, "groups", b"\xff=2", "--json"], capture_output=True, check=True).stdout)
        self.assertEqual(bad["names"], ["\ufffd"])

    def test_an_axis_of_one_rank_has_the_stride_0_as_in_a_mesh_type(self):
        self.assertEqual(self.document("coords a=1,b=2 --json")["strides"], [0, 1])

    def test_a_dynamic_mesh_takes_the_number_of_ranks(self):
        self.assertEqual(self.output("groups dp=*,tp=2 --world 6 --axis dp --tsv"), "0 2 4\n1 3 5\n")
        self.assertEqual(self.output("groups dp=6 --world 6 --tsv"), "0 1 2 3 4 5\n")

    def test_steps_are_applied_left_to_right(self):
        for steps, tsv in [
            ("submesh:tp,dp", "dp\t2\t2:4\t4\n"), ("permute:tp,cp,dp", "cp\t2\t2:2\t4\ndp\t2\t2:4\t4\n"),
            ("others:tp", None), ("flatten", "dp_cp_tp\t8\t8:1\t1\n"), ("flatten:=all", "all\t8\t8:1\t1\n"),
            ("flatten:cp,tp", "cp_tp\t4\t4:1\t2\n"), ("flatten:tp,dp=x", "x\t4\t(2,2):(1,4)\t2\ncp\t2\t2:2\t4\n"),
            ("unflatten:tp=a:1,b:2", "a\t1\t1\t8\nb\t2\t2:1\t4\n"), ("slice:dp=1 slice:cp=0", "tp\t2\t2:1\t1\n"),
            ("rename:tp=tensor", "tensor\t2\t2:1\t4\n"), ("rename:tp=x submesh:x", "x\t2\t2:1\t4\n"),
            ("flatten:tp,dp unflatten:tp_dp=a:2,b:2 submesh:b", "b\t2\t2:4\t4\n"),
        ]:
            out = self.output(f"show dp=2,cp=2,tp=2 {steps} --tsv")
            self.assertTrue(out.endswith(tsv or "cp\t2\t2:2\t4\n"), (steps, out))

    def test_show_for_humans(self):
        self.assertEqual(self.output("show dp=*,tp=16"), """\
mesh     dp=*, tp=16
size     *
world    *
copies   1
ranks    strided

axis  extent  modes  groups  ranks of the groups
dp    *       *:16   16      0 16 32 48 64 80 96 ... | 1 17 33 49 65 81 97 ... | ... | 15 31 47 63 79 95 111 ...
tp    16      16:1   *       0 1 2 3 4 5 6 ... 15 | 16 17 18 19 20 21 22 ... 31 | ...
""")
        out = self.output("show dp=2,tp=2 ranks:0,3,1,2 submesh:tp")
        self.assertIn("copies   2\nranks    bit-linear\n", out)
        self.assertIn("ranks    table\n", self.output("show dp=3 ranks:1,0,2"))
        self.assertIn("ranks    strided\n", self.output("show dp=4 ranks:0,2,1,3"))
        self.assertIn("ranks    strided, sliced", self.output("show dp=4 slice:dp=1"))

    def test_show_as_json(self):
        self.assertEqual(self.document("show dp=*,tp=2 --json"), {
            "names": ["dp", "tp"], "shape": [None, 2], "strides": [2, 1], "size": None, "world": None, "copies": 1,
            "ranks": "strided", "modes": ["*:2", "2:1"], "group_counts": [2, None]})
        self.assertEqual(self.document("show dp=2,tp=3 submesh:tp --json")["copies"], 2)

    def test_help_and_version(self):
        self.assertRegex(self.output("--version"), r"^axial \d+\.\d+\.\d+\n$")
        self.assertIn("coords", self.output("--help"))
        for subcommand in ["show", "groups", "coords", "order", "draw"]:
            self.assertIn("flatten:dp,tp=batch", self.output(subcommand, "--help"))
        self.assertIn("virtual_stages", self.output("check --help"))


class LongLists(ToolTest):
    def test_the_largest_mesh_begins_to_print_at_once(self):
        for command in ["coords x=2147483647", "coords x=2147483647 --json", "groups x=2147483647"]:
            with subprocess.Popen([TOOL, *command.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                self.assertTrue(process.stdout.read(100000))
                process.stdout.close()
                self.assertEqual(process.stderr.read(), b"")

    def test_a_reader_that_leaves_is_no_error_even_where_the_signal_is_ignored(self):
        shell = f'trap "" PIPE; {TOOL} coords x=2147483647 | head -1; echo ${{PIPESTATUS[0]}}'
        done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=30)
        self.assertEqual((done.stdout, done.stderr), ("      rank           x\n0\n", ""))

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "the sanitizer needs room")
    def test_memory_does_not_grow_with_the_list(self):
        limit = "ulimit -v 200000; exec"  # KiB; the list alone has more characters than that
        done = subprocess.run(["bash", "-c", f"{limit} {TOOL} coords a=4096,b=4096 --json | tail -c 19"],
                              capture_output=True, text=True, timeout=50)
        self.assertEqual((done.stdout, done.stderr), ("\n  [4095, 4095]\n]}\n", ""))

    def test_what_cannot_be_written_is_said(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([TOOL, "coords", "a=2"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the standard output cannot be written", done.stderr)


def steps_of(program):
    """A program of submesh.tsv as steps, where each statement works on the one before it; None otherwise."""
    steps, current = [], "m"
    for statement in program.split(";"):
        target, operation, arguments = re.fullmatch(r"(\w+)=(\w+)\((.*)\)", statement).groups()
        source, *names = arguments.split(",")
        if source != current:
            return None
        current = target
        if operation == "slice":
            steps.append("submesh:" + ",".join(names))
        elif operation == "flatten":
            steps.append("flatten" + (":=" + names[0] if names else ""))
        elif operation == "unflatten" and not names[0].isdigit():
            pairs = zip(names[2].split("+"), names[1].split("x"))
            steps.append(f"unflatten:{names[0]}=" + ",".join(":".join(pair) for pair in pairs))
        else:
            return None
    return steps


class Torch(ToolTest):
    def test_meshes_made_from_meshes_are_those_of_torch(self):
        question = lambda row: tuple(row[key] for key in ("names", "shape", "world", "table", "program"))
        cases = 0
        for (names, shape, world, ranks, program), rows in itertools.groupby(table("submesh.tsv"), question):
            steps, rows = steps_of(program), list(rows)
            mesh = ",".join(f"{n}={e}" for n, e in zip(names.split(","), shape.split("x")))
            if steps is None or eval(shape.replace("x", "*")) != int(world):
                continue
            words = [mesh] + ([] if ranks == "-" else ["ranks:" + ranks]) + steps
            if rows[0]["res_layout"] == "error":
                if len(steps) == 1:  # torch also refuses names of axes that the mesh has no more
                    self.assertEqual(call("coords", *words)[0], 2, words)
                continue
            cases += 1
            shown = [line.split("\t") for line in self.lines("show", *words, "--tsv")]
            self.assertEqual(",".join(axis[0] for axis in shown), rows[0]["res_names"], words)
            self.assertEqual(";".join(axis[2] for axis in shown), rows[0]["res_layout"], words)
            coordinates = dict(line.split("\t") for line in self.lines("coords", *words, "--tsv"))
            groups = [{rank: line for line in self.lines("groups", *words, "--axis", axis[0], "--tsv")
                       for rank in line.split()} for axis in shown]
            for row in rows:
                self.assertEqual(coordinates[row["rank"]], row["coord"], (words, row["rank"]))
                found = ";".join(of_axis[row["rank"]].replace(" ", ",") for of_axis in groups)
                self.assertEqual(found, row["groups"], (words, row["rank"]))
        self.assertGreater(cases, 80)


if __name__ == "__main__":
    unittest.main()
