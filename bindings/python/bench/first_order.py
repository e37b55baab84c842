"""The sections `pdlp` and `lsqr` of solvers.py: iterations of the examples with products of tulle, SciPy and MKL."""

import importlib.util
import sys
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator

import mkl_handles
import tulle
from interleaved import Table, in_turns, medians

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
MATRICES = ["lp_nw04", "lp_fast0507", "lp_maros_r7", "lp_pilot87", "lp_fit2d", "qp_CONT-300_A", "qp_BOYD1_A", "qp_BOYD2_A"]
SQUARE = ["cage11", "xenon1"]  # lsqr takes these, too
MULTIPLIES = 10_000
FEW, MOST = 10, 500  # iterations per call


def example(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


class Half:
    """A @ x by a function of x; `seconds` is the time that products took."""

    def __init__(self, multiply):
        self.multiply, self.seconds = multiply, 0.0

    def __matmul__(self, x):
        begin = time.perf_counter()
        y = self.multiply(x)
        self.seconds += time.perf_counter() - begin
        return y


class Both(Half):
    """A and A.T of one contender."""

    def __init__(self, forward, backward):
        super().__init__(forward)
        self.T = Half(backward)


def contenders_of(S):
    """{name: Both}; MKL is left out if it is not installed."""
    A, T = tulle.matrix(S).plan(MULTIPLIES, both=True), S.T.tocsr()
    backward = A.T
    ready = {"tulle": Both(lambda x: A @ x, lambda x: backward @ x), "scipy": Both(lambda x: S @ x, lambda x: T @ x)}
    if mkl := mkl_handles.library(tulle.get_threads()):
        forward, backward_mkl = mkl_handles.Handle(mkl, S, MULTIPLIES), mkl_handles.Handle(mkl, T, MULTIPLIES)
        ready["mkl"] = Both(lambda x: forward @ x, lambda x: backward_mkl @ x)
    return ready


def measure(S, options, solve):
    """solve(pair, n): a vector after n iterations, and how many there were."""
    pairs = contenders_of(S)
    check({name: solve(pair, FEW)[0] for name, pair in pairs.items()})
    begin = time.perf_counter()
    solve(pairs["scipy"], FEW)
    each = (time.perf_counter() - begin) / FEW
    n = max(FEW, min(MOST, round(options.seconds / each)))
    done, products = {}, {name: [] for name in pairs}

    def turn(name, pair):
        pair.seconds = pair.T.seconds = 0.0
        done[name] = solve(pair, n)[1]
        products[name].append((pair.seconds + pair.T.seconds) / done[name])
    seconds = medians(in_turns({name: lambda name=name, pair=pair: turn(name, pair) for name, pair in pairs.items()},
                               options.rounds))
    seconds = {name: one / done[name] for name, one in seconds.items()}
    inside = {name: float(np.median(many[1::2])) for name, many in products.items()}  # every first call of a turn warms up
    row = {f"{name} us": 1e6 * one for name, one in seconds.items()}
    row["share"] = inside["scipy"] / seconds["scipy"]
    for other in set(pairs) - {"tulle"}:
        row[f"/ {other}"] = seconds[other] / seconds["tulle"]
        row[f"products / {other}"] = inside[other] / inside["tulle"]
    return row


def check(found):
    """The same few iterations, so vectors differ by rounding that they have amplified; more of them amplify it without a bound."""
    x = found["scipy"]
    for name, y in found.items():
        distance = np.linalg.norm(x - y) / np.linalg.norm(x)
        if not distance <= 1e-6:
            sys.exit(f"{name}: after {FEW} iterations {distance:.1e} away from SciPy's vectors")


def pdlp(S, options):
    module = example("pdlp")
    lp = module.program(sp.csr_array(S))
    solver = module.Solver(lp, A=S)

    def solve(pair, n):
        solver.A = pair
        x, y, ATy = solver.start()
        for k in range(1, n + 1):
            x, y, ATy, _ = solver.step(x, y, ATy, k)
        return np.concatenate([x, y]), n
    return measure(S, options, solve)


def lsqr(S, options):
    module = example("lsqr")
    b, damp = module.problem(S)

    def solve(pair, n):
        operator = LinearOperator(S.shape, matvec=lambda x: pair @ x, rmatvec=lambda y: pair.T @ y, dtype=S.dtype)
        return module.solve(operator, b, damp, tolerance=0, most=n)
    return measure(S, options, solve)


def run(options, load, title, matrices, row_of):
    table = Table(f"{title}; / scipy, / mkl: times as fast as that one, the whole iteration and its products; share: of "
                  "products in an iteration with SciPy",
                  {"tulle us": ".1f", "scipy us": ".1f", "mkl us": ".1f", "share": ".2f", "/ scipy": ".2f", "/ mkl": ".2f",
                   "products / scipy": ".2f", "products / mkl": ".2f"},
                  ["/ scipy", "/ mkl", "products / scipy", "products / mkl"], {"/ scipy": (">=", 2.5), "/ mkl": (">=", 1.5)})
    for name, S in load(options.matrix or matrices):
        table.add(name, row_of(S, options))
    return table.finish()


def run_pdlp(options, load):
    return run(options, load, "pdlp: one iteration", MATRICES, pdlp)


def run_lsqr(options, load):
    return run(options, load, "lsqr: one step", MATRICES + SQUARE, lsqr)
