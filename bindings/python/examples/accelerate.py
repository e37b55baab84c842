"""SciPy's own matrices, multiplied by tulle: the program is as it was but for the blocks."""
import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla

import tulle

n = 70
line = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
S = (sp.kron(sp.eye_array(n), line) + sp.kron(line, sp.eye_array(n))).tocsr()
b = np.ones(n * n)


def told():
    counts = tulle.statistics()
    return ", ".join(f"{name} {counts[name]}" for name in ("products_by_scipy", "products_by_tulle", "conversions"))


plain, failed = sla.cg(S, b, rtol=1e-10)

with tulle.accelerate():  # arrays may change: S is read where it is
    solution, failed = sla.cg(S, b, rtol=1e-10)
    S.data *= 2  # seen by the next product
    half, failed = sla.cg(S, b, rtol=1e-10)
    S.data /= 2
print("changing:", told())

with tulle.accelerate(frozen=True):  # a promise that they do not: S may be converted
    for _ in range(5):
        frozen, failed = sla.cg(S, b, rtol=1e-10)
print("frozen:", told())

scale = abs(plain).max()
print(f"largest difference {max(abs(one - plain).max() for one in (solution, 2 * half, frozen)) / scale:.1e}")
