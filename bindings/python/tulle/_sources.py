"""tulle.matrix: from what SciPy, arrays, files and other libraries hold to a `Matrix`."""

import errno
import os

import numpy

from ._device import to_host
from ._interop import on_device
from ._matrix import Matrix, Transposed

FLOATS = (numpy.dtype("float32"), numpy.dtype("float64"))
COMPLEX = (numpy.dtype("complex64"), numpy.dtype("complex128"))
HALVES = {"float16": 2, "bfloat16": 3}  # by dtype.name; the numbers are those of the C part
INTEGERS = (numpy.dtype("int32"), numpy.dtype("int64"))


def matrix(S, copy=False, shape=None, dtype=None):
    """A `Matrix` of S.

    S
        - a SciPy sparse array or matrix of any format
        - ``(data, indices, indptr)``, as in CSR, or ``(data, (i, j))``; data may be None for all ones
        - a dense array or nested lists: its nonzero elements
        - the name of a file, as str, bytes or os.PathLike: Matrix Market, plain, gzipped or in tar; of
          `save`, without the plan; or ``.npz`` of scipy.sparse.save_npz
        - a graph of networkx: its adjacency matrix, weights by the attribute "weight"
        - a frame of pandas, with sparse or dense columns
        - a sparse matrix of CuPy or a sparse CSR tensor of PyTorch, or arrays on a CUDA device: they are copied to the
          host, where the planner reads them
    copy
        False: arrays of CSR and of block CSR (SciPy's bsr) of one of the dtypes below are used as they are and must not
        change while A lives; `Matrix.shares_memory` says which. Other forms are converted. True: A never looks at them
        again.
    shape
        (rows, columns), for tuples of arrays. None: as many as the largest indices need.
    dtype
        float32, float64, complex64 or complex128. None: that of S; float64 for integers, and for files unless they are
        complex, which are complex128. Values of float16, and of bfloat16 of the package ml_dtypes, in tuples and dense
        arrays are kept in 16 bits, and products are those of a float32 matrix with these values.

    Every offset and every index is checked. Entries given twice add up.

    >>> import numpy, scipy.sparse, tulle
    >>> S = scipy.sparse.csr_array([[4.0, 0, 1], [0, 3, 0]])
    >>> A = tulle.matrix(S)
    >>> A
    <tulle.Matrix 2 x 3, 3 entries of float64>
    >>> A.shares_memory, tulle.matrix(S.tocsc()).shares_memory
    (True, False)
    """
    dtype = _wanted(dtype)
    if isinstance(S, tuple):
        return _from_tuple(S, copy, shape, dtype)
    if shape is not None:
        raise TypeError(f"shape is for tuples of arrays; a {type(S).__name__} has its own")
    if isinstance(S, (str, bytes, os.PathLike)):
        return _from_file(S, dtype)
    if str(getattr(S, "layout", None)) == "torch.sparse_csr":
        return _from_torch(S, copy, dtype)
    if hasattr(S, "tocsr"):
        return _from_scipy(S, copy, dtype)
    return _from_other(S, dtype)


def _from_tuple(S, copy, shape, dtype):
    if len(S) == 2 and isinstance(S[1], (tuple, list)) and len(S[1]) == 2:
        return _from_pairs(S[0], *S[1], shape, dtype)
    if len(S) != 3:
        raise TypeError(f"a tuple of {len(S)} is no matrix; expected (data, indices, indptr) or (data, (i, j))")
    if any(map(on_device, S)):
        mixed = not all(one is None or on_device(one) for one in S)
        return made_of(_from_arrays(_on_host(S), mixed, shape, dtype), False)
    return _from_arrays(S, copy, shape, dtype)


def _wanted(dtype):
    if dtype is None:
        return None
    dtype = numpy.dtype(dtype)
    if dtype not in FLOATS + COMPLEX:
        raise TypeError(f"tulle computes in float32, float64, complex64 and complex128, not in {dtype}")
    return dtype


