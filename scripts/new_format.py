#!/usr/bin/env python3
"""Write the skeleton of a storage format: a folder that works, and its line in formats.def.

Usage: new_format.py TREE NAME. The skeleton keeps a copy of the rows and multiplies row by row; it
builds and passes the conformance tests, so one can replace it piece by piece.
"""

import re
import sys
from pathlib import Path

TEMPLATE = Path(__file__).parent / "format_template"
FILES = {
    "README.md.in": "README.md",
    "format.h.in": "{}.h",
    "format.c.in": "{}.c",
    "format_estimate.c.in": "{}_estimate.c",
    "format_kernels.c.in": "{}_kernels.c",
    "prices.def.in": "{}_prices.def",
}


def main():
    if len(sys.argv) != 3 or not re.fullmatch(r"[a-z][a-z0-9]{1,15}", sys.argv[2]):
        sys.exit("usage: ./dev new-format NAME, where NAME is lower-case letters and digits")
    tree, name = Path(sys.argv[1]), sys.argv[2]
    folder, table = tree / "src/formats" / name, tree / "src/formats/formats.def"
    if folder.exists() or re.search(rf"\b{name}\)", table.read_text()):
        sys.exit(f"{name}: this format exists already")
    folder.mkdir()
    for source, target in FILES.items():
        text = (TEMPLATE / source).read_text()
        text = text.replace("@name@", name).replace("@NAME@", name.upper())
        (folder / target.format(name)).write_text(text)
    with table.open("a") as lines:
        lines.write(f"FORMAT({name})\n")
    print(f"Wrote {folder.relative_to(tree)} and its line in {table.relative_to(tree)}.")
    print("Next: ./dev test quick, then CONTRIBUTING.md, \"Add a format\".")


if __name__ == "__main__":
    main()
