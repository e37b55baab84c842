"""The section `scipy` of solvers.py: CG and eigsh of SciPy on real stiffness matrices, with SciPy's matrix and with tulle's.

CG is preconditioned by the diagonal and ends at a relative residual of 1e-8; eigsh looks for the four largest eigenvalues. Times of
tulle's include making the matrix and planning.
"""

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla

import tulle
from interleaved import Table, in_turns, medians

MATRICES = ["bcsstk16", "bcsstk18", "bcsstk28", "s3rmt3m3"]


def cg(A, b, inverse):
    steps = []
    x, failed = sla.cg(A, b, rtol=1e-8, maxiter=20_000, M=inverse, callback=lambda _: steps.append(1))
    if failed:
        raise SystemExit("cg did not converge")
    return x, len(steps)


def largest(A, start):
    return np.sort(sla.eigsh(A, 4, which="LA", v0=start, return_eigenvectors=False))


def compare(S, solve, rounds):
    """The seconds and the answers of both, as (SciPy's, tulle's)."""
    answers = {}

    def turn(name, make):
        answers[name] = solve(make())
    calls = {"scipy": lambda: turn("scipy", lambda: S), "tulle": lambda: turn("tulle", lambda: tulle.matrix(S).plan(1000))}
    seconds = medians(in_turns(calls, rounds, warm=False))
    return [seconds[name] for name in calls], [answers[name] for name in calls]


def measure(S, rounds):
    b, start = S @ np.ones(S.shape[0]), np.random.default_rng(1).random(S.shape[0])
    inverse = sp.diags_array(1 / S.diagonal())
    (theirs, ours), ((x, steps), (y, our_steps)) = compare(S, lambda A: cg(A, b, inverse), rounds)
    row = {"cg scipy s": theirs, "cg tulle s": ours, "cg": theirs / ours, "steps": steps, "tulle's": our_steps,
           "apart": float(np.linalg.norm(x - y) / np.linalg.norm(x))}
    (theirs, ours), (values, our_values) = compare(S, lambda A: largest(A, start), rounds)
    return row | {"eigsh": theirs / ours, "values apart": float(np.max(abs(values / our_values - 1)))}


def run(options, load):
    table = Table("scipy: speed of cg and eigsh with tulle's matrix over SciPy's",
                  {"cg scipy s": ".3f", "cg tulle s": ".3f", "cg": ".2f", "steps": "d", "tulle's": "d", "apart": ".0e",
                   "eigsh": ".2f", "values apart": ".0e"}, ["cg", "eigsh"])
    for name, S in load(options.matrix or MATRICES):
        table.add(name, measure(S, options.rounds))
    return table.finish()
