"""Pickled matrices keep their plans: converted again as they were, not planned again."""

import copy
import multiprocessing
import operator
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import tulle
from tulle._matrix import arrays

DTYPES = ["float32", "float64", "complex64", "complex128"]


def random_matrix(dtype="float64", rows=300, cols=200):
    rng = np.random.default_rng(3)
    S = sp.random_array((rows, cols), density=0.05, format="csr", rng=rng)
    if np.dtype(dtype).kind == "c":
        S.data = S.data + 1j * rng.random(S.nnz)
    return S.astype(dtype)


def vector(length, dtype="float64"):
    x = np.linspace(-1, 1, length)
    return (x + 1j * x[::-1] if np.dtype(dtype).kind == "c" else x).astype(dtype)


def again(A, protocol=pickle.HIGHEST_PROTOCOL):
    return pickle.loads(pickle.dumps(A, protocol))


def check_kept(A, B):
    """B has the plan of A, made by its choice."""
    before, after = A.describe(), B.describe()
    assert after["format"] == before["format"] and after["multiplies"] == before["multiplies"]
    assert after["why"].startswith("as saved: ") and after["candidates"] == []
    x = vector(A.shape[1], A.dtype)
    assert (B @ x).tobytes() == (A @ x).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("format", ["csr", "sell", "csr5"])
def test_plans_are_kept(dtype, format):
    A = tulle.matrix(random_matrix(dtype)).plan(multiplies=700, format=format)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        B = again(A, protocol)
        assert B.dtype == dtype and B.shape == A.shape and not B.shares_memory
        check_kept(A, B)


@pytest.mark.parametrize("dtype", DTYPES)
def test_plans_of_the_other_directions_are_kept(dtype):
    A = tulle.matrix(random_matrix(dtype)).plan(format="csr")
    A.T.plan(format="sell")
    A.H.plan(format="sell")
    B = again(A)
    check_kept(A, B)
    check_kept(A.T, B.T)
    check_kept(A.T, again(A.T))
    assert (B.H @ vector(300, dtype)).tobytes() == (A.H @ vector(300, dtype)).tobytes()
    assert B.H.describe()["why"].startswith("as saved: ")


def test_a_matrix_without_a_plan_has_none_afterwards():
    S = random_matrix()
    A = again(tulle.matrix(S))
    assert A._planned == (False, False) and (A.tocsr() != S).nnz == 0
    E = again(tulle.matrix(sp.csr_array((0, 7))).plan(format="sell"))
    assert E.shape == (0, 7) and E.describe()["format"] == "sell"


def test_latest_values_and_updates():
    S = random_matrix()
    A = tulle.matrix(S).plan(format="sell")
    A.update(-S.data)
    B = again(A)
    check_kept(A, B)
    assert (B.tocsr() != -S).nnz == 0
    B.update(S.data)
    assert (B @ vector(200)).tobytes() == (tulle.matrix(S).plan(format="sell") @ vector(200)).tobytes()


def test_values_that_are_all_one():
    A = tulle.matrix((None, [1, 0, 1], [0, 1, 3]), dtype="float32").plan(format="sell")
    B = again(A)
    check_kept(A, B)
    assert arrays(B)[0] is None


def test_a_file_of_one_triangle(tmp_path):
    (tmp_path / "a.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 4\n2 1 1\n3 2 5\n")
    A = tulle.matrix(tmp_path / "a.mtx").plan(format="csr5")
    A.T.plan(format="sell")
    check_kept(A, again(A))


@pytest.mark.parametrize("how", [{"both": True}, {"dtype": "float64"}])
def test_plans_without_a_text_are_made_anew(how):
    S = random_matrix("float32")
    B = again(tulle.matrix(S).plan(**how))
    assert B._planned == (False, False) and np.allclose(B @ np.ones(200), S.sum(axis=1))


def test_buffers_out_of_band():
    A = tulle.matrix(random_matrix()).plan(format="csr")
    buffers = []
    data = pickle.dumps(A, protocol=5, buffer_callback=buffers.append)
    assert len(buffers) == 3 and len(data) < 2000
    B = pickle.loads(data, buffers=buffers)
    assert all(np.shares_memory(one, other) for one, other in zip(arrays(A), arrays(B)))
    check_kept(A, B)
    x, y = vector(200), A @ vector(200)
    del A, buffers  # the arrays of B hold what they read
    assert (B @ x).tobytes() == y.tobytes()


def test_copies_share_nothing():
    A = tulle.matrix(random_matrix()).plan(format="sell")
    for B in copy.copy(A), copy.deepcopy(A):
        assert not any(np.shares_memory(one, other) for one, other in zip(arrays(A), arrays(B)))
        check_kept(A, B)


def test_other_processes():
    A = tulle.matrix(random_matrix()).plan(format="sell")
    x = vector(200)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(operator.matmul, (A, x)).tobytes() == (A @ x).tobytes()


def test_joblib(tmp_path):
    joblib = pytest.importorskip("joblib")
    A = tulle.matrix(random_matrix()).plan(format="sell")
    joblib.dump(A, tmp_path / "A.joblib")
    check_kept(A, joblib.load(tmp_path / "A.joblib"))


# ---- pickles that were changed ----

def changed(A, array=None, choice=None):
    """A pickle of A in which one array, or words of the choice, are others."""
    make, (data, shape, dtype, choices) = A.__reduce__()
    data = [one.copy() for one in data]
    if array is not None:
        number, at, value = array
        data[number][at] = value
    if choice is not None:
        choices = tuple(text.replace(*choice) for text in choices)
    return make(tuple(data), shape, dtype, choices)


def test_a_format_that_is_not_here_is_planned_anew():
    A = tulle.matrix(random_matrix()).plan(format="sell")
    B = changed(A, choice=("format=sell", "format=elll"))
    assert B._planned == (False, False) and np.allclose(B @ vector(200), A @ vector(200))


def test_everything_is_checked():
    A = tulle.matrix(random_matrix()).plan(format="csr")
    with pytest.raises(ValueError, match="200"):
        changed(A, array=(1, 5, 200))
    with pytest.raises(ValueError, match="less than"):
        changed(A, array=(2, 5, 1000))
    with pytest.raises(ValueError, match="line 3 is wrong"):
        changed(A, choice=("way=as is", "way=by magic"))
    with pytest.raises(ValueError, match="null character"):
        changed(A, choice=("why=", "why=\0"))
