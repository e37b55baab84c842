"""Plans for products with A and A.T together."""

import numpy as np
import pytest
import scipy.sparse as sp

import tulle
from conftest import whole


@pytest.fixture
def S(rng):
    S = sp.random_array((900, 400), density=.05, rng=rng, format="csr")
    S.data = whole(rng, S.nnz)
    return S


def check(A, S, rng):
    x, y, X = whole(rng, S.shape[1]), whole(rng, S.shape[0]), whole(rng, S.shape[0] * 3).reshape(-1, 3)
    np.testing.assert_array_equal(A @ x, S @ x)
    np.testing.assert_array_equal(A.T @ y, S.T @ y)
    np.testing.assert_array_equal(y @ A, y @ S)
    np.testing.assert_array_equal(A.T @ X, S.T @ X)
    np.testing.assert_array_equal(A.T.dot(y, out=np.ones(S.shape[1]), alpha=2, beta=1), 2 * (S.T @ y) + 1)
    np.testing.assert_array_equal(A.T.mul_dot(y)[0], S.T @ y)


@pytest.mark.parametrize("stores", [None, 1, 2])
@pytest.mark.parametrize("form", [None, "sell", "csr"])
def test_one_plan_multiplies_by_both(S, rng, form, stores):
    A = tulle.matrix(S).plan(1e6, both=True, stores=stores, format=form)
    assert A._planned == (True, True)
    assert stores is None or A.describe()["stores"] == stores
    check(A, S, rng)
    S.data = 2 * S.data
    A.update(S.data)
    check(A, S, rng)


def test_both_takes_the_place_of_single_plans_and_they_of_it(S, rng):
    A = tulle.matrix(S).plan(format="csr")
    A.T.plan(format="csr")
    A.plan(1e6, both=True, stores=1, format="sell")
    assert A.describe()["format"] == A.T.describe()["format"] == "sell"
    assert A.T.describe()["way"] == "scatter"
    A.T.plan(format="csr5")
    assert A.T.describe()["format"] == "csr5" and A.describe()["format"] == "sell"
    A.update(3 * S.data)
    check(A, 3 * S, rng)


def test_what_a_plan_for_both_says(S):
    A = tulle.matrix(S).plan(1e5, both=True)
    told = A.describe()
    assert told["multiply_seconds"] > 0 and told["transposed_seconds"] > 0 and told["stores"] in (1, 2)
    assert "y = A x and y = A^T x" in A.explain() and "stores" in A.explain()
    assert A.T.explain().startswith("y = A^T x")


def test_wrong_arguments(S):
    A = tulle.matrix(S)
    with pytest.raises(ValueError, match="stores"):
        A.plan(both=True, stores=3)
    with pytest.raises(ValueError, match="both"):
        A.plan(stores=1)
    with pytest.raises((ValueError, NotImplementedError), match="csr5"):
        A.plan(both=True, stores=1, format="csr5")
    assert not any(A._planned)
