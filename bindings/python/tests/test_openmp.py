"""Libraries with an OpenMP of their own in the same process: nobody hangs, nobody computes wrong.

MKL brings Intel's libiomp5, scikit-learn another libgomp, PyTorch the one or the other; what is not
installed is skipped.
"""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

OURS = """
import numpy, tulle
n = 200_000
col = (numpy.arange(n)[:, None] + numpy.arange(8)) % n
A = tulle.matrix((numpy.arange(8.0 * n) % 7, col.ravel(), numpy.arange(0, 8 * n + 1, 8)), shape=(n, n))
x = numpy.arange(n) % 5 - 2.0
tulle.set_threads(1)
expected = A @ x
tulle.set_threads(2)
"""
MKL = """
import ctypes
mkl = ctypes.CDLL({path!r})
mkl.cblas_ddot.restype = ctypes.c_double
v = numpy.ones(1_000_000)
def other():
    mkl.MKL_Set_Num_Threads(2)
    address = ctypes.c_void_p(v.ctypes.data)
    assert mkl.cblas_ddot(v.size, address, 1, address, 1) == v.size
"""
SKLEARN = """
from sklearn.cluster import KMeans
points = numpy.random.default_rng(1).random((5000, 4))
def other():
    KMeans(4, n_init=1, max_iter=3, random_state=1).fit(points)
"""
TORCH = """
import torch
torch.set_num_threads(2)
def other():
    assert float(torch.ones(1000, 1000).matmul(torch.ones(1000, 1000)).sum()) == 1e9
"""
TURNS = """
for _ in range(20):
    other()
    assert numpy.array_equal(A @ x, expected)
print("both ran")
"""


def mkl():
    for place in (Path(sysconfig.get_path("data"), "lib"), Path("/usr/lib/x86_64-linux-gnu")):
        for path in sorted(place.glob("libmkl_rt.so*")):
            return MKL.format(path=str(path))
    pytest.skip("MKL is not installed")


def package(name, program):
    pytest.importorskip(name)
    return program


OTHERS = {"mkl": mkl, "sklearn": lambda: package("sklearn", SKLEARN), "torch": lambda: package("torch", TORCH)}


@pytest.mark.parametrize("first", ["tulle", "other"])
@pytest.mark.parametrize("name", OTHERS)
def test_two_teams_of_threads(name, first):
    other = OTHERS[name]()
    parts = [OURS, other] if first == "tulle" else ["import numpy" + other, OURS]
    run = subprocess.run([sys.executable, "-c", "\n".join([*parts, TURNS])], capture_output=True, text=True,
                         timeout=120, check=False)
    assert run.stdout.strip() == "both ran", run.stderr
