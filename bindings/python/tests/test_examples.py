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
import scipy.linalg
import scipy.optimize
import scipy.sparse.linalg

import tulle

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


def test_refine(tmp_path):
    lines = run("refine.py", cwd=tmp_path).splitlines()
    assert [line.split()[0] for line in lines] == ["grid7:20:", "float64", "float32", "float16", "bfloat16"]
    assert all("sell" in line for line in lines[2:])


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


@pytest.mark.parametrize("of", [None, "lp_adlittle.mtx.gz"])
def test_pdlp(tmp_path, of):
    """The program compares its result with the optimum that it knows; here HiGHS finds the same one."""
    told = run("pdlp.py", *([real(of)] if of else []), cwd=tmp_path)
    assert re.search(r"\d+ iterations: primal residual", told), told

    names = runpy.run_path(str(EXAMPLES / "pdlp.py"))
    S = tulle.matrix(real(of)).to_scipy() if of else names["random_matrix"](40, 80)
    lp = names["program"](S)
    x, y, found, _ = names["Solver"](lp).solve()
    k, norm = lp.inequalities, numpy.linalg.norm
    short, reduced = lp.b - S @ x, lp.c - S.T @ y
    assert (x >= 0).all() and (x <= lp.upper).all() and (y[:k] >= 0).all()
    assert norm(numpy.r_[short[:k].clip(0), short[k:]]) <= 1.001e-8 * (1 + norm(lp.b))
    assert norm(reduced[lp.upper == numpy.inf].clip(max=0)) <= 1.001e-8 * (1 + norm(lp.c))

    allowed = names["error_bound"](lp, x, found)
    assert abs(lp.c @ x - lp.best) <= allowed <= 1e-6 * (1 + norm(lp.b) * norm(lp.best_y) + norm(lp.c) * norm(lp.best_x))
    bounds = numpy.column_stack([numpy.zeros_like(x), lp.upper])
    highs = scipy.optimize.linprog(lp.c, A_ub=-S[:k], b_ub=-lp.b[:k], A_eq=S[k:], b_eq=lp.b[k:], bounds=bounds,
                                   method="highs")
    assert highs.status == 0
    # HiGHS allows 1e-7 in each row, bound and reduced cost: the bound of weak duality for its own solution.
    of_highs = 1e-7 * (abs(lp.best_y).sum() + abs(lp.c - S.T @ lp.best_y).sum() + abs(highs.x).sum() + abs(lp.best_x).sum())
    assert abs(highs.fun - lp.c @ x) <= allowed + of_highs


@pytest.mark.parametrize("of", [None, "lp_share1b.mtx.gz"])
def test_lsqr(tmp_path, of):
    assert "same solution" in run("lsqr.py", *([real(of)] if of else []), cwd=tmp_path)


def test_lobpcg(tmp_path):
    assert "same eigenvalues" in run("lobpcg.py", cwd=tmp_path)


def test_spin_chain(tmp_path):
    """The same state as SciPy's products, and as the exponential of the dense matrix."""
    assert "the same states" in run("spin_chain.py", "8", "3", cwd=tmp_path)
    chain = runpy.run_path(str(EXAMPLES / "spin_chain.py"))
    H = chain["hamiltonian"](6)
    assert abs(H - H.conj().T).max() == 0
    state = numpy.zeros(2**6, complex)
    state[21] = 1
    exact = scipy.linalg.expm(-1j * chain["DT"] * 2 * H.toarray()) @ state
    assert numpy.linalg.norm(chain["evolve"](H.__matmul__, state, 2) - exact) <= chain["error_bound"](2)
