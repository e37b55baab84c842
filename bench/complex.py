#!/usr/bin/env python3
"""Complex products compared with MKL, Eigen and SciPy, in one process and in turn.

    complex.py LIBTULLE LIBMKL_RT [--threads N] [--seconds S] FILE ...
    complex.py LIBTULLE LIBMKL_RT --hermitian [--threads N] [--seconds S] [--sites N] [--side N] [--depth N]

Each matrix gets random imaginary parts. MKL is mkl_sparse_z_mv (c_mv) after mkl_sparse_set_mv_hint for 1000
multiplications and mkl_sparse_optimize; tulle's plan is for 1000 multiplications. Eigen 3 is compiled for this machine
(g++, Debian's libeigen3-dev); SciPy has one thread. A figure is the median of samples that are taken in turn, so that
other processes disturb all alike. Results are compared first. The last lines are geometric means of the others' times
divided by tulle's.

--hermitian: the half of a matrix (sym) beside csr and sell on the whole one, and what the planner chooses, on matrices
larger than the last-level cache: a Heisenberg chain of N sites with Dzyaloshinskii-Moriya terms (Hermitian; numbered by
states, so entries are far from the diagonal), Helmholtz on grids with absorption (symmetric) and in a magnetic field
(Hermitian). Where sym refuses a matrix, the line ends with its reason. Prints medians of samples taken in turn.
"""

import argparse
import ctypes
import functools
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tulle")
    parser.add_argument("mkl")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--hermitian", action="store_true", help="half of a matrix beside the whole one")
    parser.add_argument("--sites", type=int, default=20, help="of the chain")
    parser.add_argument("--side", type=int, default=1000, help="of the grids in two dimensions")
    parser.add_argument("--depth", type=int, default=80, help="of the grids in three dimensions")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.3, help="per matrix, type and contender")
    return parser.parse_intermixed_args()


options = arguments()
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(options.threads)
os.environ["MKL_THREADING_LAYER"] = "GNU"

import numpy  # noqa: E402  after the environment is set
import scipy.io  # noqa: E402
import scipy.sparse  # noqa: E402

OTHERS = ("MKL", "Eigen", "SciPy")
TYPES = {"complex64": (3, "c", ctypes.c_float), "complex128": (4, "z", ctypes.c_double)}


class PlanOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("multiplies", ctypes.c_double), ("op", ctypes.c_int), ("format", ctypes.c_char_p)]


class Description(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("mode", ctypes.c_int), ("diag", ctypes.c_int)]


@functools.cache
def pair(part):
    return type("Pair", (ctypes.Structure,), {"_fields_": [("re", part), ("im", part)]})


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


def demand(status, what):
    if status:
        sys.exit(f"{what}: status {status}")


class Tulle:
    def __init__(self, library, S, x, y, format=None):
        number, _, part = TYPES[S.dtype.name]
        self.library, self.handle, plan = library, ctypes.c_void_p(), ctypes.c_void_p()
        demand(library.tulle_matrix_from_csr(
            None, ctypes.c_int64(S.shape[0]), ctypes.c_int64(S.shape[1]), 1, pointer(S.indptr), 1, pointer(S.indices), number,
            pointer(S.data), None, ctypes.byref(self.handle)), "tulle_matrix_from_csr")
        wanted = PlanOptions(ctypes.sizeof(PlanOptions), 1000, 0, format)
        status = library.tulle_plan_create(self.handle, ctypes.byref(wanted), ctypes.byref(plan))
        if format and status:
            library.tulle_last_error.restype = ctypes.c_char_p
            raise ValueError(library.tulle_last_error().decode())
        demand(status, "tulle_plan_create")
        factor = pair(part)
        call = getattr(library, "tulle_mul_c64" if S.dtype.itemsize == 8 else "tulle_mul_c128")
        call.argtypes = [ctypes.c_void_p, factor, ctypes.c_void_p, factor, ctypes.c_void_p]
        self.run = lambda: call(plan, factor(1, 0), pointer(x), factor(0, 0), pointer(y))
        text = ctypes.create_string_buffer(200)
        library.tulle_plan_explain(plan, text, ctypes.c_size_t(200))
        self.name = text.value.decode().split(" with ")[1].split(",")[0]


