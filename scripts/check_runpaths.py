#!/usr/bin/env python3
"""Check where the binaries of a build or of an installation look for their libraries.

Usage: check_runpaths.py FOLDER. Every element of a RUNPATH or RPATH is an absolute path or begins
with $ORIGIN. An empty or a relative element means the current folder, from which anybody's library
would be loaded. Exit status 1 on a fault, or when FOLDER holds no binary.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ENTRY = re.compile(r"\((?:RUNPATH|RPATH)\)\s+Library \w+: \[(.*)\]")


def binaries(folder):
    """Programs and shared libraries, not objects and archives; not those of builds within this build,
    which may be under way."""
    for parent, folders, names in os.walk(folder):
        if "CMakeCache.txt" in names and Path(parent) != Path(folder):
            folders.clear()
            continue
        for name in names:
            path = Path(parent, name)
            if path.suffix in (".o", ".a") or path.is_symlink() or not path.is_file():
                continue
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def faults(path):
    dynamic = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
    for elements in ENTRY.findall(dynamic):
        for element in elements.split(":"):
            if not re.match(r"/|\$ORIGIN(/|$)|\$\{ORIGIN\}(/|$)", element):
                yield f"{path}: element \"{element}\" of [{elements}] depends on the current folder"


def main():
    count, found = 0, []
    for path in binaries(sys.argv[1]):
        count += 1
        found += faults(path)
    print("\n".join(found) if found else f"{count} binaries, every RUNPATH is fixed")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
