"""tulle.accelerate: what SciPy's matrices compute stays the same, whatever is changed in them, and all is put back."""

import copy
import gc
import os
import pickle
import signal
import threading
import weakref

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sla
from scipy.sparse._compressed import _cs_matrix

import tulle
from conftest import whole
from tulle import _accelerate

METHODS = ("_matmul_vector", "_matmul_multivector")
ORIGINAL = {name: vars(_cs_matrix)[name] for name in METHODS}


@pytest.fixture(autouse=True)
def restored():
    yield
    assert {name: vars(_cs_matrix)[name] for name in METHODS} == ORIGINAL
    assert not _accelerate._blocks and not _accelerate._seen


def by_tulle():
    return tulle.statistics()["products_by_tulle"]


def readonly(S):
    for array in (S.data, S.indices, S.indptr):
        array.flags.writeable = False
    return S


def by_scipy(S, x):
    """S @ x by SciPy's own methods."""
    return ORIGINAL[METHODS[x.ndim - 1]](S, x)


# ---- results ----

@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("form", ["csr_array", "csr_matrix", "csc_array", "csc_matrix"])
@pytest.mark.parametrize("how", ["writable", "read-only", "frozen"])
def test_products(dense, rng, how, form, dtype, index):
    S = getattr(sp, form)(dense.astype(dtype))
    S.indices, S.indptr = S.indices.astype(index), S.indptr.astype(index)
    S = readonly(S) if how == "read-only" else S
    x, X = whole(rng, 20, dtype=dtype), whole(rng, 20, 5, dtype=dtype)
    wide = np.repeat(X, 2, axis=1)
    xs = [x, x[::-1], X, np.asfortranarray(X), wide[:, ::2], X[:, :1], X[:, :0], x.tolist(), np.asmatrix(X)]
    expected = [S @ one for one in xs] + [S.dot(x), X.T @ S.T]
    with tulle.accelerate(after=0, frozen=how == "frozen"):
        results = [S @ one for one in xs] + [S.dot(x), X.T @ S.T]
        for ours, theirs in zip(results, expected, strict=True):
            assert type(ours) is type(theirs) and ours.dtype == theirs.dtype and ours.flags.writeable
            assert ours.flags.c_contiguous == theirs.flags.c_contiguous and ours.shape == theirs.shape
            np.testing.assert_array_equal(ours, theirs)
        used = form.startswith("csr") or how != "writable"
        assert by_tulle() >= 9 if used else tulle.statistics()["products_by_scipy"] >= 9


@pytest.mark.parametrize("of_x", ["float16", "float32", "float64", "longdouble", "complex128", "int64", "bool", ">f8"])
@pytest.mark.parametrize("of_S", ["float32", "float64", "complex64", "int32", "bool", "longdouble"])
def test_pairs_of_types(dense, of_S, of_x):
    """Only pairs that tulle computes as SciPy does are taken; the others have SciPy's result."""
    S, x = sp.csr_array(dense.astype(of_S)), np.arange(20).astype(of_x)
    expected = S @ x
    with tulle.accelerate(after=0):
        y = S @ x
        assert y.dtype == expected.dtype and by_tulle() == (of_S == of_x and of_S in ("float32", "float64"))
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("given", [np.ones(19), np.ones((19, 2)), "text", None])
def test_errors_are_those_of_scipy(dense, given):
    S = sp.csr_array(dense)
    for _ in range(2):
        with pytest.raises((TypeError, ValueError)) as theirs:
            S @ given
        with tulle.accelerate(after=0), pytest.raises(type(theirs.value)) as ours:
            S @ given
        assert str(ours.value) == str(theirs.value)


@pytest.mark.parametrize("S", [sp.csr_array((3, 4)), sp.csr_array((0, 4)), sp.csr_array((3, 0)), sp.csr_array([1.0, 0, 2]),
                               sp.bsr_array(np.ones((4, 4))), sp.coo_array(np.ones((4, 4))), sp.dia_array(np.eye(4))],
                         ids=repr)
def test_other_matrices_are_left_alone(S):
    expected = S @ np.ones(S.shape[-1])
    with tulle.accelerate(after=0):
        for _ in range(3):
            np.testing.assert_array_equal(S @ np.ones(S.shape[-1]), expected)
        assert S.format != "csr" or by_tulle() == 0  # coo and dia may use csr inside


def test_only_after_some_products(dense):
    S = sp.csr_array(dense)
    with tulle.accelerate(after=3):
        for count in range(1, 8):
            np.testing.assert_array_equal(S @ np.ones(20), dense @ np.ones(20))
            assert by_tulle() == max(0, count - 3)
    with pytest.raises(ValueError, match="after = -1"):
        tulle.accelerate(after=-1)


