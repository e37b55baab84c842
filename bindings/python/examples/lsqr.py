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


def problem(S):
    """b and damp for which the solution is unique and found in few steps."""
    size = np.sqrt(abs(S).sum(axis=0).max() * abs(S).sum(axis=1).max())  # at least ||A||
    return np.random.default_rng(2).standard_normal(S.shape[0]), 0.01 * size


def solve(matrix, b, damp, tolerance=1e-12, most=5000):
    """x and the number of steps. `matrix` is any that SciPy takes; tolerance 0: `most` steps."""
    x, _, steps, *_ = lsqr(matrix, b, damp=damp, atol=tolerance, btol=tolerance, conlim=0, iter_lim=most)
    return x, steps


def error_bound(S, b, damp, x):
    """A bound of the distance of x from the solution: the norm of the gradient divided by damp^2, since no eigenvalue of
    A^T A + damp^2 is smaller."""
    return np.linalg.norm(S.T @ (b - S @ x) - damp ** 2 * x) / damp ** 2


def main():
    S = sp.csr_array(tulle.matrix(sys.argv[1]).to_scipy()) if len(sys.argv) > 1 else random_matrix()
    A = tulle.matrix(S).plan(multiplies=1000, both=True)
    print(A.explain().splitlines()[0])
    b, damp = problem(S)
    solutions, errors = [], 0.0
    for name, matrix in (("tulle", A), ("scipy", S)):
        x, steps = solve(matrix, b, damp)
        error = error_bound(S, b, damp, x)
        print(f"{name:6} {steps} steps, error at most {error / np.linalg.norm(x):.1e} of x")
        solutions.append(x)
        errors += error
    size, apart = np.linalg.norm(solutions[0]), np.linalg.norm(solutions[0] - solutions[1])
    print(f"{apart / size:.1e} apart")
    if not (apart <= errors <= 1e-6 * size):
        sys.exit("the solutions differ")
    print("same solution")


if __name__ == "__main__":
    main()
