#!/usr/bin/python3
# SPDX-License-Identifier: BSL-1.0
"""refused.py BUILD SOURCE FILE TEXT: compiled as SOURCE is in BUILD, FILE has one error, and TEXT is in its line."""
import json
import shlex
import subprocess
import sys
from pathlib import Path

build, source, file, text = sys.argv[1:]
commands = json.loads(Path(build, "compile_commands.json").read_text())
words = next(shlex.split(entry["command"]) for entry in commands if entry["file"] == source)
command = words[: words.index("-o")] + ["-fsyntax-only"]
output = subprocess.run([*command, file], cwd=build, stderr=subprocess.PIPE, text=True).stderr
print(output)
errors = [line for line in output.splitlines() if "error: " in line]
if len(errors) != 1 or text not in errors[0]:
    sys.exit(f"wanted: one error, with {text}")
