"""What is wrong is refused, by a sentence that names it, and nothing is changed."""

import os

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sla

import tulle
from tulle import _core


@pytest.fixture
def A(dense):
    return tulle.matrix(sp.csr_array(dense))


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
def test_complex_matrices(dense, form):
    with pytest.raises(TypeError, match=r"complex.* S\.real and one of S\.imag"):
        tulle.matrix(getattr(sp, f"{form}_array")(dense + 0j), dtype="float64")


@pytest.mark.parametrize("x, error, words", [
    (np.ones(19), ValueError, r"shape \(19,\); expected \(20,\) or \(20, k\)"),
    (np.ones((19, 2)), ValueError, r"\(19, 2\)"),
    (np.ones((20, 2, 2)), ValueError, r"\(20, 2, 2\)"),
    (3.0, ValueError, r"shape \(\)"),
    (np.array(["a"] * 20), TypeError, "not numbers"),
    (np.array([None] * 20), TypeError, "object, not numbers"),
    (sp.csr_array((20, 2)), TypeError, r"sparse csr_array, x\.toarray\(\)"),
])
def test_x(A, x, error, words):
    y = np.full(30, 5.0)
    for product in (lambda: A @ x, lambda: A.dot(x), lambda: A.matvec(x), lambda: A.dot(x, out=y)):
        with pytest.raises(error, match=words):
            product()
    assert (y == 5).all()


@pytest.mark.parametrize("op", [-1, 4])
def test_operations_that_are_none(dense, op):
    A = tulle.matrix(dense)
    with pytest.raises(ValueError, match=f"op = {op}: expected 0 to 3"):
        A._plan(op, 0, False, 0, None, 0, None, 0, 0, False, False)
    assert A._planned == (False, False)


def test_half_the_digits_of_x_are_not_dropped(dense):
    A = tulle.matrix(sp.csr_array(dense.astype("float32")))
    with pytest.raises(TypeError, match=r"out is float32 and the product float64.*make out float64, or x\.astype"):
        A.dot(np.ones(20), out=np.ones(30, "float32"))
    with pytest.raises(TypeError, match=r"x is float128 .*x\.astype\('float64'\)"):
        A @ np.ones(20, "longdouble")
    with pytest.raises(TypeError, match="values is float64 but the matrix is float32"):
        A.update(np.ones(A.nnz))


def readonly(y):
    y.flags.writeable = False
    return y


@pytest.mark.parametrize("out, error, words", [
    (np.ones(30, "float32"), ValueError, "out is of another type.*float32"),
    (np.ones(29), ValueError, r"out has the wrong length.*\(29,\)"),
    (np.ones(60)[::2], ValueError, "out is not contiguous"),
    (readonly(np.ones(30)), ValueError, "out is read-only"),
    (np.ones((30, 1)), ValueError, "x has 1 dimensions and 1 vectors, out has 2 and 1"),
    (np.zeros(241, "u1")[1:].view("f8"), ValueError, "out is not aligned"),
    ([0.0] * 30, TypeError, "out is not an array.*list"),
    (np.ones(30) * 1j, ValueError, "out is of another type"),
])
def test_out(A, out, error, words):
    with pytest.raises(error, match=words):
        A.dot(np.ones(20), out=out)


def test_out_that_is_x(dense):
    A = tulle.matrix(sp.csr_array(dense[:20]))
    both = np.arange(40.0)
    before = both.copy()
    for x, out in [(both[:20], both[:20]), (both[:20], both[19:39]), (both[:40:2], both[:20])]:
        with pytest.raises(ValueError, match="overlap|share memory"):
            A.dot(x, out=out)
    np.testing.assert_array_equal(both, before)
    A.dot(both[:20], out=both[20:])
    np.testing.assert_array_equal(both[20:], dense[:20] @ before[:20])


def test_beta_wants_out(A):
    with pytest.raises(ValueError, match="there is no out"):
        A.dot(np.ones(20), beta=1)