class Mkl:
    def __init__(self, library, S, x, y):
        _, letter, part = TYPES[S.dtype.name]
        handle, about = ctypes.c_void_p(), Description(20, 0, 0)
        rows = pointer(S.indptr)
        ends = ctypes.c_void_p(S.indptr.ctypes.data + 4)
        demand(getattr(library, f"mkl_sparse_{letter}_create_csr")(
            ctypes.byref(handle), 0, S.shape[0], S.shape[1], rows, ends, pointer(S.indices), pointer(S.data)), "create_csr")
        demand(library.mkl_sparse_set_mv_hint(handle, 10, about, 1000), "set_mv_hint")
        demand(library.mkl_sparse_optimize(handle), "optimize")
        factor = pair(part)
        call = getattr(library, f"mkl_sparse_{letter}_mv")
        call.argtypes = [ctypes.c_int, factor, ctypes.c_void_p, Description, ctypes.c_void_p, factor, ctypes.c_void_p]
        self.run = lambda: call(10, factor(1, 0), handle, about, pointer(x), factor(0, 0), pointer(y))


class Eigen:
    def __init__(self, library, S, x, y):
        call = getattr(library, "eigen_" + TYPES[S.dtype.name][1])
        call.argtypes = [ctypes.c_int32, ctypes.c_int32, *[ctypes.c_void_p] * 5]
        call.restype = None
        given = (*S.shape, pointer(S.indptr), pointer(S.indices), pointer(S.data), pointer(x), pointer(y))
        self.run = lambda: call(*given)


def eigen_library(folder):
    """Compiled for this machine, with as many threads as the others."""
    source, library = pathlib.Path(__file__).with_name("complex_eigen.cpp"), pathlib.Path(folder) / "libcomplex_eigen.so"
    subprocess.run(["g++", "-O3", "-march=native", "-DNDEBUG", "-fopenmp", "-shared", "-fPIC", "-isystem/usr/include/eigen3",
                    "-o", library, source], check=True)
    eigen = ctypes.CDLL(str(library))
    eigen.eigen_threads(options.threads)
    return eigen


def timed(run, times):
    begin = time.perf_counter()
    for _ in range(times):
        run()
    return (time.perf_counter() - begin) / times


def median_times(runs):
    times = [max(1, int(0.01 / max(timed(run, 3), 1e-7))) for run in runs]
    samples = [[] for _ in runs]
    begin = time.perf_counter()
    while time.perf_counter() - begin < options.seconds * len(runs):
        for sample, run, count in zip(samples, runs, times):
            sample.append(timed(run, count))
    return [statistics.median(sample) for sample in samples]


def compare(tulle, mkl, eigen, S, rng):
    x = (rng.standard_normal(S.shape[1]) + 1j * rng.standard_normal(S.shape[1])).astype(S.dtype)
    ys = [numpy.empty(S.shape[0], S.dtype) for _ in range(3)]
    ours = Tulle(tulle, S, x, ys[0])
    theirs = Mkl(mkl, S, x, ys[1])
    runs = [ours.run, theirs.run, Eigen(eigen, S, x, ys[2]).run, lambda: S @ x]
    want = S.astype("complex128") @ x.astype("complex128")
    bound = abs(S).astype("float64") @ abs(x).astype("float64") * numpy.finfo(S.dtype).eps * (4 + 2 * numpy.diff(S.indptr))
    for run, y in zip(runs, ys):
        demand(run(), "product")
        if not (abs(y - want) <= bound).all():
            sys.exit("a product is wrong")
    return ours.name, median_times(runs)


def mirrored(S, hermitian):
    """The lower triangle, its exact mirror image, and the diagonal, real if Hermitian."""
    lower, diagonal = scipy.sparse.tril(S, -1).tocsr(), S.diagonal()
    upper = (lower.conj() if hermitian else lower).T
    S = scipy.sparse.csr_array(lower + upper + scipy.sparse.diags_array(diagonal.real if hermitian else diagonal))
    S.sort_indices()
    return scipy.sparse.csr_array((S.data.astype("complex128"), S.indices.astype("int32"), S.indptr.astype("int32")), S.shape)


