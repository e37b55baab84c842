"""Linear programs by PDLP: a restarted primal-dual hybrid gradient method, which uses A in products only.

    minimize c.x  subject to  (A x)_i >= b_i for i < inequalities, (A x)_i = b_i for the others,  0 <= x <= upper

Usage: pdlp.py [FILE]; FILE has A in Matrix Market format. Without it A is random. b, c and upper are made from a known
optimal pair of x and y, so the optimal value is known. Applegate et al., Practical Large-Scale Linear Programming using
Primal-Dual Hybrid Gradient (NeurIPS 2021), describe the method; Lu and Yang, cuPDLP.jl (2023), the restarts used here.
"""
import sys
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

import tulle

CHECK = 64  # iterations between checks of the residuals
EPSILON = 1e-8  # relative size of residuals and gap at the end


@dataclass
class Program:
    """A linear program; best_x and best_y are optimal, and best is its optimal value."""
    S: sp.csr_array
    b: np.ndarray
    c: np.ndarray
    upper: np.ndarray
    inequalities: int
    best_x: np.ndarray
    best_y: np.ndarray
    best: float


def random_matrix(rows=400, cols=800, per_row=8, seed=1):
    rng = np.random.default_rng(seed)
    i, j = np.repeat(np.arange(rows), per_row), rng.integers(0, cols, rows * per_row)
    return sp.coo_array((rng.standard_normal(len(i)), (i, j)), shape=(rows, cols)).tocsr()


def program(S, seed=2):
    """b, c and upper for which a random pair is optimal: of each bound and its multiplier one is zero."""
    rng = np.random.default_rng(seed)
    rows, cols = S.shape
    inequalities = rows // 2
    upper = np.where(rng.random(cols) < 0.2, 1.0, np.inf)
    at_upper = np.isfinite(upper) & (rng.random(cols) < 0.3)
    between = ~at_upper & (rng.random(cols) < 0.2)
    x = np.where(between, rng.uniform(0.1, 0.9, cols), np.where(at_upper, 1.0, 0.0))
    reduced = np.where(between, 0.0, rng.uniform(0.1, 1, cols) * np.where(at_upper, -1, 1))
    y, slack = rng.standard_normal(rows), np.zeros(rows)
    loose = (np.arange(rows) < inequalities) & (rng.random(rows) < 0.3)
    y[:inequalities] = abs(y[:inequalities])
    y[loose], slack[loose] = 0.0, rng.uniform(0.1, 1, loose.sum())
    c = S.T @ y + reduced
    return Program(S, S @ x - slack, c, upper, inequalities, x, y, c @ x)


def scales(S, passes=10):
    """d, e so that rows and columns of diag(d) S diag(e) have similar sizes: Ruiz, then Pock and Chambolle."""
    M = abs(S.tocoo())
    M.sum_duplicates()
    d, e = np.ones(M.shape[0]), np.ones(M.shape[1])
    for reduce in [np.maximum] * passes + [np.add]:
        entries = M.data * d[M.row] * e[M.col]
        rows, cols = np.zeros_like(d), np.zeros_like(e)
        reduce.at(rows, M.row, entries)
        reduce.at(cols, M.col, entries)
        d /= np.sqrt(np.where(rows > 0, rows, 1))
        e /= np.sqrt(np.where(cols > 0, cols, 1))
    return d, e


