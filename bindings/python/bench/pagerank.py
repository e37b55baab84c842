"""An iteration of PageRank by tulle and by its peers, in turns, on two web graphs and a made-up one.

Usage: pagerank.py [--threads 2] [--rounds 7] [--iterations 15] [--json FILE] [MATRIX...]

MATRIX is a file or gen:SPEC; by default cnr-2000 and uk-2007-05_100000 of TULLE_MATRICES, and R-MAT with
2^20 nodes and 16 million links. Contenders, all from r = 1/N on with damping 0.85:

    tulle:FORMAT  tulle.pagerank, auto: as it chooses; the links a pattern
    mkl           a loop in C on MKL's optimized handle of P^T (bench/competitors/mkl_pagerank.c)
    scipy         the power iteration of networkx, on csr_array P^T
    graphblas     the loop of LAGraph in python-graphblas: A^T a pattern, plus_second
    igraph        Graph.pagerank (PRPACK); it does not report its iterations, so what it takes to its own
                  tolerance of 1e-10 is divided by those that the power iteration needs for that

Each round runs every contender for the given number of iterations after two that are not counted; the median of the
rounds is reported. Ranks after equal iterations must agree to 1e-12 in the L1 norm, those of igraph with ours to
1e-9. Who is not installed is left out. `./dev bench pagerank` runs this, after ./dev wheel.
"""

import argparse
import ctypes
import json
import os
import sys
import time

import numpy

import tulle
from matrices import RELEASE, load

DAMPING = 0.85
WARM = 2


class Ours:
    """tulle.pagerank plans in each call; the seconds of an iteration are its own figure."""

    def __init__(self, S, threads, which):
        tulle.set_threads(threads)
        self.A = tulle.matrix((None, S.indices, S.indptr), shape=S.shape)
        self.format = None if which == "auto" else which

    def run(self, iterations):
        done = tulle.pagerank(self.A, DAMPING, tol=1e-300, max_iter=iterations, format=self.format)
        self.chosen = done.format
        return done.ranks, done.seconds_per_iteration


class Mkl:
    def __init__(self, S, threads, _):
        self.library = ctypes.CDLL(str(RELEASE / "bench/mkl_pagerank.so"))
        self.library.mkl_pagerank_create.restype = ctypes.c_void_p
        self.library.mkl_pagerank_run.restype = ctypes.c_double
        self.P, dangling = stochastic(S)
        self.dangling, self.offsets = dangling.astype("u1"), self.P.indptr.astype("i4")
        self.n = S.shape[0]
        self.graph = self.library.mkl_pagerank_create(
            ctypes.c_int64(self.n), at(self.offsets), at(self.P.indices), at(self.P.data),
            at(self.dangling), threads, 100)
        if not self.graph:
            raise RuntimeError("MKL refused the matrix")

    def run(self, iterations):
        ranks = numpy.empty(self.n)
        seconds = self.library.mkl_pagerank_run(ctypes.c_void_p(self.graph), ctypes.c_double(DAMPING),
                                                iterations, at(ranks))
        if seconds < 0:
            raise RuntimeError("MKL refused to multiply")
        return ranks, seconds


class Scipy:
    def __init__(self, S, threads, _):
        del threads
        self.P, dangling = stochastic(S)
        self.dangling = numpy.flatnonzero(dangling)

    def run(self, iterations):
        P, n = self.P, self.P.shape[0]
        x = numpy.full(n, 1 / n)

        def step(x):
            new = DAMPING * (P @ x) + (DAMPING * x[self.dangling].sum() + 1 - DAMPING) / n
            return new, numpy.abs(new - x).sum()
        return timed(step, x, iterations)


class GraphBlas:
    def __init__(self, S, threads, _):
        import graphblas
        graphblas.ss.config["nthreads"] = threads
        self.gb = graphblas
        T = S.T.tocsr()
        self.n = S.shape[0]
        self.AT = graphblas.Matrix.ss.import_csr(nrows=self.n, ncols=self.n, indptr=T.indptr.astype("u8"),
                                                 col_indices=T.indices.astype("u8"), values=numpy.array([True]),
                                                 is_iso=True, sorted_cols=True)
        out = numpy.diff(S.indptr)
        full = graphblas.Vector.from_dense
        self.scale = full(DAMPING / numpy.maximum(out, 1))
        sinks = numpy.flatnonzero(out == 0)
        self.sinks = graphblas.Vector.from_coo(sinks, numpy.ones(len(sinks)), size=self.n)

    def run(self, iterations):
        gb, n = self.gb, self.n
        difference, w = gb.Vector(float, n), gb.Vector(float, n)

        def step(r):
            lost = gb.binary.first(r & self.sinks).reduce(gb.monoid.plus).new().get(0)
            new = gb.Vector(float, n)
            w << gb.binary.times(r & self.scale)
            new[:] = (DAMPING * lost + 1 - DAMPING) / n
            new(gb.binary.plus) << gb.semiring.plus_second(self.AT @ w)
            difference << gb.binary.minus(new & r)
            difference << gb.unary.abs(difference)
            return new, difference.reduce(gb.monoid.plus).new().value
        r, seconds = timed(step, gb.Vector.from_dense(numpy.full(n, 1 / n)), iterations)
        return r.to_dense(), seconds


