#!/usr/bin/env python3
"""Read several runs of tulle-compare together: what holds in all of them?

Usage: runs.py RUN.json... A single ratio moves by 10 % between runs. This prints, for each contender
and number of threads, the geometric mean of every run over the matrices with at least 84000
nonzeros, and the matrices on which it stayed below 0.95 of plain in every run.
"""

import json
import math
import sys
from pathlib import Path

TINY_BELOW = 84000
FLOOR = 0.95


def load(path):
    """{(contender, threads): {matrix: ratio}} of the right results of one run, timed in peace."""
    ratios = {}
    written = json.loads(Path(path).read_text())
    disturbed = {(d["matrix"], d["contender"], d["threads"]) for d in written["run"]["disturbed"]}
    for row in written["results"]:
        right = row["error_over_bound"] is not None and row["error_over_bound"] <= 1
        quiet = not {(row["matrix"], name, row["threads"])
                     for name in ("plain", row["contender"])} & disturbed
        if right and quiet and row["nnz"] >= TINY_BELOW:
            key = row["contender"], row["threads"]
            ratios.setdefault(key, {})[row["matrix"]] = row["plain_ratio"]
    return ratios


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    runs = [load(path) for path in sys.argv[1:]]
    for key in runs[0]:
        found = [run.get(key, {}) for run in runs]
        common = set.intersection(*map(set, found))
        if not common:
            continue
        means = " ".join(f"{geomean([run[m] for m in common]):.3f}" for run in found)
        print(f"{key[0]}, {key[1]} threads, {len(common)} matrices: {means}")
        if key[0] == "plain":
            continue
        for matrix in sorted(common):
            ratios = [run[matrix] for run in found]
            if max(ratios) < FLOOR:
                print(f"  below {FLOOR} in every run: {matrix} "
                      + " ".join(f"{ratio:.2f}" for ratio in ratios))


if __name__ == "__main__":
    main()
