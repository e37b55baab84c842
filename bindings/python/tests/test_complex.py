"""Complex matrices and vectors against SciPy. All numbers are whole, so every product is exact."""

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
import scipy.sparse.linalg as sla
from conftest import whole

import tulle

TYPES = ["complex64", "complex128"]
same = np.testing.assert_array_equal


def complex_whole(rng, *shape, dtype="complex128"):
    return (whole(rng, *shape) + 1j * whole(rng, *shape)).astype(dtype)


@pytest.fixture(params=TYPES)
def S(request, dense, rng):
    return sp.csr_array((dense + 1j * dense * whole(rng, *dense.shape)).astype(request.param))


@pytest.mark.parametrize("format", [None, "csr", "sell", "csr5", "bsell", "hot"])
def test_products(S, rng, format):
    A = tulle.matrix(S).plan(format=format)
    rows, cols = S.shape
    x, z = complex_whole(rng, cols, dtype=S.dtype), complex_whole(rng, rows, dtype=S.dtype)
    X, Z = complex_whole(rng, cols, 5, dtype=S.dtype), complex_whole(rng, rows, 5, dtype=S.dtype)
    assert A.dtype == S.dtype and A.shares_memory
    for product, want in ((A @ x, S @ x), (A @ X, S @ X), (A @ np.asfortranarray(X), S @ X), (A.T @ z, S.T @ z),
                          (A.T @ Z, S.T @ Z), (A.H @ z, S.conj().T @ z), (A.H @ Z, S.conj().T @ Z), (z @ A, z @ S),
                          (A.rmatvec(z), S.conj().T @ z), (A.T.rmatvec(x), S.conj() @ x), (A.H.rmatvec(x), S @ x)):
        assert product.dtype == S.dtype
        same(product, want)


def test_described_dtype(S):
    A = tulle.matrix(S)
    for plan in (A, A.T, A.H):
        assert plan.describe()["vector_dtype"] == S.dtype


def test_factors(S, rng):
    A = tulle.matrix(S)
    x, y = complex_whole(rng, S.shape[1], dtype=S.dtype), complex_whole(rng, S.shape[0], dtype=S.dtype)
    want = (2 - 1j) * (S @ x) + 3j * y
    same(A.dot(x, out=y, alpha=2 - 1j, beta=3j), want)
    same(A.dot(x, alpha=np.complex64(1j)), 1j * (S @ x))
    z = complex_whole(rng, S.shape[0], dtype=S.dtype)
    same(A.H.dot(z, alpha=2), 2 * (S.conj().T @ z))


@pytest.mark.parametrize("divisor", [2, 4.0, 2j, 1 + 1j, np.float32(2), np.float64(4), np.complex64(2j), np.complex128(4j),
                                     np.array(2.0)], ids=repr)
@pytest.mark.parametrize("turned", [False, True], ids=["A", "A.T"])
def test_quotients(S, divisor, turned):
    A, B = (tulle.matrix(S).T, S.T) if turned else (tulle.matrix(S), S)
    ours, theirs = A / divisor, B / divisor
    assert type(ours) is type(A) and ours.dtype == theirs.dtype
    same(ours.toarray(), theirs.toarray())
    with pytest.raises(TypeError, match="divides a matrix by a number"):
        A / np.ones(3)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
def test_forms(S, rng, form):
    A = tulle.matrix(S.asformat(form))
    x = complex_whole(rng, S.shape[1], dtype=S.dtype)
    assert A.dtype == S.dtype
    same(A @ x, S @ x)
    same(A.toarray(), S.toarray())


