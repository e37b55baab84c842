#!/usr/bin/env python3
"""Keep README.md true: its program is an example's file, its commands run and print what it says.

Usage: check_readme.py TREE [--run]. A block that follows a comment is checked, the first kind in docs/*.md
as well:

    <!-- file: examples/first.c -->   the block is that file, to the letter
    <!-- run -->                      with --run, bash runs the block in TREE; it must succeed
    <!-- prints -->                   ... and the output of the latest run must hold each line
"""

import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"<!-- (file|run|prints)(?:: (\S+))? -->\n```\w*\n(.*?)```", re.S)


def check(tree, text, run):
    """Yield what is wrong."""
    blocks = BLOCK.findall(text)
    for kind in ("file", "run", "prints"):
        if not any(block[0] == kind for block in blocks):
            yield f"no block of kind '{kind}' found"
    output = None
    for kind, name, body in blocks:
        if kind == "file" and body != (tree / name).read_text():
            yield f"the program differs from {name}"
        elif kind == "run" and run:
            print(body, end="", flush=True)
            result = subprocess.run(["bash", "-euo", "pipefail", "-c", body], cwd=tree, text=True,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
            output = result.stdout
            print(output, end="", flush=True)
            if result.returncode:
                yield f"exit status {result.returncode} of:\n{body}"
        elif kind == "prints" and output is not None:
            for line in body.splitlines():
                if line not in output:
                    yield f"not printed: {line}"


def check_page(tree, text):
    """Yield what is wrong with the programs of another page."""
    for kind, name, body in BLOCK.findall(text):
        if kind == "file" and body != (tree / name).read_text():
            yield f"the program differs from {name}"


def main():
    tree = Path(sys.argv[1]).resolve()
    faults = [f"README.md: {fault}"
              for fault in check(tree, (tree / "README.md").read_text(), "--run" in sys.argv[2:])]
    for page in sorted(tree.glob("docs/*.md")):
        faults += [f"{page.relative_to(tree)}: {fault}" for fault in check_page(tree, page.read_text())]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
