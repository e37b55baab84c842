#!/usr/bin/env python3
"""Write docs/gallery.md and its pictures: `tulle info` and `tulle spy` on ten real matrices.

Usage: gallery.py TULLE MATRICES. MATRICES is a folder with the files named below, as .mtx.gz.
"""

import sys
import textwrap
from pathlib import Path

from command import run

TREE = Path(__file__).resolve().parent.parent
SIZE = "360"  # pixels a side: all pictures together stay small

MATRICES = [
    ("fem_cylplate", "Finite elements on a mesh in space, three unknowns a node: the 3 x 3 blocks are "
     "almost full, and the file stores one triangle."),
    ("xenon1", "A crystal: nearly full 3 x 3 blocks again, symmetric in its pattern but not in its values."),
    ("conf6_0-4x4-30", "Lattice QCD: every row and column has 39 entries. The values are complex, so the "
     "real parts were taken (`--real-part`)."),
    ("cage11", "A Markov chain of DNA electrophoresis: narrow rows of similar length, no blocks."),
    ("memplus", "A memory circuit: most rows are very short, a few long."),
    ("c-62", "A system from optimisation: half of the rows have 7 entries or fewer, one has 5,060."),
    ("lp_nw04", "A linear program: 36 rows, some of 40,000 entries; all values are equal. The picture is "
     "stretched."),
    ("cnr-2000", "Links of web pages: a quarter of the rows is empty; the longest row has 2,716 entries, the "
     "longest column 18,235."),
    ("email-Enron", "Who wrote to whom: a third of the rows has one entry, the longest 1,383."),
    ("rbsa480", "A robot's arm: rows all but equal, columns not at all. One of the matrices of paper 002, "
     "whose figures (mean 35.60, sd 0.49, 100.0 % in ELL) come out again."),
]


def main():
    tulle, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    pictures = TREE / "docs/gallery"
    pictures.mkdir(exist_ok=True)
    page = ["# Ten matrices", "",
            "What `tulle info FILE` and `tulle spy FILE -o OUT.png` show of real matrices of different",
            f"kinds. Made by `scripts/gallery.py`, with `--size {SIZE}`; [command.md](command.md) says what",
            "the figures mean.", ""]
    for name, words in MATRICES:
        file = folder / f"{name}.mtx.gz"
        run(tulle, "spy", "--real-part", "--size", SIZE, file, "-o", pictures / f"{name}.png")
        page += [f"## {name}", "", textwrap.fill(words, 100), "", f"![{name}](gallery/{name}.png)", "", "```",
                 run(tulle, "info", "--real-part", file).rstrip("\n"), "```", ""]
    (TREE / "docs/gallery.md").write_text("\n".join(page), encoding="utf-8")


if __name__ == "__main__":
    main()
