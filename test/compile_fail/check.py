#!/usr/bin/python3
# SPDX-License-Identifier: BSL-1.0
"""check.py BUILD FILE: is the mistake in FILE refused with the one error that FILE states, and for no other reason?

FILE holds the mistake under `#ifndef AXIAL_POSITIVE_TWIN`, the corrected lines under `#else`, and the error's text in a
comment `expected-error@*:* {{text}}` (clang's -verify). It is accepted when the corrected lines compile, when clang finds
exactly the stated errors, and when a user sees one error, its text in one line, among MAX_LINES lines at most
(`// lines: N` allows more: a compiler shows the calls that led to a value out of range).
A first line `// verdict: ...` states another outcome: so the checker itself is tested.
"""
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

MAX_LINES = 12


def importer_command(build):
    """The build's own compiler and flags: those of importer.cpp, up to its `-o`."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"].endswith("/compile_fail/importer.cpp"):
            words = shlex.split(entry["command"])
            return words[: words.index("-o")]
    sys.exit("check.py: the build does not compile importer.cpp")


def judge(build, file):
    """The verdict on `file`, and the compiler's output that led to it."""
    command = importer_command(build) + ["-fsyntax-only", str(file)]

    def compile_with(*flags):
        run = subprocess.run([*command, *flags], cwd=build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return run.returncode == 0, run.stdout

    compiles, output = compile_with("-DAXIAL_POSITIVE_TWIN")
    if not compiles:
        return "the corrected lines do not compile", output
    as_stated, output = compile_with("-Xclang", "-verify", "-Xclang", "-verify-ignore-unexpected=note")
    if not as_stated:
        return "the errors are not those stated", output
    _, output = compile_with()
    lines = output.splitlines()
    errors = [number for number, line in enumerate(lines) if "error: " in line]
    if len(errors) != 1:
        return f"there are {len(errors)} errors", output
    if not re.match(r" *\d+ \|", lines[errors[0] + 1]):  # the quoted source should follow at once
        return "the text has several lines", output
    allowed = re.search(r"^// lines: (\d+)", file.read_text(), re.MULTILINE)
    if len(lines) > (int(allowed[1]) if allowed else MAX_LINES):
        return "the output is too long", output
    return "accepted", output


def main():
    build, file = Path(sys.argv[1]), Path(sys.argv[2])
    stated = re.match(r"// verdict: (.*)", file.read_text())
    wanted = stated[1] if stated else "accepted"
    verdict, output = judge(build, file)
    print(output, f"{file.name}: {verdict}", sep="")
    if verdict != wanted:
        sys.exit(f"wanted: {wanted}")


main()
