"""Arrays of other libraries on a CUDA device, as __cuda_array_interface__ or DLPack describes them."""

import operator
import sys
from dataclasses import dataclass

import numpy

from . import _core

LEGACY = 1  # CUDA's default stream, as both protocols number it; 2: the default stream of the thread
CPU, CUDA, CUDA_HOST, OPENCL, CUDA_MANAGED = 1, 2, 3, 4, 13  # DLPack's types of devices
LETTERS = {0: "i", 1: "u", 2: "f", 5: "c"}  # DLPack's types of elements
COPY = "copy it first (cupy.ascontiguousarray(x), or x.contiguous() in PyTorch)"


@dataclass(slots=True)
class Span:
    """Contiguous elements in the memory of a CUDA device."""

    pointer: int
    size: int
    dtype: numpy.dtype
    readonly: bool
    stream: int | None  # in which they were written; None: nothing to wait for
    number: int | None  # of the device; None: not told
    owner: object  # keeps the memory


def on_device(x):
    """Whether x is an array that is not in the memory of the host."""
    if x is None or isinstance(x, (numpy.ndarray, list, tuple)):
        return False
    if hasattr(x, "__cuda_array_interface__"):
        return True
    told = getattr(x, "__dlpack_device__", None)
    return told is not None and told()[0] not in (CPU, CUDA_HOST)


# ---- streams ----

def stream_handle(stream):
    """A stream as a number; given as one, or by CuPy, PyTorch or CUDA's own package."""
    if hasattr(stream, "__cuda_stream__"):
        stream = stream.__cuda_stream__()[1]
    for name in ("ptr", "cuda_stream"):
        stream = getattr(stream, name, stream)
    handle = operator.index(stream)
    if handle < 0:
        raise ValueError(f"stream = {handle} is no stream")
    return handle or LEGACY


def caller_stream(x):
    """The stream in which the caller works with x; None: not known."""
    stream = (getattr(x, "__cuda_array_interface__", None) or {}).get("stream")
    if stream is not None:
        return _checked_stream(stream, "x.__cuda_array_interface__['stream']")
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        return torch.cuda.current_stream(x.device).cuda_stream or LEGACY
    return None


def _checked_stream(stream, name):
    if stream == 0:
        raise ValueError(f"{name} = 0 may be either default stream: 1 is the legacy one, 2 that of the thread")
    return stream


def requested_stream(stream):
    """The argument of __dlpack__: the stream that will read the vector, or -1 if there is nothing to wait for."""
    return LEGACY if stream is None else _checked_stream(stream, "stream")


# ---- arrays ----

def device_number(x, name):
    """The number of the CUDA device that x is on; None: not told."""
    told = getattr(x, "__dlpack_device__", None)
    if told is None:
        return None
    kind, number = told()
    if kind not in (CUDA, CUDA_MANAGED):
        raise TypeError(f"{name} is on a device of DLPack's type {int(kind)}; expected CUDA ({CUDA}): copy it to the "
                        f"host, as a NumPy array")
    return number


def by_dlpack(x):
    """Whether x is taken by DLPack, whose producer makes the stream of a product wait for its own.

    The interface for CUDA arrays is preferred if it names the stream of the caller.
    """
    interface = getattr(x, "__cuda_array_interface__", None)
    return hasattr(x, "__dlpack__") and (interface is None or interface.get("stream") is None)


def span(x, name, stream):
    """The memory of x, which will be used in `stream`."""
    if by_dlpack(x):
        return _from_dlpack(x, name, stream)
    interface = getattr(x, "__cuda_array_interface__", None)
    if interface is None:
        raise TypeError(f"{name} is a {type(x).__name__}, which has neither __cuda_array_interface__ nor __dlpack__")
    return _from_interface(x, interface, name)


def _from_interface(x, interface, name):
    if interface["version"] not in (2, 3):
        raise TypeError(f"{name} has version {interface['version']} of __cuda_array_interface__; expected 2 or 3")
    if interface.get("mask") is not None:
        raise TypeError(f"{name} has a mask: fill it first")
    dtype = numpy.dtype(interface["typestr"])
    pointer, readonly = interface["data"]
    size = _size(name, interface["shape"], interface.get("strides"), pointer, dtype)
    stream = interface.get("stream")
    if stream is not None:
        _checked_stream(stream, f"{name}.__cuda_array_interface__['stream']")
    return Span(pointer, size, dtype, readonly, stream, device_number(x, name), x)


def _from_dlpack(x, name, stream):
    number = device_number(x, name)  # refuses other kinds of devices before anything is exported
    pointer, shape, strides, code, bits, lanes, _, _, owner = _core._dlpack_open(x.__dlpack__(stream=stream))
    if code not in LETTERS or lanes != 1 or bits % 8:
        raise TypeError(f"{name} has elements of DLPack's type {code} with {bits} bits; expected float32 or float64")
    dtype = numpy.dtype(f"{LETTERS[code]}{bits // 8}")
    strides = None if strides is None else tuple(stride * dtype.itemsize for stride in strides)
    # Read-only arrays are not exported in this version of DLPack.
    return Span(pointer, _size(name, shape, strides, pointer, dtype), dtype, False, None, number, owner)


def _size(name, shape, strides, pointer, dtype):
    """The number of elements, if they can be used where they are."""
    if len(shape) != 1:
        raise ValueError(f"{name} has shape {tuple(shape)}; a device takes one vector: multiply by columns, one at a time")
    if strides is not None and shape[0] > 1 and strides[0] != dtype.itemsize:
        raise ValueError(f"{name} is not contiguous, its elements are {strides[0]} bytes apart: {COPY}")
    if shape[0] > 0 and pointer % dtype.itemsize:
        raise ValueError(f"{name} is not aligned, it begins at {pointer:#x}: {COPY}")
    return shape[0]
