"""What tulle is worth inside iterative methods: all contenders in turns, a row per matrix and geometric means.

Usage: solvers.py [--only both,pdlp,lsqr,cg,scipy] [--threads 2] [--rounds 7] [--seconds .05] [--side 2000] [--json FILE]
                  [MATRIX...]

    both    A^T x by a plan for both directions, with one store and with as many as it chooses, over a plan for A^T alone
    pdlp    iterations of examples/pdlp.py with products of tulle, SciPy and MKL's optimized handles
    lsqr    steps of SciPy's lsqr (examples/lsqr.py), likewise
    cg      conjugate gradients with fused steps, with separate calls, SciPy's and, with --threads 1, PETSc's
    scipy   SciPy's cg and eigsh with SciPy's matrix and with tulle's, planning included

MATRIX is a file, or NAME of NAME.mtx.gz in the folder TULLE_MATRICES; each section has its own default. For cg and scipy it
must be positive definite. PETSc's solvers with tulle's matrices: ./dev bench petsc. `./dev bench solvers` runs this.
"""

import argparse
import os
from pathlib import Path

# OpenBLAS' threads spin on the cores that the next product needs, whoever computes it. Read when it is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from interleaved import machine, print_machine, write_json  # noqa: E402, first: it sets up OpenMP

import tulle  # noqa: E402
import both_directions  # noqa: E402
import cg_steps  # noqa: E402
import first_order  # noqa: E402
import scipy_solvers  # noqa: E402

SECTIONS = {"both": both_directions.run, "pdlp": first_order.run_pdlp, "lsqr": first_order.run_lsqr, "cg": cg_steps.run,
            "scipy": scipy_solvers.run}


def load(names):
    """Yield (name, csr_array); a name without a file is left out, and said so."""
    for name in names:
        path = Path(name)
        if not path.exists():
            path = Path(os.environ.get("TULLE_MATRICES", "."), f"{name}.mtx.gz")
        if path.exists():
            yield path.name.split(".")[0], tulle.matrix(path).to_scipy()
        else:
            print(f"left out: {name}: no such file; TULLE_MATRICES names the folder of NAME.mtx.gz")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(SECTIONS))
    parser.add_argument("--threads", type=int)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.05, help="of one turn, at least")
    parser.add_argument("--side", type=int, default=2000, help="of the grid of cg's largest matrix")
    parser.add_argument("--json")
    parser.add_argument("matrix", nargs="*")
    options = parser.parse_args()
    sections = options.only.split(",")
    if unknown := set(sections) - set(SECTIONS):
        parser.error(f"unknown section {', '.join(sorted(unknown))}; available: {', '.join(SECTIONS)}")
    tulle.set_threads(options.threads)
    print_machine(machine())
    results = {section: SECTIONS[section](options, load) for section in sections}
    write_json(options.json, results)


if __name__ == "__main__":
    main()
