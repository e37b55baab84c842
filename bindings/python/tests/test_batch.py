"""Batches: the same products as one by one, in every form; what is wrong is refused with its number."""

import numpy as np
import pytest
import scipy.sparse as sp

import tulle
from conftest import whole


def some(rng, count, dtype="float64"):
    """Small matrices of many shapes, empty ones among them."""
    shapes = rng.integers(0, 30, (count, 2))
    return [sp.csr_array((whole(rng, *shape) * (rng.random(shape) < 0.3)).astype(dtype)) for shape in shapes]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", [0, 1, 2, 300])
@pytest.mark.parametrize("form", ["csr", "coo", "csc"])
def test_different_matrices(rng, count, dtype, form):
    S = some(rng, count, dtype)
    B = tulle.batch([one.asformat(form) for one in S])
    assert len(B) == count and B.shapes == [one.shape for one in S]
    x = [whole(rng, one.shape[1], dtype=dtype) for one in S]
    y = B @ x
    assert len(y) == count
    for one, given, found in zip(S, x, y):
        assert found.dtype == (dtype if count else found.dtype)
        np.testing.assert_array_equal(found, one @ given)
    if count:
        np.testing.assert_array_equal(B @ np.concatenate(x), np.concatenate(y))
        out = np.arange(sum(one.shape[0] for one in S)).astype(dtype)
        expected = 2 * np.concatenate(y) - 3 * out
        assert B.dot(x, out=out, alpha=2, beta=-3) is out
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kernel", [None, "csr", "sell", "ell", "interleaved"])
@pytest.mark.parametrize("count", [1, 7, 100])
def test_one_pattern(rng, count, dtype, kernel):
    pattern = sp.csr_array((rng.random((20, 14)) < 0.3).astype(float))
    values, x = whole(rng, count, pattern.nnz, dtype=dtype), whole(rng, count, 14, dtype=dtype)
    B = tulle.batch(values, pattern=pattern, kernel=kernel)
    dense = np.zeros((count, 20, 14), dtype)
    dense[:, *pattern.nonzero()] = values
    np.testing.assert_array_equal(B @ x, np.einsum("pij,pj->pi", dense, x))
    np.testing.assert_array_equal(tulle.batch(dense) @ x, B @ x)
    B.update(2 * values)
    np.testing.assert_array_equal(B @ x, 2 * np.einsum("pij,pj->pi", dense, x))
    scaled = tulle.batch(values, pattern=pattern, scale=np.arange(count), kernel=kernel)
    np.testing.assert_array_equal(scaled @ x, np.arange(count)[:, None] * np.einsum("pij,pj->pi", dense, x))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("kernel", [None, "csr", "interleaved"])
def test_complex(rng, dtype, kernel):
    def numbers(*shape):
        return (whole(rng, *shape) + 1j * whole(rng, *shape)).astype(dtype)

    pattern = sp.csr_array((rng.random((20, 14)) < 0.3).astype(float))
    values, x, scale = numbers(7, pattern.nnz), numbers(7, 14), np.arange(7)
    dense = np.zeros((7, 20, 14), dtype)
    dense[:, *pattern.nonzero()] = values
    want = np.einsum("pij,pj->pi", dense, x)
    B = tulle.batch(values, pattern=pattern, kernel=kernel)
    assert B.dtype == dtype and (B @ x).dtype == dtype
    np.testing.assert_array_equal(B @ x, want)
    np.testing.assert_array_equal(tulle.batch(dense) @ x, want)
    np.testing.assert_array_equal(tulle.batch([sp.csr_array(one) for one in dense]) @ list(x), list(want))
    np.testing.assert_array_equal(tulle.batch(values, pattern=pattern, scale=scale) @ x, scale[:, None] * want)
    out = numbers(7, 20)
    given = out.copy()
    B.dot(x, out=out, alpha=2 - 1j, beta=3j)
    np.testing.assert_array_equal(out, (2 - 1j) * want + 3j * given)
    B.update(1j * values)
    np.testing.assert_array_equal(B @ x, 1j * want)
    np.testing.assert_array_equal(B @ x.real, 1j * np.einsum("pij,pj->pi", dense, x.real))  # a real x becomes complex
    with pytest.raises(TypeError, match="must be real number"):
        tulle.batch(values.real, pattern=pattern).dot(x.real, alpha=1j)


