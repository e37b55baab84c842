"""tulle.batch: many small matrices that are multiplied in one call."""

import numpy

from . import _core
from ._sources import FLOATS, _code, _floats, _indices
from ._vectors import one_vector, same_type

SHARED_ROWS, SHARED_COLUMNS = 1, 2


class Batch(_core.Batch):
    """Matrices A_0, A_1, ... that are multiplied together: ``y_i = alpha A_i x_i + beta y_i``. Made by `batch`.

    x is a list of vectors, one for each matrix; or, if all have the same number of columns, an array with a
    row for each; or one array of all of them, one after the other. y comes in the same form.
    """

    __slots__ = ("__weakref__", "_cols", "_counts", "_rows", "dtype", "shapes")
    __array_ufunc__ = None
    dtype: numpy.dtype
    shapes: list

    def __len__(self):
        return len(self.shapes)

    def __matmul__(self, x):
        return self.dot(x)

    def dot(self, x, out=None, alpha=1.0, beta=0.0):
        """``alpha * A_i @ x_i`` for all i, or into ``out``: ``out = alpha * A_i @ x_i + beta * out``.

        `out` is an array in the form of y: one dimension, or a row for each matrix.

        >>> import numpy, scipy.sparse, tulle
        >>> B = tulle.batch([scipy.sparse.csr_array([[2.0, 1.0]]), scipy.sparse.csr_array([[3.0]])])
        >>> B @ [numpy.array([1.0, 1.0]), numpy.array([1.0])]
        [array([3.]), array([3.])]
        """
        packed, form = self._packed(x)
        if out is None:
            if beta != 0:
                raise ValueError("beta is for out = alpha * A @ x + beta * out, and there is no out")
            y = numpy.empty(self._rows.sum(), self.dtype)
            self._multiply(packed, y, alpha, 0.0)
            return self._formed(y, form)
        if not (isinstance(out, numpy.ndarray) and out.flags.c_contiguous):
            raise ValueError("out is not a contiguous array")
        self._check_form("out", out, self._rows)
        self._multiply(packed, out.reshape(-1), alpha, beta)
        return out

    def _packed(self, x):
        if isinstance(x, (list, tuple)):
            if len(x) != len(self):
                raise ValueError(f"there are {len(x)} vectors for {len(self)} matrices")
            return self._concatenated("x", x, self._cols), list
        x = same_type(x, self.dtype)
        self._check_form("x", x, self._cols)
        return numpy.require(x, self.dtype, ["C", "ALIGNED"]).reshape(-1), x.ndim

    def _concatenated(self, name, parts, lengths):
        """One array of a list of vectors, of which each has the length of its matrix."""
        parts = [one_vector(one, self.dtype, length, f"{name}[{i}]")
                 for i, (one, length) in enumerate(zip(parts, lengths))]
        return numpy.concatenate([numpy.empty(0, self.dtype), *parts])

    def _check_form(self, name, array, lengths):
        """Refuse an array that has neither one dimension nor a row for each matrix."""
        total, each = int(lengths.sum()), set(lengths.tolist())
        by_rows = array.ndim == 2 and len(array) == len(self) and each <= {array.shape[1]}
        if array.shape != (total,) and not by_rows:
            rows = f" or ({len(self)}, {each.pop()})" if len(each) == 1 else ""
            raise ValueError(f"{name} has shape {array.shape}; expected ({total},){rows}")

    def _formed(self, y, form):
        if form is list:
            return numpy.split(y, numpy.cumsum(self._rows)[:-1]) if len(self) else []
        if form == 2 and len(set(self._rows.tolist())) <= 1:
            return y.reshape(len(self), -1)
        return y

    def update(self, values):
        """New values for the same patterns: one array of all of them in the order that the batch was made
        from, or a list, or for a shared pattern an array with a row for each matrix."""
        if isinstance(values, (list, tuple)) and any(numpy.ndim(one) for one in values):
            if len(values) != len(self):
                raise ValueError(f"there are {len(values)} arrays of values for {len(self)} matrices")
            values = self._concatenated("values", values, self._counts)
        values = same_type(values, self.dtype, "values")
        self._check_form("values", values, self._counts)
        self._update(numpy.require(values, self.dtype, ["C", "ALIGNED"]).reshape(-1))

    def __repr__(self):
        told = self.describe()
        return f"<tulle.Batch of {len(self)} matrices, {told['nnz']} entries of {self.dtype}>"


