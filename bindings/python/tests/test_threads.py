"""Python threads run during products, plans may be replaced meanwhile, forked children finish."""

import multiprocessing
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp

import tulle


def banded(n, width=8):
    """n x n with `width` entries per row; whole numbers, so products are exact."""
    col = (np.arange(n, dtype="int32")[:, None] + np.arange(width, dtype="int32")) % n
    val = np.arange(n * width) % 7 - 3.0
    return sp.csr_array((val, col.ravel(), np.arange(0, n * width + 1, width, dtype="int32")), (n, n))


def test_products_release_the_lock():
    """With the interpreter's own switching off, this thread can run during a product of another one
    only if that product has let go of the lock."""
    A, X = tulle.matrix(banded(200_000)), np.ones((200_000, 32))
    A @ X  # plans
    during, span, done = [], [], threading.Event()

    def multiply():
        time.sleep(0.02)
        begin = time.perf_counter()
        A @ X
        span.extend((begin, time.perf_counter()))
        done.set()

    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    tulle.set_threads(1)
    try:
        thread = threading.Thread(target=multiply)
        thread.start()
        while not done.is_set():
            during.append(time.perf_counter())
            time.sleep(0.0005)
        thread.join()
    finally:
        sys.setswitchinterval(before)
        tulle.set_threads(None)
    assert span[1] - span[0] > 0.005, "the product is too short to tell"
    assert sum(span[0] < t < span[1] for t in during) >= 3


def test_many_threads_share_a_matrix_that_is_planned_anew():
    S = banded(20_000)
    A, x = tulle.matrix(S), np.arange(20_000.0) % 5
    expected, faults = S @ x, []

    def multiply():
        for _ in range(50):
            if not np.array_equal(A @ x, expected):
                faults.append("wrong")

    threads = [threading.Thread(target=multiply) for _ in range(4)]
    for thread in threads:
        thread.start()
    for form in ["csr", "sell", "csr5", "csr"] * 3:
        A.plan(format=form)
    for thread in threads:
        thread.join()
    assert not faults


def test_updates_while_others_multiply_are_whole_or_refused():
    S = banded(20_000)
    A, x, faults = tulle.matrix(S, copy=True), np.ones(20_000), []
    stop = threading.Event()
    once = S @ x

    def multiply():
        while not stop.is_set():
            y = A @ x
            if not (np.array_equal(y, once) or np.array_equal(y, 2 * once)):
                faults.append("mixed")
            time.sleep(0.0002)  # or this thread would be at it whenever the other one looks

    thread = threading.Thread(target=multiply)
    thread.start()
    updates = 0
    for turn in range(200):
        try:
            A.update(S.data * (1 + turn % 2))
            updates += 1
        except RuntimeError as error:
            assert "another thread multiplies" in str(error)
        time.sleep(0.0003)
    stop.set()
    thread.join()
    assert not faults and updates > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_children_finish():
    S = banded(100_000)
    A, x = tulle.matrix(S), np.arange(100_000.0) % 5
    expected = S @ x
    assert np.array_equal(A @ x, expected)  # the parent has a team of threads now

    def child():
        again = tulle.matrix(S).plan(format="sell")
        right = np.array_equal(A @ x, expected) and np.array_equal(again @ x, expected)
        os._exit(0 if right else 1)

    fork = multiprocessing.get_context("fork")
    for number in range(100):
        process = fork.Process(target=child)
        process.start()
        process.join(60)
        if process.exitcode is None:
            process.kill()
        assert process.exitcode == 0, f"child {number}"


def test_threadpoolctl_sees_the_team():
    threadpoolctl = pytest.importorskip("threadpoolctl")
    with threadpoolctl.threadpool_limits(1, user_api="openmp"):
        assert tulle.get_threads() == 1


UPDATES = """
import os
import numpy, tulle
n = 200_000
col = ((numpy.arange(n)[:, None] + numpy.arange(8)) % n).ravel()
row_ptr = numpy.arange(0, 8 * n + 1, 8)
value = numpy.arange(8.0 * n) % 7 + 0.1
tulle.set_threads(1)
A = tulle.matrix((value, col, row_ptr), shape=(n, n)).plan(format="sell")
B = tulle.batch(numpy.array([value, value]), pattern=(col, row_ptr))
before = len(os.listdir("/proc/self/task"))
A.update(value + 1)
B.update(numpy.array([value, value + 1]))
print("started", len(os.listdir("/proc/self/task")) - before)
"""


def test_updates_use_the_threads_that_were_set():
    """In a process of its own: a team, once started, stays."""
    run = subprocess.run([sys.executable, "-c", UPDATES], capture_output=True, text=True, timeout=120, check=False)
    assert run.stdout.strip() == "started 0", run.stdout + run.stderr
