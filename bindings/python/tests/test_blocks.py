"""Block CSR: SciPy's bsr arrays are taken as they are."""

import numpy as np
import pytest
import scipy.sparse as sp

import tulle
from conftest import whole

SIZES = [(2, 2), (3, 3), (6, 3), (5, 5), (1, 1), (8, 8), (2, 3)]


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def S(rng, request):
    """Whole numbers, zeros among them; some block rows are empty."""
    height, width = request.param
    pattern = sp.random_array((25, 30), density=0.2, rng=rng, format="csr")
    data = whole(rng, pattern.nnz, height, width)
    data[::3, 0, 0] = 0
    return sp.bsr_array((data, pattern.indices, pattern.indptr), shape=(25 * height, 30 * width))


def kept(S):
    return any(S.blocksize[0] % b == 0 and S.blocksize[1] % b == 0 for b in (2, 3, 4, 6))


@pytest.mark.parametrize("form", ["bsell", "csr", "sell", None])
def test_products(S, rng, form):
    x, z = whole(rng, S.shape[1]), whole(rng, S.shape[0])
    A = tulle.matrix(S)
    assert A.shape == S.shape and A.nnz == S.data.size and A.shares_memory
    if form:
        A.plan(format=form)
    np.testing.assert_array_equal(A @ x, S @ x)
    np.testing.assert_array_equal(A.T @ z, S.T @ z)
    np.testing.assert_array_equal(A.toarray(), S.toarray())


def test_explain_says_what_became_of_the_blocks(S):
    A = tulle.matrix(S)
    A.plan(format="bsell")
    if S.blocksize != (1, 1):
        assert ("kept: no expansion to CSR" in A.explain()) == kept(S)
        A.plan(format="csr")
        assert "expanded to CSR in" in A.explain()


@pytest.mark.parametrize("options", [{"both": True}, {"online": True}, {"vectors": 8}], ids=str)
def test_other_plans(S, rng, options):
    X, z = whole(rng, S.shape[1], 8), whole(rng, S.shape[0])
    A = tulle.matrix(S).plan(**options)
    for T in (S, 2 * S):
        A.update(T.data)
        np.testing.assert_array_equal(A @ X, T @ X)
        np.testing.assert_array_equal(A.T @ z, T.T @ z)


@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("form", ["bsell", "csr", None])
def test_updates(S, rng, form, copy):
    x, z = whole(rng, S.shape[1]), whole(rng, S.shape[0])
    A = tulle.matrix(S, copy=copy)
    assert A.shares_memory != copy
    if form:
        A.plan(format=form)
    T = S.copy()
    T.data = whole(rng, *S.data.shape)
    A.update(T.data)
    np.testing.assert_array_equal(A @ x, T @ x)
    np.testing.assert_array_equal(A.T @ z, T.T @ z)
    np.testing.assert_array_equal(A.toarray(), T.toarray())


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_types(rng, dtype, index):
    S = sp.bsr_array(sp.kron(sp.eye_array(6), np.ones((3, 3))), blocksize=(3, 3)).astype(dtype)
    S.indices, S.indptr = S.indices.astype(index), S.indptr.astype(index)
    A = tulle.matrix(S)
    assert A.dtype == ("float32" if dtype == "float32" else "float64")
    x = whole(rng, 18).astype(A.dtype)
    np.testing.assert_array_equal(A @ x, S @ x)


def test_values_in_another_order(rng):
    """A bsr array whose blocks are column-major in memory is copied."""
    data = np.asfortranarray(whole(rng, 4, 3, 3))
    S = sp.bsr_array((data, np.arange(4), np.arange(5)), shape=(12, 12))
    x = whole(rng, 12)
    np.testing.assert_array_equal(tulle.matrix(S) @ x, S @ x)


def test_errors_name_the_block_row():
    S = sp.bsr_array((np.ones((3, 2, 2)), [0, 1, 2], [0, 1, 2, 3]), shape=(6, 6))
    S.indices[2] = 7
    with pytest.raises(ValueError, match=r"block_col\[2\] = 7 in block row 2 is outside 0 .. 2"):
        tulle.matrix(S)
    S.indices = S.indices[:2]
    with pytest.raises(ValueError, match="indices has 2 elements, but indptr ends at 3"):
        tulle.matrix(S)