def batch(matrices, pattern=None, *, scale=None, multiplies=None, kernel=None, dtype=None):
    """A `Batch` of many small matrices, copied once into the order of execution.

    matrices
        A list of SciPy sparse arrays; they may differ in size and pattern, and what they share is found. Or an
        array of values with a row for each matrix, all of one `pattern`; or a dense array of three dimensions,
        whose pattern is where any of the matrices is not zero.
    pattern
        For an array of values: a SciPy sparse array, its values not looked at, or ``(indices, indptr)`` of a
        square matrix.
    scale
        One real factor for each matrix.
    multiplies
        How often you will multiply. None: taken as 1000.
    kernel
        "csr", "sell", "ell" or "interleaved", where it can be; None: chosen for each matrix.
    dtype
        float32, float64, complex64 or complex128. None: that of the values.

    >>> import numpy, scipy.sparse, tulle
    >>> S = scipy.sparse.csr_array([[2.0, 1.0], [0.0, 3.0]])
    >>> B = tulle.batch(numpy.array([[2.0, 1.0, 3.0], [4.0, 0.0, 5.0]]), pattern=S)
    >>> B @ numpy.ones((2, 2))
    array([[3., 3.],
           [4., 5.]])
    """
    dtype = None if dtype is None else numpy.dtype(dtype)
    if isinstance(matrices, numpy.ndarray):
        packed = _dense(matrices, dtype) if matrices.ndim == 3 else _of_one_pattern(matrices, pattern, dtype)
    elif pattern is not None:
        raise TypeError("pattern is for an array of values; the matrices of a list have theirs")
    else:
        packed = _list(matrices, dtype)
    shapes, indptr, indices, data, shared = packed
    rows, cols = (numpy.array([shape[side] for shape in shapes], "int64") for side in (0, 1))
    if scale is not None:
        scale = one_vector(scale, FLOATS[1], len(shapes), "scale")
    made = Batch._from_arrays(rows, cols, indptr, indices, data, scale, shared, _code(data.dtype),
                              multiplies or 0, kernel)
    made.shapes, made.dtype, made._rows, made._cols = shapes, data.dtype, rows, cols
    made._counts = numpy.broadcast_to(indptr[-1:] if shared else indptr[numpy.cumsum(rows + 1) - 1], len(shapes))
    return made


def _list(matrices, dtype):
    """The arrays of matrices of any format, concatenated."""
    matrices = [_csr(f"matrices[{i}]", one) for i, one in enumerate(matrices)]
    data = [_floats(one.data, dtype) for one in matrices]
    wide = numpy.result_type(*(one.dtype for one in data)) if data else dtype or FLOATS[1]
    return ([one.shape for one in matrices], _joined("indptr", [one.indptr for one in matrices]),
            _joined("indices", [one.indices for one in matrices]),
            numpy.concatenate([numpy.empty(0, wide), *data]).astype(wide, copy=False), 0)


def _csr(name, one):
    if not hasattr(one, "tocsr"):
        raise TypeError(f"{name} is of type {type(one).__name__}, not a SciPy sparse array")
    if len(one.shape) != 2:
        raise ValueError(f"{name} has {len(one.shape)} dimension{'s' * (len(one.shape) != 1)}, a matrix has two")
    return one.tocsr()


def _joined(name, arrays):
    return _indices(name, numpy.concatenate([numpy.empty(0, "int32"), *arrays]))


def _of_one_pattern(values, pattern, dtype):
    if values.ndim != 2 or pattern is None:
        raise TypeError("an array of values has one row per matrix and requires their pattern")
    if hasattr(pattern, "tocsr"):
        pattern = _csr("pattern", pattern)
        shape, indices, indptr = pattern.shape, pattern.indices, pattern.indptr
    else:
        indices, indptr = (numpy.asarray(one) for one in pattern)
        shape = (len(indptr) - 1,) * 2
    if len(indices) != values.shape[1]:
        raise ValueError(f"values has rows of {values.shape[1]}, the pattern has {len(indices)} entries")
    return ([shape] * len(values), _indices("indptr", indptr), _indices("indices", indices),
            _floats(values, dtype).reshape(-1), SHARED_ROWS | SHARED_COLUMNS)


def _dense(values, dtype):
    present = (values != 0).any(0)
    indptr = numpy.concatenate([[0], numpy.cumsum(present.sum(1))])
    indices = present.nonzero()[1]
    return ([values.shape[1:]] * len(values), _indices("indptr", indptr), _indices("indices", indices),
            _floats(values[:, present], dtype).reshape(-1), SHARED_ROWS | SHARED_COLUMNS)
