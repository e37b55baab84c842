"""Updates of a symmetric matrix to values that are not symmetric, which a plan may have counted on."""

import numpy as np
import pytest
import scipy.sparse as sp

import tulle
from conftest import whole


@pytest.fixture
def S(rng):
    """Symmetric: a cube of nodes, each with its 26 neighbours and three unknowns. The planner takes sym."""
    line = sp.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(12, 12))
    pattern = sp.csr_array(sp.kron(sp.kron(sp.kron(line, line), line), np.ones((3, 3))))
    pattern.data = rng.integers(1, 1000, pattern.nnz).astype(float)
    S = sp.csr_array(pattern + pattern.T)
    S.sort_indices()
    return S


@pytest.fixture
def unsymmetric(S):
    T = S.copy()
    T.data[1] += 1
    return T


def check(A, S, x):
    np.testing.assert_array_equal(A @ x, S @ x)
    np.testing.assert_array_equal(A.T @ x, S.T @ x)
    assert (A.to_scipy() != S).nnz == 0


@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("planned", [False, True], ids=["update first", "plan first"])
def test_automatic_plans_take_every_update(S, unsymmetric, rng, planned, copy):
    x = whole(rng, S.shape[0])
    A = tulle.matrix(S, copy=copy)
    if planned:
        check(A, S, x)
    for values in (unsymmetric, S, unsymmetric):
        A.update(values.data.copy())
        check(A, values, x)
    check(A.plan(), unsymmetric, x)


@pytest.mark.parametrize("transposed", [False, True])
def test_a_refused_update_changes_nothing(S, unsymmetric, rng, transposed):
    """A format that was named stays, and so do the values; of two plans, whichever is updated first."""
    x = whole(rng, S.shape[0])
    A = tulle.matrix(S)
    named, other = (A.T, A) if transposed else (A, A.T)
    named.plan(format="sym")
    other.plan(format="sell")
    A.update(2 * S.data)
    before = named.explain()
    for _ in range(2):
        with pytest.raises((ValueError, NotImplementedError), match="sym"):
            A.update(unsymmetric.data)
        assert named.explain() == before
        check(A, 2 * S, x)
