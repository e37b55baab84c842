"""Everything that exports a buffer x everything that takes one: the right numbers, or an exception.

Nothing here may crash, so the whole file is most of use under AddressSanitizer.
"""

import array
import ctypes
import mmap
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import tulle

CTYPES = {"float32": ctypes.c_float, "float64": ctypes.c_double, "int32": ctypes.c_int32, "int64": ctypes.c_int64}
REFUSALS = (TypeError, ValueError, BufferError)


class Exporter:
    """An object, whether it must be taken, and whether it must be taken to be written to."""

    def __init__(self, name, given, taken=False, written=False):
        self.name, self.given, self.taken, self.written = name, given, taken, written

    def numbers(self):
        """What it holds as numbers, or None."""
        try:
            held = np.asarray(self.given)
        except REFUSALS:
            return None
        if held.dtype.kind == "c":
            return held.astype("complex128")
        return held.astype("float64") if held.dtype.kind in "biuf" else None


def in_ctypes(a, kind):
    for side in reversed(a.shape):
        kind = kind * side
    made = kind()
    np.asarray(made)[...] = a
    return made


def in_mmap(a):
    m = mmap.mmap(-1, max(a.nbytes, 1))
    m[:a.nbytes] = a.tobytes()
    return m


def strided(a):
    apart = np.zeros((2 * len(a), *a.shape[1:]), a.dtype)
    apart[::2] = a
    return apart[::2]


def unaligned(a):
    raw = np.zeros(a.nbytes + 1, "u1")[1:].view(a.dtype).reshape(a.shape)
    raw[...] = a
    return raw


def readonly(a):
    a = a.copy()
    a.flags.writeable = False
    return a


def of_standard_library(a):
    letter, kind = a.dtype.char, CTYPES[a.dtype.name]
    yield Exporter("ctypes", in_ctypes(a, kind), True, True)
    yield Exporter("ctypes, swapped", in_ctypes(a, kind.__ctype_be__))
    yield Exporter("ctypes, a number", kind(1))
    yield Exporter("ctypes, empty", (kind * 0)())
    yield Exporter("ctypes, structure", type("S", (ctypes.Structure,), {"_fields_": [("a", kind)]})())
    if a.ndim == 1:
        yield Exporter("array", array.array(letter, a.tolist()), True, True)
    yield Exporter("bytes", a.tobytes())
    yield Exporter("bytearray", bytearray(a.tobytes()))
    yield Exporter("mmap", in_mmap(a))
    shape = list(a.shape)
    yield Exporter("memoryview of bytes", memoryview(a.tobytes()).cast("B").cast(letter, shape), True)
    yield Exporter("memoryview of bytearray", memoryview(bytearray(a.tobytes())).cast(letter, shape), True, True)
    yield Exporter("memoryview of mmap", memoryview(in_mmap(a))[:a.nbytes].cast(letter, shape), True, True)
    yield Exporter("memoryview of ctypes", memoryview(in_ctypes(a, kind)), True, True)
    yield Exporter("memoryview, uncast", memoryview(a.tobytes()))
    yield Exporter("memoryview, sliced", memoryview(strided(a)))
    yield Exporter("memoryview, reversed", memoryview(a[::-1].copy())[::-1] if a.ndim == 1 else memoryview(a[::-1]))
    yield Exporter("memoryview, no dimension", memoryview(a.tobytes()[:a.itemsize]).cast(letter, []))
    gone = memoryview(a.tobytes())
    gone.release()
    yield Exporter("memoryview, released", gone)
    yield Exporter("PickleBuffer", pickle.PickleBuffer(a.copy()), True, True)
    for thing in (object(), "text", 3.0, iter([]), {}):
        yield Exporter(f"no buffer: {type(thing).__name__}", thing)


def of_numpy(a):
    yield Exporter("numpy", a.copy(), True, True)
    yield Exporter("by columns", np.asfortranarray(a), True, True)
    yield Exporter("strided", strided(a), True)
    yield Exporter("reversed", a[::-1].copy()[::-1], True)
    yield Exporter("broadcast", np.broadcast_to(a[:1], a.shape), True)
    yield Exporter("readonly", readonly(a), True)
    yield Exporter("unaligned", unaligned(a), True)
    yield Exporter("swapped", a.astype(a.dtype.newbyteorder()), True)
    yield Exporter("no dimension", np.array(1, a.dtype))
    yield Exporter("three dimensions", a.reshape(*a.shape, *[1] * (3 - a.ndim)))
    yield Exporter("no elements", a[:0])
    yield Exporter("no elements, unaligned", unaligned(a)[:0])
    yield Exporter("no columns", np.empty((len(a), 0), a.dtype))
    yield Exporter("too long", np.concatenate([a, a]))
    for other in ("f2", "f4", "f8", "g", "i1", "u4", "i8", "u8", "?", "c8", "c16", "O", "U3", "S3", "S0", "M8[s]",
                  "V0", "V8", [("a", "f8")]):
        yield Exporter(f"as {other}", np.zeros(a.shape, other))


