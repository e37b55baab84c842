"""Unchanged functions of SciPy and NetworkX, plain and inside `with tulle.accelerate():`, in turns.

Usage: accelerate.py [--only long,small] [--threads 2] [--rounds 5] [--small-rounds 60] [--scale 1] [--json FILE] [CASE...]

    long    large matrices and many products. Asked: 2 times as fast, each
    small   small matrices, and few products of large ones. Asked: at most 3 % slower, each

A time is that of the whole call, from the arrays that SciPy has, so planning and conversion are included. `frozen` is
`with tulle.accelerate(frozen=True):`. A small call is repeated for some milliseconds inside one block, as in a program with a block around
its calls; `per call` is with a block around each call: entering and leaving one replaces methods of SciPy's classes, after which Python
has to look up all of their attributes anew. share: of products in the plain call, so with products that take no time it would be 1 / (1 -
share) times as fast. tulle: products by tulle of all products, inside the first block. Results are compared with those of the plain
call. `./dev bench accelerate` runs this. --scale multiplies the numbers of rows.
"""

import argparse
import os
import sys
import time
from contextlib import nullcontext
from pathlib import Path

from interleaved import REST, Table, calls_for, in_turns, machine, medians, print_machine, write_json  # first: it sets up OpenMP

import networkx as nx
import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla
from scipy.sparse._compressed import _cs_matrix

import tulle
from cg_steps import elements, grid

BLOCKS = {"plain": nullcontext, "accelerate": tulle.accelerate, "frozen": lambda: tulle.accelerate(frozen=True)}
TURN = 0.004  # seconds of a turn of a small case


def rectangle(rows, cols, per_row):
    rng = np.random.default_rng(1)
    i, j = np.repeat(np.arange(rows), per_row), rng.integers(0, cols, rows * per_row)
    return sp.coo_array((rng.standard_normal(len(i)), (i, j)), shape=(rows, cols)).tocsr()


def stiffness(n):
    """A real matrix with 80 entries per row if it is there, otherwise one with 27."""
    path = Path(os.environ.get("TULLE_MATRICES", "."), "fem_cylplate.mtx.gz")
    return tulle.matrix(path).to_scipy() if n >= 30 and path.exists() else elements(n)


# ---- the functions: what they return is compared within a bound relative to its norm ----

def cg(S, **limits):
    b = np.random.default_rng(1).standard_normal(S.shape[0])
    return lambda: sla.cg(S, b, **limits)[0]


def eigsh(S, k):
    start = np.random.default_rng(1).random(S.shape[0])
    return lambda: np.sort(sla.eigsh(S, k, which="LA", v0=start, return_eigenvectors=False))


def svds(S, k):
    start = np.random.default_rng(1).random(min(S.shape))
    return lambda: np.sort(sla.svds(S, k, v0=start, return_singular_vectors=False))


def lsqr(S, most):
    b = np.random.default_rng(1).standard_normal(S.shape[0])
    return lambda: sla.lsqr(S, b, damp=0.1, atol=0, btol=0, conlim=0, iter_lim=most)[0]


def expm_multiply(S, factor):
    S = (-factor * S).tocsr()
    b, trace = np.random.default_rng(1).standard_normal(S.shape[0]), S.diagonal().sum()

    def run():
        np.random.seed(1)  # its estimates of norms use random vectors
        return sla.expm_multiply(S, b, traceA=trace)
    return run


def pagerank(nodes, links):
    graph = nx.gnm_random_graph(nodes, links, seed=1, directed=True)
    return lambda: np.fromiter(nx.pagerank(graph, tol=1e-10).values(), float)


def long_cases(scale):
    def side(n, dimensions=3):
        return max(4, round(n * scale ** (1 / dimensions)))

    def count(n):
        return max(20, round(n * scale))
    return {
        "cg, 27 points": (lambda: cg(elements(side(60)), rtol=1e-8, maxiter=200), 1e-6),
        "cg, 5 points": (lambda: cg(grid([side(1000, 2)] * 2), rtol=1e-8, maxiter=100), 1e-6),
        "eigsh, stiffness": (lambda: eigsh(stiffness(side(60)), 2), 1e-9),
        "svds, 40 per row": (lambda: svds(rectangle(count(100_000), count(20_000), 40), 2), 1e-9),
        "lsqr, 40 per row": (lambda: lsqr(rectangle(count(100_000), count(20_000), 40), 100), 1e-6),
        "expm_multiply": (lambda: expm_multiply(elements(side(60)), 2.0), 1e-9),
        "pagerank, networkx": (lambda: pagerank(count(20_000), count(400_000)), 1e-8),
    }