class Igraph:
    """The whole of it; `main` knows how to divide."""

    def __init__(self, S, threads, _):
        import igraph
        del threads
        C = S.tocoo()
        self.graph = igraph.Graph(S.shape[0], numpy.stack([C.row, C.col], 1), directed=True)

    def run(self, iterations):
        del iterations
        begin = time.perf_counter()
        ranks = self.graph.pagerank(damping=DAMPING)
        return numpy.array(ranks), time.perf_counter() - begin


CONTENDERS = {"tulle:auto": Ours, "tulle:csr": Ours, "tulle:csr2": Ours, "tulle:csr5": Ours, "mkl": Mkl,
              "scipy": Scipy, "graphblas": GraphBlas, "igraph": Igraph}


def at(array):
    return ctypes.c_void_p(array.ctypes.data)


def stochastic(S):
    """(P^T by rows, which nodes are dangling)"""
    out = numpy.diff(S.indptr)
    P = S.copy()
    P.data = numpy.repeat(1 / numpy.maximum(out, 1), out)
    return P.T.tocsr(), out == 0


def timed(step, x, iterations):
    begin = time.perf_counter()
    for _ in range(iterations):
        x, residual = step(x)
    seconds = (time.perf_counter() - begin) / iterations
    if not residual >= 0:
        raise RuntimeError("no residual")
    return x, seconds


def graph_of(name):
    """A csr_array without links given twice; values are not read."""
    short, S = load(name)
    S.sum_duplicates()
    return short, S


def prepare(S, threads):
    ready = {}
    for name, make in CONTENDERS.items():
        try:
            ready[name] = make(S, threads, name.split(":")[-1])
        except (ImportError, OSError) as error:
            print(f"left out: {name}: {error}", flush=True)
    return ready


def check(ready, S, iterations):
    """Everybody computes the same, so that times may be compared."""
    ours = ready["tulle:auto"].run(iterations)[0]
    for name, one in ready.items():
        want, bound = (tulle.pagerank(ready["tulle:auto"].A, DAMPING, tol=1e-12).ranks, 1e-9) \
            if name == "igraph" else (ours, 1e-12)
        distance = numpy.abs(one.run(iterations)[0] - want).sum()
        if not distance <= bound:
            sys.exit(f"{name}: its ranks are {distance} away")


def measure(S, threads, rounds, iterations):
    ready = prepare(S, threads)
    check(ready, S, iterations)
    power = tulle.pagerank(ready["tulle:auto"].A, DAMPING, tol=1e-10).iterations
    taken = {name: [] for name in ready}
    for turn in range(rounds):
        names = list(ready)
        for name in names[turn % len(names):] + names[:turn % len(names)]:
            if name == "igraph":
                taken[name].append(ready[name].run(0)[1] / power)
            else:
                ready[name].run(WARM)
                taken[name].append(ready[name].run(iterations)[1])
    return ready["tulle:auto"].chosen, {name: float(numpy.median(t)) for name, t in taken.items()}


def tell(short, S, chosen, seconds):
    ours = seconds["tulle:auto"]
    print(f"\n{short}: {S.shape[0]} nodes, {S.nnz} links; tulle chose {chosen}")
    for name, one in seconds.items():
        print(f"  {name:12} {1e3 * one:9.3f} ms per iteration, {one / ours:6.2f} times ours", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--iterations", type=int, default=15)
    parser.add_argument("--json")
    parser.add_argument("matrix", nargs="*")
    options = parser.parse_args()
    folder = os.environ.get("TULLE_MATRICES")
    real = [f"{folder}/{name}.mtx.gz" for name in ("cnr-2000", "uk-2007-05_100000")] if folder else []
    results = {}
    for name in options.matrix or real + ["gen:rmat:scale=20,edges=16,values=ones"]:
        short, S = graph_of(name)
        chosen, seconds = measure(S, options.threads, options.rounds, options.iterations)
        tell(short, S, chosen, seconds)
        results[short] = {"nodes": S.shape[0], "links": S.nnz, "format": chosen, "seconds": seconds}
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
