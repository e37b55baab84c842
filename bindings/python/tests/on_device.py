"""Products on the device that the environment offers; test_devices.py runs this. Whole numbers, so results are exact."""

import gc
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

import tulle
from conftest import whole
from standin_arrays import Driver, DLPack, Interface, cupy_csr, torch_csr
from tulle import _core

USABLE = [one for one in tulle.devices() if one["usable"]]
if not USABLE:
    pytest.skip("; ".join(one["why"] for one in tulle.devices()) or "no driver offers a device", allow_module_level=True)
NAME = USABLE[0]["name"]
TYPES = ["float32", "float64"]
cuda = pytest.mark.skipif(not NAME.startswith("cuda:"), reason="needs CUDA")


@pytest.fixture
def driver():
    made = Driver()
    yield made
    gc.collect()  # what is left of tulle's objects goes before the memory
    made.close()


@pytest.fixture
def S(dense):
    return sp.csr_array(dense)


@pytest.fixture
def x(rng):
    return whole(rng, 20)


# ---- every device ----

@pytest.mark.parametrize("dtype", TYPES)
def test_arrays_of_the_host(dense, rng, dtype):
    d = dense.astype(dtype)
    A = tulle.matrix(sp.csr_array(d))
    D, T = A.on(NAME), A.T.on()
    x, y = whole(rng, 20, dtype=dtype), whole(rng, 30, dtype=dtype)
    assert (D.shape, T.shape, D.dtype, D.nnz, D.ndim) == ((30, 20), (20, 30), dtype, A.nnz, 2)
    np.testing.assert_array_equal(D @ x, d @ x)
    np.testing.assert_array_equal(D @ x[::-1], d @ x[::-1])
    np.testing.assert_array_equal(D @ ([1] * 20), d @ np.ones(20))
    np.testing.assert_array_equal(T @ y, d.T @ y)
    want = 2 * (d @ x) + 3 * y
    assert D.dot(x, out=y, alpha=2, beta=3) is y
    np.testing.assert_array_equal(y, want)


def test_vectors_stay_on_the_device(dense, S, x):
    A = tulle.matrix(S)
    D, home = A.on(NAME), tulle.device(NAME)
    v = home.vector(x)
    assert (v.size, len(v), v.shape, v.dtype, v.device) == (20, 20, (20,), "float64", home) and v.stream is None
    y = D @ v
    np.testing.assert_array_equal(y.numpy(), dense @ x)
    np.testing.assert_array_equal((A @ v).numpy(), dense @ x)  # on the device by itself
    for product in (A.T @ y, y @ A):
        np.testing.assert_array_equal(product.numpy(), dense.T @ (dense @ x))
    np.testing.assert_array_equal((v @ A.T).numpy(), dense @ x)
    assert D.dot(v, out=y, alpha=2, beta=-1) is y
    np.testing.assert_array_equal(np.asarray(y, "float32"), dense @ x)
    assert home.vector([1, 2]).dtype == "float64" and home.vector([1, 2], "float32").dtype == "float32"
    home.finish()


def test_updates(dense, S, x):
    """In the order of the arrays that the matrix was made from, here by columns."""
    C = S.tocsc()
    A = tulle.matrix(C)
    first, second = C.copy(), C.copy()
    first.data, second.data = first.data + 1, second.data * 2
    A.update(first.data)
    D = A.on(NAME, updates=True, format="sell")
    np.testing.assert_array_equal(D @ x, first @ x)
    D.update(second.data)
    np.testing.assert_array_equal(D @ x, second @ x)
    D.update(tulle.device(NAME).vector(C.data))
    np.testing.assert_array_equal(D @ x, dense @ x)
    np.testing.assert_array_equal(A.on(NAME) @ x, first @ x)
    with pytest.raises(ValueError, match=r"values has shape \(3,\)"):
        D.update([1, 2, 3])
    with pytest.raises(NotImplementedError, match="without options.updates"):
        A.on(NAME).update(C.data)
    v = tulle.device(NAME).vector(x)
    np.testing.assert_array_equal((A @ v).numpy(), first @ x)
    A.update(second.data)
    np.testing.assert_array_equal((A @ v).numpy(), second @ x)