def _code(dtype):
    """The bytes of a value for the C part, negative for complex ones."""
    return -dtype.itemsize if dtype.kind == "c" else dtype.itemsize


def made_of(a, shares):
    """`a` with what only Python keeps of it."""
    a._shares, a._plans = shares, {}
    return a


# ---- arrays ----

def _floats(data, dtype):
    """The values as tulle takes them: themselves if they are such already."""
    data = numpy.asarray(data)
    if data.dtype.kind == "c" and (dtype or COMPLEX[1]).kind != "c":
        raise TypeError(f"the matrix is complex, and {dtype} is not: make one matrix of S.real and one of S.imag")
    if data.dtype.kind not in "biufc" or data.real.itemsize > 8:
        raise TypeError(f"the matrix holds {data.dtype}; tulle computes in float32, float64, complex64 and complex128")
    if dtype is None:
        small = data.dtype.kind in "fc" and data.real.itemsize <= 4
        dtype = (COMPLEX if data.dtype.kind == "c" else FLOATS)[0 if small else 1]
    return numpy.require(data, dtype, ["C", "ALIGNED"])


def _values(data, dtype):
    """Values and their code as the C part takes them: those of 16 bits, which it knows by their bits, stay as they are.

    A `dtype` that is a str, "float16" or "bfloat16": `data` are such bits."""
    if isinstance(dtype, str):
        return data if data is None else numpy.require(data, None, ["C", "ALIGNED"]), HALVES[dtype]
    code = _code(dtype or FLOATS[1])
    if data is None:
        return None, code
    data = numpy.asarray(data)
    name = data.dtype.name
    if dtype is not None or name not in HALVES:
        return _floats(data.astype("float32") if name == "bfloat16" else data, dtype), code
    data = numpy.require(data, data.dtype.newbyteorder("=") if name == "float16" else None, ["C", "ALIGNED"])
    return data.view("uint16"), HALVES[name]


def _indices(name, array):
    array = numpy.asarray(array)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} holds {array.dtype}, not integers")
    native = array.dtype.newbyteorder("=")
    if native not in INTEGERS:
        if array.dtype.kind == "u" and array.size and array.max() > numpy.iinfo("int64").max:
            raise ValueError(f"{name} has {array.max()}, which is no index")
        native = INTEGERS[1] if native.itemsize >= 4 and array.dtype.kind == "u" else INTEGERS[0]
    return numpy.require(array, native, ["C", "ALIGNED"])


def _reads(own, given):
    """Whether `own` is memory of the caller's, whatever exports it."""
    return not isinstance(given, (list, tuple)) and own.size > 0 and numpy.may_share_memory(own, given)


def _from_csr(rows, cols, given, copy, dtype):
    data, indices, indptr = given
    values, code = _values(data, dtype)
    own = (values, _indices("indices", indices), _indices("indptr", indptr))
    a = Matrix._from_csr(rows, cols, own[2], own[1], own[0], copy, code)
    return made_of(a, a._borrows and any(_reads(mine, yours) for mine, yours in zip(own, given) if mine is not None))


def _from_arrays(given, copy, shape, dtype):
    if shape is None:
        indices = numpy.asarray(given[1])
        shape = (len(numpy.asarray(given[2])) - 1, int(indices.max()) + 1 if indices.size else 0)
    rows, cols = shape
    return _from_csr(rows, cols, given, copy, dtype)


def _from_pairs(data, i, j, shape, dtype):
    """Entries data[k] at (i[k], j[k]). tulle sorts them into arrays of its own."""
    if any(map(on_device, (data, i, j))):
        i, j, data = (None if one is None else to_host(one, name) for one, name in ((i, "i"), (j, "j"), (data, "data")))
    i, j = _indices("i", i), _indices("j", j)
    if shape is None:
        shape = tuple(int(one.max()) + 1 if one.size else 0 for one in (i, j))
    wide = numpy.promote_types(i.dtype, j.dtype)
    values, code = _values(data, dtype)
    a = Matrix._from_coo(*shape, i.astype(wide, copy=False), j.astype(wide, copy=False),
                         values, True, code)
    return made_of(a, False)


