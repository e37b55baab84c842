#!/usr/bin/env python3
"""Check docs/reproducibility.md: each cell is a promise with a test that exists, or says that there is no test or no promise.

Usage: check_reproducibility.py TREE [BUILD]. A test is named by the beginning of its name in ctest: `threads.csr` stands for
threads.csr.scalar and others. Names are compared with the tests of BUILD; without BUILD, only the form of the cells and the rows
are checked. Each format of src/formats/formats.def has a row that names its own tests. Exit status 1 if anything is wrong.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

PAGE = "docs/reproducibility.md"
PROMISED = re.compile(r"^(yes|with `reproducible = 2`|in `\w+`): `([\w.]+)`$")
OTHER = re.compile(r"^(no test|not promised|no: .+|with `reproducible = 2`, no test)$")


def tests_of(build):
    """Names of the tests of a build."""
    done = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    return {test["name"] for test in json.loads(done.stdout)["tests"]}


def rows_of(text):
    """(line, cells) of the rows of tables."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("|") and not set(line) <= set("|- "):
            yield number, [cell.strip() for cell in line.strip().strip("|").split("|")]


def is_there(name, tests):
    return any(test == name or test.startswith(name + ".") for test in tests)


def faults(text, formats, tests):
    """Yield (line, fault)."""
    rows, head = {}, None
    for number, cells in rows_of(text):
        if cells[0] in ("format", "operation"):
            head = cells
            continue
        rows[cells[0]] = (number, cells[1:])
        if head is None or len(cells) != len(head):
            yield number, "not as many cells as the head of the table has"
        for cell in cells[1:]:
            named = PROMISED.match(cell)
            if not named and not OTHER.match(cell):
                yield number, f'"{cell}" neither names a test nor says that no test exists'
            elif named and tests is not None and not is_there(named.group(2), tests):
                # the tests of kernels for GPUs are in a build of their own
                if not named.group(2).startswith("gpu.") or is_there("gpu.none", tests):
                    yield number, f"there is no test {named.group(2)}"
    for name in formats:
        if name not in rows:
            yield 1, f"no row for the format {name}"
            continue
        for cell in rows[name][1]:
            named = PROMISED.match(cell)
            if named and named.group(2) != "ordered" and not named.group(2).endswith(f".{name}"):
                yield rows[name][0], f"{named.group(2)} is no test of {name}"


def main():
    tree = Path(sys.argv[1])
    formats = re.findall(r"^FORMAT(?:_IN)?\((?:\w+, )?(\w+)\)", (tree / "src/formats/formats.def").read_text(), re.M)
    tests = tests_of(sys.argv[2]) if len(sys.argv) > 2 else None
    found = list(faults((tree / PAGE).read_text(), formats, tests))
    for line, fault in found:
        print(f"{PAGE}:{line}: {fault}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
