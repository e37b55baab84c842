"""A product and its dot products in one pass, against the separate calls."""

import numpy as np
import pytest
import scipy.sparse as sp

import tulle


@pytest.fixture(params=["float32", "float64"])
def square(request, rng):
    s = sp.random_array((700, 700), density=0.02, rng=rng, format="csr", dtype=request.param)
    return tulle.matrix(s)


def near(got, a, b):
    """`got` is the dot product of a and b; 24 roundings at most: 700 rows are 3 blocks."""
    terms = a.astype("float64") * b.astype("float64")
    return abs(got - terms.sum()) <= 2 * 24 * 2.0**-53 * abs(terms).sum()


def test_mul_dot(square, rng):
    x = rng.standard_normal(700).astype(square.dtype)
    for A in (square, square.T):
        y, xy, yy = A.mul_dot(x)
        np.testing.assert_array_equal(y, A @ x)
        assert near(xy, x, y) and near(yy, y, y)
        out = np.full(700, np.nan, square.dtype)
        again, *dots = A.mul_dot(x, out=out)
        assert again is out and dots == [xy, yy]
        np.testing.assert_array_equal(out, y)


def test_residual(square, rng):
    x, b = rng.standard_normal((2, 700)).astype(square.dtype)
    r, rr = square.residual(x, b)
    np.testing.assert_array_equal(r, square.dot(x, out=b.copy(), alpha=-1, beta=1))
    assert near(rr, r, r)
    again, same = square.residual(x, b, out=b)
    assert again is b and same == rr
    np.testing.assert_array_equal(b, r)


def test_step(square, rng):
    x, w = rng.standard_normal((2, 700)).astype(square.dtype)
    z, xz, zz = square.step(x, w, alpha=2, beta=-0.75, gamma=0.5)
    want = square.dot(x, out=w.copy(), alpha=2, beta=0.5) + square.dtype.type(-0.75) * x
    np.testing.assert_array_equal(z, want)
    assert near(xz, x, z) and near(zz, z, z)
    assert square.step(x, w, alpha=2, beta=-0.75, gamma=0.5, out=w)[0] is w
    np.testing.assert_array_equal(w, z)


def test_not_square(rng):
    A = tulle.matrix(sp.random_array((40, 30), density=0.2, rng=rng, format="csr"))
    x, b = np.ones(30), np.ones(40)
    y, xy, yy = A.mul_dot(x)
    assert xy is None and near(yy, y, y)
    np.testing.assert_array_equal(A.residual(x, b)[0], A.dot(x, out=b.copy(), alpha=-1, beta=1))
    with pytest.raises(ValueError, match="square operator, this one is 40 x 30"):
        A.step(x, beta=1)


def test_others_are_converted(square):
    x = np.arange(1400)[::2]
    np.testing.assert_array_equal(square.mul_dot(x.astype("int16"))[0], square @ x.astype(square.dtype))


def test_refused(square):
    x = np.ones(700, square.dtype)
    with pytest.raises(ValueError, match="overlap"):
        square.mul_dot(x, out=x)
    twice = np.ones(1400, square.dtype)
    with pytest.raises(ValueError, match="share memory"):
        square.mul_dot(twice[::2], out=twice[:700])
    with pytest.raises(ValueError, match=r"b has shape \(3,\)"):
        square.residual(x, np.ones(3, square.dtype))
    with pytest.raises(ValueError, match="there is no w"):
        square.step(x, gamma=1)
    with pytest.raises(ValueError, match="out "):
        square.step(x, out=np.ones(700, "int32"))
    with pytest.raises(TypeError, match="complex"):
        square.mul_dot(x + 1j)


def test_bits_do_not_depend_on_threads(square, rng):
    x = rng.standard_normal(700).astype(square.dtype)
    try:
        tulle.set_threads(1)
        one = square.mul_dot(x)
        tulle.set_threads(4)
        four = square.mul_dot(x)
    finally:
        tulle.set_threads(None)
    assert one[1:] == four[1:]
