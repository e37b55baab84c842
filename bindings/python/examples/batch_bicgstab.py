"""Ten thousand small systems of one pattern, solved together by BiCGSTAB, and checked by a direct solver.

Usage: batch_bicgstab.py [SYSTEMS]. Each step multiplies all matrices in one call; a system that has
converged, or cannot go on, stands still while the others go on.
"""
import sys
import time

import numpy as np
import scipy.sparse as sp

import tulle


def systems(count, n=32):
    """Convection and diffusion with reaction on a line, another speed and another reaction in each system."""
    rng = np.random.default_rng(1)
    S = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n)).tocsr()
    row, col = S.nonzero()
    speed, reaction = rng.uniform(-0.5, 0.5, (count, 1)), rng.uniform(0.1, 2.0, (count, 1))
    return S, S.data + speed * (col - row) + reaction * (row == col), rng.standard_normal((count, n))


def dots(a, b):
    return np.einsum("ij,ij->i", a, b)[:, None]


def ratio(a, b):
    """a / b, and 0 where b is 0: such a system stands still."""
    return np.divide(a, b, out=np.zeros_like(a), where=b != 0)


def bicgstab(A, b, tolerance=1e-10, most=500):
    """x with ||b - A x|| <= tolerance ||b|| for every system; a row of each array is one system."""
    x, r, p, v = np.zeros_like(b), b.copy(), np.zeros_like(b), np.zeros_like(b)
    shadow, rho, alpha, omega = r.copy(), np.ones((len(b), 1)), np.ones((len(b), 1)), np.ones((len(b), 1))
    goal = tolerance ** 2 * dots(b, b)
    for step in range(1, most + 1):
        busy = dots(r, r) > goal
        if not busy.any():
            return x, step - 1
        before, rho = rho, dots(shadow, r)
        p = r + ratio(rho, before) * ratio(alpha, omega) * (p - omega * v)
        A.dot(p, out=v)
        alpha = busy * ratio(rho, dots(shadow, v))
        s = r - alpha * v
        t = A @ s
        omega = busy * ratio(dots(t, s), dots(t, t))
        x += alpha * p + omega * s
        r = s - omega * t
        alpha, omega = np.where(busy, alpha, 1), np.where(busy, omega, 1)
    raise SystemExit(f"{int(busy.sum())} systems did not converge in {most} steps")


pattern, values, b = systems(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
A = tulle.batch(values, pattern=pattern)
print(A.explain().splitlines()[0])

begin = time.perf_counter()
x, steps = bicgstab(A, b)
print(f"{len(b)} systems of {b.shape[1]}: {steps} steps, {time.perf_counter() - begin:.3f} s")

residual = np.sqrt(dots(b - A @ x, b - A @ x) / dots(b, b)).max()
dense = np.zeros((len(b), *pattern.shape))
dense[:, *pattern.nonzero()] = values
apart = abs(x - np.linalg.solve(dense, b[..., None])[..., 0]).max()
print(f"worst residual {residual:.1e}; at most {apart:.1e} from the direct solution")
if not (residual < 1e-9 and apart < 1e-7):
    sys.exit("that is too far")
