"""tulle.batch: many small matrices that are multiplied in one call."""

import numpy

from . import _core
from ._sources import FLOATS, _floats, _indices
from ._vectors import in_order, same_type

SHARED_ROWS, SHARED_COLUMNS = 1, 2


class Batch(_core.Batch):
    """Matrices A_0, A_1, ... that are multiplied together: ``y_i = alpha A_i x_i + beta y_i``. Made by `batch`.

    x is a list of vectors, one for each matrix; or, if all have the same number of columns, an array with a
    row for each; or one array of all of them, one behind the other. y comes in the same form.
    """

    __slots__ = ("__weakref__", "_cols", "_rows", "dtype", "shapes")
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
        self._multiply(packed, out.reshape(-1), alpha, beta)
        return out

    def _packed(self, x):
        if isinstance(x, (list, tuple)):
            if len(x) != len(self):
                raise ValueError(f"there are {len(x)} vectors for {len(self)} matrices")
            parts = [in_order(one, self.dtype, cols, name=f"x[{i}]") for i, (one, cols) in
                     enumerate(zip(x, self._cols))]
            if any(one.ndim != 1 for one in parts):
                raise ValueError("each matrix of a batch is multiplied by one vector")
            return numpy.concatenate(parts) if parts else numpy.empty(0, self.dtype), list
        x = same_type(x, self.dtype)
        if x.ndim == 2 and not (x.shape[0] == len(self) and (self._cols == x.shape[1]).all()):
            raise ValueError(f"x has shape {x.shape}; a row for each of {len(self)} matrices is wanted, as long as "
                             "that has columns")
        if x.ndim not in (1, 2) or x.size != self._cols.sum():
            raise ValueError(f"x has shape {x.shape}, the matrices have {self._cols.sum()} columns in all")
        return numpy.require(x, self.dtype, ["C", "ALIGNED"]).reshape(-1), x.ndim

    def _formed(self, y, form):
        if form is list:
            return numpy.split(y, numpy.cumsum(self._rows)[:-1]) if len(self) else []
        if form == 2 and len(set(self._rows.tolist())) <= 1:
            return y.reshape(len(self), -1)
        return y

    def update(self, values):
        """New values for the same patterns: one array of all of them in the order that the batch was made
        from, or a list, or for a shared pattern an array with a row for each matrix."""
        if isinstance(values, (list, tuple)):
            values = numpy.concatenate([numpy.asarray(one).reshape(-1) for one in values])
        values = same_type(values, self.dtype, "values")
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
        One factor for each matrix.
    multiplies
        How often you will multiply. None: taken as 1000.
    kernel
        "csr", "sell", "ell" or "interleaved", where it can be; None: chosen for each matrix.
    dtype
        float32 or float64. None: that of the values.

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
        scale = in_order(scale, FLOATS[1], len(shapes), name="scale")
    made = Batch._from_arrays(rows, cols, indptr, indices, data, scale, shared, data.dtype.itemsize,
                              multiplies or 0, kernel)
    made.shapes, made.dtype, made._rows, made._cols = shapes, data.dtype, rows, cols
    return made


def _list(matrices, dtype):
    """Matrices of any format behind each other."""
    matrices = [one.tocsr() for one in matrices]
    data = [_floats(one.data, dtype) for one in matrices]
    wide = max((one.dtype for one in data), key=lambda type: type.itemsize, default=dtype or FLOATS[1])
    return ([one.shape for one in matrices], _joined("indptr", [one.indptr for one in matrices]),
            _joined("indices", [one.indices for one in matrices]),
            numpy.concatenate([numpy.empty(0, wide), *data]).astype(wide, copy=False), 0)


def _joined(name, arrays):
    return _indices(name, numpy.concatenate([numpy.empty(0, "int32"), *arrays]))


def _of_one_pattern(values, pattern, dtype):
    if values.ndim != 2 or pattern is None:
        raise TypeError("an array of values has a row for each matrix, and wants their pattern")
    if hasattr(pattern, "tocsr"):
        pattern, shape = pattern.tocsr(), pattern.shape
        indices, indptr = pattern.indices, pattern.indptr
    else:
        indices, indptr = pattern
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