def test_choice_and_words(S):
    A = tulle.matrix(S)
    D = A.on(NAME)
    ranked = A.rank(NAME)
    assert D.describe()["format"] == ranked[0]["format"] == A.rank(tulle.device(NAME))[0]["format"]
    assert D.describe()["launches"] == ranked[0]["launches"]
    assert f"on {NAME}" in D.explain() and ranked[0]["format"] in D.explain()
    assert A.on(NAME, format="csr:kernel=scalar").describe()["format"] == "csr:kernel=scalar"
    assert A.on(NAME, reproducible=True).describe()["same_bits"]
    assert NAME in repr(D) and NAME in repr(tulle.device()) and NAME in repr(tulle.device().vector([1.0]))
    assert tulle.device(NAME) is tulle.device(NAME) is tulle.device()
    D.prepare()
    with pytest.raises(ValueError, match="there is no such format"):
        A.on(NAME, format="none")
    with pytest.raises(ValueError, match="there is no device"):
        A.on("cuda:77")
    with pytest.raises(NotImplementedError, match="atomics"):
        A.on(NAME, format="csc", reproducible=True)


def test_example(capsys):
    runpy.run_path(str(Path(__file__).parent.parent / "examples/device.py"))
    told = capsys.readouterr().out
    # 50 products of rows with sum 1: the error is below 50 times that of a row's five products.
    assert float(told.split()[-1]) <= 50 * 6 * np.finfo("float64").eps and f"on {NAME}" in told


def test_refused_on_the_host(S, x):
    D = tulle.matrix(S).on(NAME)
    v = tulle.device(NAME).vector(x)
    y = tulle.device(NAME).vector(np.ones(30))
    refused = [(lambda: D @ x[1:], ValueError, r"x has shape \(19,\)"),
               (lambda: D @ np.ones((20, 2)), ValueError, r"shape \(20, 2\)"),
               (lambda: D @ (x * 1j), TypeError, "complex"),
               (lambda: D.dot(x, beta=1), ValueError, "no out"),
               (lambda: D.dot(x, out=np.ones(30, "float32")), ValueError, "float64"),
               (lambda: D.dot(x, out=np.ones(60)[::2]), ValueError, "contiguous"),
               (lambda: D.dot(v, out=np.ones(30)), TypeError, "on the host"),
               (lambda: D.dot(x, out=v), TypeError, "on the host"),
               (lambda: D @ y, ValueError, r"x has shape \(30,\); expected \(20,\)"),
               (lambda: D @ tulle.device(NAME).vector(x.astype("float32")), TypeError, r"x.astype\('float64'\)"),
               (lambda: tulle.matrix(sp.eye_array(20).tocsr()).on(NAME).dot(v, out=v), ValueError, "share memory"),
               (lambda: np.asarray(v, copy=False), ValueError, "without a copy")]
    for call, error, words in refused:
        with pytest.raises(error, match=words):
            call()


@pytest.mark.skipif(NAME.startswith("cuda:"), reason="of OpenCL")
def test_opencl_has_no_streams(S, x):
    D = tulle.matrix(S).on(NAME)
    v = tulle.device(NAME).vector(x)
    assert v.__dlpack_device__() == (4, 0) and not hasattr(v, "__cuda_array_interface__")
    for call, error in [(lambda: D.dot(v, stream=1), TypeError), (v.__dlpack__, BufferError)]:
        with pytest.raises(error, match="opencl:0"):
            call()
    theirs = SimpleNamespace(__cuda_array_interface__={"version": 3, "shape": (20,), "typestr": "<f8", "data": (64, False)})
    with pytest.raises(TypeError, match=r"A.on\('cuda:0'\)"):
        D @ theirs


# ---- streams and arrays of CUDA ----

