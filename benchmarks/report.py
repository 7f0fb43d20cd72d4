# SPDX-License-Identifier: BSL-1.0
"""What the benchmarks share: how a file was compiled, and a table of figures with their bars."""
import json
import pathlib
import re
import shlex
import sys


def compile_command(build, source):
    """(folder, arguments) of the compilation of a source file in a build folder."""
    try:
        commands = json.loads((build / "compile_commands.json").read_text())
    except FileNotFoundError:
        sys.exit(f"no compile_commands.json in {build}: configure with the preset release")
    for entry in commands:
        if pathlib.Path(entry["file"]) == source:
            return entry["directory"], shlex.split(entry["command"])
    sys.exit(f"{source} is not compiled in {build}")


def describe(arguments):
    """The compiler and the flags that matter."""
    flags = [argument for argument in arguments[1:] if re.match("-(O|g|std=|DNDEBUG)", argument)]
    return " ".join([pathlib.Path(arguments[0]).name, *flags])


def finish(header, rows):
    """Prints rows of (cells..., verdict) and exits by their verdicts: True, False, or None without a bar."""
    words = {True: "pass", False: "FAIL", None: ""}
    table = [[*header, ""]] + [[*map(str, row[:-1]), words[row[-1]]] for row in rows]
    widths = [max(map(len, column)) for column in zip(*table)]
    for line in table:
        first, *rest = (cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths)))
        print("  ".join([first, *rest]).rstrip())
    failed = [row[0] for row in rows if row[-1] is False]
    if failed:
        print(f"bar broken: {', '.join(failed)}", file=sys.stderr)
    sys.exit(1 if failed else 0)
