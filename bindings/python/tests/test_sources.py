"""What tulle.matrix is made from, beside SciPy's formats: dense arrays, pairs of indices, files, graphs, frames."""

import numpy as np
import pytest
import scipy.sparse as sp

import tulle


def same(A, dense, dtype="float64"):
    assert isinstance(A, tulle.Matrix) and A.shape == dense.shape and A.dtype == dtype
    assert A.nnz == np.count_nonzero(dense) and not A.shares_memory
    np.testing.assert_array_equal(A.toarray(), dense)
    np.testing.assert_array_equal(A @ np.ones(A.shape[1], dtype), dense @ np.ones(A.shape[1]))


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("given, made", [("float32", "float32"), ("float64", "float64"), ("int8", "float64"),
                                         ("bool", "float64"), ("float16", "float32"), (">f8", "float64")])
def test_dense(dense, given, made):
    d = dense.astype(given)
    for form in (d, np.asfortranarray(d), np.asmatrix(d), d.repeat(2, axis=1)[:, ::2]):
        same(tulle.matrix(form), d.astype(made), made)
    same(tulle.matrix(d, dtype="float32"), d.astype("float32"), "float32")


def test_dense_keeps_what_is_not_zero():
    d = np.array([[np.nan, 0.0, -0.0], [np.inf, 1e-320, 0.0]])
    A = tulle.matrix(d)
    assert A.nnz == 3
    np.testing.assert_array_equal(A.toarray(), sp.csr_array(d).toarray())
    same(tulle.matrix([[1, 0], [0, 2.5]]), np.array([[1, 0], [0, 2.5]]))
    for shape in [(0, 0), (0, 3), (3, 0), (1, 1)]:
        same(tulle.matrix(np.zeros(shape)), np.zeros(shape))


@pytest.mark.parametrize("index", ["int32", "int64", "uint8", list])
def test_pairs(dense, index):
    i, j = dense.nonzero()
    data, order = dense[i, j], np.random.default_rng(2).permutation(len(i))
    data, i, j = data[order], i[order], j[order]
    pairs = (i.tolist(), j.tolist()) if index is list else (i.astype(index), j.astype(index))
    same(tulle.matrix((data, pairs), shape=dense.shape), dense)
    same(tulle.matrix((data, list(pairs)), shape=dense.shape, dtype="float32"), dense, "float32")
    S = sp.csr_array((data, (i, j)))  # SciPy finds the shape in the same way
    same(tulle.matrix((data, pairs)), S.toarray())
    same(tulle.matrix((None, pairs), shape=dense.shape), (dense != 0) * 1.0)


def test_pairs_given_twice_add_up():
    A = tulle.matrix(([1.0, 2, 4], ([0, 0, 1], [1, 1, 0])))
    np.testing.assert_array_equal(A.toarray(), [[0, 3], [4, 0]])
    assert tulle.matrix(([], ([], []))).shape == (0, 0)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia"])
def test_npz(dense, tmp_path, form):
    path = tmp_path / "matrix.npz"
    sp.save_npz(path, getattr(sp, f"{form}_array")(dense))
    for name in (path, str(path), bytes(path)):
        A = tulle.matrix(name)
        assert A.shape == dense.shape and not A.shares_memory
        np.testing.assert_array_equal(A.toarray(), dense)
    assert tulle.matrix(path, dtype="float32").dtype == "float32"


@pytest.mark.parametrize("kind", ["Graph", "DiGraph", "MultiDiGraph"])
def test_networkx(kind):
    networkx = pytest.importorskip("networkx")
    G = getattr(networkx, kind)([("a", "b", {"weight": 2.5}), ("b", "c", {}), ("c", "c", {"weight": 4})])
    if kind == "MultiDiGraph":
        G.add_edge("a", "b", weight=1)
    same(tulle.matrix(G), networkx.to_numpy_array(G))
    same(tulle.matrix(G, dtype="float32"), networkx.to_numpy_array(G), "float32")


def test_pandas(dense):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(dense)
    same(tulle.matrix(frame), dense)
    same(tulle.matrix(frame.astype(pandas.SparseDtype("float64", 0))), dense)
    same(tulle.matrix(frame.astype(pandas.SparseDtype("float64", 0)), dtype="float32"), dense, "float32")
    frame[3] = "text"
    with pytest.raises(TypeError, match="the matrix holds object"):
        tulle.matrix(frame)


def test_shape_is_for_arrays(dense, tmp_path):
    for given in (dense, dense.tolist(), sp.csr_array(dense), tmp_path / "a.mtx"):
        with pytest.raises(TypeError, match="shape is for tuples of arrays; .* has its own"):
            tulle.matrix(given, shape=dense.shape)
