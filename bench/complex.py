#!/usr/bin/env python3
"""Complex products beside MKL and SciPy, in one process and in turn.

    complex.py LIBTULLE LIBMKL_RT [--threads N] [--seconds S] FILE ...

Each matrix gets random imaginary parts. MKL is mkl_sparse_z_mv (c_mv) after mkl_sparse_set_mv_hint for 1000
multiplications and mkl_sparse_optimize; tulle's plan is for 1000 multiplications. A figure is the median of samples
that are taken in turn, so that other processes disturb all alike. Results are compared first. The last lines are
geometric means of MKL's and SciPy's times divided by tulle's.
"""

import argparse
import ctypes
import math
import os
import statistics
import sys
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tulle")
    parser.add_argument("mkl")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.3, help="per matrix, type and contender")
    return parser.parse_args()


options = arguments()
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(options.threads)
os.environ["MKL_THREADING_LAYER"] = "GNU"

import numpy  # noqa: E402  after the environment is set
import scipy.io  # noqa: E402
import scipy.sparse  # noqa: E402

TYPES = {"complex64": (3, "c", ctypes.c_float), "complex128": (4, "z", ctypes.c_double)}


class PlanOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("multiplies", ctypes.c_double)]


class Description(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("mode", ctypes.c_int), ("diag", ctypes.c_int)]


def pair(part):
    return type("Pair", (ctypes.Structure,), {"_fields_": [("re", part), ("im", part)]})


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


def demand(status, what):
    if status:
        sys.exit(f"{what}: status {status}")


class Tulle:
    def __init__(self, library, S, x, y):
        number, _, part = TYPES[S.dtype.name]
        self.library, self.handle, plan = library, ctypes.c_void_p(), ctypes.c_void_p()
        demand(library.tulle_matrix_from_csr(
            None, ctypes.c_int64(S.shape[0]), ctypes.c_int64(S.shape[1]), 1, pointer(S.indptr), 1, pointer(S.indices), number,
            pointer(S.data), None, ctypes.byref(self.handle)), "tulle_matrix_from_csr")
        wanted = PlanOptions(ctypes.sizeof(PlanOptions), 1000)
        demand(library.tulle_plan_create(self.handle, ctypes.byref(wanted), ctypes.byref(plan)), "tulle_plan_create")
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


def timed(run, times):
    begin = time.perf_counter()
    for _ in range(times):
        run()
    return (time.perf_counter() - begin) / times


def compare(tulle, mkl, S, rng):
    x = (rng.standard_normal(S.shape[1]) + 1j * rng.standard_normal(S.shape[1])).astype(S.dtype)
    ys = [numpy.empty(S.shape[0], S.dtype) for _ in range(2)]
    ours = Tulle(tulle, S, x, ys[0])
    theirs = Mkl(mkl, S, x, ys[1])
    runs = [ours.run, theirs.run, lambda: S @ x]
    want = S.astype("complex128") @ x.astype("complex128")
    bound = abs(S).astype("float64") @ abs(x).astype("float64") * numpy.finfo(S.dtype).eps * (4 + 2 * numpy.diff(S.indptr))
    for run, y in zip(runs, ys):
        demand(run(), "product")
        if not (abs(y - want) <= bound).all():
            sys.exit("a product is wrong")
    times = [max(1, int(0.01 / max(timed(run, 3), 1e-7))) for run in runs]
    samples = [[] for _ in runs]
    begin = time.perf_counter()
    while time.perf_counter() - begin < options.seconds * len(runs):
        for sample, run, count in zip(samples, runs, times):
            sample.append(timed(run, count))
    return ours.name, [statistics.median(sample) for sample in samples]


def main():
    tulle, mkl = ctypes.CDLL(options.tulle), ctypes.CDLL(options.mkl)
    rng = numpy.random.default_rng(1)
    ratios = {name: [] for name in TYPES}
    print(f"{'matrix':24} {'type':10} {'nnz':>9} {'format':>6} {'tulle us':>10} {'MKL us':>10} {'SciPy us':>10} {'MKL/tulle':>10}")
    for file in options.files:
        S = scipy.sparse.csr_array(scipy.io.mmread(file))
        S.sort_indices()
        S = scipy.sparse.csr_array((S.data + 1j * rng.standard_normal(S.nnz), S.indices.astype("int32"),
                                    S.indptr.astype("int32")), S.shape)
        for name in TYPES:
            format, seconds = compare(tulle, mkl, S.astype(name), rng)
            ratios[name].append([seconds[1] / seconds[0], seconds[2] / seconds[0]])
            print(f"{os.path.basename(file).split('.')[0]:24} {name:10} {S.nnz:9} {format:>6} "
                  + " ".join(f"{1e6 * one:10.1f}" for one in seconds) + f" {ratios[name][-1][0]:10.2f}", flush=True)
    for name, both in ratios.items():
        means = [math.exp(statistics.fmean(math.log(one[n]) for one in both)) for n in range(2)]
        print(f"{name}: {means[0]:.2f} times as fast as MKL, {means[1]:.2f} times as SciPy (geometric mean, {len(both)} matrices, "
              f"{options.threads} threads)")


main()