def test_real_and_complex_matrices_in_one_batch():
    S = sp.csr_array(np.array([[1.0, 2.0]]))
    B = tulle.batch([S, S.astype("complex64")])
    assert B.dtype == "complex128"
    np.testing.assert_array_equal(B @ np.array([[1.0, 1j], [1j, 1]]), [[1 + 2j], [2 + 1j]])


def test_words(rng):
    B = tulle.batch(some(rng, 50))
    told = B.describe()
    assert told["count"] == 50 and sum(one["problems"] for one in told["classes"]) == 50
    assert B.explain().strip() and repr(B) == f"<tulle.Batch of 50 matrices, {told['nnz']} entries of float64>"


@pytest.mark.parametrize("make, error, words", [
    (lambda S: tulle.batch([S * 1j], dtype="float64"), TypeError, "complex"),
    (lambda S: tulle.batch([S]) @ [np.ones(5) * 1j], TypeError, "complex"),
    (lambda S: tulle.batch([S])._update(np.ones(5) * 1j), ValueError, "5 of float64"),
    (lambda S: tulle.batch(np.ones((3, 4))), TypeError, "pattern"),
    (lambda S: tulle.batch(np.ones((3, 4)), pattern=S), ValueError, "rows of 4, the pattern has"),
    (lambda S: tulle.batch([S], pattern=S), TypeError, "pattern is for"),
    (lambda S: tulle.batch([S], kernel="best"), ValueError, "best"),
    (lambda S: tulle.batch([S, S], scale=[1.0]), ValueError, "scale has shape"),
    (lambda S: tulle.batch([S]) @ [], ValueError, "0 vectors for 1 matrices"),
    (lambda S: tulle.batch([S]) @ [np.ones(3)], ValueError, r"x\[0\] has shape \(3,\)"),
    (lambda S: tulle.batch([S]) @ np.ones(3), ValueError, r"x has shape \(3,\); expected \(5,\) or \(1, 5\)"),
    (lambda S: tulle.batch([S]) @ np.ones((2, 5)), ValueError, r"x has shape \(2, 5\)"),
    (lambda S: tulle.batch([S]).dot(np.ones(5), out=np.ones(3)), ValueError, r"out has shape \(3,\)"),
    (lambda S: tulle.batch([S]).dot(np.ones(5), out=np.ones(10)[::2]), ValueError, "contiguous"),
    (lambda S: tulle.batch([S]).update(np.ones(3)), ValueError, r"values has shape \(3,\)"),
])
def test_refusals(make, error, words):
    with pytest.raises(error, match=words):
        make(sp.eye_array(5).tocsr())


def test_a_bad_index_is_named_with_its_problem():
    good, bad = sp.eye_array(3).tocsr(), sp.eye_array(3).tocsr()
    bad.indices[1] = 7
    with pytest.raises(ValueError, match="problem 1: .*7"):
        tulle.batch([good, bad])


def test_arrays_that_end_too_soon_are_refused():
    two = np.array([2])
    full = (np.array([0, 1, 2]), np.array([0, 1]), np.ones(2))
    for cut in range(3):
        arrays = [array[:-1] if which == cut else array for which, array in enumerate(full)]
        with pytest.raises(ValueError, match="problem 0 of 2 rows .* not all in (indptr|indices|data)"):
            tulle.Batch._from_arrays(two, two, *arrays, None, 0, 8, 0, None)
    with pytest.raises(ValueError, match="problem 1"):
        tulle.Batch._from_arrays(np.array([2, 1]), np.array([2, 1]), *full, None, 0, 8, 0, None)
