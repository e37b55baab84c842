#!/usr/bin/env python3
"""Check the flags of a configured build: no unsafe arithmetic, vector flags on kernels only.

Usage: check_flags.py BUILD. Reads compile_commands.json and build.ninja; exit status 1 on a fault.
"""

import json
import re
import sys
from pathlib import Path

# Linking with any of these turns denormals off in the whole host process, or lets the compiler
# change results. They must stand on no command at all, link lines included.
NEVER = re.compile(
    r"(?<=[\s=])-(Ofast|ffast-math|funsafe-math-optimizations|fassociative-math|ffinite-math-only"
    r"|freciprocal-math|fno-signed-zeros|ffp-contract=(?:fast|on))(?=\s|$)", re.M)
VECTOR = re.compile(r"\s-m(?:arch|tune|cpu|avx|fma|sse[34])\S*")
EXACT = "-ffp-contract=off"


def faults(commands, ninja):
    for match in NEVER.finditer(ninja):
        yield f"build.ninja: -{match.group(1)}"
    for entry in commands:
        file, command = entry["file"], entry["command"] + " "
        name = "/".join(Path(file).parts[-3:])
        for match in NEVER.finditer(command):
            yield f"{name}: -{match.group(1)}"
        if "/src/" not in file:
            continue
        if EXACT not in command:
            yield f"{name}: without {EXACT}"
        vector = VECTOR.search(command)
        if vector and not file.endswith("_kernels.c"):
            yield f"{name}:{vector.group(0)} outside the kernels: it would run on every machine"


def main():
    build = Path(sys.argv[1])
    commands = json.loads((build / "compile_commands.json").read_text())
    if not any("/src/" in entry["file"] for entry in commands):
        sys.exit(f"{build}: no command compiles the library")
    ninja = build / "build.ninja"
    found = sorted(set(faults(commands, ninja.read_text() if ninja.exists() else "")))
    print("\n".join(found) if found else f"{len(commands)} commands, all flags as they should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
