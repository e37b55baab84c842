"""Two Python threads that multiply, each on one core, against one that does the work of both."""

import threading
import time

import numpy as np
import scipy.sparse as sp

import tulle

ROUNDS, CALLS = 7, 200


def work(A, x, y):
    for _ in range(CALLS):
        A.dot(x, out=y)


def main():
    n = 100_000
    S = sp.diags_array([1.0, 2.0, 3.0, 2.0, 1.0], offsets=[-200, -1, 0, 1, 200], shape=(n, n)).tocsr()
    tulle.set_threads(1)
    jobs = [(tulle.matrix(S), np.ones(n), np.empty(n)) for _ in range(2)]
    alone, together = [], []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for job in jobs:
            work(*job)
        middle = time.perf_counter()
        threads = [threading.Thread(target=work, args=job) for job in jobs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        alone.append(middle - begin)
        together.append(time.perf_counter() - middle)
    print(f"two threads are {np.median(alone) / np.median(together):.2f} times as fast as one "
          f"({1e6 * np.median(alone) / (2 * CALLS):.1f} us per product)")


if __name__ == "__main__":
    main()
