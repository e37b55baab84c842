#!/usr/bin/env python3
"""The formats and kernels for GPUs in the tables of docs/gpu.md: from what the command itself lists.

Usage: device_docs.py TREE TULLE --check   is the table what `TULLE devices --formats` says?
       device_docs.py TREE TULLE --write   bring it up to date
"""

import json
import subprocess
import sys
from pathlib import Path

PAGE = "docs/gpu.md"
BEGIN = "<!-- made by ./dev docs from `tulle devices --formats` -->\n"
END = "<!-- end of what ./dev docs makes -->\n"


class Fault(Exception):
    """What keeps the table from being made, or a table that is not true."""


def tables(listed):
    """Markdown of what the command lists: formats of a matrix, kernels for batches."""
    return (table([f for f in listed if f["of"] == "matrix"]) + "\nBatches of small matrices:\n\n" +
            table([f for f in listed if f["of"] == "batch"]))


def table(formats):
    lines = ["| format | what it is | same bits each time | lanes of a warp |\n|---|---|---|---|\n"]
    lines += [f"| `{f['format']}` | {f['about']} | {'yes' if f['same_bits'] else 'no: atomics'} | "
              f"{str(f['lanes']) + ' or more' if f['lanes'] else 'any'} |\n" for f in formats]
    return "".join(lines)


def with_table(text, new):
    """The page with the table between its marks replaced."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise Fault(f"{PAGE}: wants one pair of lines\n{BEGIN}{END}")
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + new + END + rest.partition(END)[2]


def listed(tulle):
    done = subprocess.run([tulle, "devices", "--formats", "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def main():
    if len(sys.argv) != 4 or sys.argv[3] not in ("--check", "--write"):
        sys.exit(__doc__)
    page = Path(sys.argv[1], PAGE)
    try:
        old = page.read_text()
        new = with_table(old, tables(listed(sys.argv[2])))
        if sys.argv[3] == "--check" and new != old:
            raise Fault(f"{PAGE} is not what the library says: run ./dev docs")
    except Fault as fault:
        print(fault)
        return 1
    if sys.argv[3] == "--write":
        page.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