@pytest.mark.parametrize("entries, expected", [(1_000, 2_000), (50_000, 40), (400_001, 5), (600_000, 5)])
def test_small_matrices_are_planned_later(entries, expected):
    """By default SciPy has multiplied two million entries before a plan is made, in five products or more."""
    S = sp.csr_array((np.ones(entries), np.zeros(entries, "i4"), np.array([0, entries], "i4")), shape=(1, 1))
    with tulle.accelerate():
        for _ in range(expected):
            S @ np.ones(1)
        assert by_tulle() == 0
        assert (S @ np.ones(1))[0] == entries and by_tulle() == 1
        told = tulle.statistics()
        assert told["products_by_scipy"] == expected and told["borrowed"] == 1


def test_scattered_products(rng):
    """csc arrays that may change are multiplied where they are if there are enough entries, by more than one thread."""
    S, x = scattered(rng), whole(rng, 60_000)
    expected, threads = S @ x, tulle.get_threads()
    try:
        for count in (1, 2):
            tulle.set_threads(count)
            with tulle.accelerate(after=2):
                for _ in range(5):
                    y = S @ x
                    np.testing.assert_array_equal(y, expected)
                    assert y.flags.writeable
                told = tulle.statistics()
            assert told["products_by_tulle"] == (3 if count == 2 else 0)
            assert told["products_by_tulle"] + told["products_by_scipy"] == 5
            assert told["borrowed"] == told["matrices"] == count - 1 and told["conversions"] == 0
    finally:
        tulle.set_threads(threads)


@pytest.mark.parametrize("rows", [5_000, 60_000])
def test_scattering_pays_for_short_results_only(rng, rows):
    """With five entries per element of y, SciPy is faster."""
    S = scattered(rng, rows=rows)
    with tulle.accelerate(after=0):
        S @ np.ones(60_000)
        assert by_tulle() == (rows == 5_000)


def test_csc_that_may_change_is_not_kept(dense):
    """Not even counted: S.T @ x makes a new one each time."""
    S = sp.csr_array(dense)
    with tulle.accelerate(after=0):
        for _ in range(3):
            np.testing.assert_array_equal(S.T @ np.ones(30), dense.T @ np.ones(30))
        assert not _accelerate._seen
        told = tulle.statistics()
    assert told["matrices"] == 0 and told["products_by_scipy"] == 3


# ---- changes in place ----

PAYS = 600  # products of a large matrix after which a conversion pays on every machine; 200 where gathers are slow


def large(rng, skewed):
    """Many parts; skewed: a row that is cut into several."""
    n = 20_000
    lengths = rng.integers(0, 6, n)
    if skewed:
        lengths[100] = 15_000
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype("int32")
    return sp.csr_array((rng.integers(1, 9, indptr[-1]) * 1.0, rng.integers(0, n, indptr[-1]).astype("int32"), indptr), shape=(n, n))


def scattered(rng, columns=60_000, rows=5_000):
    """A csc matrix with so many entries per row that tulle multiplies it although it may change."""
    indptr = np.concatenate([[0], np.cumsum(rng.integers(0, 12, columns))]).astype("int32")
    return sp.csc_array((rng.integers(1, 9, indptr[-1]) * 1.0, rng.integers(0, rows, indptr[-1]).astype("int32"), indptr),
                        shape=(rows, columns))


def replaced_values(S):
    S.data = 2 * S.data


def scaled(S):
    S *= 3


