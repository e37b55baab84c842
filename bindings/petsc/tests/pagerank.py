#!/usr/bin/env python3
"""Ranks of tulle-pagerank on 1, 2 and 4 ranks, in both orders, against the library on one machine.

Usage: pagerank.py MPIEXEC CONVERT PAGERANK COMPARE FOLDER [ORDER...]. Graphs: links that prefer a few nodes, some
nodes without any; the same with weights; and one node that all point to and that points to none.
"""

import random
import re
import subprocess
import sys
from pathlib import Path


def must(command):
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"FAILED {command}\n{run.stdout}{run.stderr}")
    return run.stdout


def preferring(nodes, seed):
    """Links to the 20 nodes before and to some of the first ones; every seventh node has none."""
    chance = random.Random(seed)
    for node in range(nodes):
        if node % 7:
            near = {max(0, node - chance.randrange(20)) for _ in range(6)}
            far = {int(nodes * chance.random() ** 3) for _ in range(3)}
            yield from ((node, other) for other in sorted(near | far))


def write(path, nodes, links, weighted):
    chance = random.Random(1)
    links = list(links)
    with open(path, "w", encoding="ascii") as file:
        field = "real" if weighted else "pattern"
        file.write(f"%%MatrixMarket matrix coordinate {field} general\n{nodes} {nodes} {len(links)}\n")
        for i, j in links:
            weight = f" {chance.choice([0, 0.5, 2, 3.25])}" if weighted else ""
            file.write(f"{i + 1} {j + 1}{weight}\n")


def main():
    mpiexec, convert, pagerank, compare = sys.argv[1:5]
    folder, orders = Path(sys.argv[5]), ["natural", *sys.argv[6:]]
    folder.mkdir(parents=True, exist_ok=True)
    graphs = {
        "links": (2000, list(preferring(2000, 3)), False),
        "weights": (500, list(preferring(500, 4)), True),
        "star": (9, [(i, 0) for i in range(1, 9)], False),
    }
    for name, graph in graphs.items():
        market, binary = folder / f"{name}.mtx", folder / f"{name}.petsc"
        write(market, *graph)
        must([convert, market, binary])
        outputs, top, ghosts = [], set(), {}
        for ranks in "1", "2", "4":
            for order, source in [("natural", market)] + [(order, binary) for order in orders]:
                output = folder / f"{name}.{ranks}.{order}{source.suffix}"
                text = must([mpiexec, "-n", ranks, pagerank, source, "-order", order, "-tolerance",
                             "1e-13", "-output", output, "-top", "3"])
                outputs.append(output)
                top.add(re.findall(r"^ +1  (\d+)", text, re.M)[0])
                ghosts[ranks, order] = int(re.search(r"^ghosts +(\d+)", text, re.M)[1])
        print(must([compare, market, *outputs]), end="")
        if len(top) != 1:
            sys.exit(f"FAILED {name}: the node of highest rank is not always the same: {top}")
        if ghosts["1", "natural"] != 0 or ghosts["2", "natural"] == 0:
            sys.exit(f"FAILED {name}: ghosts {ghosts}")
    bad = folder / "negative.mtx"
    bad.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 -1\n", encoding="ascii")
    run = subprocess.run([mpiexec, "-n", "1", pagerank, str(bad)], capture_output=True, text=True,
                         check=False)
    if run.returncode == 0 or "negative" not in run.stdout + run.stderr:
        sys.exit("FAILED a negative weight is taken")
    return 0


if __name__ == "__main__":
    sys.exit(main())
