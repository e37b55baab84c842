"""Conjugate gradients on a finite element matrix: SciPy's with SciPy's matrix and with tulle's, and one by steps.

Usage: cg.py [FILE]; FILE is a symmetric positive definite matrix in Matrix Market format. Without it a
Poisson problem is assembled from trilinear elements on a cube.
"""
import sys
import time

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import cg

import tulle


def elements(n):
    """Stiffness of trilinear elements on a cube of n nodes each way: sums of products of lines."""
    stiff = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    mass = sp.diags_array([1.0, 4.0, 1.0], offsets=[-1, 0, 1], shape=(n, n)) / 6
    parts = ([stiff, mass, mass], [mass, stiff, mass], [mass, mass, stiff])
    return sum(sp.kron(sp.kron(a, b), c) for a, b, c in parts).tocsr()


def solve(A, b, inverse):
    steps = []
    begin = time.perf_counter()
    x, failed = cg(A, b, rtol=1e-8, M=inverse, callback=lambda _: steps.append(None))
    print(f"{type(A).__module__.partition('.')[0]:6} {len(steps)} steps in {1e3 * (time.perf_counter() - begin):.1f} ms")
    if failed:
        sys.exit("cg did not converge")
    return x


def solve_by_steps(A, b, diagonal):
    """The same method with A.mul_dot: q = A p and p.q in one pass."""
    begin = time.perf_counter()
    x, q = np.zeros_like(b), np.empty_like(b)
    r, rr = A.residual(x, b)
    stop, count = 1e-16 * rr, 0
    p = r / diagonal
    rz = r @ p
    while rr > stop and count < 10 * len(b):
        _, pq, _ = A.mul_dot(p, out=q)
        alpha, old = rz / pq, rz
        x += alpha * p
        r -= alpha * q
        z = r / diagonal
        rz, rr = r @ z, r @ r
        p *= rz / old
        p += z
        count += 1
    print(f"steps  {count} steps in {1e3 * (time.perf_counter() - begin):.1f} ms")
    return x


S = tulle.matrix(sys.argv[1]).to_scipy() if len(sys.argv) > 1 else elements(40)
A = tulle.matrix(S).plan(multiplies=500)
print(A.explain().splitlines()[0])

b = S @ np.ones(S.shape[0])
inverse = sp.diags_array(1 / S.diagonal())
ours, theirs = solve(A, b, inverse), solve(S, b, inverse)
print(f"residuals {np.linalg.norm(S @ ours - b) / np.linalg.norm(b):.1e}, "
      f"{np.linalg.norm(S @ theirs - b) / np.linalg.norm(b):.1e}; "
      f"answers {np.linalg.norm(ours - theirs) / np.linalg.norm(theirs):.1e} apart")
stepped = solve_by_steps(A, b, S.diagonal())
residual, bb = A.residual(stepped, b)[1], b @ b
print(f"residual {(residual / bb) ** 0.5:.1e}")
if residual > 1e-14 * bb:
    sys.exit("the steps did not converge")
