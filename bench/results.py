"""The JSON that tulle-compare writes, for the scripts that read it: which figures count, and means."""

import json
import math
import operator
import statistics
import zlib
from pathlib import Path

# Below this size, call overhead matters more than the format (bench/suite.h).
TINY_BELOW = 84000


def key(row):
    return row["matrix"], row["contender"], row["threads"], row.get("type", "f64")


def read(path):
    """The object of one file. Each result gets "right" and "disturbed"."""
    written = json.loads(Path(path).read_text())
    disturbed = {key(d) for d in written["run"]["disturbed"]}
    for row in written["results"]:
        row["right"] = row["error_over_bound"] is not None and row["error_over_bound"] <= 1
        row["disturbed"] = key(row) in disturbed
    return written


def usable(rows):
    """{threads: {matrix: {contender: row}}} of the figures that count: right and undisturbed, as was their plain."""
    run = {}
    rows = [row for row in rows if row["right"] and not row["disturbed"]]
    units = {(row["matrix"], row["threads"]) for row in rows if row["contender"] == "plain"}
    for row in rows:
        if (row["matrix"], row["threads"]) in units:
            matrices = run.setdefault(row["threads"], {})
            matrices.setdefault(row["matrix"], {}).setdefault(row["contender"], row)
    return run


def load(paths, tiny=False):
    """What counts in these files together, on matrices that are not tiny, or on those that are. Each contender
    is in units of the plain of its own file and group, so files about different contenders make one run."""
    run = {}
    for path in paths:
        rows = [row for row in read(path)["results"] if (row["nnz"] < TINY_BELOW) == tiny]
        for threads, matrices in usable(rows).items():
            for matrix, found in matrices.items():
                into = run.setdefault(threads, {}).setdefault(matrix, {})
                into.update({contender: row for contender, row in found.items() if contender not in into})
    return run


def unsure(paths):
    """{threads: matrices} with a disturbed figure in these files: the best contender is not known there."""
    found = {}
    for path in paths:
        for row in json.loads(Path(path).read_text())["run"]["disturbed"]:
            found.setdefault(row["threads"], set()).add(row["matrix"])
    return found


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


def is_ours(contender):
    return contender.startswith("tulle:")


def contenders_of(runs):
    """In order of appearance, without the unit."""
    names = {name: None for run in runs for row in run.values() for name in row}
    return [name for name in names if name != "plain"]


PLURALS = {"matrix": "matrices", "batch": "batches", "tiny matrix": "tiny matrices"}


def counted(n, word):
    return f"{n} {word if n == 1 else PLURALS.get(word, word + 's')}"


def geomean(values, weights=None):
    logarithms = [math.log(value) for value in values]
    if weights:
        return math.exp(sum(map(operator.mul, logarithms, weights)) / sum(weights))
    return math.exp(statistics.fmean(logarithms))


def harmonic(values):
    return statistics.harmonic_mean(list(values))


def markdown(heads, rows):
    """A table, with padded columns so that the source is legible."""
    cells = [heads] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[n]) for line in cells) for n in range(len(heads))]
    lines = [cells[0], ["-" * width for width in widths], *cells[1:]]
    return "".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |\n"
                   for line in lines)