@pytest.mark.parametrize("data, indices, indptr, shape, error, words", [
    ([1.0, 2], [0, 7], [0, 1, 2], (2, 3), ValueError, r"col\[1\] = 7"),
    ([1.0, 2], [0, -1], [0, 1, 2], (2, 3), ValueError, r"col\[1\] = -1"),
    ([1.0, 2], [0, 1], [0, 2, 1], (2, 3), ValueError, r"row_ptr"),
    ([1.0, 2], [0, 1], [1, 1, 2], (2, 3), ValueError, r"row_ptr\[0\]"),
    ([1.0, 2], [0, 1], [0, 1, 3], (2, 3), ValueError, "indices has 2 elements, but indptr ends at 3"),
    ([1.0], [0, 1], [0, 1, 2], (2, 3), ValueError, "data has 1 elements, but indptr ends at 2"),
    ([1.0, 2], [0, 1], [0, 1, 2], (3, 3), ValueError, "indptr has 3 elements for 3 rows"),
    ([1.0, 2], [0, 1], [0, 1, 2], (-1, 3), ValueError, "indptr has 3 elements for -1 rows"),
    ([1.0, 2], [0, 1], [0, 1, 2], (2, -3), ValueError, "cols = -3"),
    ([1.0, 2], [0.0, 1], [0, 1, 2], (2, 3), TypeError, "indices holds float64, not integers"),
    ([1.0, 2], [[0, 1]], [0, 1, 2], (2, 3), ValueError, "indices has 2 dimensions"),
    (["a", "b"], [0, 1], [0, 1, 2], (2, 3), TypeError, "the matrix holds"),
])
def test_arrays(data, indices, indptr, shape, error, words):
    for copy in (False, True):
        with pytest.raises(error, match=words):
            tulle.matrix((data, indices, indptr), copy, shape)


def test_indices_out_of_range_of_other_formats():
    S = sp.csc_array(np.eye(3))
    S.indices[1] = 9
    with pytest.raises(ValueError, match=r"row\[1\] = 9"):
        tulle.matrix(S)
    S = sp.coo_array(np.eye(3))
    S.coords[0][2] = -4
    with pytest.raises(ValueError, match="-4"):
        tulle.matrix(S)


def test_what_is_no_matrix(dense):
    with pytest.raises(TypeError, match="not int"):
        tulle.matrix(3)
    for wrong in ((), (dense,), (3, 4), (dense, dense, dense, dense)):
        with pytest.raises(TypeError, match=f"a tuple of {len(wrong)} is no matrix"):
            tulle.matrix(wrong)
    for dimensions in (0, 1, 3):
        with pytest.raises(ValueError, match=f"S has {dimensions} dimension"):
            tulle.matrix(np.ones((2,) * dimensions))
    with pytest.raises(TypeError, match="the matrix is complex"):
        tulle.matrix(dense * 1j, dtype="float32")
    with pytest.raises(TypeError, match="the matrix holds"):
        tulle.matrix([["a"]])
    with pytest.raises(TypeError, match="i holds float64, not integers"):
        tulle.matrix(([1.0], ([0.5], [0])))
    with pytest.raises(ValueError, match="-1"):
        tulle.matrix(([1.0], ([-1], [0])))
    with pytest.raises(ValueError, match=r"col\[0\] = 5"):
        tulle.matrix(([1.0], ([0], [5])), shape=(2, 2))
    with pytest.raises(TypeError, match="complex64 and complex128, not in int32"):
        tulle.matrix(sp.csr_array(dense), dtype="int32")
    with pytest.raises(TypeError, match="csr_array has its own"):
        tulle.matrix(sp.csr_array(dense), shape=(2, 2))
    for kind in (tulle.Matrix, _core.Matrix):
        with pytest.raises(TypeError, match="cannot create"):
            kind()
        with pytest.raises(TypeError):
            object.__new__(kind)


