"""Methods that SciPy's sparse arrays have and users reach for: conversions, elements, sums, scaling.

SciPy does the work, on an array that reads the memory of the matrix. Nothing of that memory is handed out.
"""

import numbers

import numpy


class ScipyMethods:
    """What `Matrix` and `Transposed` share. Both have `_borrowed`, `_scaled`, `_converted` and `_copied`."""

    __slots__ = ()

    # ---- conversions ----

    def tocsr(self, copy=True):
        """A copy as scipy.sparse.csr_array, with the latest values; also if `copy` is False, which SciPy has."""
        return _own(self._borrowed(), "csr")

    to_scipy = tocsr

    def tocsc(self, copy=True):
        """A copy as scipy.sparse.csc_array."""
        return _own(self._borrowed(), "csc")

    def toarray(self, order=None, out=None):
        """A dense numpy.ndarray.

        >>> import tulle
        >>> tulle.matrix(([2.0, 3.0], [0, 1], [0, 1, 2])).toarray()
        array([[2., 0.],
               [0., 3.]])
        """
        return self._borrowed().toarray(order=order, out=out)

    def transpose(self, axes=None, copy=False):
        """``A.T``, or a copy of it."""
        if axes is not None and tuple(axes) != (1, 0):
            raise ValueError(f"axes = {axes!r}; expected None or (1, 0)")
        return self.T.copy() if copy else self.T

    def copy(self):
        """A matrix of the same values that shares no memory with this one. Plans are not copied."""
        return self._copied()

    def astype(self, dtype, copy=True):
        """A copy in float32 or float64. The matrix itself if it has that type and ``copy=False``."""
        if not copy and numpy.dtype(dtype) == self.dtype:
            return self
        return self._converted(dtype)

    # ---- elements ----

    def diagonal(self, k=0):
        """The elements A[i, i + k], as an array."""
        return self._borrowed().diagonal(k)

    def sum(self, axis=None, dtype=None, out=None):
        """The sum of all elements, of each column (``axis=0``) or of each row (``axis=1``)."""
        return self._borrowed().sum(axis=axis, dtype=dtype, out=out)

    def __getitem__(self, key):
        """Elements, rows and parts as SciPy's sparse arrays have them: ``A[i, j]``, ``A[i]``, ``A[i:j]``.

        What is selected is copied, nothing else.

        >>> import tulle
        >>> A = tulle.matrix(([2.0, 3.0], [0, 1], [0, 1, 2]))
        >>> float(A[1, 1]), A[1:].shape
        (3.0, (1, 2))
        """
        return self._borrowed()[key]

    # ---- scaling ----

    def __mul__(self, factor):
        """``2 * A``: a new matrix, without a plan."""
        if not _is_number(factor):
            raise TypeError(f"* scales a matrix by a number, and this is a {type(factor).__name__}: A @ x multiplies by "
                            "vectors, A.to_scipy() has elementwise products")
        return self._scaled(factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor):
        """``A / 2``, of a real matrix in float64, as in SciPy."""
        if not _is_number(divisor):
            raise TypeError(f"/ divides a matrix by a number, not by a {type(divisor).__name__}: A.to_scipy() has "
                            "elementwise operations")
        wide = self if self.dtype.kind == "c" else self.astype("float64", copy=False)
        return wide._scaled(1 / divisor)

    def __neg__(self):
        return self._scaled(-1)

    # ---- conversions that NumPy would make ----

    def __array__(self, dtype=None, copy=None):
        raise TypeError("NumPy and SciPy do not convert a tulle matrix by themselves: A.to_scipy() is a sparse array of "
                        "SciPy, A.toarray() a dense array")


def _is_number(value):
    return isinstance(value, (numbers.Number, numpy.generic)) or isinstance(value, numpy.ndarray) and value.ndim == 0


def _own(view, form):
    """`view` in another format, or a copy of it in the same one."""
    return view.copy() if view.format == form else view.asformat(form)
