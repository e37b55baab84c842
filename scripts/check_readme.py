#!/usr/bin/env python3
"""Keep the documentation true: programs are files that tests run, blocks of code are run, links lead somewhere.

Usage: check_readme.py TREE [--run | --first | --list]. doc_blocks.py says how a block of code is marked. A block that can be
run and has no mark is a fault, in every page. With --run, all that are marked so are run; README.md is first and
builds the library. With --first, only those from a clone to the first product. --list prints every mark.

Options of `tulle COMMAND` that a page names must be in the manual page of the command, commands of ./dev in its help. Links of
README.md, of docs/ and of packaging/README.md to files of TREE, and to headings of pages, must have a target.
"""

import re
import sys
from pathlib import Path

from doc_blocks import Runner, blocks_of, check_mark, pages_of

CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.S | re.M)
LINK = re.compile(r"\]\(([^)\s]+)\)")
CALL = re.compile(r"(?:^|`|\$ |build/)tulle ([a-z]+)\b([^`#\n|;&]*)", re.M)
DEV = re.compile(r"(?:^|[`\s])\./dev ([a-z][a-z-]*)")


def check_blocks(tree, pages, run):
    """Yield what is wrong with the blocks; `run`: "", "--run" or "--first"."""
    blocks, runner = [block for page in pages for block in blocks_of(tree, page)], Runner(tree)
    for block in blocks:
        yield from (f"{block}: {fault}" for fault in check_mark(tree, block))
    for block in blocks if run else ():
        if block.kind == "run" and run == "--first" and not block.ways:
            runner.leave_out()
        elif block.kind == "run":
            yield from (f"{block}: {fault}" for fault in runner.run(block))
        elif block.kind == "prints":
            yield from (f"{block}: {fault}" for fault in runner.compare(block))
    if run:
        runner.report(blocks)


def check_calls(tree, page):
    """Yield options and commands that a page names and that do not exist."""
    code = "\n".join(CODE.findall(page.read_text()))
    for command, rest in CALL.findall(code):
        manual = tree / f"docs/man/tulle-{command}.1"
        if not manual.exists():
            continue  # an error message, or a word after the name of the project
        known = set(re.findall(r"--[a-z][a-z-]*", manual.read_text().replace("\\-", "-")))
        for option in re.findall(r"(?<!\S)--[a-z][a-z-]*", rest):
            if option not in known:
                yield f"tulle {command} has no option {option}"
    dev = tree / "dev"
    known = set(re.findall(r"^\./dev ([a-z-]+)", dev.read_text(), re.M)) if dev.exists() else set()
    for command in DEV.findall(code):
        if dev.exists() and command not in known | {"help"}:
            yield f"./dev has no command {command}"


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


def list_blocks(tree):
    for block in (block for page in pages_of(tree) for block in blocks_of(tree, page)):
        if block.kind:
            print(f"{block}: {block.language or 'text'}: {block.kind}{': ' if block.argument else ''}{block.argument or ''}")


def check(tree, run):
    """Yield everything that is wrong."""
    pages = pages_of(tree)
    yield from check_blocks(tree, pages, run)
    for page in pages:
        yield from (f"{page.relative_to(tree)}: {fault}" for fault in check_calls(tree, page))
    for page in [tree / "README.md", *sorted(tree.glob("docs/**/*.md")), *tree.glob("packaging/README.md")]:
        yield from (f"{page.relative_to(tree)}: {fault}" for fault in check_links(page))


def main():
    tree = Path(sys.argv[1]).resolve()
    mode = sys.argv[2] if len(sys.argv) > 2 else ""
    if mode == "--list":
        list_blocks(tree)
        return 0
    faults = list(check(tree, mode))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
