"""The JSON that tulle-compare writes, for the scripts that read it: which figures count, and means."""

import json
import math
import statistics
import zlib
from pathlib import Path

# Below this a matrix says more about call overhead than about formats (bench/suite.h).
TINY_BELOW = 84000


def load(paths):
    """{threads: {matrix: {contender: row}}} of the figures that count in these files together: right,
    timed in peace against a plain that was, on matrices that are not tiny. Each contender is in units
    of the plain of its own file and group, so files about different contenders make one run."""
    run = {}
    for path in paths:
        written = json.loads(Path(path).read_text())
        disturbed = {(d["matrix"], d["contender"], d["threads"])
                     for d in written["run"]["disturbed"]}
        for row in written["results"]:
            right = row["error_over_bound"] is not None and row["error_over_bound"] <= 1
            quiet = not {(row["matrix"], name, row["threads"])
                         for name in ("plain", row["contender"])} & disturbed
            if right and quiet and row["nnz"] >= TINY_BELOW:
                matrices = run.setdefault(row["threads"], {})
                matrices.setdefault(row["matrix"], {}).setdefault(row["contender"], row)
    return run


def unsure(paths):
    """{threads: matrices} with a disturbed figure in these files: who was the best is not known."""
    found = {}
    for path in paths:
        for d in json.loads(Path(path).read_text())["run"]["disturbed"]:
            found.setdefault(d["threads"], set()).add(d["matrix"])
    return found


def asked(paths):
    """What the runs in these files were asked to reach, as they tell it."""
    floors = {"classes": {}}
    for path in paths:
        for summary in json.loads(Path(path).read_text()).get("summary", []):
            floors["classes"].update({c["class"]: c["asked"] for c in summary["classes"]})
            floors.update(summary["asked"])
    return floors


def half_of(matrix):
    """0 or 1: which half of the matrices this one belongs to, the same in every run. The prices of the
    planner are fitted to half 0."""
    return zlib.crc32(matrix.encode()) % 2


def is_planned(contender):
    """Did the planner choose the format, so that another contender of ours multiplies by it, too?"""
    return contender.split(":")[:2] in (["tulle", "auto"], ["tulle", "measure"])


def cost(row, n):
    """Seconds of n multiplications with the conversion, in multiplications of plain."""
    return row["convert_plain"] + n / row["plain_ratio"]


def geomean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def harmonic(values):
    return statistics.harmonic_mean(values)


def markdown(heads, rows):
    """A table, its columns padded for people who read the text itself."""
    cells = [heads] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[n]) for line in cells) for n in range(len(heads))]
    lines = [cells[0], ["-" * width for width in widths], *cells[1:]]
    return "".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |\n"
                   for line in lines)
