"""Matrices of float16 and bfloat16 values: products are those of the float32 matrix with these values."""

import pickle

import numpy as np
import pytest
import tulle
from conftest import whole


def half(name):
    return np.dtype(name) if name == "float16" else np.dtype(pytest.importorskip("ml_dtypes").bfloat16)


def triple(dense, dtype):
    i, j = dense.nonzero()
    indptr = np.concatenate([[0], np.cumsum(np.bincount(i, minlength=dense.shape[0]))]).astype("int32")
    return dense[i, j].astype(dtype), j.astype("int32"), indptr


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
@pytest.mark.parametrize("form", ["csr", "sell", None])
def test_products(dense, rng, name, form):
    dtype = half(name)
    arrays = triple(dense, dtype)
    A = tulle.matrix(arrays, shape=dense.shape)
    assert A.dtype == "float32" and A.shares_memory
    A.plan(format=form)
    for given, made in (("float16", "float32"), ("float32", "float32"), ("float64", "float64"), ("int64", "float64")):
        x, z = whole(rng, 20).astype(given), whole(rng, 30).astype(given)
        assert (A @ x).dtype == made == (A.T @ z).dtype
        np.testing.assert_array_equal(A @ x, dense @ x)
        np.testing.assert_array_equal(A.T @ z, dense.T @ z)
    np.testing.assert_array_equal(A.toarray(), dense)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(A)).toarray(), dense)
    if form == "sell":
        assert A.describe()["stored_values"] in ({"float16": "f16", "bfloat16": "bf16"}[name],
                                                 "1-byte codes of a table")


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_update(dense, rng, name):
    dtype = half(name)
    data, indices, indptr = triple(dense, dtype)
    A = tulle.matrix((data, indices, indptr), shape=dense.shape)
    x = whole(rng, 20)
    np.testing.assert_array_equal(A @ x, dense @ x)
    A.update(data + data)
    np.testing.assert_array_equal(A @ x, 2 * (dense @ x))
    np.testing.assert_array_equal(A @ x.astype("float32"), 2 * (dense @ x))
    np.testing.assert_array_equal(A.toarray(), 2 * dense)
    with pytest.raises(TypeError, match=f"keeps {name}: values.astype"):
        A.update(data.astype("float32"))
    with pytest.raises(ValueError, match=f"elements of {name}"):
        A.update(data[:3])


def test_other_sources(dense, rng):
    x = whole(rng, 20)
    i, j = dense.nonzero()
    d = dense.astype("float16")
    for A in (tulle.matrix(d), tulle.matrix((d[i, j], (i, j)), shape=d.shape),
              tulle.matrix(triple(dense, ">f2"), shape=d.shape)):
        assert A._half == "float16"
        np.testing.assert_array_equal(A @ x, dense @ x)
    for dtype in ("float32", "float64"):  # asked for: widened
        A = tulle.matrix(d, dtype=dtype)
        assert A._half is None and A.dtype == dtype
        np.testing.assert_array_equal(A @ x, dense @ x)


def test_files_refuse(dense, tmp_path):
    A = tulle.matrix(dense.astype("float16"))
    with pytest.raises(NotImplementedError, match="f16 is only for matrices from arrays"):
        tulle.save(tmp_path / "a.tulle", A)
