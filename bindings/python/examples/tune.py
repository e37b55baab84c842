"""Which format for how many products: plan, read why, look at it.

Usage: tune.py [FILE] [PICTURE]. Writes PICTURE (default tune.png) if matplotlib is there.
"""
import sys
import time

import numpy as np
import scipy.sparse as sp

import tulle


def grid(n=400):
    line = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    eye = sp.eye_array(n)
    return sp.kron(eye, line) + sp.kron(line, eye)


A = tulle.matrix(sys.argv[1] if len(sys.argv) > 1 else grid())
x = np.ones(A.shape[1])
for multiplies in (5, 50, 5000):
    A.plan(multiplies)
    y = A @ x
    begin = time.perf_counter()
    for _ in range(20):
        A.dot(x, out=y)
    each = (time.perf_counter() - begin) / 20
    print(f"for {multiplies:4} products: {A.describe()['format']:5} {1e6 * each:7.1f} us each")
print()
print(A.explain())

try:
    import tulle.plot
    from matplotlib import pyplot
except ImportError:
    sys.exit()
figure, axes = pyplot.subplots(2, 2, figsize=(12, 10), layout="constrained")
tulle.plot.spy(A, ax=axes[0, 0])
tulle.plot.row_histogram(A, ax=axes[0, 1])
tulle.plot.roofline(A, ax=axes[1, 0])
tulle.plot.iterations(A, ax=axes[1, 1])
picture = sys.argv[2] if len(sys.argv) > 2 else "tune.png"
figure.savefig(picture)
print(picture, "shows it")
