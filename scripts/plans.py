#!/usr/bin/env python3
"""Write docs/plans.md and its pictures: `tulle plan` on five matrices from applications.

Usage: plans.py TULLE MATRICES. MATRICES is a folder with the files named below, as .mtx.gz. What is
printed and drawn is what this machine measures: run it when nothing else runs.
"""

import sys
import textwrap
from pathlib import Path

from command import run

TREE = Path(__file__).resolve().parent.parent

# name, options, what kind of matrix it is
MATRICES = [
    ("fem_cylplate", ["--multiplies", "1000"],
     "Finite elements on a mesh in space, three unknowns per node. The matrix is symmetric and its entries "
     "come in blocks of 3 x 3, and there are formats for either."),
    ("xenon1", ["--multiplies", "100"],
     "A crystal. It has dense blocks but is not symmetric. A conversion must break even within 100 "
     "multiplications."),
    ("cage11", ["--multiplies", "1000", "--measure"],
     "A Markov chain: short rows of similar length, no blocks. Here `--measure` was asked to try the likely "
     "formats; filled dots in the picture were measured."),
    ("lp_nw04", ["--multiplies", "1000"],
     "A linear program: 36 rows, some with 40,000 entries. All values are one: a format that does not store "
     "them reads a fraction of the bytes."),
    ("cnr-2000", ["--multiplies", "1000"],
     "Links of web pages: all values are one, a quarter of the rows is empty, and the longest has 2,716 "
     "entries."),
]


def main():
    tulle, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    pictures = TREE / "docs/pictures"
    pictures.mkdir(exist_ok=True)
    page = ["# Five plans", "",
            "What `tulle plan FILE` prints for matrices from applications, with its pictures (`--plot`).",
            "Made by `scripts/plans.py`; [planner.md](planner.md) says how to read it. The figures are those",
            "of one machine, with two threads; `--no-wisdom --threads 2`, which was set in each, is left out.", ""]
    for name, options, words in MATRICES:
        picture = pictures / f"plan-{name}.svg"
        text = run(tulle, "plan", "--no-wisdom", "--threads", "2", *options, folder / f"{name}.mtx.gz",
                   "--plot", picture)
        plan = text.partition(f"\nwrote {picture}")[0].rstrip("\n")
        page += [f"## {name}", "", textwrap.fill(words, 100), "",
                 "<!-- not run: the matrices are not in the repository -->", "```console",
                 f"$ tulle plan {name}.mtx.gz {' '.join(options)} --plot {picture.name}", plan, "```", "",
                 f"![the formats compared for {name}](pictures/{picture.name})", ""]
    (TREE / "docs/plans.md").write_text("\n".join(page), encoding="utf-8")


if __name__ == "__main__":
    main()
