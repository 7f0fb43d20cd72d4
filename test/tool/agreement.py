#!/usr/bin/python3
# SPDX-License-Identifier: BSL-1.0
"""`axial check` on examples/03_config_check/qwen2.toml says what that example's own rules say, on every mesh."""
import os
import re
import subprocess
import unittest
from pathlib import Path

from tool import ToolTest, call

SOURCE = Path(__file__).resolve().parents[2]
FILE = SOURCE / "examples/03_config_check/qwen2.toml"
EXAMPLE = os.environ.get("AXIAL_CONFIG_CHECK", "")


class Agreement(ToolTest):
    def test_the_file_is_about_the_mesh_and_the_model_of_the_example(self):
        self.assertEqual(self.output("check", str(FILE)), "ok\n")
        code = (SOURCE / "examples/03_config_check/qwen2.cppm").read_text()
        text = FILE.read_text().replace("_", "")
        for name, key in [("hidden", "hidden"), ("intermediate", "intermediate"), ("heads", "heads"),
                          ("kv_heads", "kvheads"), ("layers", "layers"), ("vocabulary", "vocab"),
                          ("global_batch", "global"), ("ranks_per_node", "rankspernode")]:
            value = re.search(rf"constexpr Count {name} = (\d+);", code)[1]
            self.assertRegex(text, rf"(?m)^{key} = {value}$")

    @unittest.skipIf(not EXAMPLE, "the examples are not built")
    def test_both_report_the_same_violations(self):
        violations = 0
        for dp, pp, tp in [(4, 4, 4), (3, 8, 16), (1, 1, 1), (2, 3, 5), (7, 7, 7), (1, 8, 8), (1024, 28, 28),
                           (6, 1, 2)]:
            mesh = f'mesh = "dp={dp},pp={pp},tp={tp}"'
            text = re.sub("(?m)^mesh = .*\nworld = .*", f"{mesh}\nworld = {dp * pp * tp}", FILE.read_text())
            code, out, err = call("check", "-", "--tsv", input=text)
            # The example does not ask whether tp divides the hidden units.
            shown = [line for line in out.splitlines() if not line.startswith("divides\thidden")]
            run = subprocess.run([EXAMPLE, f"--dp={dp}", f"--pp={pp}", f"--tp={tp}"], capture_output=True, text=True)
            wanted = [re.sub(r"^\d+\. (\w+): ", r"\1\t", line) for line in run.stdout.splitlines() if line[0].isdigit()]
            self.assertEqual((shown, err), (wanted, ""), mesh)
            self.assertEqual(code, 1 if out else 0)
            violations += len(wanted)
        self.assertGreater(violations, 15)


class Readme(ToolTest):
    def test_the_readme_shows_what_is_printed(self):
        readme = SOURCE / "README.md"
        found = re.search(r"```toml\n(.*?)```\n\n```\n(.*?)```", readme.read_text(), re.DOTALL)
        self.assertEqual(call("check", "-", input=found[1]), (1, found[2], ""))


if __name__ == "__main__":
    unittest.main()