@cuda
@pytest.mark.parametrize("which", ["legacy", "thread", "own"])
@pytest.mark.parametrize("dtype", TYPES)
def test_stream_of_the_interface(driver, dense, rng, dtype, which):
    """x is still to be written in the caller's stream, and only that stream is waited for."""
    d = dense.astype(dtype)
    stream = {"legacy": 1, "thread": 2, "own": driver.stream()}[which]
    D = tulle.matrix(sp.csr_array(d)).on(NAME)
    host = whole(rng, 20, dtype=dtype)
    x = Interface(driver, host, stream=stream, wait=False)
    out = Interface(driver, np.zeros(30, dtype), stream=stream, wait=False)
    assert D.dot(x, out=out, alpha=3) is out
    np.testing.assert_array_equal(out.numpy(), 3 * (d @ host))
    y = D @ x
    assert y.stream == stream
    np.testing.assert_array_equal(driver.read(y._pointer, 30, dtype, stream), d @ host)


@cuda
@pytest.mark.parametrize("changes", [{"version": 2, "stream": None}, {"stream": None}, {"strides": None},
                                     {"data": None}])
def test_interfaces(driver, dense, S, x, changes):
    """Version 2 has no stream; strides may be left out; x may be read-only, and be a part of an array."""
    there = Interface(driver, x, first=5)
    if "data" in changes:
        changes = {"data": (there.pointer, True)}
    there.__cuda_array_interface__.update(changes)
    np.testing.assert_array_equal((tulle.matrix(S) @ there).numpy(), dense @ x)


@cuda
def test_streams_that_differ(driver, dense, S, x):
    """What was written in another stream is waited for."""
    D = tulle.matrix(S).on(NAME)
    first, second = driver.stream(), driver.stream()
    there = Interface(driver, x, stream=first, wait=False)
    out = Interface(driver, np.ones(30), stream=second, wait=False)
    D.dot(there, out=out, beta=1, stream=SimpleNamespace(ptr=second))
    np.testing.assert_array_equal(out.numpy(), dense @ x + 1)
    y = D.dot(there, stream=SimpleNamespace(cuda_stream=second))
    z = tulle.matrix(S).T.on(NAME).dot(y, stream=SimpleNamespace(__cuda_stream__=lambda: (0, first)))
    assert (y.stream, z.stream) == (second, first)
    np.testing.assert_array_equal(z.numpy(), dense.T @ (dense @ x))
    assert D.dot(there, stream=0).stream == 1
    with pytest.raises(ValueError, match="no stream"):
        D.dot(there, stream=-1)


@cuda
def test_streams_may_go(driver, dense, S, x):
    """The stand-in stops the process if a stream is used that is gone."""
    stream = driver.stream()
    D = tulle.matrix(S).on(NAME, format="csr5")
    out = Interface(driver, np.zeros(30), stream=stream)
    D.dot(Interface(driver, x, stream=stream), out=out)
    np.testing.assert_array_equal(out.numpy(), dense @ x)
    driver.call("cuStreamDestroy_v2", driver.streams.pop())
    del D


@cuda
@pytest.mark.parametrize("first", [0, 3])
def test_dlpack(driver, dense, S, x, first):
    D = tulle.matrix(S).on(NAME)
    stream = driver.stream()
    there, out = DLPack(driver, x, stream=stream, first=first, wait=False), DLPack(driver, np.zeros(30), first=first)
    D.dot(there, out=out)  # in the default stream, which is not the one of x
    assert (there.asked, out.asked, there.given_back, out.given_back) == ([1], [1], 1, 1)
    np.testing.assert_array_equal(out.numpy(), dense @ x)
    y = D.dot(there, stream=stream)
    assert there.asked == [1, stream] and there.given_back == 2
    np.testing.assert_array_equal(y.numpy(), dense @ x)