class Solver:
    def __init__(self, lp, A=None):
        """A: whatever computes A @ x and A.T @ y; None: a plan of tulle for both."""
        self.lp = lp
        self.A = tulle.matrix(lp.S).plan(multiplies=10_000, both=True) if A is None else A
        # Scaled variables are x / e and y / d. Instead of a scaled copy of A, each variable has its own step size.
        d, e = scales(lp.S)
        self.d2, self.e2 = d * d, e * e
        self.per_d2, self.per_e2 = 1 / self.d2, 1 / self.e2

    def size(self, dx, dy):
        """Norms of a change of x and y, in scaled variables."""
        return np.sqrt((dx * self.per_e2) @ dx), np.sqrt((dy * self.per_d2) @ dy)

    def residuals(self, x, y):
        """Norms of the primal and the dual residual, the gap, and the two objective values."""
        lp = self.lp
        primal = lp.b - self.A @ x
        primal[:lp.inequalities] = np.maximum(primal[:lp.inequalities], 0)
        reduced = lp.c - self.A.T @ y
        bounded = np.isfinite(lp.upper)
        dual = np.minimum(reduced[~bounded], 0)  # no bound compensates for these
        objective = lp.c @ x
        dual_objective = lp.b @ y + lp.upper[bounded] @ np.minimum(reduced[bounded], 0)
        return np.linalg.norm(primal), np.linalg.norm(dual), abs(objective - dual_objective), objective, dual_objective

    def converged(self, found):
        primal, dual, gap, objective, dual_objective = found
        lp = self.lp
        return (primal <= EPSILON * (1 + np.linalg.norm(lp.b)) and dual <= EPSILON * (1 + np.linalg.norm(lp.c))
                and gap <= EPSILON * (1 + abs(objective) + abs(dual_objective)))

    def start(self):
        """x, y and A.T @ y before the first iteration."""
        lp = self.lp
        self.weight = (1 + np.linalg.norm(lp.c)) / (1 + np.linalg.norm(lp.b))
        self.eta = 1.0  # rows and columns of the scaled matrix are about 1 in size, and so is its norm
        return np.zeros_like(lp.c), np.zeros_like(lp.b), np.zeros_like(lp.c)

    def step(self, x, y, ATy, k):
        """Iteration k; the step size is reduced until it is within the limit for its own change of x and y."""
        lp = self.lp
        while True:
            tau, sigma = self.eta / self.weight, self.eta * self.weight
            # Computed in place: passes over vectors take as long as the products if A has few entries per row.
            next_x = ATy - lp.c  # becomes x - tau e2 (c - A^T y), within its bounds
            next_x *= self.e2
            next_x *= tau
            next_x += x
            np.maximum(next_x, 0, out=next_x)
            np.minimum(next_x, lp.upper, out=next_x)
            change_x = next_x - x
            change_y = self.A @ (next_x + change_x)  # becomes sigma d2 (b - A (2 next_x - x))
            np.subtract(lp.b, change_y, out=change_y)
            change_y *= self.d2
            change_y *= sigma
            next_y = y + change_y
            np.maximum(next_y[:lp.inequalities], 0, out=next_y[:lp.inequalities])
            np.subtract(next_y, y, out=change_y)
            next_ATy = self.A.T @ next_y
            dx, dy = self.size(change_x, change_y)
            interaction = abs(change_x @ (next_ATy - ATy))
            movement = self.weight * dx * dx + dy * dy / self.weight
            limit = np.inf if interaction == 0 else movement / (2 * interaction)
            used = self.eta
            self.eta = min((1 - (k + 1) ** -0.3) * limit, (1 + (k + 1) ** -0.6) * self.eta)
            if not used > limit:  # also if a value of A is NaN
                return next_x, next_y, next_ATy, used

    def solve(self, most=200_000):
        """x, y, its residuals, and the number of iterations; sys.exit if there are too many."""
        lp = self.lp
        x, y, ATy = self.start()

        def error(found):
            return np.hypot(np.hypot(self.weight * found[0], found[1] / self.weight), found[2])

        found = self.residuals(x, y)
        start_x, start_y, start_error, last_error = x, y, np.inf, np.inf
        sum_x, sum_y, total, since = np.zeros_like(x), np.zeros_like(y), 0.0, 0
        for k in range(1, most + 1):
            x, y, ATy, eta = self.step(x, y, ATy, k)
            sum_x += eta * x
            sum_y += eta * y
            total += eta
            since += 1
            if k % CHECK:
                continue
            candidates = [(x, y), (np.clip(sum_x / total, 0, lp.upper), sum_y / total)]
            results = [self.residuals(*one) for one in candidates]
            for one, found in zip(candidates, results):
                if self.converged(found):
                    return *one, found, k
            best = min((0, 1), key=lambda n: error(results[n]))
            now = error(results[best])
            if now <= 0.2 * start_error or (now <= 0.8 * start_error and now > last_error) or since >= 0.36 * k:
                x, y = candidates[best]  # restart from there
                ATy = self.A.T @ y
                dx, dy = self.size(x - start_x, y - start_y)
                if dx > 0 and dy > 0:
                    self.weight = np.sqrt(self.weight * dy / dx)
                start_x, start_y, start_error, last_error = x, y, error(results[best]), np.inf
                sum_x, sum_y, total, since = np.zeros_like(x), np.zeros_like(y), 0.0, 0
            else:
                last_error = now
        sys.exit(f"no solution after {most} iterations: residuals {found[0]:.1e}, {found[1]:.1e}, gap {found[2]:.1e}")


def error_bound(lp, x, found):
    """By how much c.x may differ from the optimal value, by weak duality: c.x is at least best - best_y.primal, and the
    dual objective at most best + best_x.dual; and the rounding of both values."""
    norm = np.linalg.norm
    rounding = len(x) * 2.0 ** -53 * norm(lp.c) * (norm(x) + norm(lp.best_x))
    return found[2] + norm(lp.best_x) * found[1] + norm(lp.best_y) * found[0] + rounding


def main():
    S = tulle.matrix(sys.argv[1]).to_scipy() if len(sys.argv) > 1 else random_matrix()
    lp = program(sp.csr_array(S))
    solver = Solver(lp)
    print(solver.A.explain().splitlines()[0])
    x, _, found, iterations = solver.solve()
    print(f"{iterations} iterations: primal residual {found[0]:.1e}, dual residual {found[1]:.1e}, gap {found[2]:.1e}")
    difference, bound = abs(found[3] - lp.best), error_bound(lp, x, found)
    print(f"objective {found[3]:.9g}, optimum {lp.best:.9g}, difference {difference:.1e}, bound {bound:.1e}")
    if not (difference <= bound and (x >= 0).all() and (x <= lp.upper).all()):
        sys.exit("the objective differs from the optimum")


if __name__ == "__main__":
    main()
