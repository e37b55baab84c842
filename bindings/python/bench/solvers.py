"""CG and eigsh of SciPy on real stiffness matrices, with SciPy's matrix and with tulle's, in turns.

Usage: solvers.py [--threads 2] [--rounds 5] [NAME...]; files NAME.mtx.gz are found through TULLE_MATRICES.

CG is preconditioned by the diagonal and ends at a relative residual of 1e-8; eigsh looks for the four
largest eigenvalues. Times of tulle's include making the matrix and planning. Told: the speed-up, and how
far the answers are apart, relative to their size. `./dev bench solvers` runs this.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla

import tulle


def cg(A, b, inverse):
    steps = []
    x, failed = sla.cg(A, b, rtol=1e-8, maxiter=20_000, M=inverse, callback=lambda _: steps.append(1))
    if failed:
        raise SystemExit("cg did not converge")
    return x, len(steps)


def largest(A, start):
    return np.sort(sla.eigsh(A, 4, which="LA", v0=start, return_eigenvectors=False))


def in_turns(S, solve, rounds):
    """[seconds, answer] of SciPy's matrix and of tulle's."""
    best = [[np.inf, None], [np.inf, None]]
    for _ in range(rounds):
        for which, make in enumerate((lambda: S, lambda: tulle.matrix(S).plan(1000))):
            begin = time.perf_counter()
            answer = solve(make())
            best[which] = [min(best[which][0], time.perf_counter() - begin), answer]
    return best


def report(name, what, theirs, ours, apart, more=""):
    print(f"{name:12} {what:5} scipy {theirs[0]:7.3f} s, tulle {ours[0]:7.3f} s: {theirs[0] / ours[0]:5.2f} times "
          f"as fast; answers {apart:.1e} apart{more}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("names", nargs="*", default=["bcsstk16", "bcsstk18", "bcsstk28", "s3rmt3m3"])
    options = parser.parse_args()
    tulle.set_threads(options.threads)
    for name in options.names:
        S = tulle.matrix(Path(os.environ["TULLE_MATRICES"], f"{name}.mtx.gz")).to_scipy()
        b, start = S @ np.ones(S.shape[0]), np.random.default_rng(1).random(S.shape[0])
        inverse = sp.diags_array(1 / S.diagonal())
        theirs, ours = in_turns(S, lambda A: cg(A, b, inverse), options.rounds)
        apart = np.linalg.norm(theirs[1][0] - ours[1][0]) / np.linalg.norm(theirs[1][0])
        left = [np.linalg.norm(S @ x - b) / np.linalg.norm(b) for x in (theirs[1][0], ours[1][0])]
        report(name, "cg", theirs, ours, apart, f"; {theirs[1][1]} and {ours[1][1]} steps, residuals "
               f"{left[0]:.1e} and {left[1]:.1e}")
        theirs, ours = in_turns(S, lambda A: largest(A, start), options.rounds)
        report(name, "eigsh", theirs, ours, np.max(abs(theirs[1] / ours[1] - 1)))


if __name__ == "__main__":
    main()
