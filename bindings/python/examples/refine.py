"""Iterative refinement: most products by a matrix stored as float32 or in 16 bits, residuals by the exact one.

    python3 refine.py [MATRIX...]    symmetric positive definite: files, or grid7:SIDE and grid27:SIDE, which are generated

A x = b to a relative residual of 1e-10, with A scaled to a diagonal of ones. A correction d solves A' d = r by conjugate
gradients, where A' is A with rounded values; each correction is made conjugate to the one before, so that A' need not be near A.
"""

import itertools
import sys
import time

import numpy as np
import scipy.sparse as sp
import tulle

TARGET = 1e-10
MOST = 20000  # products


def cg(A, b, tolerance):
    """x with ``|b - A x| <= tolerance |b|``, and the number of products."""
    x, r, p, y = np.zeros_like(b), b.copy(), b.copy(), np.empty_like(b)
    rr = r @ r
    goal = tolerance**2 * rr
    for products in range(MOST):
        if rr <= goal:
            return x, products
        y, py, _ = A.mul_dot(p, out=y)
        if py <= 0:  # a rounded matrix need not be positive definite: what there is of x must do
            return x, products + 1
        x += rr / py * p
        r -= rr / py * y
        before, rr = rr, r @ r
        p *= rr / before
        p += r
    return x, MOST


def refine(A, rounded, b, inner):
    """The same by corrections; the number of products by `rounded`, and by A."""
    x, r, last = np.zeros_like(b), b.copy(), None
    goal, products, corrections = TARGET**2 * (b @ b), 0, 0
    while (rr := r @ r) > goal and products < MOST:
        d, inside = cg(rounded, r, max(inner, 0.5 * (goal / rr) ** 0.5))  # no more than the last correction needs
        products += inside
        if last:
            d -= d @ last[1] / last[2] * last[0]
        y, dy, _ = A.mul_dot(d)
        x += d @ r / dy * d
        r, _ = A.residual(x, b)
        last = d, y, dy
        corrections += 1
    return x, products, 2 * corrections


def grid(points, side):
    """A cube of side^3 cells, each with a random conductance to its 6 or 26 neighbours."""
    rng, n = np.random.default_rng(1), side**3
    near = (-1, 0, 1)
    steps = [s for s in itertools.product(near, near, near) if s > (0, 0, 0) and (points == 27 or sum(map(abs, s)) == 1)]
    where = np.stack(np.divmod(np.arange(n), side * side)[:1] + np.divmod(np.arange(n) % (side * side), side))
    i, j = [], []
    for step in steps:
        to = where + np.array(step)[:, None]
        inside = ((to >= 0) & (to < side)).all(axis=0)
        i.append(np.flatnonzero(inside))
        j.append(np.ravel_multi_index(to[:, inside], (side, side, side)))
    i, j = np.concatenate(i), np.concatenate(j)
    half = sp.coo_array((rng.uniform(0.1, 1, len(i)), (i, j)), shape=(n, n)).tocsr()
    return sp.diags_array((half + half.T).sum(axis=1) + 0.01) - half - half.T


def scaled(S):
    root = sp.diags_array(1 / np.sqrt(S.diagonal()))
    return sp.csr_array(root @ S @ root)


def solve(name, S):
    """Solves by each kind of storage, prints what that took, and returns the largest residual."""
    S = scaled(S)
    A, b = tulle.matrix(S).plan(), np.sin(np.arange(1, S.shape[0] + 1))
    print(f"{name}: {S.shape[0]} rows, {S.nnz} entries")
    worst = first = 0
    for lossy, inner in ((False, 0), ("float32", 1e-5), ("float16", 1e-1), ("bfloat16", 1e-1)):
        try:
            rounded = tulle.matrix(S).plan(lossy=lossy) if lossy else A
        except NotImplementedError as why:  # values of a chunk are of too different sizes for 16 bits
            print(f"  {lossy:8} {why}")
            continue
        begin = time.perf_counter()
        x, products, exact = refine(A, rounded, b, inner) if lossy else (*cg(A, b, TARGET), 0)
        took = time.perf_counter() - begin
        first = first or took
        residual = np.linalg.norm(b - S @ x) / np.linalg.norm(b)
        told = rounded.describe()
        print(f"  {lossy or 'float64':8} {products:5} products + {exact:2} exact, residual {residual:.1e}, {took:8.3f} s,"
              f" speed {first / took:.2f} ({told['format']}, {told['stored_values']})")
        worst = max(worst, residual)
    return worst


def load(name):
    form, _, side = name.partition(":")
    return grid(int(form.removeprefix("grid")), int(side)) if side else tulle.matrix(name).to_scipy()


def main(names):
    residuals = [solve(name, load(name)) for name in names or ["grid7:20"]]
    return max(residuals) > 10 * TARGET


if __name__ == "__main__":
    sys.exit(int(main(sys.argv[1:])))
