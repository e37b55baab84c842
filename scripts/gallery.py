#!/usr/bin/env python3
"""Write docs/gallery.md and its pictures: `tulle info` and `tulle spy` on ten matrices from applications.

Usage: gallery.py TULLE MATRICES. MATRICES is a folder with the files named below, as .mtx.gz.
"""

import sys
import textwrap
from pathlib import Path

from command import run

TREE = Path(__file__).resolve().parent.parent
SIZE = "360"  # pixels per side: keeps the total size of the pictures small

MATRICES = [
    ("fem_cylplate", "Finite elements on a 3-D mesh, three unknowns per node: the 3 x 3 blocks are "
     "almost full, and the file stores one triangle."),
    ("xenon1", "A crystal: again nearly full 3 x 3 blocks. The pattern is symmetric, the values are not."),
    ("conf6_0-4x4-30", "Lattice QCD: every row and column has 39 entries. The values are complex; only "
     "the real parts are used (`--real-part`)."),
    ("cage11", "A Markov chain model of DNA electrophoresis: short rows of similar length, no blocks."),
    ("memplus", "A memory circuit: most rows are very short, a few are long."),
    ("c-62", "A system from optimisation: half of the rows have 7 entries or fewer, one has 5,060."),
    ("lp_nw04", "A linear program: 36 rows, some with 40,000 entries. All values are equal. The picture is "
     "stretched."),
    ("cnr-2000", "Links between web pages: a quarter of the rows are empty. The longest row has 2,716 "
     "entries, the longest column 18,235."),
    ("email-Enron", "Senders and recipients of email: a third of the rows have one entry, the longest has 1,383."),
    ("rbsa480", "A robot arm: the rows have nearly equal lengths, the columns do not. One of the matrices of the "
     "ELLPACK-R paper. The figures below agree with the paper's (mean 35.60, sd 0.49, 100.0 % in ELL)."),
]


def main():
    tulle, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    pictures = TREE / "docs/gallery"
    pictures.mkdir(exist_ok=True)
    page = ["# Ten matrices", "",
            "This page shows the output of `tulle info FILE` and `tulle spy FILE -o OUT.png` for matrices from",
            f"applications. It is made by `scripts/gallery.py`, with `--size {SIZE}`; [command.md](command.md)",
            "explains the figures.", ""]
    for name, words in MATRICES:
        file = folder / f"{name}.mtx.gz"
        run(tulle, "spy", "--real-part", "--size", SIZE, file, "-o", pictures / f"{name}.png")
        page += [f"## {name}", "", textwrap.fill(words, 100), "", f"![{name}](gallery/{name}.png)", "", "```",
                 run(tulle, "info", "--real-part", file).rstrip("\n"), "```", ""]
    (TREE / "docs/gallery.md").write_text("\n".join(page), encoding="utf-8")


if __name__ == "__main__":
    main()
