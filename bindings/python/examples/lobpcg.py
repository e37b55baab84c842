"""The eight smallest eigenvalues by SciPy's LOBPCG, with products of A and a block of eight vectors: A @ X.

Usage: lobpcg.py [FILE]; FILE is a symmetric positive definite matrix in Matrix Market format. Without it A is the Laplacian
of a plate with sides of different lengths.
"""
import sys
import warnings

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import lobpcg

import tulle

WANTED = 8


def plate(m=36, n=30):
    def line(k):
        return sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(k, k))
    return sp.kronsum(line(n), line(m)).tocsr()


S = sp.csr_array(tulle.matrix(sys.argv[1]).to_scipy()) if len(sys.argv) > 1 else plate()
A = tulle.matrix(S).plan(multiplies=200 * WANTED)
print(A.explain().splitlines()[0])
X = np.random.default_rng(1).standard_normal((S.shape[0], WANTED))
inverse = sp.diags_array(1 / S.diagonal())
size = abs(S).sum(axis=0).max()  # at least the largest eigenvalue


def smallest(matrix):
    """Eigenvalues and how far the nearest eigenvalue of A can be from each of them: ||A v - lambda v|| for ||v|| = 1."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # tolerances are checked below
        values, V = lobpcg(matrix, X, M=inverse, tol=1e-9 * size, maxiter=400, largest=False)
    return values, np.linalg.norm(S @ V - V * values, axis=0) / np.linalg.norm(V, axis=0)


values, error = smallest(A)
theirs, their_error = smallest(S)
print(f"eigenvalues {np.array2string(values, precision=6)}")
print(f"largest residual {error.max() / size:.1e}, with SciPy's matrix {their_error.max() / size:.1e}")
same = abs(values - theirs) <= error + their_error + 1e-13 * size
if not (same.all() and max(error.max(), their_error.max()) <= 1e-8 * size):
    sys.exit("the eigenvalues differ")
print("same eigenvalues")
