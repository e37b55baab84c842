"""Matrices and vectors on a GPU: products in the memory and in the stream of the caller."""

import weakref

import numpy

from . import _core
from ._interop import (CUDA, LEGACY, OPENCL, by_dlpack, caller_stream, device_number, on_device, requested_stream,
                       span, stream_handle)
from ._vectors import one_vector, same_type

OWN = 0  # the queue of an OpenCL device
# Devices by name, as long as somebody uses them.
_open: "weakref.WeakValueDictionary[str | None, Device]" = weakref.WeakValueDictionary()


# ---- devices ----

class Device(_core.Device):
    """A device that is open. Made by `device`."""

    __slots__ = ("__weakref__", "_is_cuda", "_number", "name")
    name: str

    @classmethod
    def _named(cls, name):
        made = cls._open(name)
        made.name = made.describe()["name"]
        kind, _, number = made.name.partition(":")
        made._is_cuda, made._number = kind == "cuda", int(number)
        return made

    def vector(self, x, dtype=None):
        """A copy of x, one vector of float32 or float64, on this device.

        `dtype` is for x that is not an array of either; None: float64.
        """
        x = numpy.asarray(x)
        if dtype is None:
            dtype = x.dtype if x.dtype.kind == "f" and x.dtype.itemsize in (4, 8) else "float64"
        x = one_vector(x, numpy.dtype(dtype), x.size)
        made = self._vector(x.size, x.dtype)
        made._write(x, self._default_stream)
        return made

    def finish(self, stream=None):
        """Wait for the work in a stream; None: the default stream, with OpenCL the only one."""
        self._finish(self._stream(stream))

    @property
    def _default_stream(self):
        return LEGACY if self._is_cuda else OWN

    def _stream(self, stream):
        if stream is None:
            return self._default_stream
        if not self._is_cuda:
            raise TypeError(f"{self.name} has one queue: streams are CUDA's")
        return stream_handle(stream)

    def _vector(self, size, dtype):
        made = DeviceVector._create(self, 0, size, dtype.itemsize, None)
        made._stream = None
        return made

    def __repr__(self):
        told = self.describe()
        return f"<tulle.Device {told['name']}, {told['model']}>"


def device(name=None):
    """The device of this name, ``"cuda:0"`` or ``"opencl:0"``; None: the first that can be used.

    `devices` lists them. All callers share one `Device` per name.
    """
    if isinstance(name, Device):
        return name
    found = _open.get(name)
    if found is None:
        found = Device._named(name)
        found = _open.setdefault(found.name, found)
    return found


def device_of(x, name):
    """The device that x is on."""
    if isinstance(x, DeviceVector):
        return x.device
    number = device_number(x, name)
    if number is None:
        count = sum(one["name"].startswith("cuda:") for one in _core.devices())
        if count > 1:
            raise ValueError(f"{name} does not say which of {count} CUDA devices it is on: name it, "
                             f"A.on('cuda:0') @ x")
        number = 0
    return device(f"cuda:{number}")


# ---- vectors ----

class DeviceVector(_core.DeviceVector):
    """One vector on a device: the result of a product there, or made by `Device.vector`.

    On CUDA it has ``__cuda_array_interface__`` and ``__dlpack__``, so that ``cupy.asarray(y)`` and
    ``torch.from_dlpack(y)`` use its memory. `numpy` copies it to the host.
    """

    __slots__ = ("__weakref__", "_stream")
    __array_ufunc__ = None
    ndim = 1

    @property
    def shape(self):
        return (self.size,)

    @property
    def stream(self):
        """The stream in which it was last written, which must not be destroyed before it is read; None: it is complete."""
        return self._stream or None

    def numpy(self):
        """A copy as a NumPy array."""
        host = numpy.empty(self.size, self.dtype)
        self._read(host, self.device._default_stream if self._stream is None else self._stream)
        return host

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("a vector on a device cannot become a NumPy array without a copy")
        host = self.numpy()
        return host if dtype is None else host.astype(dtype, copy=False)

    @property
    def __cuda_array_interface__(self):
        if not self.device._is_cuda:
            raise AttributeError(f"the vector is on {self.device.name}, not on a CUDA device")
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._pointer, False), "strides": None,
                "version": 3, "stream": self._stream}

    def __dlpack_device__(self):
        return (CUDA if self.device._is_cuda else OPENCL, self.device._number)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if not self.device._is_cuda:
            raise BufferError(f"the vector is on {self.device.name}: numpy() copies it to the host")
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("the vector is exported where it is: numpy() copies it to the host")
        reader = requested_stream(stream)
        if self._stream is not None and reader not in (-1, self._stream):
            self.device._finish(self._stream)
        return _core._dlpack_wrap(self, CUDA, self.device._number)

    def __len__(self):
        return self.size

    def __repr__(self):
        return f"<tulle.DeviceVector of {self.size} {self.dtype} on {self.device.name}>"