def chain(sites):
    """sum of S_i S_j + i d (S+_i S-_j - S-_i S+_j) for neighbours j = i + 1, among states with half of the spins up."""
    states = numpy.arange(1 << sites, dtype="uint32")
    states = states[numpy.bitwise_count(states) == sites // 2] if hasattr(numpy, "bitwise_count") else numpy.array(
        [state for state in states if bin(state).count("1") == sites // 2], dtype="uint32")
    rows = numpy.arange(len(states))
    diagonal = numpy.zeros(len(states))
    parts = []
    for site in range(sites - 1):
        low, high = states >> site & 1, states >> (site + 1) & 1
        diagonal += numpy.where(low == high, 0.25, -0.25)
        flips = (low == 1) & (high == 0)
        to = numpy.searchsorted(states, states[flips] ^ (3 << site))
        parts.append(scipy.sparse.coo_array((numpy.full(len(to), 0.5 + 0.1j), (to, rows[flips])), 2 * diagonal.shape))
    lower = sum(parts[1:], parts[0].tocsr())
    return mirrored(lower + scipy.sparse.diags_array(diagonal), True)


def grid(side, dimensions, hermitian):
    """Helmholtz by linear elements, which couple 9 or 27 points: with absorption symmetric, in a magnetic field
    Hermitian."""
    stiffness = scipy.sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(side, side))
    mass = scipy.sparse.diags_array([1 / 6, 4 / 6, 1 / 6], offsets=[-1, 0, 1], shape=(side, side))
    S, M = stiffness, mass
    for _ in range(dimensions - 1):
        S, M = scipy.sparse.kron(S, mass, "csr") + scipy.sparse.kron(M, stiffness, "csr"), scipy.sparse.kron(M, mass, "csr")
    if not hermitian:
        return mirrored(S - (0.1 + 0.02j) * M, False)
    phases = numpy.exp(0.3j * numpy.random.default_rng(2).standard_normal(S.shape[0]))
    return mirrored(scipy.sparse.diags_array(phases) @ (S - 0.1 * M) @ scipy.sparse.diags_array(phases.conj()), True)


def halves(tulle, rng):
    """Matrices and their makers; each is made when it is needed."""
    matrices = {f"chain of {options.sites}": lambda: chain(options.sites),
                f"Helmholtz {options.side}^2": lambda: grid(options.side, 2, False),
                f"magnetic {options.side}^2": lambda: grid(options.side, 2, True),
                f"Helmholtz {options.depth}^3": lambda: grid(options.depth, 3, False),
                f"magnetic {options.depth}^3": lambda: grid(options.depth, 3, True)}
    print(f"{'matrix':20} {'type':10} {'nnz':>9} {'csr MB':>7} {'csr us':>9} {'sell us':>9} {'sym us':>9} {'sell/sym':>8} chosen")
    for title, make in matrices.items():
        whole = make()
        for name in TYPES:
            S = whole.astype(name)
            x = (rng.standard_normal(S.shape[1]) + 1j * rng.standard_normal(S.shape[1])).astype(S.dtype)
            y, want = numpy.empty_like(x), S @ x
            bound = abs(S) @ abs(x) * numpy.finfo(S.dtype).eps * (4 + 4 * numpy.diff(S.indptr))
            chosen = Tulle(tulle, S, x, y).name
            runs, why = [], ""
            for format in (b"csr", b"sell", b"sym"):
                try:
                    runs.append(Tulle(tulle, S, x, y, format).run)
                except ValueError as error:
                    why = str(error)
                    continue
                demand(runs[-1](), "product")
                if not (abs(y - want) <= bound).all():
                    sys.exit(f"{title}: the product of {format.decode()} is wrong")
            seconds = median_times(runs)
            size = (S.data.nbytes + S.indices.nbytes + S.indptr.nbytes) / 1e6
            print(f"{title:20} {name:10} {S.nnz:9} {size:7.0f} " + " ".join(f"{1e6 * one:9.0f}" for one in seconds)
                  + (f" {seconds[1] / seconds[2]:8.2f}" if len(seconds) > 2 else f" {'-':>9} {'-':>8}") + f" {chosen} {why}", flush=True)


def main():
    tulle, rng = ctypes.CDLL(options.tulle), numpy.random.default_rng(1)
    if options.hermitian:
        halves(tulle, rng)
        return
    mkl = ctypes.CDLL(options.mkl)
    with tempfile.TemporaryDirectory() as folder:
        eigen = eigen_library(folder)
    ratios = {name: [] for name in TYPES}
    print(f"{'matrix':24} {'type':10} {'nnz':>9} {'format':>6} {'tulle us':>9} " + " ".join(f"{other:>9}" for other in OTHERS))
    for file in options.files:
        S = scipy.sparse.csr_array(scipy.io.mmread(file))
        S.sort_indices()
        S = scipy.sparse.csr_array((S.data + 1j * rng.standard_normal(S.nnz), S.indices.astype("int32"),
                                    S.indptr.astype("int32")), S.shape)
        for name in TYPES:
            format, (ours, *others) = compare(tulle, mkl, eigen, S.astype(name), rng)
            ratios[name].append([one / ours for one in others])
            print(f"{os.path.basename(file).split('.')[0]:24} {name:10} {S.nnz:9} {format:>6} {1e6 * ours:9.1f} "
                  + " ".join(f"{ratio:9.2f}" for ratio in ratios[name][-1]), flush=True)
    for name, all_of in ratios.items():
        means = ", ".join(f"{math.exp(statistics.fmean(math.log(one[n]) for one in all_of)):.2f} ({min(one[n] for one in all_of):.2f} to "
                          f"{max(one[n] for one in all_of):.2f}) over {other}" for n, other in enumerate(OTHERS))
        print(f"{name}: {means} (geometric mean, {len(all_of)} matrices, {options.threads} threads)")


main()
