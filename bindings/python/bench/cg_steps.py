"""The section `cg` of solvers.py: conjugate gradients with fused steps, with separate calls, SciPy's and PETSc's.

Fused: q = A p, p.q and q.q in one pass (A.mul_dot), then all updates in another, as docs/steps.md describes. Separate: a product
and five loops. Both use the loops of cg_loops.c, which is compiled here, on as many threads as tulle. PETSc has no threads and
takes part if tulle has one thread too.
"""

import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import cg

import petsc_cg
import tulle
from interleaved import Table, in_turns, medians

REAL = ["bcsstk16"]
ITERATIONS = 15
DOUBLE, SIZE = ctypes.c_double, ctypes.c_int64


def grid(sides):
    """-Laplace of a grid: 5 points in two dimensions, 7 in three."""
    total = sp.csr_array((1, 1))
    for n in sides:
        line = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
        total = sp.kronsum(line, total, format="csr")
    return total


def elements(n):
    """Stiffness of trilinear elements on a cube, with values all different: 27 points."""
    stiff = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    mass = sp.diags_array([1.0, 4.0, 1.0], offsets=[-1, 0, 1], shape=(n, n)) / 6
    S = sum(sp.kron(sp.kron(a, b), c) for a, b, c in ([stiff, mass, mass], [mass, stiff, mass], [mass, mass, stiff]))
    scale = sp.diags_array(np.random.default_rng(1).uniform(0.5, 2, n ** 3))
    return (scale @ S @ scale).tocsr()


