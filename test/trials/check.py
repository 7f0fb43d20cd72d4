#!/usr/bin/python3
# SPDX-License-Identifier: BSL-1.0
"""check.py ROOT: what test/TRIALS.md says of tests is so.

A test is written `test/FILE` or `test/FILE: CASE`: the file must exist, and have the case. Each row of a table whose
last column is `where` must name one, or begin with a reason why there is none; a row that is not expressible names the
test that shows it. And each case of test/trials is named.
"""
import re
import sys
from pathlib import Path

REASONS = ("needs a GPU", "needs several machines", "not about meshes or MPI", "comes with ")
TEST = re.compile(r"`(test/[\w./]+)(?:: (\w+))?`")
CASE = re.compile(r"BOOST_AUTO_TEST_CASE\((\w+)\)")


def fault_of(root, file, case):
    """What is wrong with the name of a test, or nothing."""
    path = root / file
    if not path.is_file():
        return f"there is no {file}"
    if case and not re.search(rf"\b{case}\b", path.read_text()):
        return f"{file} has no {case}"
    return None


def unanswered(text):
    """The rows of tables of reports that name neither a test nor a reason."""
    answers = False
    for line in text.splitlines():
        if not line.startswith("|"):
            answers = False
        where = line.strip("|").split("|")[-1].strip()
        if where == "where":
            answers = True
        elif answers and where != "---" and not TEST.search(where) and not where.startswith(REASONS):
            yield line


def main():
    root = Path(sys.argv[1])
    text = (root / "test/TRIALS.md").read_text()
    named = TEST.findall(text)
    faults = [fault for test in named if (fault := fault_of(root, *test))]
    faults += [f"no test and no reason: {line}" for line in unanswered(text)]
    for path in sorted((root / "test/trials").glob("*.cpp")):
        file = str(path.relative_to(root))
        faults += [f"not named: {file}: {case}" for case in CASE.findall(path.read_text()) if (file, case) not in named]
    print(*faults, f"{len(named)} names of tests", sep="\n")
    sys.exit(bool(faults))


main()