def of_testbuffer(a):
    """CPython's own tests have an exporter that leaves out and adds whatever the protocol knows."""
    if a.ndim != 1:
        return
    buffer = pytest.importorskip("_testbuffer")
    letter, items = a.dtype.char, a.tolist()
    pair = [items[0]] * (2 * len(items))
    yield Exporter("testbuffer", buffer.ndarray(items, shape=[len(a)], format=letter), True)
    yield Exporter("testbuffer, suboffsets", buffer.ndarray(pair, shape=[len(a), 2], format=letter, flags=buffer.ND_PIL))
    yield Exporter("testbuffer, no dimension", buffer.ndarray(items[0], shape=[], format=letter))
    yield Exporter("testbuffer, refuses", buffer.ndarray(items, shape=[len(a)], format=letter,
                                                         flags=buffer.ND_GETBUF_FAIL))


def exporters(a):
    yield from of_standard_library(a)
    yield from of_numpy(a)
    yield from of_testbuffer(a)


# ---- what takes a buffer ----

INDICES, INDPTR = np.array([1, 2, 0]), np.array([0, 1, 2, 3])
VALUES = np.array([2.0, 3.0, 5.0])
S = sp.csr_array((VALUES, INDICES, INDPTR), (3, 3))
D = S.toarray()
X1, X2 = np.array([1.0, -2.0, 4.0]), np.array([[1.0, 2.0], [3.0, -4.0], [5.0, 6.0]])


def with_values(v):
    return sp.csr_array((v, INDICES, INDPTR), (3, 3)).toarray()


def matrix():
    return tulle.matrix(sp.csr_array(S))


def updated(v):
    A = matrix().plan(format="csr")
    A.update(v)
    return A @ X1


def batch_updated(v):
    B = tulle.batch([S])
    B.update(v)
    return B @ X1


def ranks(v):
    return tulle.pagerank(S, personalization=v, tol=1e-13).ranks


def raw_ranks(v):
    out = np.empty(3)
    matrix()._pagerank(0.85, 1e-13, 0, v, False, None, out)
    return out


def raw_batch(x):
    y = np.empty(3)
    tulle.batch([S])._multiply(x, y, 1.0, 0.0)
    return y


# By name: the call, the expected result as a function of the numbers, the dimensions that it takes; for those
# of the C part alone, which converts nothing, also that.
READ = {
    "A @ x": (lambda x: matrix() @ x, lambda x: D @ x, (1, 2)),
    "A.T @ x": (lambda x: matrix().T @ x, lambda x: D.T @ x, (1, 2)),
    "x @ A": (lambda x: x @ matrix(), lambda x: x @ D, (1,)),
    "x @ A.T": (lambda x: x @ matrix().T, lambda x: x @ D.T, (1,)),
    "dot": (lambda x: matrix().dot(x, alpha=2), lambda x: 2 * D @ x, (1, 2)),
    "T.dot": (lambda x: matrix().T.dot(x), lambda x: D.T @ x, (1, 2)),
    "update": (updated, lambda v: with_values(v) @ X1, (1,)),
    "data": (lambda v: tulle.matrix((v, INDICES, INDPTR), shape=(3, 3)) @ X1, lambda v: with_values(v) @ X1, (1,)),
    "batch @ x": (lambda x: tulle.batch([S]) @ x, lambda x: D @ x, (1,)),
    "batch @ [x]": (lambda x: (tulle.batch([S]) @ [x])[0], lambda x: D @ x, (1,)),
    "batch.update": (batch_updated, lambda v: with_values(v) @ X1, (1,)),
    "scale": (lambda v: tulle.batch([S] * 3, scale=v) @ np.tile(X1, 3), lambda v: np.outer(v, D @ X1).ravel(), (1,)),
    "personalization": (ranks, lambda v: ranks(v.copy()), (1,)),
    "_core.Matrix._from_csr": (lambda v: tulle.Matrix._from_csr(3, 3, INDPTR, INDICES, v, False, 8) @ X1,
                               lambda v: with_values(v) @ X1, (1,), "C"),
    "_core.Batch._multiply": (raw_batch, lambda x: D @ x, (1,), "C"),
    "_core.Matrix._pagerank": (raw_ranks, lambda v: raw_ranks(v.copy()), (1,), "C"),
}

