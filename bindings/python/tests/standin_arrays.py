"""Arrays in the memory of the stand-in for libcuda, as CuPy and PyTorch would show them."""

import ctypes
from types import SimpleNamespace

import numpy as np

CAPSULE_NEW = ctypes.pythonapi.PyCapsule_New
CAPSULE_NEW.restype = ctypes.py_object
CAPSULE_NEW.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Driver:
    """A program's own use of CUDA, beside tulle: memory, streams, copies, in the primary context."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.context = ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), 0)
        self.call("cuCtxPushCurrent_v2", self.context)
        self.memory, self.streams = [], []

    def call(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        assert status == 0, f"{name}: {status}"

    def stream(self):
        made = ctypes.c_void_p()
        self.call("cuStreamCreate", ctypes.byref(made), 1)
        self.streams.append(made)
        return made.value

    def allocate(self, size):
        made = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(made), ctypes.c_size_t(max(size, 1)))
        self.memory.append(made)
        return made.value

    def write(self, pointer, host, stream):
        """Queued only: the stand-in copies when somebody waits for the stream."""
        self.call("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(pointer), host.ctypes.data_as(ctypes.c_void_p),
                  ctypes.c_size_t(host.nbytes), ctypes.c_void_p(stream))

    def read(self, pointer, count, dtype, stream):
        host = np.empty(count, dtype)
        self.call("cuMemcpyDtoHAsync_v2", host.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(pointer),
                  ctypes.c_size_t(host.nbytes), ctypes.c_void_p(stream))
        self.wait(stream)
        return host

    def wait(self, stream):
        self.call("cuStreamSynchronize", ctypes.c_void_p(stream))

    def close(self):
        self.call("cuCtxSynchronize")
        for one in self.memory:
            self.call("cuMemFree_v2", one)
        for one in self.streams:
            self.call("cuStreamDestroy_v2", one)
        self.call("cuCtxPopCurrent_v2", ctypes.byref(self.context))
        self.call("cuDevicePrimaryCtxRelease_v2", 0)


class Array:
    """Memory of the device with the elements of `host`, `first` elements after its begin and `step` apart."""

    def __init__(self, driver, host, stream=1, first=0, step=1, wait=True):
        self.driver, self.dtype, self.count, self.step = driver, host.dtype, len(host), step
        self.whole = np.full(first + len(host) * step, 99, host.dtype)  # kept until the copy is done
        self.whole[first::step] = host
        self.base = driver.allocate(self.whole.nbytes)
        self.pointer = self.base + first * host.itemsize
        self.stream = stream
        driver.write(self.base, self.whole, stream)
        if wait:
            driver.wait(stream)

    def numpy(self, stream=None):
        return self.driver.read(self.pointer, self.count, self.dtype, stream or self.stream)


class Interface(Array):
    """An array of CuPy: __cuda_array_interface__, with changes by keyword."""

    def __init__(self, driver, host, changes=None, **options):
        super().__init__(driver, host, **options)
        self.__cuda_array_interface__ = {
            "version": 3, "shape": (self.count,), "typestr": self.dtype.str, "data": (self.pointer, False),
            "strides": (self.dtype.itemsize * self.step,), "stream": self.stream, **(changes or {})}


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_uint64), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
                ("owner", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class DLPack(Array):
    """An array of a library that has DLPack only; it is exported with its offset apart from its data."""

    def __init__(self, driver, host, changes=None, device=(2, 0), **options):
        super().__init__(driver, host, **options)
        self.device, self.asked, self.given_back = device, [], 0
        self.deleter = DELETER(self.taken_back)
        self.shape = (ctypes.c_int64 * 1)(self.count)
        self.strides = (ctypes.c_int64 * 1)(self.step)
        code = {"f": 2, "i": 0}[self.dtype.kind]
        self.tensor = Tensor(self.base, *device, 1, code, 8 * self.dtype.itemsize, 1, self.shape, self.strides,
                             self.pointer - self.base, None, ctypes.cast(self.deleter, ctypes.c_void_p))
        for name, value in (changes or {}).items():
            setattr(self.tensor, name, value)

    def taken_back(self, _):
        self.given_back += 1

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None):
        self.asked.append(stream)
        if stream != self.stream:
            self.driver.wait(self.stream)  # PyTorch makes `stream` wait; here the host does
        return CAPSULE_NEW(ctypes.addressof(self.tensor), b"dltensor", None)


def cupy_csr(driver, S, index="int32"):
    """What cupyx.scipy.sparse.csr_matrix shows."""
    made = SimpleNamespace(
        format="csr", shape=S.shape, dtype=S.dtype, data=Interface(driver, S.data),
        indices=Interface(driver, S.indices.astype(index)), indptr=Interface(driver, S.indptr.astype(index)))
    made.tocsr = lambda: made
    return made


def torch_csr(driver, S):
    """What a sparse CSR tensor of PyTorch shows."""
    arrays = [DLPack(driver, one) for one in (S.data, S.indices.astype("int64"), S.indptr.astype("int64"))]
    return SimpleNamespace(layout="torch.sparse_csr", shape=S.shape, values=lambda: arrays[0],
                           col_indices=lambda: arrays[1], crow_indices=lambda: arrays[2], arrays=arrays)
