"""Loading a tuned file beside reading .mtx.gz and planning, and beside SciPy's load_npz, in turns.

Usage: files.py [--threads 2] [--rounds 7] [--multiplies 500] [--entries 400000] [--json FILE] [MATRIX...]

    tuned   tulle.load: the matrix, checked, and its plan, converted
    gz      tulle.matrix of .mtx.gz, and .plan(multiplies=500)
    npz     scipy.sparse.load_npz of what save_npz writes by default (compressed); CSR arrays, no plan
    stored  the same, written with compressed=False

Files are in the page cache. convert: the part of `tuned` that converts to the format of the plan. Products of the loaded matrix are
compared bit by bit with those of the plan that was saved. A MATRIX is a file or "gen:SPEC"; without one, all files of $TULLE_MATRICES
with at least --entries entries, and two generated ones. Asked: 5 times as fast as gz, 2 times as fast as npz. `./dev bench files`
runs this.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from interleaved import Table, in_turns, machine, medians, print_machine, write_json  # first: it sets up OpenMP

import numpy as np
import scipy.sparse as sp

import matrices
import tulle

GENERATED = ["gen:stencil27:n=60", "gen:rmat:scale=18"]


def real(entries):
    """Files with at least so many entries; one with fewer bytes than that is not looked into."""
    folder = Path(os.environ.get("TULLE_MATRICES", "no-such-folder"))
    large = (path for path in sorted(folder.glob("*.mtx.gz")) if path.stat().st_size > entries)
    return [str(path) for path in large if count(path) >= entries]


def count(path):
    try:
        return tulle.matrix(path).nnz
    except NotImplementedError:  # complex values
        return 0


def prepare(folder, name, multiplies):
    """(short name, matrix with the plan that was saved, functions to be timed)"""
    short, S = matrices.load(name)
    if not name.endswith(".mtx.gz"):
        file = folder / "generated.tulle"
        tulle.save(file, tulle.matrix(S))
        name = folder / "generated.mtx.gz"
        matrices.command("convert", file, name)
    saved = tulle.matrix(name).plan(multiplies=multiplies)
    tulle.save(folder / "tuned.tulle", saved)
    sp.save_npz(folder / "packed.npz", S)
    sp.save_npz(folder / "stored.npz", S, compressed=False)
    return short, saved, {
        "tuned": lambda: tulle.load(folder / "tuned.tulle"),
        "gz": lambda: tulle.matrix(name).plan(multiplies=multiplies),
        "npz": lambda: sp.load_npz(folder / "packed.npz").tocsr(),
        "stored": lambda: sp.load_npz(folder / "stored.npz").tocsr(),
    }


def row(saved, contenders, rounds):
    loaded = contenders["tuned"]()
    x = np.random.default_rng(1).standard_normal(saved.shape[1]).astype(saved.dtype)
    if (saved @ x).tobytes() != (loaded @ x).tobytes():
        sys.exit("the loaded plan gives other bits")
    del loaded
    taken = medians(in_turns(contenders, rounds))
    return {"entries": saved.nnz, **{f"{name} ms": 1e3 * seconds for name, seconds in taken.items()},
            "convert ms": 1e3 * contenders["tuned"]().describe()["convert_seconds"],
            "over gz": taken["gz"] / taken["tuned"], "over npz": taken["npz"] / taken["tuned"],
            "over stored": taken["stored"] / taken["tuned"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--multiplies", type=float, default=500)
    parser.add_argument("--entries", type=int, default=400_000)
    parser.add_argument("--json")
    parser.add_argument("matrix", nargs="*")
    options = parser.parse_args()
    tulle.set_threads(options.threads)
    print_machine(machine())
    times = ["tuned ms", "convert ms", "gz ms", "npz ms", "stored ms"]
    ratios = ["over gz", "over npz", "over stored"]
    table = Table("loading, medians of turns", {"entries": ",", **dict.fromkeys(times, ".2f"), **dict.fromkeys(ratios, ".2f")}, ratios,
                  {"over gz": (">=", 5), "over npz": (">=", 2)})
    for name in options.matrix or real(options.entries) + GENERATED:
        with tempfile.TemporaryDirectory() as folder:
            short, saved, contenders = prepare(Path(folder), name, options.multiplies)
            table.add(short, row(saved, contenders, options.rounds))
    write_json(options.json, {"files": table.finish()})


if __name__ == "__main__":
    main()
