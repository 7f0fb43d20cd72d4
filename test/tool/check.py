#!/usr/bin/python3
# SPDX-License-Identifier: BSL-1.0
"""`axial check`: every key and every rule behind it, the formats, exit codes, and what is bad input."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from tool import TOOL, ToolTest, call

MESH = 'mesh = "pp=2,dp=4,tp=8"\n'


def check(text, *options):
    """Exit code, output and errors for a file with this text."""
    return call("check", "-", *options, input=text)


class Reports(ToolTest):
    def violations(self, text):
        """rule: text, of each violation, without the nearest legal values."""
        code, out, err = check(text, "--tsv")
        self.assertEqual((code, err), (1 if out else 0, ""), text)
        return [line.replace("\t", ": ").split(";")[0] for line in out.splitlines()]

    def assert_only(self, text, violation, legal):
        """The violation is the only one, and the corrected file has none. Both are sections behind a mesh."""
        self.assertEqual(self.violations(MESH + text), [violation])
        self.assertEqual(self.violations(MESH + legal), [])

    def test_all_violations_of_a_file_are_listed_at_once(self):
        text = 'mesh = "dp=2,tp=8"\nworld = 32\n[model]\nheads = 28\nkv_heads = 4\nlayers = 28\nvirtual_stages = 2\n' \
               "hidden = 3584\n[batch]\nglobal = 1023\n[machine]\nranks_per_node = 4\nwithin = [\"tp\"]\n"
        code, out, err = check(text)
        self.assertEqual((code, err), (1, ""))
        self.assertEqual(out, """\
