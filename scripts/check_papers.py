#!/usr/bin/env python3
"""Check that each page of docs/papers has a row for every table, figure and claim of its paper.

Usage: check_papers.py TREE. docs/papers/claims.tsv lists them: page, item. A row of the table under "Results" begins
with the item and ends with its status, one of STATUSES. What was measured links to the place that has the figure, what
can be run names a command, what cannot be done gives a reason. Prints what is wrong; exit status 1 if anything is.
"""

import sys
from pathlib import Path

FOLDER = "docs/papers"
HEADS = ["item", "what it is", "published", "here", "command", "difference", "status"]
STATUSES = ("measured: ", "tested: ", "runnable but unmeasured", "counted (PTX interpreter), not timed: ", "not possible: ",
            "nothing to measure: ")


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def results_of(text):
    """The rows of the tables under "Results"."""
    lines = text.partition("\n## Results\n")[2].partition("\n## ")[0].splitlines()
    rows = [cells_of(line) for line in lines if line.startswith("|")]
    return [row for row in rows if row != HEADS and set("".join(row)) != {"-"}]


def faults_of_row(row):
    if len(row) != len(HEADS):
        yield f"{len(row)} cells instead of {len(HEADS)}"
        return
    status, command = row[-1], row[HEADS.index("command")]
    known = [name for name in STATUSES if status.startswith(name)]
    if not known or (known[0].endswith(": ") and status == known[0].strip()):
        yield f'status "{status}" is not one of: {", ".join(name.strip() for name in STATUSES)}'
    elif status.startswith(("measured", "counted")) and "](" not in status:
        yield "no link to the place that has the figure"
    if "runnable" in status and "`" not in command and not command.startswith("as "):
        yield "no command"


def faults_of_page(text, items):
    rows = results_of(text)
    names = [row[0] for row in rows]
    yield from (f"no row for {item}" for item in items if item not in names)
    yield from (f"{name} is not in claims.tsv" for name in names if name not in items)
    yield from (f"{name} has two rows" for name in sorted(set(names)) if names.count(name) > 1)
    for row in rows:
        yield from (f"{row[0]}: {fault}" for fault in faults_of_row(row))


def main():
    folder = Path(sys.argv[1]) / FOLDER
    items = {}
    for line in (folder / "claims.tsv").read_text().splitlines()[1:]:
        page, item = line.split("\t")
        items.setdefault(page, []).append(item)
    pages = {page.stem for page in folder.glob("*.md")} - {"README"}
    faults = []
    for page in sorted(pages | set(items)):
        file = folder / f"{page}.md"
        found = faults_of_page(file.read_text(), items.get(page, [])) if file.exists() else ["there is no such page"]
        faults += [f"{FOLDER}/{page}.md: {fault}" for fault in found]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults or not items else 0


if __name__ == "__main__":
    sys.exit(main())