def test_files(tmp_path, dense):
    for name in ("nowhere.mtx", "nowhere.npz", "nowhere.mtx.gz"):
        for given in (tmp_path / name, str(tmp_path / name), os.fsencode(tmp_path / name)):
            with pytest.raises(FileNotFoundError, match=name):
                tulle.matrix(given)
    bad = tmp_path / "bad.mtx"
    bad.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n")
    with pytest.raises(ValueError, match="bad.mtx:3"):
        tulle.matrix(bad)
    bad.write_text("%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1.0 2.0\n")
    with pytest.raises(NotImplementedError, match="complex"):
        tulle.matrix(str(bad), dtype="float64")
    good = tmp_path / "good.mtx"
    good.write_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 3\n")
    A = tulle.matrix(good, dtype="float32")
    assert A.dtype == "float32" and not A.shares_memory
    np.testing.assert_array_equal(A.to_scipy().toarray(), [[4, 3], [3, 0]])
    A.update([1, 2])
    np.testing.assert_array_equal(A @ np.ones(2, "float32"), [3, 2])


def test_plans(A):
    with pytest.raises(ValueError, match="nonsuch"):
        A.plan(format="nonsuch")
    with pytest.raises(ValueError, match="reproducible = 3"):
        A.plan(reproducible=3)
    with pytest.raises(ValueError, match="multiplies = -1"):
        A.plan(-1)
    for many in ("many", [3], 3j):
        with pytest.raises(TypeError, match="multiplies = .* is not a number"):
            A.plan(many)
        with pytest.raises(TypeError, match="multiplies = .* is not a number"):
            A.T.plan(many)
    with pytest.raises(TypeError):
        A.plan(format=3)
    for none in (0, -1):
        with pytest.raises(ValueError, match=f"vectors = {none} is not a positive number"):
            A.plan(vectors=none)
    with pytest.raises(TypeError):
        A.plan(vectors=2.5)
    assert not any(A._planned)


def test_updates(A, dense):
    y = A @ np.ones(20)
    with pytest.raises(ValueError, match=f"values: 3 elements of float64, the matrix has {A.nnz}"):
        A.update(np.ones(3))
    with pytest.raises(TypeError, match="values is complex"):
        A.update(np.ones(A.nnz) * 1j)
    with pytest.raises(ValueError, match="values has 2 dimensions"):
        A.update(np.ones((A.nnz, 1)))
    np.testing.assert_array_equal(A @ np.ones(20), y)


def test_operators(A):
    for times in (lambda: A * np.ones(20), lambda: np.ones(20) * A, lambda: A * A, lambda: A.T * np.ones(30)):
        with pytest.raises(TypeError, match="scales a matrix by a number"):
            times()
    with pytest.raises(TypeError, match="divides a matrix by a number"):
        A / np.ones(20)
    with pytest.raises(TypeError, match="not by other sparse matrices"):
        A @ A
    with pytest.raises(ValueError, match=r"shape \(20,\); expected \(30,\)"):
        np.ones(20) @ A


@pytest.mark.parametrize("turned", [False, True])
def test_numpy_and_scipy_get_no_object_array(A, dense, turned):
    A, S = (A.T, sp.csr_array(dense)) if turned else (A, sp.csr_array(dense.T))
    for wrong in (np.asarray, np.array, np.linalg.norm, lambda A: S @ A, lambda A: S.dot(A),
                  lambda A: np.asarray(A, dtype="float32"), lambda A: np.dot(np.ones(A.shape[0]), A)):
        with pytest.raises(TypeError, match=r"A\.to_scipy\(\)"):
            wrong(A)
    # SciPy catches what its constructors raise. The message is the cause of its own.
    for wrong in (sp.csr_array, sp.csc_array, lambda A: sla.spsolve(A, np.ones(A.shape[0])), sla.splu):
        with pytest.raises((TypeError, ValueError)) as caught:
            wrong(A)
        assert "A.to_scipy()" in f"{caught.value} {caught.value.__cause__}"


@pytest.mark.parametrize("count", [0, -1, 5000])
def test_set_threads(count):
    with pytest.raises(ValueError, match="is not in 1 .. 4096"):
        tulle.set_threads(count)
    with pytest.raises(TypeError):
        tulle.set_threads("two")