@cuda
def test_dlpack_is_given_back_when_done(driver, S, x):
    """The owner may reuse the memory at once: without a known stream the product must be finished by then."""
    D = tulle.matrix(S).on(NAME)
    there, stream = DLPack(driver, x), driver.stream()
    out = Interface(driver, np.zeros(30), changes={"stream": None})
    D.dot(there, out=out)
    driver.write(there.pointer, np.full(20, np.nan), stream)
    driver.wait(stream)
    np.testing.assert_array_equal(out.numpy(), S @ x)


@cuda
def test_current_stream_of_torch(driver, dense, S, x, monkeypatch):
    stream = driver.stream()
    current = SimpleNamespace(current_stream=lambda device: SimpleNamespace(cuda_stream=stream))
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(Tensor=DLPack, cuda=current))
    there = DLPack(driver, x, stream=stream, wait=False)
    y = tulle.matrix(S) @ there
    assert y.stream == stream and there.asked == [stream]
    np.testing.assert_array_equal(y.numpy(), dense @ x)


@cuda
def test_exports(driver, dense, S, x):
    """A result is used where it is, by either protocol, and kept by who takes it."""
    stream = driver.stream()
    D = tulle.matrix(S).on(NAME)
    y = D.dot(Interface(driver, x, stream=stream), stream=stream)
    told = y.__cuda_array_interface__
    assert told == {"shape": (30,), "typestr": "<f8", "data": (y._pointer, False), "strides": None, "version": 3,
                    "stream": stream}
    assert y.__dlpack_device__() == (2, 0)
    for reader, done in [(-1, False), (stream, False), (None, True)]:
        D.dot(Interface(driver, x, stream=stream), out=y)
        y.device._finish(stream)
        D.dot(Interface(driver, np.zeros(20), stream=stream), out=y)
        pointer, shape, strides, code, bits, lanes, kind, number, owner = _core._dlpack_open(y.__dlpack__(stream=reader))
        assert (pointer, shape, strides, code, bits, lanes, kind, number) == (y._pointer, (30,), (1,), 2, 64, 1, 2, 0)
        got = driver.read(pointer, 30, "float64", 1)  # in a stream that does not wait for ours
        np.testing.assert_array_equal(got, np.zeros(30) if done else dense @ x)
        y.device._finish(stream)
    D.dot(Interface(driver, x, stream=stream), out=y)
    del y, D
    np.testing.assert_array_equal(driver.read(pointer, 30, "float64", stream), dense @ x)
    del owner
    y = tulle.device(NAME).vector(x)
    y.__dlpack__()  # nobody takes the capsule: its destructor releases the memory
    for arguments in ({"stream": 0}, {"copy": True}, {"dl_device": (1, 0)}):
        with pytest.raises((ValueError, BufferError)):
            y.__dlpack__(**arguments)


@cuda
@pytest.mark.parametrize("make", [cupy_csr, torch_csr])
def test_matrices_of_the_device(driver, dense, S, x, make):
    A = tulle.matrix(make(driver, S))
    assert A.shape == (30, 20) and not A.shares_memory
    np.testing.assert_array_equal(A.to_scipy().toarray(), dense)
    np.testing.assert_array_equal(A @ x, dense @ x)
    there = Interface(driver, x)
    np.testing.assert_array_equal((A @ there).numpy(), dense @ x)
    np.testing.assert_array_equal(A.dot(there, out=Interface(driver, np.ones(30)), beta=1).numpy(), dense @ x + 1)
    A.update(Interface(driver, 2 * S.data))
    np.testing.assert_array_equal((A @ there).numpy(), 2 * (dense @ x))
    np.testing.assert_array_equal((A.T @ Interface(driver, np.ones(30))).numpy(), 2 * dense.sum(0))
    D = A.on(NAME, updates=True)
    D.update(DLPack(driver, S.data))
    np.testing.assert_array_equal((D @ there).numpy(), dense @ x)


@cuda
def test_arrays_of_the_device(driver, dense, S, x):
    given = tuple(Interface(driver, one) for one in (S.data, S.indices, S.indptr))
    A = tulle.matrix(given, shape=S.shape)
    assert not A.shares_memory
    np.testing.assert_array_equal(A @ x, dense @ x)
    A = tulle.matrix((S.data, *given[1:]), shape=S.shape)
    np.testing.assert_array_equal(A @ x, dense @ x)
    with pytest.raises(TypeError, match="indices has elements of int16"):
        tulle.matrix((given[0], Interface(driver, S.indices.astype("int16")), given[2]))


