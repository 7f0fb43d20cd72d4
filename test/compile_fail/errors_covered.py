#!/usr/bin/python3
# SPDX-License-Identifier: BSL-1.0
"""errors_covered.py TEST: every wrong use in test/data/errors.tsv that a compiler can know is answered for.

errors_covered.tsv answers for each row that is `static` or `legal-in-axial`: with the file of this folder that does not
compile, with TABLE:CASE of test/data, which the tests of golden values replay, or with a sentence on why the mistake
cannot be made, or is found only by the program.
"""
import csv
import re
import sys
from pathlib import Path


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def main():
    test = Path(sys.argv[1])
    here, data = test / "compile_fail", test / "data"
    wanted = {row["case"]: row["earliest"] for row in rows(data / "errors.tsv") if row["earliest"] != "start"}
    answers = {row["case"]: row["by"] for row in rows(here / "errors_covered.tsv")}
    faults = [f"{case}: no answer" for case in wanted.keys() - answers.keys()]
    faults += [f"{case}: not a row that asks for one" for case in answers.keys() - wanted.keys()]
    counts = {"file": 0, "table": 0, "sentence": 0}
    for case in wanted.keys() & answers.keys():
        by = answers[case]
        table = re.fullmatch(r"(\w+\.tsv):(\w+)", by)
        if re.fullmatch(r"\w+\.cpp", by):
            counts["file"] += 1
            if not (here / by).exists():
                faults.append(f"{case}: there is no {by}")
        elif table:
            counts["table"] += 1
            replayed = [row for row in rows(data / table[1]) if next(iter(row.values())) == table[2]]
            if not replayed or replayed[0].get("res_names") == "error":
                faults.append(f"{case}: {by} is not replayed")
        else:
            counts["sentence"] += 1
            if wanted[case] == "legal-in-axial":
                faults.append(f"{case}: needs a row that is replayed")
    print(f"{len(wanted)} wrong uses:", ", ".join(f"{count} by a {kind}" for kind, count in counts.items()))
    if faults:
        sys.exit("\n".join(sorted(faults)))


main()