def to_host(x, name, holder=None):
    """x as a NumPy array: copied if it is on a device, after the work in its stream."""
    if not on_device(x):
        return numpy.asarray(x)
    if isinstance(x, DeviceVector):
        return x.numpy()
    home = device_of(x, name)
    if holder is not None:
        holder.append(home)  # stays open for the arrays that follow
    stream = caller_stream(x) or LEGACY
    theirs = span(x, name, stream)
    if theirs.dtype.itemsize not in (4, 8):
        raise TypeError(f"{name} has elements of {theirs.dtype}; expected 4 or 8 bytes: convert it on the device")
    host = numpy.empty(theirs.size, theirs.dtype)
    from_there = _core.DeviceVector._create(home, theirs.pointer, theirs.size, theirs.dtype.itemsize, theirs.owner)
    from_there._read(host.view(f"u{host.itemsize}"), stream)
    return host


# ---- matrices ----

class DeviceMatrix(_core.DevicePlan):
    """A matrix on a device, in one format. Made by `Matrix.on`.

    ``D @ x`` and `dot` queue a product and return. x and the result stay on the device if x is there:
    a `DeviceVector`, or any array with ``__cuda_array_interface__`` or DLPack on the same CUDA device. A
    NumPy array is copied to the device, and the result back.
    """

    __slots__ = ("__weakref__", "_stored", "device", "dtype", "nnz", "shape")
    __array_ufunc__ = None
    ndim = 2
    device: Device
    dtype: numpy.dtype
    nnz: int
    shape: tuple

    @classmethod
    def _of(cls, a, transposed, where, format, reproducible, updates):
        home = device(where)
        # With updates the order of the caller's arrays counts, which the latest values may have lost.
        made = cls._create(home, a if updates else a._latest(), transposed, format, reproducible, updates)
        made.device, made.dtype, made.nnz, made._stored = home, a.dtype, a.nnz, a._stored
        made.shape = a.shape[:: -1 if transposed else 1]
        return made

    def __matmul__(self, x):
        return self.dot(x)

    def dot(self, x, out=None, alpha=1.0, beta=0.0, stream=None):
        """``alpha * A @ x``, or into ``out``: ``out = alpha * A @ x + beta * out``.

        x and `out` are contiguous vectors of A's dtype, both on the device or both on the host. They must
        share no memory, and on the device be kept until the product is done.

        stream
            Where the product is queued: a handle, or a stream of CuPy or PyTorch. None: the stream that x
            or `out` names, PyTorch's current one for its tensors, else CUDA's legacy default stream.
        """
        if out is None and beta != 0:
            raise ValueError("beta is for out = alpha * A @ x + beta * out, and there is no out")
        if out is not None and on_device(x) != on_device(out):
            raise TypeError("one of x and out is on a device, the other on the host: copy one of them")
        if not on_device(x):
            return self._copied(x, out, alpha, beta, self.device._stream(stream))
        queue, known = self._queue(stream, x, out)
        rows, cols = self.shape
        own_x = self._take(x, "x", cols, queue)
        if out is None:
            result = own_y = self.device._vector(rows, self.dtype)
        else:
            result, own_y = out, self._take(out, "out", rows, queue, write=True)
            self._check_apart(own_x, own_y)
        self._multiply(own_x, own_y, alpha, beta, queue)
        if isinstance(result, DeviceVector):
            result._stream = queue
        if not known:
            self._return(queue, x, out)
        return result

    def _copied(self, x, out, alpha, beta, queue):
        """A product of arrays of the host."""
        x = one_vector(x, self.dtype, self.shape[1])
        if out is None:
            out = numpy.empty(self.shape[0], self.dtype)
        elif not (isinstance(out, numpy.ndarray) and out.flags.c_contiguous and out.flags.writeable
                  and out.dtype == self.dtype and out.shape == self.shape[:1]):
            raise ValueError(f"out is not a contiguous, writable NumPy array of {self.dtype}, shape {self.shape[:1]}")
        own_x, own_y = self.device._vector(x.size, self.dtype), self.device._vector(out.size, self.dtype)
        own_x._write(x, queue)
        if beta != 0:
            own_y._write(out, queue)
        self._multiply(own_x, own_y, alpha, beta, queue)
        own_y._read(out, queue)
        return out

    def update(self, values, stream=None):
        """New values for the same pattern, in the order of the arrays A was made from; needs ``on(updates=True)``.

        `values` are on the device or on the host; `stream` is as in `dot`. Products in other streams must
        be finished before, and this stream before they go on (`Device.finish`).
        """
        if not on_device(values):
            queue = self.device._stream(stream)
            own = self.device._vector(self._stored, self.dtype)
            own._write(one_vector(same_type(values, self.dtype, "values"), self.dtype, self._stored, "values"), queue)
            self._update(own, queue)
            return
        queue, known = self._queue(stream, values, None)
        self._update(self._take(values, "values", self._stored, queue), queue)
        if not known:
            self._return(queue, values)

    def prepare(self, stream=None):
        """Allocate now what products need in this stream, so that they can be captured in a CUDA graph."""
        self._prepare(self.device._stream(stream))

    def explain(self):
        """The format, and what a product takes, as text; `Matrix.rank` shows why this format comes first."""
        told = self.describe()
        note = f" ({told['note']})" if told["note"] else ""
        rows, cols = self.shape
        return (f"y = A x on {told['device']}, A {rows} x {cols} with {self.nnz} entries of {self.dtype}\n"
                f"format: {told['format']}{note}\n"
                f"memory: {told['bytes']} bytes on the device, {told['scratch']} more per stream\n"
                f"launches: {told['launches']} per product\n"
                f"same bits each time: {'yes' if told['same_bits'] else 'no, it adds by atomics'}\n")

    # ---- arrays of the caller ----

    def _queue(self, stream, *arrays):
        """The stream of a product, and whether the caller named it."""
        if stream is None and self.device._is_cuda:
            stream = next((one for one in map(caller_stream, arrays) if one is not None), None)
        return self.device._stream(stream), stream is not None

    def _take(self, x, name, size, queue, write=False):
        """x as a vector of the C part; what was written to it in another stream is waited for."""
        if not isinstance(x, DeviceVector):
            return self._import(x, name, size, queue, write)
        if x.device is not self.device:
            raise ValueError(f"{name} is on {x.device.name} and the matrix on {self.device.name}")
        self._check(name, x.dtype, x.size, size)
        if x._stream not in (None, queue):
            self.device._finish(x._stream)
        return x

    def _import(self, x, name, size, queue, write):
        if not self.device._is_cuda:
            raise TypeError(f"{name} is on a CUDA device and the matrix on {self.device.name}: A.on('cuda:0') puts it there")
        theirs = span(x, name, queue)
        if theirs.number not in (None, self.device._number):
            raise ValueError(f"{name} is on cuda:{theirs.number} and the matrix on {self.device.name}")
        self._check(name, theirs.dtype, theirs.size, size)
        if write and theirs.readonly:
            raise ValueError(f"{name} is read-only")
        if theirs.stream not in (None, queue):
            self.device._finish(theirs.stream)
        return _core.DeviceVector._create(self.device, theirs.pointer, size, theirs.dtype.itemsize, theirs.owner)

    def _check(self, name, dtype, size, expected):
        if dtype != self.dtype:
            raise TypeError(f"{name} is {dtype} but the matrix is {self.dtype}: convert one of them, "
                            f"{name}.astype({str(self.dtype)!r}) in CuPy, {name}.to(torch.{self.dtype}) in PyTorch")
        if size != expected:
            raise ValueError(f"{name} has shape ({size},); expected ({expected},)")

    def _check_apart(self, x, y):
        size = self.dtype.itemsize if self.device._is_cuda else 0  # OpenCL's handles are no addresses
        first, second = sorted((one._pointer, one._pointer + size * one.size) for one in (x, y))
        if first[0] == second[0] or second[0] < first[1]:
            raise ValueError("x and out share memory")

    def _return(self, queue, *arrays):
        """Finish the work before arrays go back to owners whose streams are not known: they may reuse the memory."""
        if any(not isinstance(one, DeviceVector) and by_dlpack(one) for one in arrays):
            self.device._finish(queue)

    def __repr__(self):
        rows, cols = self.shape
        return f"<tulle.DeviceMatrix {rows} x {cols}, {self.nnz} entries of {self.dtype} on {self.device.name}>"


def kept_plan(a, transposed, x):
    """The plan of matrix a for the device that x is on, made when it is first needed."""
    home = device_of(x, "x")
    key = home.name, transposed
    if key not in a._plans:
        a._plans[key] = DeviceMatrix._of(a, transposed, home, None, False, False)
    return a._plans[key]
