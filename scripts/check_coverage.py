#!/usr/bin/env python3
"""Judge how much of the library the tests reach.

Usage: check_coverage.py REPORT [--missing]. REPORT is what `gcovr --json` wrote for src/ (./dev test coverage).

Required: LINES % of the lines, BRANCHES % of the branches, and every line of the readers of files (LOADERS). EXCLUDED lists what no
test can reach, each with its reason; it counts neither as reached nor as missed. An exclusion that is not needed any more is a
fault, too. Branches of assertions do not count: the side that ends the process is never taken.
--missing lists the lines and branches that are not reached. Exit status 1 if a number is missed.
"""

import argparse
import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
LINES, BRANCHES = 95, 85  # %
LOADERS = re.compile(r"src/io/|src/api/(tuned_file|plan_choice)\.c$")
ASSERTION = re.compile(r"\s*(assert|_Static_assert|static_assert)\(")

# (file, the line without blanks around it): reason.
EXCLUDED = {
}


@dataclass
class Tally:
    """Of one file or of all: how many there are, how many were reached, and which were not."""
    lines: int = 0
    lines_reached: int = 0
    branches: int = 0
    branches_reached: int = 0
    missed: list = field(default_factory=list)  # numbers of lines
    half: list = field(default_factory=list)    # lines with a branch that is never taken

    def add(self, other):
        for name in ("lines", "lines_reached", "branches", "branches_reached"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def share(part, whole):
    return 100 * part / whole if whole else 0


def tally_of(path, text, lines, excluded, needed):
    """Of one file. `needed` collects the exclusions that it uses."""
    tally = Tally()
    for line in lines:
        if line.get("gcovr/noncode") or line.get("gcovr/excluded"):
            continue
        number = line["line_number"]
        source = text[number - 1]
        key = (path, source.strip())
        branches = [] if ASSERTION.match(source) else line["branches"]
        taken = sum(branch["count"] > 0 for branch in branches)
        if key in excluded:
            if line["count"] == 0 or taken < len(branches):
                needed.add(key)
            continue
        tally.lines += 1
        tally.lines_reached += line["count"] > 0
        if line["count"] == 0:
            tally.missed.append(number)
        elif taken < len(branches):
            tally.half.append(number)
        tally.branches += len(branches)
        tally.branches_reached += taken
    return tally


def tallies(report, tree, excluded):
    """By file, and the exclusions that nothing needed."""
    needed, found = set(), {}
    for file in report["files"]:
        path = file["file"]
        found[path] = tally_of(path, (tree / path).read_text().splitlines(), file["lines"], excluded, needed)
    return found, sorted(set(excluded) - needed)


def ranges(numbers):
    """3-5,9 for 3 4 5 9."""
    texts, first = [], None
    for n, number in enumerate(numbers):
        first = number if first is None else first
        if n + 1 == len(numbers) or numbers[n + 1] != number + 1:
            texts.append(str(first) if first == number else f"{first}-{number}")
            first = None
    return ",".join(texts)


def judge(found, idle):
    """The lines of the verdict, and whether all numbers hold."""
    total = Tally()
    for tally in found.values():
        total.add(tally)
    loaders = {path: tally.missed for path, tally in found.items() if LOADERS.match(path) and tally.missed}
    lines, branches = share(total.lines_reached, total.lines), share(total.branches_reached, total.branches)
    texts = [f"{path}:{ranges(missed)}: not reached" for path, missed in sorted(loaders.items())]
    texts += [f"{path}: excluded and reached, or not there: {text}" for path, text in idle]
    texts += [f"lines: {lines:.1f}% ({total.lines_reached} of {total.lines})",
              f"branches: {branches:.1f}% ({total.branches_reached} of {total.branches})",
              f"readers of files: {sum(map(len, loaders.values()))} lines not reached",
              f"exclusions: {len(EXCLUDED)}, {len(idle)} not needed"]
    read = any(LOADERS.match(path) for path in found)  # a report without them shows nothing
    return texts, lines >= LINES and branches >= BRANCHES and read and not loaders and not idle


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("report", type=Path)
    parser.add_argument("--missing", action="store_true")
    options = parser.parse_args()
    found, idle = tallies(json.loads(options.report.read_text()), TREE, EXCLUDED)
    if options.missing:
        for path, tally in sorted(found.items()):
            if tally.missed or tally.half:
                print(f"{path}: lines {ranges(tally.missed) or '-'}; branches of {ranges(tally.half) or '-'}")
    texts, good = judge(found, idle)
    print("\n".join(texts))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
