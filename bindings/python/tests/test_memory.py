"""Each allocation of Python's fails, once and from there on: MemoryError, nothing leaks, and the next try is right.

The operations are those that hardly use NumPy. Without memory, NumPy crashes in some places (`__array_interface__`) and returns no
exception in others (sums)."""

import gc
import sys

import numpy as np
import pytest
import scipy.sparse as sp

import tulle
from conftest import whole

fail = pytest.importorskip("_testcapi", reason="Python was installed without its tests of the interface to C")
MOST = 5000  # allocations of one operation
ROUNDS = 40


def operations():
    rng = np.random.default_rng(1)
    S = sp.csr_array(whole(rng, 40, 40) * (rng.random((40, 40)) < 0.2))
    x, out = whole(rng, 40), np.zeros(40)
    A, updated = tulle.matrix(S), tulle.matrix(S)

    def update():
        updated.update(S.data)
        return updated @ x

    return {
        "product": (lambda: A @ x, S @ x),
        "transposed": (lambda: A.T @ x, S.T @ x),
        "several": (lambda: A @ x[:, None], (S @ x)[:, None]),
        "into": (lambda: A.dot(x, out=out), S @ x),
        "matrix": (lambda: tulle.matrix(S) @ x, S @ x),
        "plan": (lambda: tulle.matrix(S).plan(format="sell") @ x, S @ x),
        "update": (update, S @ x),
        "step": (lambda: A.step(x, gamma=1.0, w=x)[0], S @ x + x),
        "describe": (lambda: sorted(A.describe()), sorted(A.describe())),
    }


def fail_each(operation, once):
    """Fail the first allocation, then the second, and so on, until nothing fails. How many tries were refused."""
    refused = last = 0
    for n in range(MOST):
        try:
            fail.set_nomemory(n, n + 1 if once else 0)
            try:
                operation()
            finally:
                fail.remove_mem_hooks()
        except MemoryError:
            refused += 1
            last = n
        if n > last + 20:
            return refused
    raise AssertionError(f"still refused after {MOST} allocations")


def growth(operation, once):
    """Of Python's memory, in blocks, in ROUNDS tries of all failures. Its own lists of free objects come and go."""
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(ROUNDS):
        fail_each(operation, once)
    gc.collect()
    return sys.getallocatedblocks() - before


@pytest.mark.parametrize("name", operations())
@pytest.mark.parametrize("once", [True, False])
def test_each_allocation_fails(name, once, monkeypatch):
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)  # a generator that is closed may also lack memory
    operation, expected = operations()[name]
    np.testing.assert_array_equal(operation(), expected)
    assert fail_each(operation, once) > 0
    np.testing.assert_array_equal(operation(), expected)
    assert min(growth(operation, once) for _ in range(3)) < ROUNDS
