# SPDX-License-Identifier: BSL-1.0
"""Calls the tool that AXIAL_TOOL names."""
import csv
import json
import os
import subprocess
import unittest
from pathlib import Path

TOOL = os.environ["AXIAL_TOOL"]
DATA = Path(os.environ["AXIAL_TEST_DATA"])


def call(*words, **options):
    """Exit code, output and errors; one string is cut at blanks."""
    if len(words) == 1:
        words = words[0].split()
    done = subprocess.run([TOOL, *words], capture_output=True, text=True, timeout=30, **options)
    return done.returncode, done.stdout, done.stderr


class ToolTest(unittest.TestCase):
    maxDiff = None

    def output(self, *words):
        code, out, err = call(*words)
        self.assertEqual((code, err), (0, ""), words)
        return out

    def lines(self, *words):
        return self.output(*words).splitlines()

    def document(self, *words):
        return json.loads(self.output(*words))

    def assert_refused(self, words, text):
        """One line of error that holds the text, no output, exit code 2."""
        code, out, err = call(*([words] if isinstance(words, str) else words))
        self.assertEqual((code, out), (2, ""), (words, err))
        self.assertTrue(err.startswith("axial: ") and err.endswith("\n") and err.count("\n") == 1, repr(err))
        self.assertIn(text, err)


def table(name):
    with open(DATA / name, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))
