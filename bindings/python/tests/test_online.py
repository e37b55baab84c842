"""A.plan(online=True): products before, during and after a conversion that the plan decides on by itself."""

import os
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp

import tulle
from conftest import whole

PHASES = {"counting", "converting", "converted", "stayed"}
SECONDS = 20


@pytest.fixture
def S(rng):
    """Whole numbers: every format and every order of a sum give the same bits."""
    line = sp.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(150, 150))
    S = sp.csr_array(sp.kron(line, line))
    S.data = rng.integers(1, 1000, S.nnz).astype(float)
    return S


def multiply_until_decided(A, S, x):
    """Products, all of them right, until the plan has converted or stays; a busy machine may take long."""
    want, end = S @ x, time.monotonic() + SECONDS
    while A.describe()["online"] not in {"converted", "stayed"} and time.monotonic() < end:
        np.testing.assert_array_equal(A @ x, want)
    np.testing.assert_array_equal(A @ x, want)


def test_phases(S, rng):
    x = whole(rng, S.shape[0])
    A = tulle.matrix(S)
    assert A.plan(online=True) is A
    first = A.describe()
    assert first["online"] == "counting" and first["format"] == "csr" and first["online_multiplies"] == 0
    multiply_until_decided(A, S, x)
    last = A.describe()
    assert last["online"] in PHASES and last["online_multiplies"] >= 12 and last["online_why"]
    assert "online" in A.explain()
    if last["online"] == "converted":
        assert last["format"] != "csr" and last["candidates"]


def test_other_plans_have_no_phase(S):
    assert tulle.matrix(S).plan().describe()["online"] == ""


def test_transposed(S, rng):
    x = whole(rng, S.shape[0])
    A = tulle.matrix(S)
    A.T.plan(online=True)
    multiply_until_decided(A.T, S.T, x)


def test_vectors(S, rng):
    X = np.stack([whole(rng, S.shape[0]) for _ in range(8)], axis=1)
    A = tulle.matrix(S).plan(online=True, vectors=8)
    multiply_until_decided(A, S, X)
    assert A.describe()["vectors"] == 8 and A.describe()["online_multiplies"] >= 12 * 8


def test_updates(S, rng):
    x = whole(rng, S.shape[0])
    A = tulle.matrix(S).plan(online=True)
    for _ in range(100):
        S.data = rng.integers(1, 1000, S.nnz).astype(float)
        A.update(S.data)
        np.testing.assert_array_equal(A @ x, S @ x)
    multiply_until_decided(A, S, x)
    S.data = -S.data
    A.update(S.data)
    np.testing.assert_array_equal(A @ x, S @ x)


def test_threads(S, rng):
    x = whole(rng, S.shape[0])
    A = tulle.matrix(S).plan(online=True)
    wrong = []

    def work():
        wrong.extend(not np.array_equal(A @ x, S @ x) for _ in range(300))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(wrong) == 1200 and not any(wrong)


def test_explained_while_it_converts(S, rng):
    """The text changes between any two calls; what is returned is whole, and nothing follows it."""
    x = whole(rng, S.shape[0])
    for _ in range(20):
        A, end = tulle.matrix(S).plan(online=True), time.monotonic() + SECONDS
        while A.describe()["online"] == "counting" and time.monotonic() < end:
            A @ x
        texts = {A.explain() for _ in range(50)}
        while A.describe()["online"] == "converting" and time.monotonic() < end:
            texts.add(A.explain())
        assert all(text.endswith("\n") and text.replace("\n", "").isprintable() for text in texts)


def test_dropped_at_any_time(S, rng):
    x = whole(rng, S.shape[0])
    for products in range(0, 200, 7):
        A = tulle.matrix(S).plan(online=True)
        for _ in range(products):
            A @ x
        del A


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork()")
def test_fork(S, rng):
    x = whole(rng, S.shape[0])
    for products in range(0, 200, 40):
        A = tulle.matrix(S).plan(online=True)
        for _ in range(products):
            A @ x
        child = os.fork()
        if child == 0:
            same = all(np.array_equal(A @ x, S @ x) for _ in range(50))
            del A
            os._exit(0 if same else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("option", [{"format": "sell"}, {"reproducible": 1}, {"lossy": True}, {"measure": True},
                                    {"both": True}])
def test_excluded(S, option):
    with pytest.raises(ValueError, match="online"):
        tulle.matrix(S).plan(online=True, **option)