@cuda
def test_device_that_is_not_told(driver, S, x, monkeypatch):
    """With several devices, an array that has the interface only could be on any of them."""
    there = Interface(driver, x)
    monkeypatch.setattr(_core, "devices", lambda: [{"name": "cuda:0"}, {"name": "cuda:1"}])
    with pytest.raises(ValueError, match="which of 2 CUDA devices"):
        tulle.matrix(S) @ there
    np.testing.assert_array_equal((tulle.matrix(S).on(NAME) @ there).numpy(), S @ x)


@cuda
def test_empty(driver):
    D = tulle.matrix(sp.csr_array((0, 5))).on(NAME)
    assert (D @ Interface(driver, np.ones(5))).numpy().shape == (0,)
    none = Interface(driver, np.ones(0), changes={"data": (0, False)})
    np.testing.assert_array_equal((tulle.matrix(sp.csr_array((4, 0))).on(NAME) @ none).numpy(), np.zeros(4))


REFUSED = {
    "type": (lambda d, x: Interface(d, x.astype("float32")), TypeError, r"x is float32 .*x.astype\('float64'\)"),
    "integers": (lambda d, x: Interface(d, x.astype("int64")), TypeError, "x is int64"),
    "length": (lambda d, x: Interface(d, x[1:]), ValueError, r"x has shape \(19,\); expected \(20,\)"),
    "sides": (lambda d, x: Interface(d, x, {"shape": (20, 1), "strides": None}), ValueError, "columns, one at a time"),
    "strides": (lambda d, x: Interface(d, x, step=2), ValueError, "16 bytes apart: copy it first"),
    "backwards": (lambda d, x: Interface(d, x, {"strides": (-8,)}), ValueError, "-8 bytes apart"),
    "crooked": (lambda d, x: Interface(d, x, {"data": (4, False)}), ValueError, "not aligned"),
    "mask": (lambda d, x: Interface(d, x, {"mask": x}), TypeError, "mask"),
    "version": (lambda d, x: Interface(d, x, {"version": 1}), TypeError, "expected 2 or 3"),
    "stream": (lambda d, x: Interface(d, x, {"stream": 0}), ValueError, "either default stream"),
    "dlpack type": (lambda d, x: DLPack(d, x.astype("float32")), TypeError, "x is float32"),
    "dlpack code": (lambda d, x: DLPack(d, x, {"code": 4}), TypeError, "DLPack's type 4"),
    "dlpack strides": (lambda d, x: DLPack(d, x, step=2), ValueError, "16 bytes apart"),
    "dlpack length": (lambda d, x: DLPack(d, x[1:]), ValueError, r"shape \(19,\)"),
    "dlpack device": (lambda d, x: DLPack(d, x, device=(10, 0)), TypeError, "type 10; expected CUDA"),
    "dlpack number": (lambda d, x: DLPack(d, x, device=(2, 1)), ValueError, "x is on cuda:1"),
}


@cuda
@pytest.mark.parametrize("which", REFUSED)
def test_refused(driver, S, x, which):
    make, error, words = REFUSED[which]
    given = make(driver, x)
    with pytest.raises(error, match=words):
        tulle.matrix(S).on(NAME) @ given
    if isinstance(given, DLPack):
        assert given.given_back == len(given.asked)


@cuda
def test_out_refused(driver, S, x):
    D = tulle.matrix(sp.csr_array(S.toarray()[:20])).on(NAME)
    there = Interface(driver, x)
    for out, words in [(Interface(driver, x, {"data": (there.pointer, True)}), "read-only"), (there, "share memory"),
                       (Interface(driver, x, step=2), "not contiguous")]:
        with pytest.raises(ValueError, match=words):
            D.dot(there, out=out)
