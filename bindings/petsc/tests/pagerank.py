#!/usr/bin/env python3
"""Ranks of tulle-pagerank on 1, 2 and 4 ranks, in both orders, against the library on one machine.

Usage: pagerank.py MPIEXEC CONVERT PAGERANK COMPARE FOLDER [ORDER...]. Graphs: links that prefer a few nodes, some
nodes without any; the same with weights; and one node that all point to and that points to none.
"""

import random
import re
import struct
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


def refused(mpiexec, pagerank, path, ranks, words):
    """The file ends all ranks, with one message."""
    run = subprocess.run([mpiexec, "-n", ranks, pagerank, str(path)], capture_output=True, text=True, check=False)
    text = run.stdout + run.stderr
    if run.returncode == 0 or text.count(words) != 1:
        sys.exit(f"FAILED {path} on {ranks} ranks: expected one message with \"{words}\"\n{text}")


def damaged(mpiexec, pagerank, compare, folder):
    """Faults in what the last rank reads, which the others cannot see, and in what all of them read."""
    nodes, good = 400, folder / "good.tulle"
    write(folder / "good.mtx", nodes, ((i, (7 * i + k) % nodes) for i in range(nodes) for k in range(3)), True)
    must([compare, "--tuned", folder / "good.mtx", good])
    whole = good.read_bytes()
    sections = [struct.unpack_from("=QQ", whole, 64 + 24 * n + 8) for n in range(5)]
    (ptr, ptr_bytes), (col, col_bytes) = sections[2], sections[3]
    faults = {
        "column.tulle": ("4", col + col_bytes - 4, struct.pack("=i", nodes), ": col: col[1199] = 400 is outside"),
        "offset.tulle": ("2", ptr + ptr_bytes - 8, struct.pack("=i", 5), ": row_ptr: row_ptr[399] = 5 is less than"),
        "header.tulle": ("2", 24, struct.pack("=q", nodes + 1), ": header: section row_ptr has"),
    }
    for name, (ranks, at, value, words) in faults.items():
        (folder / name).write_bytes(whole[:at] + value + whole[at + len(value):])
        refused(mpiexec, pagerank, folder / name, ranks, words)
    (folder / "cut.tulle").write_bytes(whole[:-1])
    refused(mpiexec, pagerank, folder / "cut.tulle", "1", ": header: the file has")
    refused(mpiexec, pagerank, folder / "absent.tulle", "2", "absent.tulle: No such file")


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
        market, binary, tuned = (folder / f"{name}.{end}" for end in ("mtx", "petsc", "tulle"))
        write(market, *graph)
        must([convert, market, binary])
        must([compare, "--tuned", market, tuned])
        outputs, top, ghosts = [], set(), {}
        for ranks in "1", "2", "4":
            for order, source in [("natural", market), ("natural", tuned)] + [(order, binary) for order in orders]:
                output = folder / f"{name}.{ranks}.{order}{source.suffix}"
                text = must([mpiexec, "-n", ranks, pagerank, source, "-order", order, "-tolerance",
                             "1e-13", "-output", output, "-top", "3"])
                outputs.append(output)
                top.add(re.findall(r"^ +1  (\d+)", text, re.M)[0])
                ghosts[ranks, order] = int(re.search(r"^ghosts +(\d+)", text, re.M)[1])
            if len({(folder / f"{name}.{ranks}.natural{source.suffix}").read_bytes() for source in (market, tuned)}) != 1:
                sys.exit(f"FAILED {name}: other bits from {tuned.name} on {ranks} ranks")
        print(must([compare, market, *outputs]), end="")
        if len(top) != 1:
            sys.exit(f"FAILED {name}: the node of highest rank is not always the same: {top}")
        if ghosts["1", "natural"] != 0 or ghosts["2", "natural"] == 0:
            sys.exit(f"FAILED {name}: ghosts {ghosts}")
    damaged(mpiexec, pagerank, compare, folder)
    bad = folder / "negative.mtx"
    bad.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 -1\n", encoding="ascii")
    run = subprocess.run([mpiexec, "-n", "1", pagerank, str(bad)], capture_output=True, text=True,
                         check=False)
    if run.returncode == 0 or "negative" not in run.stdout + run.stderr:
        sys.exit("FAILED a negative weight is taken")
    return 0


if __name__ == "__main__":
    sys.exit(main())
