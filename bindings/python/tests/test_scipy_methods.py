"""Methods of SciPy's sparse arrays: A and A.T give what SciPy gives, in value, type and shape."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import tulle

METHODS = {
    "diagonal": lambda A: A.diagonal(),
    "diagonal(3)": lambda A: A.diagonal(3),
    "diagonal(k=-2)": lambda A: A.diagonal(k=-2),
    "tocsr": lambda A: A.tocsr(),
    "tocsc": lambda A: A.tocsc(),
    "toarray": lambda A: A.toarray(),
    "toarray(F)": lambda A: A.toarray(order="F"),
    "toarray(out)": lambda A: A.toarray(out=np.ones(A.shape)),
    "sum": lambda A: A.sum(),
    "sum(0)": lambda A: A.sum(axis=0),
    "sum(1)": lambda A: A.sum(axis=1),
    "sum(-1)": lambda A: A.sum(axis=-1),
    "sum(dtype)": lambda A: A.sum(axis=0, dtype="float32"),
    "A[i, j]": lambda A: A[2, 4],
    "A[-i, -j]": lambda A: A[-3, -1],
    "A[i]": lambda A: A[5],
    "A[-1]": lambda A: A[-1],
    "A[i:j]": lambda A: A[3:11],
    "A[:]": lambda A: A[:],
    "A[0:n]": lambda A: A[0:A.shape[0]],
    "A[...]": lambda A: A[...],
    "A[::-2]": lambda A: A[::-2],
    "A[9:3]": lambda A: A[9:3],
    "A[:, j]": lambda A: A[:, 4],
    "A[i:j, k:l]": lambda A: A[3:11, 2:5],
    "A[[...]]": lambda A: A[[3, 1, 3]],
    "A[i, :]": lambda A: A[2, :],
    "iteration": lambda A: sp.vstack([row.reshape(1, -1) for row in A]).toarray(),
}
MATRICES = {
    "2 * A": lambda A: 2 * A,
    "A * 2.5": lambda A: A * 2.5,
    "float32 * A": lambda A: np.float32(2) * A,
    "float64 * A": lambda A: np.float64(2) * A,
    "int * A": lambda A: np.int16(3) * A,
    "0-d * A": lambda A: np.array(3.0) * A,
    "A / 4": lambda A: A / 4,
    "-A": lambda A: -A,
    "copy": lambda A: A.copy(),
    "astype(float32)": lambda A: A.astype("float32"),
    "astype(float64)": lambda A: A.astype(np.float64),
    "astype(copy=False)": lambda A: A.astype("float64", copy=False),
    "T": lambda A: A.T,
    "transpose": lambda A: A.transpose(),
    "transpose(axes)": lambda A: A.transpose((1, 0), copy=True),
    "T.T": lambda A: A.T.T,
    "pickle": lambda A: pickle.loads(pickle.dumps(A)),
}


def built(dense, how):
    """(matrix of tulle, of SciPy): as borrowed, with its own arrays, of ones, and with values of an update."""
    S = sp.csr_array(dense)
    if how == "ones":
        S.data[:] = 1
        return tulle.matrix((None, S.indices, S.indptr), shape=S.shape), S
    A = tulle.matrix(S, copy=how == "copied")
    if how == "updated":
        S = sp.csr_array((3 * S.data, S.indices, S.indptr), shape=S.shape)
        A.plan(format="sell").update(S.data)
    return A, S


def same(ours, theirs):
    assert type(ours) is type(theirs)
    assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
    if sp.issparse(ours):
        ours, theirs = ours.toarray(), theirs.toarray()
    np.testing.assert_array_equal(ours, theirs)
    if isinstance(ours, np.ndarray):
        assert ours.flags.f_contiguous == theirs.flags.f_contiguous


@pytest.mark.parametrize("turned", [False, True], ids=["A", "A.T"])
@pytest.mark.parametrize("how", ["borrowed", "copied", "ones", "updated"])
@pytest.mark.parametrize("name", METHODS)
def test_methods(dense, name, how, turned):
    A, S = built(dense, how)
    A, S = (A.T, S.T) if turned else (A, S)
    same(METHODS[name](A), METHODS[name](S))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("turned", [False, True], ids=["A", "A.T"])
@pytest.mark.parametrize("how", ["borrowed", "ones", "updated"])
@pytest.mark.parametrize("name", MATRICES)
def test_methods_that_give_matrices(dense, name, how, turned, dtype):
    A, S = built(dense.astype(dtype), how)
    if how == "ones":
        A = A.astype(dtype)
    A, S = (A.T, S.T) if turned else (A, S)
    ours, theirs = MATRICES[name](A), MATRICES[name](S)
    assert isinstance(ours, (tulle.Matrix, tulle.Transposed)) and ours.dtype == theirs.dtype
    same(ours.toarray(), theirs.toarray())
    x = np.arange(ours.shape[1]).astype(ours.dtype)
    np.testing.assert_array_equal(ours @ x, theirs @ x)
    np.testing.assert_array_equal(ours.T @ np.ones(ours.shape[0], ours.dtype),
                                  theirs.T @ np.ones(ours.shape[0], ours.dtype))


def test_same_names_on_both():
    """A.T has everything that A has, but for what is private."""
    assert {name for name in dir(tulle.Matrix) if not name.startswith("_")} == \
        {name for name in dir(tulle.Transposed) if not name.startswith("_")}


@pytest.mark.parametrize("turned", [False, True], ids=["A", "A.T"])
def test_results_are_copies(dense, turned):
    """Whatever is changed in a result, A is as it was."""
    S = sp.csr_array(dense)
    A = tulle.matrix(S)
    B, before = A.T if turned else A, dense.T.copy() if turned else dense.copy()
    for name, method in METHODS.items():
        result = method(B)
        for array in [getattr(result, "data", None), getattr(result, "indices", None), result]:
            if isinstance(array, np.ndarray) and array.size:
                assert not any(np.may_share_memory(array, mine) for mine in (S.data, S.indices, S.indptr)), name
    for name, method in MATRICES.items():
        if name not in ("T", "T.T", "transpose", "astype(copy=False)", "pickle"):
            assert not method(B).shares_memory, name
    assert B.astype("float64", copy=False) is B and B.transpose() @ np.ones(len(before)) is not None
    S.data *= 2  # a copy does not see this
    scaled = B.copy()
    S.data /= 2
    np.testing.assert_array_equal(scaled.toarray(), 2 * before)
    np.testing.assert_array_equal(B.toarray(), before)


def test_results_outlive_the_matrix(dense):
    """Arrays that read the memory of a matrix hold it."""
    A = tulle.matrix(dense)
    view = A._borrowed().T
    del A
    for _ in range(20):
        tulle.matrix(dense * 0 + 7)
    np.testing.assert_array_equal(view.toarray(), dense.T)
    with pytest.raises(ValueError, match="read-only"):
        view.data[0] = 1


def test_what_cannot_be(dense):
    A = tulle.matrix(dense)
    for key in (30, (0, 20), (-31, 0)):
        with pytest.raises(IndexError):
            A[key]
    with pytest.raises(ValueError, match="axes"):
        A.transpose((0, 1))
    with pytest.raises(TypeError, match="complex64 and complex128, not in int32"):
        A.astype("int32")
    np.testing.assert_array_equal((2j * A).toarray(), 2j * dense)
    with pytest.raises(ValueError, match="axis"):
        A.sum(axis=2)
    with pytest.raises(TypeError):
        A[0, 0] = 1
