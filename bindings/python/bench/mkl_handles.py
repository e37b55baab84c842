"""Intel MKL's optimized sparse handles, called by ctypes."""

import ctypes
import sys
from pathlib import Path

import numpy as np

TREE = Path(__file__).resolve().parents[3]
GENERAL, AS_IS, BASE_ZERO = 20, 10, 0  # mkl_spblas.h


class _Description(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("mode", ctypes.c_int), ("diag", ctypes.c_int)]


def library(threads):
    """libmkl_rt with this number of threads; None if MKL is not installed."""
    for folder in (Path(sys.prefix, "lib"), TREE / "build/competitors/venv/lib"):
        for path in sorted(folder.glob("libmkl_rt.so*")):
            mkl = ctypes.CDLL(str(path))
            mkl.MKL_Set_Num_Threads(ctypes.c_int(threads))
            mkl.mkl_sparse_d_mv.argtypes = [ctypes.c_int, ctypes.c_double, ctypes.c_void_p, _Description, ctypes.c_void_p,
                                            ctypes.c_double, ctypes.c_void_p]
            return mkl
    return None


class Handle:
    """A csr array of float64, optimized for `multiplies` products: ``handle @ x``."""

    def __init__(self, mkl, S, multiplies):
        self.mkl, self.shape, self.dtype, self.handle = mkl, S.shape, S.dtype, ctypes.c_void_p()
        self.description = _Description(GENERAL, 0, 0)
        self.arrays = S.indptr.astype("i4"), S.indices.astype("i4"), S.data.astype("f8")  # read by MKL
        offsets, columns, values = (array.ctypes.data for array in self.arrays)
        pointer = ctypes.c_void_p
        self._check(mkl.mkl_sparse_d_create_csr(ctypes.byref(self.handle), BASE_ZERO, *S.shape, pointer(offsets),
                                                pointer(offsets + 4), pointer(columns), pointer(values)))
        self._check(mkl.mkl_sparse_set_mv_hint(self.handle, AS_IS, self.description, multiplies))
        self._check(mkl.mkl_sparse_optimize(self.handle))

    def __matmul__(self, x):
        y = np.empty(self.shape[0])
        self._check(self.mkl.mkl_sparse_d_mv(AS_IS, 1.0, self.handle, self.description, x.ctypes.data, 0.0, y.ctypes.data))
        return y

    def __del__(self):
        self.mkl.mkl_sparse_destroy(self.handle)

    @staticmethod
    def _check(status):
        if status:
            raise RuntimeError(f"MKL: status {status}")