def one_offset(S):
    """The last entry of a row becomes the first of the next one."""
    row = np.flatnonzero(np.diff(S.indptr))[len(S.indptr) // 3]
    S.indptr[row + 1] -= 1


def all_offsets(S):
    """All entries in the last row, for which no plan has cut the work."""
    S.indptr[1:-1] = 0


def fewer_entries(S):
    S.indptr[-1] = S.indptr[-2] = S.indptr[-3]


def without_zeros(S):
    S.data[::3] = 0
    S.eliminate_zeros()


def length(S):
    """Indices are below it."""
    return S.shape[S.format == "csr"]


def indices_reversed(S):
    S.indices[:] = length(S) - 1 - S.indices


CHANGES = {
    "data": lambda S: S.data.__setitem__(5, 1000.0),
    "all data": lambda S: S.data.__imul__(2),
    "indices": lambda S: S.indices.__setitem__(5, (S.indices[5] + 1) % length(S)),
    "all indices": indices_reversed,
    "indptr": one_offset,
    "all of indptr": all_offsets,
    "end of indptr": fewer_entries,
    "replaced data": replaced_values,
    "S *= 3": scaled,
    "sorted": lambda S: S.sort_indices(),
    "duplicates": lambda S: S.sum_duplicates(),
    "zeros": without_zeros,
    "resized": lambda S: S.resize(S.shape[0] - 7, S.shape[1]),
    "element": lambda S: S.__setitem__((3, 4), 77.0),
    "diagonal": lambda S: S.setdiag(5.0),
}


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.parametrize("size", ["small", "large", "skewed", "csc"])
@pytest.mark.parametrize("change", CHANGES)
def test_changes_are_seen(dense, rng, change, size):
    """An element of every array is changed between two products, or all of them, in every way that SciPy has."""
    S = sp.csr_array(dense) if size == "small" else scattered(rng) if size == "csc" else large(rng, size == "skewed")
    x, X = np.arange(1.0, S.shape[1] + 1), whole(rng, S.shape[1], 3)
    with tulle.accelerate(after=0):
        for _ in range(3):
            for given in (x, X):
                np.testing.assert_array_equal(S @ given, by_scipy(S, given))
        before = S @ x
        CHANGES[change](S)
        for given in (x, X):
            np.testing.assert_array_equal(S @ given, by_scipy(S, given))
        if change not in ("sorted", "duplicates"):
            assert not np.array_equal(S @ x, before)
        told = tulle.statistics()
        assert told["products_by_scipy"] == (4 if size == "csc" else 0)  # several vectors times csc
        assert told["conversions"] == 0


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_conversions_need_a_promise(rng, form):
    """A matrix with writable arrays is never copied. A read-only one is, until it can be written to."""
    S, x = large(rng, False).asformat(form), whole(rng, 20_000)
    expected = S @ x
    with tulle.accelerate(after=1):
        for _ in range(PAYS):
            S @ x
        assert tulle.statistics()["conversions"] == 0
        readonly(S)
        for _ in range(PAYS):
            np.testing.assert_array_equal(S @ x, expected)
        told = tulle.statistics()
        assert told["conversions"] > 0 and told["bytes"] > 0 and told["seconds_planning"] > 0
        S.data.flags.writeable = True
        S.data *= 2
        for _ in range(3):
            np.testing.assert_array_equal(S @ x, 2 * expected)
    with tulle.accelerate(after=1, frozen=True):
        for _ in range(PAYS):
            np.testing.assert_array_equal(S @ x, 2 * expected)
        assert tulle.statistics()["conversions"] > 0
        with tulle.accelerate(after=1):  # no promise here
            S.data /= 2
            for _ in range(3):
                np.testing.assert_array_equal(S @ x, expected)


def test_arrays_that_tulle_refuses(dense):
    S = sp.csr_array(dense)
    apart = np.repeat(S.data, 2)
    S.data = apart[::2]  # not contiguous: a copy would not see changes
    with tulle.accelerate(after=0):
        np.testing.assert_array_equal(S @ np.ones(20), dense @ np.ones(20))
        S.data *= 2
        np.testing.assert_array_equal(S @ np.ones(20), 2 * dense @ np.ones(20))
        assert by_tulle() == 0
        S.data = S.data.copy()  # other arrays are tried again
        np.testing.assert_array_equal(S @ np.ones(20), 2 * dense @ np.ones(20))
        assert by_tulle() == 1


# ---- blocks ----

def test_nested_blocks_and_exceptions(dense):
    S, outer, inner = sp.csr_array(dense), tulle.accelerate(after=0), tulle.accelerate(after=100)
    with outer:
        assert vars(_cs_matrix)["_matmul_vector"] is not ORIGINAL["_matmul_vector"]
        with inner, inner, outer:
            S @ np.ones(20)
        with pytest.raises(KeyError), inner:
            raise KeyError
        S @ np.ones(20)
        assert by_tulle() == 2  # one count for all blocks
    assert S @ np.ones(20) is not None and by_tulle() == 2
    with pytest.raises(KeyError), outer:
        raise KeyError
    assert by_tulle() == 0  # a new outermost block
    with outer:  # blocks that do not end in order
        inner.__enter__()
        outer.__exit__()
        inner.__exit__()
        outer.__enter__()


def test_another_wrapper_stays(dense, monkeypatch):
    S, calls = sp.csr_array(dense), []
    with tulle.accelerate(after=0):
        ours = _cs_matrix._matmul_vector

        def counting(S, x):
            calls.append(1)
            return ours(S, x)

        _cs_matrix._matmul_vector = counting
        S @ np.ones(20)
    assert _cs_matrix._matmul_vector is counting
    np.testing.assert_array_equal(S @ np.ones(20), dense @ np.ones(20))
    assert len(calls) == 2 and by_tulle() == 1
    _cs_matrix._matmul_vector = ORIGINAL["_matmul_vector"]


@pytest.mark.parametrize("frozen", [False, True])
def test_threads(rng, frozen):
    """Threads share matrices and have their own; every product is counted, and right."""
    shared, rounds, wrong = large(rng, True), 60, []
    xs = [whole(rng, 20_000) for _ in range(4)]
    expected = [shared @ x for x in xs]

    def work(k):
        own = shared.copy()
        for n in range(rounds):
            if not np.array_equal(shared @ xs[k], expected[k]) or not np.array_equal(own @ xs[k], expected[k] * (n + 1)):
                wrong.append((k, n))
            if not frozen:
                own.data += shared.data
            else:
                own = sp.csr_array((own.data + shared.data, own.indices, own.indptr), shape=own.shape)

    with tulle.accelerate(after=2, frozen=frozen):
        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        told = tulle.statistics()
    assert not wrong
    assert told["products_by_tulle"] + told["products_by_scipy"] == 2 * 4 * rounds
    assert told["products_by_tulle"] > 100


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_goes_on(dense):
    """Another thread of the parent has the lock at the time of the fork."""
    S, held, done = sp.csr_array(dense), threading.Event(), threading.Event()

    def hold():
        with _accelerate._lock:
            held.set()
            done.wait(60)

    with tulle.accelerate(after=0):
        S @ np.ones(20)
        holder = threading.Thread(target=hold)
        holder.start()
        held.wait(60)
        child = os.fork()
        if child == 0:
            signal.alarm(20)  # ends a child that waits for ever
            os._exit(0 if np.array_equal(S @ np.ones(20), dense @ np.ones(20)) else 1)
        status = os.waitpid(child, 0)[1]
        done.set()
        holder.join()
    assert status == 0


@pytest.mark.parametrize("frozen", [False, True])
def test_nothing_is_kept(dense, frozen):
    """Matrices, arrays and plans go when the caller lets go of the matrix, also in cycles."""
    with tulle.accelerate(after=0, frozen=frozen):
        for form in ("csr", "csc"):
            S = getattr(sp, f"{form}_array")(dense)
            S @ np.ones(20)
            gone = [weakref.ref(S), weakref.ref(S.data), weakref.ref(S.indices), weakref.ref(S.indptr)]
            S.itself = S
            del S
            gc.collect()
            assert all(one() is None for one in gone) and not _accelerate._seen
        for _ in range(1000):
            sp.csr_array(dense) @ np.ones(20)
        told = tulle.statistics()
        assert not _accelerate._seen and told["matrices"] == (1002 if frozen else 1001) and told["bytes"] == 0


def test_copies_and_pickles_are_as_ever(dense):
    S = sp.csr_array(dense)
    names = set(vars(S))
    with tulle.accelerate(after=0):
        S @ np.ones(20)
        for other in (copy.copy(S), copy.deepcopy(S), pickle.loads(pickle.dumps(S)), S.copy()):
            np.testing.assert_array_equal(other @ np.ones(20), S @ np.ones(20))
        assert set(vars(S)) == names


# ---- solvers ----

def test_solvers(rng):
    """SciPy's solvers, called as they always are, multiply by tulle."""
    n = 30
    line = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    S = (sp.kron(sp.eye_array(n), line) + sp.kron(line, sp.eye_array(n))).tocsr()
    b, v = np.ones(n * n), rng.random(n * n)
    calls = {
        "cg": lambda: sla.cg(S, b, rtol=1e-10)[0],
        "gmres": lambda: sla.gmres(S, b, rtol=1e-10)[0],
        "eigsh": lambda: np.sort(sla.eigsh(S, k=3, which="LA", v0=v, return_eigenvectors=False)),
        "svds": lambda: np.sort(sla.svds(S, k=3, v0=v, return_singular_vectors=False)),
        "lsqr": lambda: sla.lsqr(S, b, atol=1e-12, btol=1e-12)[0],
        "expm_multiply": lambda: sla.expm_multiply(-S, b),
    }
    for name, call in calls.items():
        expected = call()
        with tulle.accelerate(after=5):
            result = call()
            assert by_tulle() > 5, name
        # ||S|| ||S^-1|| < 400, and both are solved to 1e-10.
        np.testing.assert_allclose(result, expected, rtol=1e-6, atol=1e-6 * abs(expected).max(), err_msg=name)