1. world: dp * tp = 2 * 8 = 16 is not equal to world = 32; nearest legal dp: 4; nearest legal world: 16
2. divides: heads = 28 is not divisible by tp = 8; nearest legal heads: 24 and 32; nearest legal tp: 7 and 14
3. layers: pp = 1 must be more than 1 for virtual stages; nearest legal pp: 2
4. batch: global_batch = 1023 is not divisible by micro_batch * dp = 1 * 2 = 2; nearest legal global_batch: 1022 and \
1024; nearest legal dp: 1 and 3
5. within: ranks_per_node = 4 does not hold whole blocks of tp * stride = 8 * 1 = 8; nearest legal ranks_per_node: 8; \
nearest legal tp: 4
""")
        lines = check(text, "--tsv")[1].splitlines()
        self.assertEqual([line.split("\t")[0] for line in lines], ["world", "divides", "layers", "batch", "within"])
        document = json.loads(check(text, "--json")[1])
        self.assertFalse(document["ok"])
        self.assertEqual([one["rule"] + "\t" + one["text"] for one in document["violations"]], lines)
        self.assertEqual(document["violations"][1]["nearest"], {"heads": [24, 32], "tp": [7, 14]})
        self.assertEqual(document["violations"][2]["nearest"], {"pp": [2]})

    def test_a_file_without_violations_is_ok(self):
        text = MESH + "world = 64\n[model]\nheads = 32\n"
        self.assertEqual(check(text), (0, "ok\n", ""))
        self.assertEqual(check(text, "--tsv"), (0, "", ""))
        self.assertEqual(json.loads(check(text, "--json")[1]), {"ok": True, "violations": [], "idle_axes": []})
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a job.toml"
            path.write_text(text)
            self.assertEqual(call("check", str(path)), (0, "ok\n", ""))

    def test_what_is_absent_is_not_checked(self):
        for text in [MESH, MESH + "[model]\n[batch]\n[machine]\n[memory]\n[axes]\n", MESH + "[batch]\nmicro = 3\n",
                     MESH + "[machine]\nranks_per_node = 3\n", MESH + "[memory]\nparameters = 9\nbytes = 9\n"]:
            self.assertEqual(check(text), (0, "ok\n", ""))

    def test_the_number_of_ranks(self):
        self.assert_only("world = 32", "world: pp * dp * tp = 2 * 4 * 8 = 64 is not equal to world = 32", "world = 64")

    def test_an_open_extent_is_what_the_world_leaves(self):
        open_mesh = 'mesh = "dp=*,tp=8"\n'
        self.assertEqual(self.violations(open_mesh + "world = 24\n[batch]\nglobal = 32\n"),
                         ["batch: global_batch = 32 is not divisible by micro_batch * dp = 1 * 3 = 3"])
        self.assertEqual(self.violations(open_mesh + 'world = 24\n[machine]\nranks_per_node = 8\nwithin = ["dp"]\n'),
                         ["within: ranks_per_node = 8 does not hold whole blocks of dp * stride = 3 * 8 = 24"])
        # Where it leaves none, the rules on the other axes are still checked.
        self.assertEqual(self.violations(open_mesh + "world = 20\n[model]\nheads = 28\n[batch]\nglobal = 32\n"
                                         '[machine]\nranks_per_node = 4\nwithin = ["tp"]\n'),
                         ["world: world = 20 is not divisible by tp = 8",
                          "divides: heads = 28 is not divisible by tp = 8"])
        self.assertEqual(self.violations('mesh = "dp=*"\nworld = 7\n[batch]\nglobal = 14'), [])

    def test_heads(self):
        self.assert_only("[model]\nheads = 28", "divides: heads = 28 is not divisible by tp = 8", "[model]\nheads = 32")
        self.assert_only("[model]\nkv_heads = 6",
                         "kv_heads: kv_heads = 6 is neither a multiple nor a divisor of tp = 8",
                         "[model]\nkv_heads = 4")
        self.assert_only("[model]\nheads = 40\nkv_heads = 16", "divides: heads = 40 is not divisible by kv_heads = 16",
                         "[model]\nheads = 48\nkv_heads = 16")

    def test_hidden_units(self):
        self.assert_only("[model]\nhidden = 100", "divides: hidden = 100 is not divisible by tp = 8",
                         "[model]\nhidden = 96")
        self.assert_only("[model]\nhidden = 96\nheads = 40", "divides: hidden = 96 is not divisible by heads = 40",
                         "[model]\nhidden = 80\nheads = 40")
        self.assert_only("[model]\nintermediate = 100", "divides: intermediate = 100 is not divisible by tp = 8",
                         "[model]\nintermediate = 104")

    def test_the_vocabulary(self):
        refused = "vocabulary: vocabulary = 50257 is not divisible by tp = 8"
        self.assert_only("[model]\nvocab = 50257", refused, '[model]\nvocab = 50257\nvocab_padding = "padded"')
        self.assert_only('[model]\nvocab = 50257\nvocab_padding = "exact"', refused, "[model]\nvocab = 50264")
        self.assert_only("[model]\nvocab = 50257\nvocab_padding = 50300",
                         "vocabulary: rows = 50300 is not divisible by tp = 8",
                         "[model]\nvocab = 50257\nvocab_padding = 50304")
        self.assert_only("[model]\nvocab = 50257\nvocab_padding = 50256",
                         "vocabulary: vocabulary = 50257 is more than rows = 50256", "")

    def test_sequences(self):
        mesh = 'mesh = "cp=2,tp=8"\n[model]\n'
        self.assertEqual(self.violations(mesh + "sequence = 30"),
                         ["sequence: sequence = 30 is not divisible by 2 * cp = 2 * 2 = 4"])
        self.assertEqual(self.violations(mesh + "sequence = 36"), [])
        self.assertEqual(self.violations(mesh + "sequence = 36\nsequence_parallel = false"), [])
        self.assertEqual(self.violations(mesh + "sequence = 36\nsequence_parallel = true"),
                         ["sequence: sequence = 36 is not divisible by 2 * cp * tp = 2 * 2 * 8 = 32"])
        self.assertEqual(self.violations('mesh = "cp=2"\n[model]\nsequence_parallel = true'),
                         ["needs: tp = 1 must be more than 1 for sequence parallelism"])

    def test_layers(self):
        self.assert_only("[model]\nlayers = 27", "layers: layers = 27 is not divisible by pp = 2",
                         "[model]\nlayers = 28")
        self.assert_only("[model]\nlayers = 30\nvirtual_stages = 2",
                         "layers: layers = 30 is not divisible by pp * virtual_stages = 2 * 2 = 4",
                         "[model]\nlayers = 32\nvirtual_stages = 2")
        self.assertEqual(self.violations('mesh = "pp=1,dp=2"\n[model]\nvirtual_stages = 2'),
                         ["needs: pp = 1 must be more than 1 for virtual stages"])
        self.assertEqual(self.violations(MESH + "[model]\nvirtual_stages = 2"), [])

    def test_experts(self):
        self.assertEqual(self.violations('mesh = "ep=4"\n[model]\nexperts = 6'),
                         ["divides: experts = 6 is not divisible by ep = 4"])
        self.assertEqual(self.violations('mesh = "ep=4"\n[model]\nexperts = 8'), [])

    def test_batches(self):
        self.assert_only("[batch]\nglobal = 1022",
                         "batch: global_batch = 1022 is not divisible by micro_batch * dp = 1 * 4 = 4",
                         "[batch]\nglobal = 1024")
        self.assert_only("[batch]\nglobal = 1024\nmicro = 3",
                         "batch: global_batch = 1024 is not divisible by micro_batch * dp = 3 * 4 = 12",
                         "[batch]\nglobal = 1032\nmicro = 3")
        self.assert_only("[batch]\nglobal = 1024\nmicro = 2\naccumulation = 64",
                         "batch: global_batch = 1024 is not equal to micro_batch * accumulation * dp = 2 * 64 * 4 = "
                         "512",
                         "[batch]\nglobal = 1024\nmicro = 2\naccumulation = 128")
        self.assert_only("[batch]\nglobal = 1024\naccumulation = 3", "divides: global_batch = 1024 is not divisible by "
                         "accumulation * dp = 3 * 4 = 12", "[batch]\nglobal = 1032\naccumulation = 3")
        self.assertEqual(self.violations('mesh = "tp=2"\n[batch]\nglobal = 6\nmicro = 2\naccumulation = 2'),
                         ["batch: global_batch = 6 is not equal to micro_batch * accumulation * dp = 2 * 2 * 1 = 4"])

    def test_machines(self):
        machine = "[machine]\nranks_per_node = 8\nwithin = "
        self.assert_only(machine + '["tp", "dp"]',
                         "within: ranks_per_node = 8 does not hold whole blocks of dp * stride = 4 * 8 = 32",
                         machine + '["tp", "cp"]')
        self.assertEqual(self.violations('mesh = "tp=8,dp=2"\n' + machine + '"tp"'),
                         ["within: ranks_per_node = 8 does not hold whole blocks of tp * stride = 8 * 2 = 16"])
        # Flattened axes, (2,2):(4,1), are four ranks in a block of 8.
        self.assertEqual(self.violations('mesh = "a=2,pp=2,b=2"\n[axes]\ntp = ["a", "b"]\n[machine]\n'
                                         'ranks_per_node = 4\nwithin = ["tp"]'),
                         ["within: ranks_per_node = 4 does not hold whole blocks of a * b * stride = 2 * 2 * 2 = 8"])

    def test_memory(self):
        memory = "[memory]\nparameters = 1000\nbytes = 4\noptimizer_bytes = 8\nlimit = 1000\n"
        self.assert_only(memory + 'over = ["tp"]',
                         "memory: parameter_bytes + optimizer_bytes = 4000 + 8000 = 12000 is more than limit * tp = "
                         "1000 * 8 = 8000", memory + 'over = ["tp"]\noptimizer_over = "dp"')
        self.assert_only(memory,
                         "memory: parameter_bytes + optimizer_bytes = 4000 + 8000 = 12000 is more than limit = 1000",
                         memory + 'over = ["pp", "tp"]')

    def test_other_names_of_the_axes(self):
        axes = 'mesh = "stage=2,dp_replicate=2,dp_shard=2,tensor=8"\n[axes]\npp = "stage"\ntp = ["tensor"]\n' \
               'dp = ["dp_replicate", "dp_shard"]\n'
        self.assertEqual(self.violations(axes + '[model]\nheads = 28\nlayers = 27\n[batch]\nglobal = 1022\n[machine]\n'
                                         'ranks_per_node = 8\nwithin = ["tp", "dp_shard", "dp"]'), [
            "divides: heads = 28 is not divisible by tensor = 8", "layers: layers = 27 is not divisible by stage = 2",
            "batch: global_batch = 1022 is not divisible by micro_batch * dp_replicate * dp_shard = 1 * 2 * 2 = 4",
            "within: ranks_per_node = 8 does not hold whole blocks of dp_shard * stride = 2 * 8 = 16",
            "within: ranks_per_node = 8 does not hold whole blocks of dp_replicate * dp_shard * stride = 2 * 2 * 8 = "
            "32"])

    def test_an_axis_may_play_two_parts(self):
        self.assertEqual(self.violations('mesh = "dp=2,ep=2"\n[axes]\ndp = ["dp", "ep"]\n[model]\nexperts = 3\n'
                                         "[batch]\nglobal = 6"), [
            "divides: experts = 3 is not divisible by ep = 2",
            "batch: global_batch = 6 is not divisible by micro_batch * dp * ep = 1 * 2 * 2 = 4"])

    def test_an_axis_that_plays_no_part_is_noted(self):
        text = 'mesh = "dp=4,tensor=8"\n[model]\nheads = 28\n'
        self.assertEqual(check(text), (0, 'ok\nnote: axis "tensor" plays no part; [axes] can give it one\n', ""))
        self.assertEqual(json.loads(check(text, "--json")[1])["idle_axes"], ["tensor"])
        self.assertEqual(check('mesh = "dp=4,tensor=8"\nworld = 32\n'), (0, "ok\n", ""))

    def test_the_largest_numbers_are_no_mistake_of_the_tool(self):
        most = str(2**63 - 1)
        self.assertEqual(len(self.violations(MESH + f"[model]\nheads = {most}\n[batch]\nglobal = {most}\n"
                                             f"micro = {most}\naccumulation = {most}\n[memory]\nparameters = {most}\n"
                                             f"bytes = {most}\nlimit = {most}\n")), 3)
        self.assertEqual(self.violations('mesh = "tp=2147483647"\n[machine]\nranks_per_node = 9\nwithin = "tp"'),
                         ["within: ranks_per_node = 9 does not hold whole blocks of tp * stride = 2147483647 * 1 = "
                          "2147483647"])

    def test_every_axis_can_be_within(self):
        names = [f"x{i}" for i in range(64)]
        mesh = ",".join(f"{name}={1 + (i < 30)}" for i, name in enumerate(names))
        within = ", ".join(f'"{name}"' for name in names + ["pp", "dp", "tp", "cp", "ep"])
        axes = "\n".join(f'{part} = ["x0", "x1"]' for part in ["pp", "dp", "tp", "cp", "ep"])
        text = f'mesh = "{mesh}"\n[machine]\nranks_per_node = 1\nwithin = [{within}]\n[axes]\n{axes}\n'
        self.assertEqual(len(self.violations(text)), 35)

    def test_a_reader_that_leaves_changes_no_exit_code(self):
        shell = f'trap "" PIPE; {TOOL} check - | true; echo ${{PIPESTATUS[0]}}'
        done = subprocess.run(["bash", "-c", shell], input=MESH + "world = 2", capture_output=True, text=True,
                              timeout=30)
        self.assertEqual((done.stdout, done.stderr), ("1\n", ""))


class BadInput(ToolTest):
    def assert_bad(self, text, error):
        code, out, err = check(text)
        self.assertEqual((code, out), (2, ""), (text, err))
        self.assertTrue(err.startswith("axial: ") and err.endswith("\n") and err.count("\n") == 1, repr(err))
        self.assertIn(error, err)

    def test_files(self):
        self.assert_refused("check", "the file is missing; write axial check FILE")
        self.assert_refused("check nowhere.toml", '"nowhere.toml" cannot be read: No such file or directory')
        self.assert_refused("check /", '"/" cannot be read: Is a directory')
        self.assert_refused("check /dev/zero", "it is larger than 1 MiB")
        self.assert_refused("check a b", '"b" is no option of check')
        self.assert_refused("check - --jsn", '"--jsn" is no option of check; there are --help, --tsv, --json '
                                             '(did you mean "--json"?)')
        if os.geteuid() != 0:
            with tempfile.NamedTemporaryFile() as file:
                os.chmod(file.name, 0)
                self.assert_refused(["check", file.name], "Permission denied")

    def test_syntax(self):
        for text, error in [
            ("", '<stdin>: mesh is missing; write mesh = "pp=2,dp=4,tp=8"'), ("# nothing\n", "mesh is missing"),
            ("mesh", "<stdin>:1:5: Error while parsing"), ('world = 1\nmesh = "a=2', "<stdin>:2:"),
            (MESH + MESH, "<stdin>:2:8: Error while parsing key-value pair: cannot redefine existing string 'mesh'"),
            (MESH + "[model]\nheads = 0x", "<stdin>:3:"), (MESH + "[model\n", "<stdin>:2:"), ("\0", "<stdin>:1:1"),
            (MESH + "world = 99999999999999999999", "<stdin>:2:"), ("a = " + "[" * 10000, "<stdin>:1:"),
        ]:
            self.assert_bad(text, error)
        done = subprocess.run([TOOL, "check", "-"], input=b'mesh = "\xff"', capture_output=True)
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (2, 1))

    def test_keys(self):
        for text, error in [
            ("word = 1", '<stdin>:2:1: "word" is no key; there are world, mesh, axes, model, batch, machine, memory '
                         '(did you mean "world"?)'),
            ("[modle]", '<stdin>:2:2: "modle" is no key'),
            ("[model]\nhead = 28", '<stdin>:3:1: "head" is no key of [model]; there are heads, kv_heads, hidden, '
             "intermediate, vocab, sequence, layers, virtual_stages, experts, vocab_padding, sequence_parallel "
             '(did you mean "heads"?)'),
            ("[batch]\nmicr = 1", 'there are global, micro, accumulation (did you mean "micro"?)'),
            ("[machine]\nrank = 1", "there are ranks_per_node, within"),
            ("[memory]\nbyte = 1", "there are parameters, bytes, optimizer_bytes, limit, over, optimizer_over"),
            ("[axes]\ntq = 1", 'there are pp, dp, tp, cp, ep (did you mean "'),
            ('"a\\nb" = 1', r'"a\x0ab" is no key'),
            ("model.heads.x = 1", "model.heads = a table; write a whole number"),
        ]:
            self.assert_bad(MESH + text, error)

    def test_types(self):
        number = "; write a whole number from 1 to 9223372036854775807"
        for text, error in [
            ('[model]\nheads = "28"', '<stdin>:3:9: model.heads = "28"' + number),
            ("[model]\nheads = 0", "model.heads = 0" + number), ("[model]\nheads = -1", "model.heads = -1" + number),
            ("[model]\nheads = 28.0", "model.heads = 28.0" + number),
            ("[model]\nheads = [28]", "heads = a list" + number),
            ("[model]\nheads = true", "model.heads = true" + number), ("[model]\nheads = 2026-01-01", "= 2026-01-01"),
            ("[model]\nheads = nan", "model.heads = nan" + number),
            ("world = 0", "world = 0; write a whole number from 1 to 2147483647"),
            ("world = 2147483648", "world = 2147483648; write a whole number"),
            ("[model]\nsequence_parallel = 1", "model.sequence_parallel = 1; write true or false"),
            ('[model]\nvocab_padding = "x"', 'vocab_padding = "x"; write "exact", "padded" or a number of rows'),
            ("[model]\nvocab_padding = 0", "vocab_padding = 0; write"), ("model = 3", "<stdin>:2:9: model = 3; write a "
                                                                          "table, [model]"),
            ("[[model]]", "model = a list; write a table, [model]"),
            ("[machine]\nwithin = 1", "machine.within = 1; write a name in quotes, or a list of them"),
            ("[machine]\nwithin = []", "machine.within = a list; write a name"),
            ("[machine]\nwithin = [1]", "<stdin>:3:11: machine.within = 1; write each name in quotes, and once"),
            ('[machine]\nwithin = ["tp", "tp"]', '<stdin>:3:17: machine.within = "tp"; write each name in quotes'),
            ('[batch]\nmicro = "' + "x" * 1000 + '"', "xxx...xxx"),
        ]:
            self.assert_bad(MESH + text, error)

    def test_meshes(self):
        for mesh, error in [
            ('""', '<stdin>:1:8: mesh: "" is no dimension; write NAME=EXTENT'), ('"tp=x"', '"tp=x" is no dimension'),
            ("8", "mesh = 8; write a name in quotes"), ('["a=2", "b=2"]', 'mesh: write mesh = "pp=2,dp=4,tp=8"'),
            ('"tp=2,tp=2"', '"tp" twice'), ('"dp=2,tp=*"', "only the outermost can be"),
            ('"dp=65536,tp=65536"', "more than 2147483647 ranks"),
            ('"dp=*,tp=2"', 'mesh: "dp=*,tp=2" is dynamic; give the number of ranks, world = N'),
            ('"dp=2 flatten"', '"dp=2 flatten" is no dimension'),
        ]:
            self.assert_bad("mesh = " + mesh, error)

    def test_names_of_axes(self):
        for text, error in [
            ('[axes]\ntp = "tensor"', '<stdin>:3:6: axes.tp: "tensor" is no axis; there are pp, dp, tp'),
            ('[axes]\ntp = ["tp", "dq"]', 'axes.tp: "dq" is no axis; there are pp, dp, tp (did you mean "dp"?)'),
            ('[axes]\ntp = ["tp", "tp"]', "write each name in quotes, and once"),
            ("[axes]\ntp = 8", "axes.tp = 8; write"),
            ('[machine]\nranks_per_node = 8\nwithin = ["tq"]',
             'machine.within: "tq" is no part or axis; there are pp, dp, tp, cp, ep (did you mean "'),
            ('[machine]\nwithin = ["tp"]', "machine.ranks_per_node is missing; within asks for it"),
            ('[memory]\nover = "x"', 'memory.over: "x" is no part or axis'),
        ]:
            self.assert_bad(MESH + text, error)


if __name__ == "__main__":
    unittest.main()
