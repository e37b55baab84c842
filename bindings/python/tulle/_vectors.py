"""Vectors that the C part does not take as they lie: converted where that loses nothing, else refused."""

import numpy


def as_numbers(x, dtype, name="x"):
    """`x` as an array of numbers; of `dtype` if it has no type of its own."""
    if not isinstance(x, numpy.ndarray):
        if hasattr(x, "tocsr"):
            raise TypeError(f"tulle multiplies matrices by vectors; {name} is a sparse "
                            f"{type(x).__name__}, {name}.toarray() makes it dense")
        # Numbers of Python's have no width of their own.
        widthless = isinstance(x, (list, tuple))
        x = numpy.asarray(x)
        if widthless and x.dtype.kind in ("biufc" if dtype.kind == "c" else "biuf"):
            x = x.astype(dtype)
    if x.dtype.kind == "c" and dtype.kind != "c":
        raise TypeError(f"{name} is complex and the matrix is {dtype}: multiply {name}.real "
                        f"and {name}.imag")
    if x.dtype.kind not in "biufc":
        raise TypeError(f"{name} holds {x.dtype}, not numbers")
    return x


def promoted(x, dtype, name="x"):
    """`x` as an array, and the dtype of its product with a matrix of `dtype`: that of SciPy."""
    if dtype.kind == "c":
        return same_type(x, dtype, name), dtype
    x = as_numbers(x, dtype, name)
    product = numpy.result_type(dtype, x.dtype)
    if product.itemsize > 8:
        raise TypeError(f"{name} is {x.dtype} and tulle computes in float32 and float64: {name}.astype('float64') "
                        "rounds it")
    return x, product


def same_type(x, dtype, name="x"):
    """`x` as an array of `dtype`. What would lose its imaginary part or half its digits is refused."""
    x = as_numbers(x, dtype, name)
    if x.dtype.kind in "fc" and x.real.itemsize > numpy.empty(0, dtype).real.itemsize:
        wide = "complex128" if dtype.kind == "c" else "float64"
        raise TypeError(f"{name} is {x.dtype} but the matrix is {dtype}: {name}.astype({str(dtype)!r}) "
                        f"rounds it, and a matrix may be made with dtype={wide!r}")
    return x


def one_vector(x, dtype, length, name="x"):
    """`x` of `dtype`, native, aligned and contiguous; one dimension of `length`."""
    x = same_type(x, dtype, name)
    if x.shape != (length,):
        raise ValueError(f"{name} has shape {x.shape}; expected ({length},)")
    return numpy.require(x, dtype, ["C", "ALIGNED"])


def in_order(x, dtype, length, order="C", name="x"):
    """`x` of `dtype`, native, aligned, contiguous in `order`; one or two dimensions, the first `length`."""
    x = same_type(x, dtype, name)
    if x.ndim not in (1, 2) or x.shape[0] != length:
        raise ValueError(f"{name} has shape {x.shape}; expected ({length},) or ({length}, k)")
    return numpy.require(x, dtype, [order, "ALIGNED"])
