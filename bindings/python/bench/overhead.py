"""What a call costs: products of 64 x 64 matrices, tulle and SciPy in turns, the fastest of many rounds."""

import math
import time
from contextlib import nullcontext

import numpy as np
import scipy.sparse as sp

import tulle

ROUNDS, CALLS = 200, 500


def main():
    n = 64
    S = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n)).tocsr()
    A, x, y = tulle.matrix(S), np.ones(n), np.empty(n)
    transposed = A.T
    calls = {
        "S @ x, scipy": lambda: S @ x,
        "A @ x": lambda: A @ x,
        "A.dot(x, out=y)": lambda: A.dot(x, out=y),
        "A.T @ x": lambda: transposed @ x,
        "A.matvec(x)": lambda: A.matvec(x),
        "nothing": lambda: None,
        "S @ x, counted": lambda: S @ x,
        "S @ x, borrowed": lambda: S @ x,
        "S @ x, frozen": lambda: S @ x,
    }
    blocks = {
        "S @ x, counted": tulle.accelerate(after=math.inf),
        "S @ x, borrowed": tulle.accelerate(after=0),
        "S @ x, frozen": tulle.accelerate(after=0, frozen=True),
    }
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            with blocks.get(name, nullcontext()):
                call()  # plans
                begin = time.perf_counter()
                for _ in range(CALLS):
                    call()
                best[name] = min(best[name], (time.perf_counter() - begin) / CALLS)
    empty = best.pop("nothing")
    for name, seconds in best.items():
        print(f"{name:16} {1e6 * (seconds - empty):6.2f} us")


if __name__ == "__main__":
    main()
