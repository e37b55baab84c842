"""Least squares by SciPy's LSQR, which multiplies by A and by A.T in each step: a plan for both.

    minimize ||A x - b||^2 + damp^2 ||x||^2

Usage: lsqr.py [FILE]; FILE has A in Matrix Market format. Without it A is a random matrix with more rows than columns.
"""
import sys

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import lsqr

import tulle


def random_matrix(rows=3000, cols=1000, per_row=6):
    rng = np.random.default_rng(1)
    i, j = np.repeat(np.arange(rows), per_row), rng.integers(0, cols, rows * per_row)
    return sp.coo_array((rng.standard_normal(len(i)), (i, j)), shape=(rows, cols)).tocsr()


S = sp.csr_array(tulle.matrix(sys.argv[1]).to_scipy()) if len(sys.argv) > 1 else random_matrix()
size = np.sqrt(abs(S).sum(axis=0).max() * abs(S).sum(axis=1).max())  # at least ||A||
damp = 0.01 * size
b = np.random.default_rng(2).standard_normal(S.shape[0])

A = tulle.matrix(S).plan(multiplies=1000, both=True)
print(A.explain().splitlines()[0])


def solve(matrix):
    """x and a bound of its distance from the solution: the norm of the gradient divided by damp^2, since no eigenvalue of
    A^T A + damp^2 is smaller."""
    x, _, steps, *_ = lsqr(matrix, b, damp=damp, atol=1e-12, btol=1e-12, iter_lim=5000)
    gradient = S.T @ (b - S @ x) - damp ** 2 * x
    error = np.linalg.norm(gradient) / damp ** 2
    print(f"{type(matrix).__module__.partition('.')[0]:6} {steps} steps, error at most {error / np.linalg.norm(x):.1e} of x")
    return x, error


x, error = solve(A)
theirs, their_error = solve(S)
apart = np.linalg.norm(x - theirs)
print(f"{apart / np.linalg.norm(x):.1e} apart")
if not (apart <= error + their_error and error + their_error <= 1e-6 * np.linalg.norm(x)):
    sys.exit("the solutions differ")
print("same solution")