def _from_dense(D, dtype):
    if D.ndim != 2:
        raise ValueError(f"S has {D.ndim} dimension{'s' * (D.ndim != 1)}, a matrix has two")
    _values(D[:0, :0], dtype)  # before the search, which would be in vain
    D = numpy.asarray(D)  # numpy.matrix would stay two-dimensional
    i, j = D.nonzero()
    indptr = numpy.concatenate([[0], numpy.cumsum(numpy.bincount(i, minlength=D.shape[0]))])
    if max(D.shape[1], len(j)) <= numpy.iinfo("int32").max:
        j, indptr = j.astype("int32"), indptr.astype("int32")
    return made_of(_from_csr(*D.shape, (D[i, j], j, indptr), False, dtype), False)


# ---- files ----

def _from_file(name, dtype):
    if os.fsdecode(name).endswith(".npz"):
        from scipy.sparse import load_npz

        return made_of(_from_scipy(load_npz(os.fsdecode(name)), False, dtype), False)
    return _opened(name, lambda: Matrix._read(name, _code(dtype) if dtype else 0))


def _opened(name, read):
    """What `read` returns; an error of its own for a file that is not there."""
    try:
        return made_of(read(), False)
    except OSError as error:
        if _is_missing(name):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fsdecode(name)) from error
        raise


def save(file, A):
    """Write A and its plan to a tuned file, usually called ``NAME.tulle``, for `load`.

    A is a `Matrix`, or ``A.T`` to save the plan for products with the transposed matrix. If there is no plan, one is made
    with the defaults. The file is complete when it appears under its name. A plan for both directions is not
    saved.

    >>> import tempfile, numpy, tulle
    >>> A = tulle.matrix(([2.0, 3.0], [0, 1], [0, 1, 2])).plan(format="sell")
    >>> name = tempfile.mkdtemp() + "/A.tulle"
    >>> tulle.save(name, A)
    >>> B = tulle.load(name)
    >>> B.describe()["format"], B @ numpy.ones(2)
    ('sell', array([2., 3.]))
    """
    if isinstance(A, Transposed):
        A.T._save(1, file)
    elif isinstance(A, Matrix):
        A._save(0, file)
    else:
        raise TypeError(f"expected a tulle.Matrix, not {type(A).__name__}: tulle.save(file, tulle.matrix(S))")


def load(file, *, mmap=False):
    """What `save` has written: the matrix, with the plan that it had then.

    mmap
        True: map the file instead of reading it. The format csr uses the arrays where they are; the others are
        converted from them. The file must not change while A lives: if another process truncates it, the next
        access ends this process with SIGBUS. `save` replaces files, which is safe.

    Nothing is analysed or compared. Products have the bits of the saved plan on machines with the same
    instruction set. The file need not be trusted: every size and every index is checked. `matrix` reads the matrix
    alone.
    """
    A = _opened(file, lambda: Matrix._load(file, mmap))
    return A.T if A._planned == (False, True) else A


def restored(arrays, shape, dtype, copy=False):
    """The matrix of what `Matrix._contents` returned. Nobody else may change these arrays, unless they are copied."""
    halves = isinstance(dtype, str)
    return made_of(_from_csr(*shape, arrays, copy, dtype) if halves else matrix(arrays, copy, shape, dtype), False)


def unpickled(arrays, shape, dtype, choices):
    """The matrix that `Matrix.__reduce__` describes. Its arrays are checked like any others, and so are the texts."""
    A = restored(arrays, shape, dtype)
    for choice in choices:
        try:
            A._plan_by(choice)
        except NotImplementedError:  # a format that this build or machine does not have: the first product plans
            pass
    return A


