"""The PageRank of a graph: the highest ranks, and what exactly was computed.

Usage: pagerank.py [FILE]; entry i, j of FILE is a link from i to j. Without it a small web is made up, whose
pages link to pages before them, and to popular ones more often.
"""
import sys

import numpy as np

import tulle


def web(n=20_000, links=8):
    rng = np.random.default_rng(1)
    target = (np.arange(n)[:, None] * rng.random((n, links)) ** 2).astype("int32")
    return tulle.matrix((None, target.ravel(), np.arange(0, n * links + 1, links)), shape=(n, n))


A = tulle.matrix(sys.argv[1]) if len(sys.argv) > 1 else web()
result = tulle.pagerank(A, tol=1e-10)
print(result)
print()
for node, rank in result.top(5):
    print(f"{node:8} {rank:.6f}")