def loops():
    """cg_loops.c as a library. Its folder is removed: it stays loaded."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "cg_loops.so")
        subprocess.run([os.environ.get("CC", "cc"), "-O3", "-march=native", "-fopenmp", "-shared", "-fPIC", "-o", file,
                        Path(__file__).with_name("cg_loops.c")], check=True)
        library = ctypes.CDLL(str(file))
    pointer = ctypes.c_void_p
    for name, arguments, result in (("cg_dot", [SIZE, pointer, pointer], DOUBLE), ("cg_add", [SIZE, DOUBLE, pointer, pointer], None),
                                    ("cg_turn", [SIZE, DOUBLE, pointer, pointer], None),
                                    ("cg_update", [SIZE, DOUBLE, DOUBLE, *[pointer] * 4], DOUBLE)):
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, result
    library.omp_set_num_threads(tulle.get_threads())
    return library


class Vectors:
    """x = 0, r = p = b, and room for q."""

    def __init__(self, b):
        self.n, self.b = len(b), b
        self.x, self.r, self.p, self.q = (np.empty_like(b) for _ in range(4))
        self.at = {name: getattr(self, name).ctypes.data for name in "xrpq"}

    def start(self):
        self.x[:] = 0
        self.r[:], self.p[:] = self.b, self.b


def separate(A, v, loop):
    v.start()
    x, r, p, q, n = *(v.at[name] for name in "xrpq"), v.n
    rr = loop.cg_dot(n, r, r)
    for _ in range(ITERATIONS):
        A.dot(v.p, out=v.q)
        alpha, old = rr / loop.cg_dot(n, p, q), rr
        loop.cg_add(n, alpha, p, x)
        loop.cg_add(n, -alpha, q, r)
        rr = loop.cg_dot(n, r, r)
        loop.cg_turn(n, rr / old, r, p)
    return v.x


def fused(A, v, loop):
    """r.r for beta is predicted as alpha^2 q.q - r.r, since the next r is orthogonal to this one (docs/steps.md)."""
    v.start()
    x, r, p, q, n = *(v.at[name] for name in "xrpq"), v.n
    rr = loop.cg_dot(n, r, r)
    for _ in range(ITERATIONS):
        _, pq, qq = A.mul_dot(v.p, out=v.q)
        alpha = rr / pq
        rr = loop.cg_update(n, alpha, (alpha * alpha * qq - rr) / rr, p, q, x, r)
    return v.x


def scipys(A, b):
    steps = []
    x, _ = cg(A, b, rtol=0, atol=0, maxiter=ITERATIONS, callback=lambda _: steps.append(1))
    if len(steps) != ITERATIONS:
        sys.exit(f"SciPy's cg did {len(steps)} iterations, not {ITERATIONS}")
    return x


def petscs(solver, b):
    x = solver.solve(b)
    if solver.iterations() != ITERATIONS:
        sys.exit(f"PETSc's cg did {solver.iterations()} iterations, not {ITERATIONS}")
    return x


def measure(S, options, loop, petsc):
    b = np.random.default_rng(1).standard_normal(S.shape[0])
    A, v = tulle.matrix(S).plan(1000), Vectors(b)
    calls = {"fused": lambda: fused(A, v, loop).copy(), "separate": lambda: separate(A, v, loop).copy(),
             "scipy": lambda: scipys(S, b), "scipy, tulle's A": lambda: scipys(A, b)}
    if petsc:
        solver = petsc_cg.Cg(petsc, S, ITERATIONS)
        calls["petsc"] = lambda: petscs(solver, b)
    found = {name: call() for name, call in calls.items()}
    for name, x in found.items():
        distance = np.linalg.norm(x - found["scipy"]) / np.linalg.norm(x)
        if not distance <= 1e-6:
            sys.exit(f"cg, {name}: {distance:.1e} away from SciPy's after {ITERATIONS} iterations")
    calls["fused"], calls["separate"] = lambda: fused(A, v, loop), lambda: separate(A, v, loop)
    seconds = {name: one / ITERATIONS for name, one in medians(in_turns(calls, options.rounds)).items()}
    if petsc:
        solver.destroy()
    vectors = 10 * b.nbytes  # of a fused iteration
    described = A.describe()
    return {"format": described["format"], "rows": len(b), "vectors": vectors / (vectors + described["bytes"]),
            "fused us": 1e6 * seconds["fused"], "separate us": 1e6 * seconds["separate"], "scipy us": 1e6 * seconds["scipy"],
            "/ separate": seconds["separate"] / seconds["fused"], "/ scipy": seconds["scipy"] / seconds["fused"],
            "/ scipy, A": seconds["scipy, tulle's A"] / seconds["fused"],
            **({"/ petsc": seconds["petsc"] / seconds["fused"]} if petsc else {})}


def petsc_or_none():
    if tulle.get_threads() > 1:
        print("\ncg: PETSc takes part with --threads 1 only: it has no threads")
        return None
    try:
        return petsc_cg.library()
    except petsc_cg.Missing as reason:
        print(f"\ncg: PETSc left out: {reason}")
        return None


def run(options, load):
    try:
        loop = loops()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"\ncg: left out: {error}")
        return {}
    petsc = petsc_or_none()
    ratios = ["/ separate", "/ scipy", "/ scipy, A"] + ["/ petsc"] * bool(petsc)
    table = Table("cg: one iteration with fused steps, times as fast as with separate calls, as SciPy's, as SciPy's with tulle's "
                  "matrix, and as PETSc's on one rank;\nvectors: their share of the bytes of a fused iteration. PETSc's CG with "
                  "tulle's matrices: ./dev bench petsc",
                  {"format": "s", "rows": "d", "vectors": ".2f", "fused us": ".0f", "separate us": ".0f", "scipy us": ".0f",
                   **dict.fromkeys(ratios, ".2f")},
                  ratios)
    n = options.side
    made = {} if options.matrix else {f"5 points, {n}^2": lambda: grid([n, n]), "7 points, 100^3": lambda: grid([100] * 3),
                                      "27 points, 60^3": lambda: elements(60)}
    for name, make in made.items():
        table.add(name, measure(make(), options, loop, petsc))
    for name, S in load(options.matrix or REAL):
        table.add(name, measure(S, options, loop, petsc))
    result = table.finish()
    for name, row in result["rows"].items():
        if row["rows"] >= 1_000_000 and row["vectors"] >= 1 / 3:
            print(f"  {name}: fused {row['/ separate']:.2f} times separate calls, asked >= 1.25: "
                  f"{'met' if row['/ separate'] >= 1.25 else 'MISSED'}")
    return result
