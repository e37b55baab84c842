"""Several threads plan, update, multiply and rank at once: every result is one of those allowed.

Values are one array times 1, 2, 4 or 8. So a product is the first one times one of these numbers, exactly,
and ranks are always the same bits; memory that was freed or is half updated gives anything else. How often
each thread acts is TULLE_INTERLEAVINGS; the run under AddressSanitizer takes more than the normal one.
"""

import os
import sys
import threading
import time
import weakref

import numpy as np
import pytest
import scipy.sparse as sp

import tulle
from test_threads import banded

FACTORS = (1, 2, 4, 8)
TURNS = int(os.environ.get("TULLE_INTERLEAVINGS", 40))
THREADS = 4
N = 20_000


def is_multiple(y, once):
    return any(np.array_equal(y, factor * once) for factor in FACTORS)


def of_matrix(copy):
    """Actions on one matrix by name; each takes a random generator and returns whether all is well."""
    S = banded(N)
    S.data = abs(S.data) + 1.0
    A = tulle.matrix(S, copy=copy)
    x, X = np.arange(N) % 5 - 2.0, np.arange(16.0 * N).reshape(N, 16) % 7
    dense, transposed, many = S @ x, S.T @ x, S @ X
    few = {"max_iter": 3, "format": "csr"}
    ranks = tulle.pagerank(S, **few).ranks

    def plan(rng):
        one = A.T if rng.random() < 0.3 else A
        one.plan(format=str(rng.choice(["csr", "csr", "csr", "sell", "csr5"])))
        return True

    def dot(rng):
        y = np.empty(N)
        return is_multiple(A.dot(x, out=y), dense)

    return {
        "plan": plan,
        "update": lambda rng: A.update(S.data * rng.choice(FACTORS)) is None,
        "multiply": lambda rng: is_multiple(A @ x, dense),
        "multiply many": lambda rng: is_multiple(A @ X, many),
        "multiply transposed": lambda rng: is_multiple(A.T @ x, transposed),
        "dot": dot,
        "explain": lambda rng: A.explain() != "",
        "to_scipy": lambda rng: is_multiple(A.to_scipy() @ x, dense),
        "pagerank": lambda rng: np.array_equal(tulle.pagerank(A, **few).ranks, ranks),
    }


def of_batch():
    S, count = banded(40), 1000
    values = np.tile(S.data, (count, 1))
    B, x = tulle.batch(values, pattern=S), np.tile(np.arange(40) % 5 - 2.0, (count, 1))
    once = B @ x
    return {
        "update": lambda rng: B.update(values * rng.choice(FACTORS)) is None,
        "multiply": lambda rng: is_multiple(B @ x, once),
        "dot": lambda rng: is_multiple(B.dot(x, out=np.empty((count, 40))), once),
    }


@pytest.mark.parametrize("actions", [lambda: of_matrix(False), lambda: of_matrix(True), of_batch],
                         ids=["borrowed", "copied", "batch"])
def test_random_interleavings(actions):
    actions, faults, refused, done = actions(), [], [], []

    def act(seed):
        rng = np.random.default_rng(seed)
        for _ in range(TURNS):
            name = str(rng.choice(list(actions)))
            try:
                (done if actions[name](rng) else faults).append(name)
            except RuntimeError as error:
                refused.append(name)
                if "another thread multiplies" not in str(error):
                    faults.append(f"{name}: {error}")
            except Exception as error:
                faults.append(f"{name}: {error!r}")

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=act, args=(seed,)) for seed in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not faults
    assert set(refused) <= {"update"} and len(done) + len(refused) == THREADS * TURNS


def replaced_during_a_product(A, X, values, others):
    """Whether `values`, which A is updated to, lived on when a product with them ran and A was planned anew and
    updated to `others`; None if the product ended too soon to tell."""
    alive, ended = weakref.ref(values), threading.Event()
    A.update(values)
    del values

    def multiply():
        A @ X
        ended.set()

    thread = threading.Thread(target=multiply)
    thread.start()
    while not ended.is_set():
        try:
            A.update(alive())
        except RuntimeError:
            break  # the product runs
        time.sleep(0.001)
    A.plan(format="csr")
    A.update(others)
    lived, told = alive() is not None, not ended.is_set()
    thread.join()
    assert alive() is None, "kept for ever"
    return lived if told else None


def test_values_live_while_a_product_reads_them():
    """With the interpreter's own switching off, a thread that has ended its product says so at once."""
    n = 100_000
    S, X = banded(n), np.ones((n, 64))
    A = tulle.matrix(S).plan(format="csr")
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    tulle.set_threads(1)
    try:
        told = (replaced_during_a_product(A, X, S.data * 2, S.data * 4) for _ in range(20))
        lived = next((one for one in told if one is not None), None)
    finally:
        sys.setswitchinterval(before)
        tulle.set_threads(None)
    assert lived is not None, "the products are too short to tell"
    assert lived, "freed during the product"


def test_code_that_runs_when_old_values_are_given_back():
    """A plan made by it has the new values."""
    S, x = banded(100), np.ones(100)
    A, old = tulle.matrix(S).plan(format="csr"), S.data * 2
    weakref.finalize(old, A.plan, format="csr")
    A.update(old)
    del old
    A.update(S.data * 4)
    np.testing.assert_array_equal(A @ x, 4 * (S @ x))
