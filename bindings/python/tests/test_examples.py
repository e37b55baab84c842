"""The examples run, on what they make up and on real matrices, and find what they should."""

import functools
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
import scipy.sparse.linalg

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name, *arguments, cwd):
    done = subprocess.run([sys.executable, EXAMPLES / name, *arguments], capture_output=True, text=True, cwd=cwd,
                          env=os.environ | {"MPLBACKEND": "agg"}, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def real(name):
    if "TULLE_MATRICES" not in os.environ:
        pytest.skip("TULLE_MATRICES names no folder")
    return str(Path(os.environ["TULLE_MATRICES"], name))


def test_all_are_tested():
    tested = set(re.findall(r'"(\w+\.py)"', Path(__file__).read_text()))
    assert {path.name for path in EXAMPLES.glob("*.py")} == tested


def test_first(tmp_path):
    assert "y = [ 7.  6. 17.]\ny = A x with" in run("first.py", cwd=tmp_path)


def test_from_scipy():
    """Everything that the page on SciPy computes is what SciPy computes."""
    names = runpy.run_path(str(EXAMPLES / "from_scipy.py"))
    S, D, x, u, y = (names[name] for name in ("S", "D", "x", "u", "y"))
    same = functools.partial(numpy.testing.assert_allclose, rtol=1e-9, atol=1e-9)
    same(y, S @ x)
    same(names["z"], D.T @ (D @ u))
    same(names["Y"], S @ numpy.column_stack([x, u]))
    same(names["solution"], x)
    same(names["largest"], scipy.sparse.linalg.eigsh(S, k=3, return_eigenvectors=False))
    same(names["singular"], scipy.sparse.linalg.svds(D, k=3, return_singular_vectors=False))
    same(S @ names["moved"] + u * (u @ names["moved"]), y)
    same(names["doubled"], 2 * y)
    assert names["failed"] == names["also_failed"] == 0


@pytest.mark.parametrize("of", [None, "bcsstk16.mtx.gz"])
def test_cg(tmp_path, of):
    told = run("cg.py", *([real(of)] if of else []), cwd=tmp_path)
    residuals = re.search(r"residuals (\S+), (\S+);", told).groups()
    assert all(float(one) < 1e-7 for one in residuals), told


def test_accelerate(tmp_path):
    told = run("accelerate.py", cwd=tmp_path)
    assert "conversions 0" in told.splitlines()[0] and "conversions 0" not in told.splitlines()[1]
    assert float(re.search(r"largest difference (\S+)", told)[1]) < 1e-9, told


@pytest.mark.parametrize("of", [None, "cnr-2000.mtx.gz"])
def test_pagerank(tmp_path, of):
    told = run("pagerank.py", *([real(of)] if of else []), cwd=tmp_path)
    assert "stop test" in told and "reached after" in told and "NOT" not in told


def test_tune(tmp_path):
    told = run("tune.py", cwd=tmp_path)
    assert "for    5 products: csr" in told and told.endswith("tune.png shows it\n")
    assert (tmp_path / "tune.png").stat().st_size > 10_000


def test_device(tmp_path):
    told = run("device.py", cwd=tmp_path)
    assert told.startswith("no device") or "largest difference" in told


def test_batched_solver(tmp_path):
    assert "10000 systems of 32" in run("batch_bicgstab.py", cwd=tmp_path)