# What holds indices, with the array it takes the place of.
INDEXED = {
    "indices": (lambda i: tulle.matrix((VALUES, i, INDPTR), shape=(3, 3)) @ X1, INDICES),
    "indptr": (lambda p: tulle.matrix((VALUES, INDICES, p), shape=(3, 3)) @ X1, INDPTR),
    "pattern's indices": (lambda i: tulle.batch(VALUES[None], pattern=(i, INDPTR)) @ X1, INDICES),
    "pattern's indptr": (lambda p: tulle.batch(VALUES[None], pattern=(INDICES, p)) @ X1, INDPTR),
    "_core: indices": (lambda i: tulle.Matrix._from_csr(3, 3, INDPTR, i, VALUES, True, 8) @ X1, INDICES, "C"),
    "_core: indptr": (lambda p: tulle.Matrix._from_csr(3, 3, p, INDICES, VALUES, True, 8) @ X1, INDPTR, "C"),
}


def fits(exporter, shape, raw):
    """Whether an entry point that takes arrays of `shape` must take this one."""
    as_it_lies = exporter.written or exporter.name in ("readonly", "memoryview of bytes", "testbuffer", "broadcast")
    numbers = exporter.numbers()
    return exporter.taken and numbers.shape == shape and (not raw or as_it_lies and exporter.name != "broadcast")


@pytest.mark.parametrize("entry", READ)
def test_what_is_read(entry):
    call, expected, dimensions, *raw = READ[entry]
    for a in (X1 + 3, X2):
        for exporter in exporters(a):
            try:
                found = call(exporter.given)
            except REFUSALS as refusal:
                assert not (a.ndim in dimensions and fits(exporter, a.shape, raw)), (exporter.name, refusal)
                continue
            numbers = exporter.numbers()
            assert numbers is not None and numbers.ndim in dimensions, exporter.name
            np.testing.assert_array_equal(np.asarray(found), expected(numbers), exporter.name)


@pytest.mark.parametrize("entry", INDEXED)
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_indices(entry, dtype):
    call, right, *raw = INDEXED[entry]
    for exporter in exporters(right.astype(dtype)):
        try:
            found = call(exporter.given)
        except REFUSALS as refusal:
            same = exporter.name != "broadcast"  # the first index everywhere: no matrix, or another
            assert not (same and fits(exporter, right.shape, raw)), (exporter.name, refusal)
            continue
        held = exporter.numbers()
        if np.array_equal(held, right):
            np.testing.assert_array_equal(found, D @ X1, exporter.name)
        else:
            assert held.shape == right.shape and held.max() < 3, exporter.name


@pytest.mark.parametrize("entry", ["dot", "T.dot", "batch.dot", "_core.Batch._multiply", "_core.Matrix._pagerank"])
def test_what_is_written(entry):
    for x in (X1, X2):
        for exporter in exporters(np.full(x.shape, 7.0)):
            before, out = exporter.numbers(), exporter.given
            calls = {
                "dot": (lambda: matrix().dot(x, out=out), D @ x),
                "T.dot": (lambda: matrix().T.dot(x, out=out), D.T @ x),
                "batch.dot": (lambda: tulle.batch([S]).dot(x, out=out), D @ x),
                "_core.Batch._multiply": (lambda: tulle.batch([S])._multiply(x, out, 1.0, 0.0), D @ x),
                "_core.Matrix._pagerank": (lambda: matrix()._pagerank(0.85, 1e-13, 0, None, False, None, out),
                                           ranks(None)),
            }
            call, expected = calls[entry]
            try:
                call()
            except REFUSALS as refusal:
                must = exporter.written and (x.ndim == 1 or entry.endswith("dot") and "batch" not in entry)
                only_numpy = entry == "batch.dot" and not isinstance(out, np.ndarray)
                assert not must or only_numpy, (exporter.name, refusal)
                if before is not None:
                    np.testing.assert_array_equal(exporter.numbers(), before, exporter.name)
                continue
            assert np.shape(exporter.numbers()) == expected.shape, exporter.name
            np.testing.assert_array_equal(exporter.numbers(), expected, exporter.name)


@pytest.mark.parametrize("make", [lambda a: a.copy(), lambda a: memoryview(a.copy()),
                                  lambda a: in_ctypes(a, ctypes.c_double), lambda a: array.array("d", a)])
def test_borrowed_memory_is_told_of(make):
    """Whatever exports the values: shares_memory says whether a change of them is seen."""
    data = make(VALUES)
    A = tulle.matrix((data, INDICES.tolist(), INDPTR.tolist()), shape=(3, 3)).plan(format="csr")
    data[0] = 20.0
    assert A.shares_memory and (A @ X1)[0] == 20 * X1[1]
    assert not tulle.matrix((VALUES.tolist(), INDICES.tolist(), INDPTR.tolist())).shares_memory
