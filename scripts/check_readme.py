#!/usr/bin/env python3
"""Keep README.md and docs/ true: programs are files that tests run, commands print what is said, links lead somewhere.

Usage: check_readme.py TREE [--run]. A block that follows a comment is checked, the first kind in every page of
docs/ as well:

    <!-- file: examples/first.c -->   the block is that file, to the letter
    <!-- run -->                      with --run, bash runs the block in TREE; it must succeed
    <!-- prints -->                   ... and the output of the latest run must hold each line

Links of README.md, of the pages and of packaging/README.md to files of TREE, and to headings of pages, must have a target.
"""

import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"<!-- (file|run|prints)(?:: (\S+))? -->\n```\w*\n(.*?)```", re.S)
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.S | re.M)
LINK = re.compile(r"\]\(([^)\s]+)\)")


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


def slug(heading):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(page):
    """The anchors of a page's headings."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M), re.M)
    return {slug(heading) for heading in headings}


def check_links(page):
    """Yield the links that lead nowhere; links to other hosts are not followed."""
    for link in LINK.findall(CODE.sub("", page.read_text())):
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if ":" in name:
            continue
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            yield f"no target: {link}"


def main():
    tree = Path(sys.argv[1]).resolve()
    readme = tree / "README.md"
    faults = [f"README.md: {fault}" for fault in check(tree, readme.read_text(), "--run" in sys.argv[2:])]
    pages = sorted(tree.glob("docs/**/*.md"))
    for page in pages:
        faults += [f"{page.relative_to(tree)}: {fault}" for fault in check_page(tree, page.read_text())]
    for page in [readme, *pages, *tree.glob("packaging/README.md")]:
        faults += [f"{page.relative_to(tree)}: {fault}" for fault in check_links(page)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
