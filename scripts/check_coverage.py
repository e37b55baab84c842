#!/usr/bin/env python3
"""Judge how much of the library the tests reach.

Usage: check_coverage.py REPORT [--missing]. REPORT is what `llvm-cov export` wrote of the library (./dev test coverage).

Required: LINES % of the lines, BRANCHES % of the branches, and every line of the readers of files (LOADERS). EXCLUDED lists what no
test can reach, each with its reason; it counts neither as reached nor as missed. An exclusion that is not needed any more is a
fault, too. A line or a branch of a source that is compiled for several types is reached if one of them reaches it. Branches inside
macros do not count: of an assertion, the side that ends the process is never taken.
--missing lists the lines and branches that are not reached. Exit status 1 if a number is missed.
"""

import argparse
import json
import os
import re
import sys
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
LINES, BRANCHES = 95, 85  # %
LOADERS = re.compile(r"src/io/|src/api/(tuned_file|plan_choice)\.c$")
NO_CODE = re.compile(r"\s*(/\*.*| \*.*|#.*|[{}]*)$")  # comments, directives, braces

# (file, the line without blanks around it): reason.
EXCLUDED = {
    ("src/io/source.c", 'tulle__source_problem(s, TULLE_E_IO, "cannot be read from its start again");'): "files are regular ones",
    ("src/io/problems.c", "case TULLE__LINE_GOOD: break;"): "a good line is not refused",
    ("src/io/problems.c", 'return tulle__fail(TULLE_E_INTERNAL, "%s:%" PRId64 ": refused without a reason", name, line);'): "so this is not reached",
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


def counts_of_lines(segments):
    """How often each line ran. A segment (line, column, count, has a count, is an entry, is a gap) lasts until the next one; a line
    counts as its largest region, as in llvm-cov's own reports."""
    counts = {}
    for (line, _, count, counted, entry, gap), after in pairwise(segments):
        if not counted:
            continue
        if entry and not gap:
            counts[line] = max(count, counts.get(line, 0))
        for number in range(line + 1, after[0] + 1):
            counts[number] = count
    return counts


def branches_of_lines(branches):
    """For each line, how often its branches were taken: two for each condition, added up over all its instances."""
    taken = {}
    for line, column, _, _, true, false, *_ in branches:
        sums = taken.setdefault(line, {}).setdefault(column, [0, 0])
        sums[0] += true
        sums[1] += false
    return {line: [count for sums in conditions.values() for count in sums] for line, conditions in taken.items()}


def tally_of(path, text, file, excluded, needed):
    """Of one file. `needed` collects the exclusions that it uses."""
    tally = Tally()
    branches_of = branches_of_lines(file["branches"])
    for number, count in sorted(counts_of_lines(file["segments"]).items()):
        source = text[number - 1]
        if NO_CODE.match(source):
            continue
        key = (path, source.strip())
        branches = branches_of.get(number, [])
        taken = sum(branch > 0 for branch in branches)
        if key in excluded:
            if count == 0 or taken < len(branches):
                needed.add(key)
            continue
        tally.lines += 1
        tally.lines_reached += count > 0
        if count == 0:
            tally.missed.append(number)
        elif taken < len(branches):
            tally.half.append(number)
        tally.branches += len(branches)
        tally.branches_reached += taken
    return tally


def tallies(report, tree, excluded):
    """By file of src, and the exclusions that nothing needed."""
    needed, found = set(), {}
    for file in report["data"][0]["files"]:
        path = os.path.relpath(tree / file["filename"], tree)
        if path.startswith("src/"):
            found[path] = tally_of(path, (tree / path).read_text().splitlines(), file, excluded, needed)
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