def test_types(S, rng):
    wide = tulle.matrix(S, dtype="complex128")
    assert wide.dtype == "complex128" and tulle.matrix(S.real, dtype=S.dtype).dtype == S.dtype
    x = whole(rng, S.shape[1])  # a real x becomes complex
    same(wide @ x, S.astype("complex128") @ x)
    same(wide @ list(x), S.astype("complex128") @ x)
    narrow = tulle.matrix(S, dtype="complex64")
    with pytest.raises(TypeError, match="rounds it"):
        narrow @ complex_whole(rng, S.shape[1])
    with pytest.raises(TypeError, match="rounds it"):
        narrow @ x
    for format in ("csr2", "hyb"):
        with pytest.raises(NotImplementedError, match="no kernel"):
            narrow.plan(format=format)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_real_matrices_and_complex_vectors(dense, rng, dtype):
    S = sp.csr_array(dense.astype(dtype))
    A = tulle.matrix(S)
    number = np.result_type(dtype, np.complex64)
    for shape in ((20,), (20, 1), (20, 3), (20, 0)):
        x = complex_whole(rng, *shape, dtype=number)
        for given in (x, np.asfortranarray(x), x[::-1]):
            product = A @ given
            assert product.dtype == number
            same(product, S @ given)
    z = complex_whole(rng, 30, dtype=number)
    same(A.T @ z, S.T @ z)
    same(A.H @ z, S.T @ z)
    same(A @ ([1j] * 20), S @ np.full(20, 1j))
    x = complex_whole(rng, 20)
    assert (A @ x).dtype == (S @ x).dtype == np.complex128
    same(A @ x, S @ x)


def test_updates(S, rng):
    A = tulle.matrix(S)
    x, z = complex_whole(rng, S.shape[1], dtype=S.dtype), complex_whole(rng, S.shape[0], dtype=S.dtype)
    A @ x, A.T @ z, A.H @ z
    values = complex_whole(rng, S.nnz, dtype=S.dtype)
    A.update(values)
    new = sp.csr_array((values, S.indices, S.indptr), S.shape)
    same(A @ x, new @ x)
    same(A.T @ z, new.T @ z)
    same(A.H @ z, new.conj().T @ z)
    with pytest.raises(ValueError, match=f"of {S.dtype}"):
        A.update(values[:3])


def test_files(tmp_path, rng):
    dense = complex_whole(rng, 6, 6) * (rng.random((6, 6)) < 0.5)
    hermitian = dense + dense.conj().T
    for name, D in (("general", dense), ("hermitian", hermitian), ("symmetric", dense + dense.T),
                    ("skew-symmetric", dense - dense.T)):
        path = tmp_path / f"{name}.mtx"
        scipy.io.mmwrite(path, sp.coo_array(D), symmetry=name)
        for dtype in (None, *TYPES):
            A = tulle.matrix(path, dtype=dtype)
            assert A.dtype == (dtype or "complex128")
            same(A.toarray(), D)
    A = tulle.matrix(dense).plan(format="sell")
    tulle.save(tmp_path / "A.tulle", A)
    B = tulle.load(tmp_path / "A.tulle")
    assert B.dtype == "complex128" and B.describe()["format"] == "sell"
    same(B.toarray(), dense)
    same(tulle.matrix(tmp_path / "A.tulle").toarray(), dense)


@pytest.mark.parametrize("made", ["float32", "float64"])
def test_tuned_files_of_real_values(tmp_path, dense, made):
    tulle.save(tmp_path / "A.tulle", tulle.matrix(dense.astype(made)))
    for dtype in TYPES:
        A = tulle.matrix(tmp_path / "A.tulle", dtype=dtype)
        assert A.dtype == dtype
        same(A.toarray(), dense)


def test_plans_for_the_conjugate_transpose(S, rng):
    A = tulle.matrix(S)
    assert A.H.plan(500, format="sell").describe()["format"] == "sell"
    x = complex_whole(rng, S.shape[0], dtype=S.dtype)
    same(A.H @ x, S.conj().T @ x)


@pytest.mark.parametrize("given", [lambda A: A, tulle.aslinearoperator])
def test_linear_operators(rng, given):
    D = complex_whole(rng, 40, 40) * (rng.random((40, 40)) < 0.1) + 100 * np.eye(40)
    A, b = tulle.matrix(D), complex_whole(rng, 40)
    x, info = sla.gmres(given(A), b, rtol=1e-12)
    # D is diagonally dominant: its inverse is below 1/20.
    assert info == 0 and np.linalg.norm(D @ x - b) < 1e-10 * np.linalg.norm(b)
    got = sla.lsqr(given(A), b, atol=1e-13, btol=1e-13)[0]  # takes A.H
    assert np.linalg.norm(D @ got - b) < 1e-9 * np.linalg.norm(b)
