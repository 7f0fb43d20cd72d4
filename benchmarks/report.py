# SPDX-License-Identifier: BSL-1.0
"""What the benchmarks share: how a file was compiled, what that costs, and a table of figures with their bars."""
import json
import os
import pathlib
import re
import shlex
import subprocess
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


def compilation(build, source, output):
    """The same, but it writes nothing but its object, and that elsewhere."""
    folder, arguments = compile_command(build, source)
    for flag, values in (("-MD", 0), ("-MT", 1), ("-MF", 1)):
        if flag in arguments:
            at = arguments.index(flag)
            del arguments[at:at + 1 + values]
    arguments[arguments.index("-o") + 1] = output
    return folder, arguments


def cost(folder, arguments):
    """CPU time (user + system) in ms and peak memory in MiB of one compilation."""
    process = subprocess.Popen(arguments, cwd=folder)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"status {process.returncode} from {' '.join(arguments)}")
    return 1000 * (usage.ru_utime + usage.ru_stime), usage.ru_maxrss / 1024


def measure(commands, rounds):
    """{name: [(ms, MiB)]} of commands {name: (folder, arguments)}, in turn, in an order that changes with each round,
    so that what else runs on the machine meets all of them alike; the first round warms up and is dropped."""
    costs = {name: [] for name in commands}
    names = list(commands)
    for i in range(rounds + 1):
        for name in names[i % len(names):] + names[:i % len(names)]:
            sample = cost(*commands[name])
            if i > 0:
                costs[name].append(sample)
    return costs


def describe(arguments):
    """The compiler and the flags that matter."""
    flags = [argument for argument in arguments[1:] if re.match("-(O|g|std=|DNDEBUG)", argument)]
    return " ".join([pathlib.Path(arguments[0]).name, *flags])


def lines_of(header, rows):
    """The lines of a table of rows of cells."""
    table = [list(map(str, row)) for row in (header, *rows)]
    widths = [max(map(len, column)) for column in zip(*table)]
    for first, *rest in table:
        yield "  ".join([first.ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(rest, widths[1:]))]).rstrip()


def verdict_lines(header, rows):
    """The same of rows of (cells..., verdict), with a word for the verdict: True, False, or None without a bar."""
    words = {True: "pass", False: "FAIL", None: ""}
    return lines_of([*header, ""], [[*row[:-1], words[row[-1]]] for row in rows])


def finish(header, rows):
    """Prints rows of (cells..., verdict) and exits by their verdicts."""
    print(*verdict_lines(header, rows), sep="\n")
    failed = [row[0] for row in rows if row[-1] is False]
    if failed:
        print(f"bar broken: {', '.join(failed)}", file=sys.stderr)
    sys.exit(1 if failed else 0)