def _is_missing(name):
    try:
        os.stat(name)
    except OSError as error:
        return error.errno == errno.ENOENT
    return False


# ---- objects of other libraries ----

def _from_other(S, dtype):
    if isinstance(S, (numpy.ndarray, list)):
        return _from_dense(numpy.asarray(S), dtype)
    if hasattr(S, "is_directed") and hasattr(S, "adj"):
        from networkx import to_scipy_sparse_array

        return made_of(_from_scipy(to_scipy_sparse_array(S), False, dtype), False)
    if hasattr(S, "columns") and hasattr(S, "to_numpy"):
        # pandas has the attribute if all columns are sparse.
        sparse = getattr(S, "sparse", None)
        return _from_scipy(sparse.to_coo(), False, dtype) if sparse is not None else _from_dense(S.to_numpy(), dtype)
    raise TypeError(f"expected a sparse or dense array, (data, indices, indptr), (data, (i, j)), the name of a file, a "
                    f"graph of networkx or a frame of pandas, not {type(S).__name__}")


# ---- devices ----

def _on_host(arrays):
    """data, indices and indptr in the memory of the host."""
    holder = []
    return tuple(None if one is None else to_host(one, name, holder)
                 for one, name in zip(arrays, ("data", "indices", "indptr")))


def _from_torch(S, copy, dtype):
    if len(S.shape) != 2:
        raise ValueError(f"S has {len(S.shape)} dimensions, a matrix has two")
    values = S.values()
    a = _from_csr(*S.shape, _on_host((values, S.col_indices(), S.crow_indices())), copy, dtype)
    return made_of(a, a.shares_memory and not on_device(values))


# ---- SciPy ----

def _from_bsr(rows, cols, S, copy, dtype):
    """The blocks as they are; formats that keep blocks are made from them."""
    height, width = S.blocksize
    data = _floats(S.data, dtype)
    own = data.reshape(-1), _indices("indices", S.indices), _indices("indptr", S.indptr)
    a = Matrix._from_bsr((rows // height, cols // width, own[2], own[1], own[0], copy, 0), height, width)
    a._blocks = data.shape
    return made_of(a, a._borrows and any(_reads(*pair) for pair in zip(own, (S.data, S.indices, S.indptr))))


def _from_scipy(S, copy, dtype):
    if len(S.shape) != 2:
        raise ValueError(f"S has {len(S.shape)} dimension, a matrix has two")
    if numpy.dtype(S.dtype).kind == "c":
        _floats(numpy.empty(0, S.dtype), dtype)  # before a conversion that would be in vain
    rows, cols = S.shape
    kind = getattr(S, "format", None)
    if on_device(getattr(S, "data", None)):
        R = S if kind == "csr" else S.tocsr()
        return made_of(_from_csr(rows, cols, _on_host((R.data, R.indices, R.indptr)), False, dtype), False)
    if kind == "csc":
        a = Matrix._from_csc(rows, cols, _indices("indptr", S.indptr), _indices("indices", S.indices),
                             _floats(S.data, dtype), copy, 0)
    elif kind == "coo":
        row, col = _indices("row", S.row), _indices("col", S.col)
        wide = numpy.promote_types(row.dtype, col.dtype)
        a = Matrix._from_coo(rows, cols, row.astype(wide, copy=False), col.astype(wide, copy=False),
                             _floats(S.data, dtype), copy, 0)
    elif kind == "bsr":
        return _from_bsr(rows, cols, S, copy, dtype)
    elif kind == "csr":
        return _from_csr(rows, cols, (S.data, S.indices, S.indptr), copy, dtype)
    else:
        R = S.tocsr()
        return made_of(_from_csr(rows, cols, (R.data, R.indices, R.indptr), False, dtype), False)
    return made_of(a, False)
