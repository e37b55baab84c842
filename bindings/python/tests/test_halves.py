"""Matrices of float16 and bfloat16 values: products are those of the float32 matrix with these values."""

import copy
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


def copies_of(A):
    """By pickle, in each protocol, and by the module copy."""
    yield from (pickle.loads(pickle.dumps(A, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1))
    yield from (copy.copy(A), copy.deepcopy(A))


def check_copy(A, B, dense, rng):
    assert B._half == A._half and B.dtype == "float32" and not B.shares_memory
    np.testing.assert_array_equal(B.toarray(), dense)
    x = whole(rng, 20)
    np.testing.assert_array_equal(B @ x, dense @ x)
    np.testing.assert_array_equal(B @ x.astype("float32"), dense @ x)


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
@pytest.mark.parametrize("form", ["csr", "sell", "csr5"])
def test_copies_keep_values_and_plans(dense, rng, name, form):
    data, indices, indptr = triple(dense, half(name))
    A = tulle.matrix((data, indices, indptr), shape=dense.shape).plan(multiplies=700, format=form)
    A.T.plan(format="csr")
    for B in copies_of(A):
        assert B._planned == (True, True)
        for mine, other in ((A, B), (A.T, B.T)):
            before, after = mine.describe(), other.describe()
            assert after["why"].startswith("as saved: ") and after["format"] == before["format"]
            assert after["stored_values"] == before["stored_values"] and after["multiplies"] == before["multiplies"]
        check_copy(A, B, dense, rng)
        B.update(data + data)
        check_copy(A, B, 2 * dense, rng)
        np.testing.assert_array_equal(A.toarray(), dense)
        with pytest.raises(TypeError, match=f"keeps {name}"):
            B.update(data.astype("float32"))


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
@pytest.mark.parametrize("vectors", ["float32", "float64"])
def test_copies_have_the_latest_values(dense, rng, name, vectors):
    data, indices, indptr = triple(dense, half(name))
    A = tulle.matrix((data, indices, indptr), shape=dense.shape)
    A @ np.ones(20, vectors)
    A.update(data + data)
    for B in copies_of(A):
        check_copy(A, B, 2 * dense, rng)
    A.update(np.ones_like(data))
    for B in copies_of(A):
        check_copy(A, B, dense != 0, rng)


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_copies_have_16_bits_per_value(rng, name):
    data = rng.random(10000).astype("float32").astype(half(name))
    A = tulle.matrix((data, np.arange(10000, dtype="int32"), np.arange(10001, dtype="int32")))
    buffers = []
    pickle.dumps(A, protocol=5, buffer_callback=buffers.append)
    assert [one.raw().nbytes for one in buffers] == [20000, 40000, 40004]
    assert buffers[0].raw() == data.view("uint8").data


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_copies_without_plans(dense, rng, name):
    data, indices, indptr = triple(dense, half(name))
    A = tulle.matrix((data, indices, indptr), shape=dense.shape).plan(format="sell")
    B, C = A.copy(), A.T.copy().T
    for one in (B, C):
        assert one._planned == (False, False)
        check_copy(A, one, dense, rng)
        one.update(data + data)
        check_copy(A, one, 2 * dense, rng)
    np.testing.assert_array_equal(A.toarray(), dense)


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