def small_cases(scale):
    few = max(6, round(60 * scale ** (1 / 3)))
    return {
        "cg, 900 rows": (lambda: cg(grid([30, 30]), rtol=1e-6), 1e-4),
        "eigsh, 400 rows": (lambda: eigsh(grid([20, 20]), 2), 1e-9),
        "svds, 200 x 100": (lambda: svds(rectangle(200, 100, 5), 2), 1e-9),
        "lsqr, 200 x 100": (lambda: lsqr(rectangle(200, 100, 5), 50), 1e-6),
        "expm_multiply, 400 rows": (lambda: expm_multiply(grid([20, 20]), 0.1), 1e-9),
        "pagerank, 100 nodes": (lambda: pagerank(100, 500), 1e-8),
        "cg, 3 steps, large": (lambda: cg(elements(few), maxiter=3), 1e-9),
        "one product, large": (lambda: one_product(elements(few)), 1e-12),
    }


def one_product(S):
    x = np.random.default_rng(1).standard_normal(S.shape[0])
    return lambda: S @ x


# ---- measurement ----

def share_of_products(function):
    """The part of the time of a plain call that SciPy's products take."""
    theirs = {name: getattr(_cs_matrix, name) for name in ("_matmul_vector", "_matmul_multivector") if hasattr(_cs_matrix, name)}
    inside = 0.0

    def timed(original):
        def product(S, x):
            nonlocal inside
            begin = time.perf_counter()
            y = original(S, x)
            inside += time.perf_counter() - begin
            return y
        return product
    for name, original in theirs.items():
        setattr(_cs_matrix, name, timed(original))
    try:
        begin = time.perf_counter()
        function()
        return inside / (time.perf_counter() - begin)
    finally:
        for name, original in theirs.items():
            setattr(_cs_matrix, name, original)


def measure(function, bound, rounds, small):
    results = {}

    def call(name, times=1):
        with BLOCKS[name]():
            for _ in range(times):
                results[name] = function()
    share = share_of_products(function)
    calls = calls_for(lambda: call("plain"), TURN) if small else 1
    contenders = {name: lambda name=name: call(name, calls) for name in BLOCKS}
    if small:
        contenders["per call"] = lambda: [call("accelerate") for _ in range(calls)]
    taken = in_turns(contenders, rounds, rest=0.0 if small else REST, warm=False)
    apart = 0.0
    for name, result in results.items():
        apart = max(apart, float(np.linalg.norm(result - results["plain"]) / np.linalg.norm(results["plain"])))
        if not apart <= bound:
            sys.exit(f"{name}: results are {apart:.1e} apart, allowed {bound:g}")
    call("accelerate")
    seconds, of = medians(taken), tulle.statistics()
    row = {f"{name} ms": 1e3 * one / calls for name, one in seconds.items()}
    row |= {"share": share, "tulle": f"{of['products_by_tulle']}/{of['products_by_tulle'] + of['products_by_scipy']}",
            "checking ms": 1e3 * of["seconds_checking"], "planning ms": 1e3 * of["seconds_planning"], "apart": apart}
    return row | {name: seconds["plain"] / seconds[name] for name in seconds if name != "plain"}


COLUMNS = {"plain ms": ".2f", "accelerate ms": ".2f", "frozen ms": ".2f", "share": ".2f", "tulle": "s", "checking ms": ".2f",
           "planning ms": ".2f", "apart": ".0e"}


def run(title, cases, wanted, rounds, small, bound):
    ratios = ["accelerate", "frozen", "per call"] if small else ["accelerate", "frozen"]
    columns = COLUMNS | dict.fromkeys(ratios, ".3f")
    table = Table(title, columns, ratios, each={name: (">=", bound) for name in ("accelerate", "frozen")})
    for name, (make, allowed) in cases.items():
        if not wanted or any(one in name for one in wanted):
            table.add(name, measure(make(), allowed, rounds, small))
    return table.finish() if table.rows else {}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="long,small")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--small-rounds", type=int, default=60)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--json")
    parser.add_argument("case", nargs="*", help="part of the name of a case")
    options = parser.parse_args()
    sections = options.only.split(",")
    if unknown := set(sections) - {"long", "small"}:
        parser.error(f"unknown section {', '.join(sorted(unknown))}; available: long, small")
    tulle.set_threads(options.threads)
    print_machine(machine())
    results = {}
    if "long" in sections:
        results["long"] = run("long: speed over the plain call", long_cases(options.scale), options.case, options.rounds, False, 2)
    if "small" in sections:
        results["small"] = run("small: speed over the plain call; 0.97 is 3 % slower", small_cases(options.scale), options.case,
                               options.small_rounds, True, 1 / 1.03)
    write_json(options.json, results)


if __name__ == "__main__":
    main()
