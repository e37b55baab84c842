"""The matrix that users see: products, plans, explanations."""

import copy
import numbers
import operator

import numpy

from . import _core, _html
from ._device import DeviceMatrix, kept_plan, to_host
from ._interop import on_device
from ._scipy_methods import ScipyMethods
from ._steps import Steps
from ._vectors import in_order, promoted, same_type


class Matrix(ScipyMethods, Steps, _core.Matrix):
    """A sparse matrix of float32, float64, complex64 or complex128 that is multiplied by vectors. Made by `tulle.matrix`.

    ``A @ x``, ``A @ X``, ``A.T @ x``, ``x @ A`` and `dot` multiply. The first product chooses a storage
    format (see `plan`), later ones use it. Other Python threads run meanwhile, and any number of them
    may multiply by one matrix. ``2 * A`` scales. There is no ``A * x``: SciPy's arrays and matrices disagree on what it
    means. ``A.H @ x`` multiplies by the conjugate transpose. A real A times a complex x is complex, and no complex copy of
    A is made.

    Products have SciPy's dtype: a float32 matrix times a float64 x is float64, and the matrix is not copied for it.
    A matrix made of float16 or bfloat16 values is a float32 matrix, `dtype` says so, that keeps them in 16 bits.

    An x on a CUDA device is multiplied there, see `on`.
    """

    __slots__ = ("__weakref__", "_blocks", "_plans", "_shares")
    __array_ufunc__ = None  # so that NumPy leaves `x @ A` to us
    ndim = 2

    # ---- products ----

    def dot(self, x, out=None, alpha=1.0, beta=0.0):
        """``alpha * A @ x``, or into ``out``: ``out = alpha * A @ x + beta * out``.

        `out` has the dtype of the product, is contiguous and shares no memory with `x`. With ``beta=0`` it is
        never read.

        >>> import numpy, tulle
        >>> A = tulle.matrix(([2.0, 3.0], [0, 1], [0, 1, 2]))
        >>> y = numpy.ones(2)
        >>> A.dot(numpy.array([1.0, 1.0]), out=y, alpha=10, beta=1)
        array([21., 31.])
        """
        return _dot(self, 0, x, out, alpha, beta)

    def matvec(self, x):
        """``A @ x``, by the name that scipy.sparse.linalg asks for."""
        return self @ x

    def rmatvec(self, x):
        """``A.H @ x``, by the name that scipy.sparse.linalg asks for."""
        return self._multiply_new(x, CONJUGATE)

    matmat = matvec
    rmatmat = rmatvec

    def _product(self, x, transposed):
        """A product with an x that cannot be used as it lies; the C part calls this."""
        if on_device(x):
            return kept_plan(self, transposed, x).dot(x)
        length, rows = self.shape[:: 1 if transposed else -1]
        if self.dtype.kind == "f" and not isinstance(x, numpy.ndarray) and not hasattr(x, "tocsr"):
            x = x if numpy.asarray(x).dtype.kind != "c" else numpy.asarray(x)
        if self.dtype.kind == "f" and isinstance(x, numpy.ndarray) and x.dtype.kind == "c":
            return self._product_of_parts(x, transposed, length, rows)
        x, dtype = promoted(x, self.dtype)
        x = in_order(x, dtype, length)
        out = numpy.empty((rows, *x.shape[1:]), dtype)
        return self._multiply(x, out, transposed, 1.0, 0.0)

    def _product_of_parts(self, x, transposed, length, rows):
        """A real matrix times a complex x: its real and imaginary parts are twice as many real vectors."""
        number = numpy.result_type(self.dtype, x.dtype)
        if number.itemsize > 16:
            raise TypeError(f"x is {x.dtype} and tulle computes in float32 and float64: x.astype('complex128') rounds it")
        x = in_order(x, number, length)
        parts = x.view(x.real.dtype).reshape(length, 2 * (x.shape[1] if x.ndim == 2 else 1))
        out = numpy.empty((rows, parts.shape[1]), parts.dtype)
        self._multiply(parts, out, transposed, 1.0, 0.0)
        return out.view(number).reshape((rows, *x.shape[1:]))

    def _left_product(self, x):
        """``x @ A``; the C part calls this."""
        if on_device(x):
            return kept_plan(self, 1, x).dot(x)
        x = numpy.asarray(x)
        if x.ndim not in (1, 2) or x.shape[-1] != self.shape[0]:
            raise ValueError(f"x has shape {x.shape}; expected ({self.shape[0]},) or (k, {self.shape[0]})")
        return self._multiply_new(x.T, 1).T

    @property
    def T(self):
        """The transposed matrix: no copy. Its first product makes a plan of its own, unless there is one for both."""
        return Transposed(self)

    @property
    def H(self):
        """The conjugate transpose: ``A.T`` of a real matrix; of a complex one an `Adjoint`, whose first product makes a
        plan of its own."""
        return Adjoint(self) if self.dtype.kind == "c" else Transposed(self)

    # ---- plans ----

    def plan(self, multiplies=None, *, both=False, stores=None, measure=False, reproducible=0, format=None,
             lossy=False, wisdom=None, vectors=None, online=False, dtype=None):
        """Choose a storage format and convert to it; returns A.

        multiplies
            How often you will multiply: a conversion must pay for itself. None: taken as 1000.
        both
            True: one plan for products with A and with A.T, `multiplies` of each.
        stores
            With ``both``, 1: one stored matrix for both; 2: one for each, which is faster and takes more
            memory. None: tulle chooses.
        measure
            True: try the likely formats, for at most a tenth of the time of the multiplications.
            False: estimate, which times nothing.
        reproducible
            1: the same choice on every machine. 2: also the same bits on every machine with fused
            multiply-add. The number of threads never changes a bit.
        format
            A format by name, ``"sell"`` or ``"csr:kernel=vector"``; `tulle.formats` lists them.
        lossy
            "float32", "float16" or "bfloat16": keep float64 values rounded to it; vectors and sums stay float64.
            True: "float32". ``A.describe()["value_error"]`` is the largest relative error of a value.
        wisdom
            A file of what earlier runs measured, named by a str, bytes or os.PathLike. It is read, and
            ``measure=True`` adds to it.
        vectors
            How many vectors a product will have: ``A @ X`` with that many columns. None: one. Any plan
            multiplies any number of vectors; those in C order (rows of X contiguous) are faster.
        online
            True: you need not know `multiplies`. Products use the arrays as they are until their time would have
            repaid a conversion; a background thread then converts, and later products use that format. The
            bits are the same before the change and after it, but not across it. ``A.describe()["online"]`` is
            the phase: "counting", "converting", "converted" or "stayed". Not with `both`: plan A and A.T.

        dtype
            Of the vectors: "float64" for a float32 matrix. None: that of A. There is a plan for each.

        Without a call of this the first product plans with the defaults.

        >>> import tulle
        >>> A = tulle.matrix(([2.0, 3.0], [0, 1], [0, 1, 2])).plan(format="sell")
        >>> "sell" in A.explain()
        True
        """
        _plan(self, 0, multiplies, both, stores, measure, reproducible, format, lossy, wisdom, vectors, online, dtype)
        return self

    def explain(self):
        """What was chosen, why, what it costs, and what the other formats would cost; as text."""
        return self._explain(0)

    def describe(self):
        """What `explain` says, as a dict; under "candidates" a dict for each format that was compared."""
        return {**self._describe(0), "candidates": self._candidates(0)}

    def _repr_html_(self):
        return _html.page(self, 0)

    # ---- devices ----

    def on(self, device=None, *, format=None, reproducible=False, updates=False):
        """A copy of A on a device, as a `DeviceMatrix`.

        device
            ``"cuda:0"``, ``"opencl:0"`` or a `Device`; None: the first that can be used.
        format
            One of the formats for devices (docs/gpu.md). None: the first of `rank` for this device that can
            be built.
        reproducible
            True: only kernels that give the same bits every time.
        updates
            True: `DeviceMatrix.update` will be called, which may take more memory.

        ``A @ x`` with an x on a CUDA device does this by itself, with the defaults, and keeps the copy until
        `update`.
        """
        return DeviceMatrix._of(self, 0, device, format, reproducible, updates)

    def rank(self, device, *, reproducible=False):
        """The formats for A on a device, the best first: a list of dicts, as ``tulle plan --device`` prints them.

        `device` is a preset, a device of this machine, or a file: ``"h100"``, ``"cuda:0"``, ``"./mine.txt"``. It need
        not be there. The order is predicted from counts and was not measured; those with "out" are ruled out.

        >>> import tulle
        >>> A = tulle.matrix(([2.0, 3.0], [0, 1], [0, 1, 2]))
        >>> best = A.rank("h100")[0]
        >>> best["relative"], best["out"]
        (1.0, False)
        """
        return self._rank(0, getattr(device, "name", device), reproducible)

    # ---- values ----

    def update(self, values):
        """New values for the same pattern, in the order of the arrays or the file A was made from.

        Far cheaper than a new matrix: formats, layouts and plans are kept. Only a format that was chosen
        for symmetric values gives way to another one when `values` are not symmetric. If A shares memory
        with the arrays it was made from, it goes on to share it with `values`; else they are copied.
        A matrix of float16 or bfloat16 values takes values of that dtype.

        >>> import numpy, tulle
        >>> A = tulle.matrix(([2.0, 3.0], [0, 1], [0, 1, 2]))
        >>> A.update(numpy.array([4.0, 5.0]))
        >>> A @ numpy.array([1.0, 1.0])
        array([4., 5.])
        """
        if on_device(values):
            values = to_host(values, "values")
        dtype = self.dtype
        if self._half:
            values, dtype = _bits(values, self._half), numpy.dtype("uint16")
        else:
            values = same_type(values, dtype, "values")
        if self._shares:
            values = numpy.require(values, dtype, ["C", "ALIGNED"])
        else:
            values = numpy.array(values, dtype, order="C")
        of_blocks = values.shape == getattr(self, "_blocks", None)  # as the data of a bsr array
        self._update(values.reshape(-1) if of_blocks else values)
        self._plans.clear()

    @property
    def shares_memory(self):
        """Whether A reads the arrays it was made from, so that they must not change.

        False: it has copies, because they were asked for or because the arrays were in another form.
        """
        return self._shares

    def _borrowed(self):
        """A csr_array of SciPy that reads the memory of A. It stays inside the package: A may borrow that memory."""
        from scipy.sparse import csr_array

        data, indices, indptr = arrays(self._latest())
        if data is None:
            data = numpy.ones(self.nnz, self.dtype)
        return csr_array((data, indices, indptr), shape=self.shape)

    def _scaled(self, factor):
        from ._sources import matrix

        data, indices, indptr = self._csr()
        if data is None:
            data = numpy.ones(self.nnz, self.dtype)
        return _unshared(matrix((data * factor, indices, indptr), shape=self.shape))

    def _converted(self, dtype):
        from ._sources import matrix

        return _unshared(matrix(self._csr(), shape=self.shape, dtype=dtype))

    def _csr(self):
        """Copies of data (None: all ones), indices and indptr, with the latest values."""
        latest = self._latest()
        return tuple(None if array is None else array.copy() for array in arrays(latest))

    def __reduce__(self):
        """The arrays with the latest values, and the choices of the plans: what was pickled is converted again, not
        planned again."""
        from ._sources import unpickled

        # Plans for A and A.T of a symmetric file have the same choice, for A.
        choices = {choice.split("\n")[1]: choice for choice in reversed(self._choices()) if choice is not None}
        return unpickled, (*self._contents(), tuple(choices.values()))

    def _copied(self):
        """A copy without plans."""
        from ._sources import restored

        return restored(*self._contents(), copy=True)

    def _contents(self):
        """The arrays with the latest values, the shape and the dtype; of values of 16 bits their bits, and its name."""
        latest = self._latest()
        return stored_arrays(latest), self.shape, latest._half or self.dtype

    def __copy__(self):
        """As `copy.deepcopy`: matrices do not share their arrays with each other."""
        return copy.deepcopy(self)

    def __repr__(self):
        rows, cols = self.shape
        return f"<tulle.Matrix {rows} x {cols}, {self.nnz} entries of {self.dtype}>"


def _unshared(a):
    """`a`, marked as the only owner of its arrays."""
    a._shares = False
    return a


class Transposed(ScipyMethods, Steps):
    """The transposed of a `Matrix`, by ``A.T``. It reads the memory of A and has a plan of its own, unless A has one for
    both."""

    __slots__ = ("T",)
    __array_ufunc__ = None
    ndim = 2

    def __init__(self, of):
        self.T = of

    @property
    def shape(self):
        return self.T.shape[::-1]

    @property
    def dtype(self):
        return self.T.dtype

    @property
    def nnz(self):
        return self.T.nnz

    @property
    def shares_memory(self):
        """As `Matrix.shares_memory`."""
        return self.T.shares_memory

    def update(self, values):
        """As `Matrix.update`: `values` are in the order of the arrays that A was made from."""
        self.T.update(values)

    @property
    def H(self):
        """A, of a real matrix. The conjugate of a complex one is not available without a copy."""
        if self.dtype.kind == "c":
            raise NotImplementedError("A.T.H is the conjugate of A: make a matrix of S.conj()")
        return self.T

    def _borrowed(self):
        return self.T._borrowed().T

    def _scaled(self, factor):
        return self.T._scaled(factor).T

    def _converted(self, dtype):
        return self.T._converted(dtype).T

    def _copied(self):
        return self.T._copied().T

    def __matmul__(self, x):
        return self.T._multiply_new(x, 1)

    def __rmatmul__(self, x):
        if on_device(x):
            return self.T @ x
        return (self.T @ numpy.asarray(x).T).T

    def dot(self, x, out=None, alpha=1.0, beta=0.0):
        """As `Matrix.dot`, with the transposed matrix."""
        return _dot(self.T, 1, x, out, alpha, beta)

    def matvec(self, x):
        return self.T._multiply_new(x, 1)

    def rmatvec(self, x):
        return self.T @ x if self.dtype.kind == "f" else numpy.conj(self.T @ numpy.conj(x))

    matmat = matvec
    rmatmat = rmatvec

    def plan(self, multiplies=None, *, both=False, stores=None, measure=False, reproducible=0, format=None,
             lossy=False, wisdom=None, vectors=None, online=False, dtype=None):
        """As `Matrix.plan`, for products with the transposed matrix."""
        _plan(self.T, 1, multiplies, both, stores, measure, reproducible, format, lossy, wisdom, vectors,
              online, dtype)
        return self

    def on(self, device=None, *, format=None, reproducible=False, updates=False):
        """As `Matrix.on`, for products with the transposed matrix."""
        return DeviceMatrix._of(self.T, 1, device, format, reproducible, updates)

    def rank(self, device, *, reproducible=False):
        """As `Matrix.rank`, for products with the transposed matrix."""
        return self.T._rank(1, getattr(device, "name", device), reproducible)

    def explain(self):
        """As `Matrix.explain`, for products with the transposed matrix."""
        return self.T._explain(1)

    def describe(self):
        """As `Matrix.describe`, for products with the transposed matrix."""
        return {**self.T._describe(1), "candidates": self.T._candidates(1)}

    def _repr_html_(self):
        return _html.page(self.T, 1)

    def __repr__(self):
        rows, cols = self.shape
        return f"<tulle.Transposed {rows} x {cols}, {self.nnz} entries of {self.dtype}>"


class Adjoint:
    """The conjugate transpose of a complex `Matrix`, by ``A.H``. It reads the memory of A and has a plan of its own."""

    __slots__ = ("H",)
    __array_ufunc__ = None
    ndim = 2

    def __init__(self, of):
        self.H = of

    @property
    def shape(self):
        return self.H.shape[::-1]

    @property
    def dtype(self):
        return self.H.dtype

    @property
    def nnz(self):
        return self.H.nnz

    def __matmul__(self, x):
        return self.H._multiply_new(x, CONJUGATE)

    def dot(self, x, out=None, alpha=1.0, beta=0.0):
        """As `Matrix.dot`, with the conjugate transpose."""
        return _dot(self.H, CONJUGATE, x, out, alpha, beta)

    def matvec(self, x):
        return self.H._multiply_new(x, CONJUGATE)

    def rmatvec(self, x):
        return self.H @ x

    matmat = matvec
    rmatmat = rmatvec

    def plan(self, multiplies=None, *, measure=False, reproducible=0, format=None, wisdom=None, vectors=None,
             online=False):
        """As `Matrix.plan`, for products with the conjugate transpose."""
        _plan(self.H, CONJUGATE, multiplies, False, None, measure, reproducible, format, False, wisdom, vectors,
              online, None)
        return self

    def explain(self):
        """As `Matrix.explain`, for products with the conjugate transpose."""
        return self.H._explain(CONJUGATE)

    def describe(self):
        """As `Matrix.describe`, for products with the conjugate transpose."""
        return {**self.H._describe(CONJUGATE), "candidates": self.H._candidates(CONJUGATE)}

    def __repr__(self):
        rows, cols = self.shape
        return f"<tulle.Adjoint {rows} x {cols}, {self.nnz} entries of {self.dtype}>"


class _Memory:
    """The base of arrays that read the memory of a matrix: it lives as long as they do."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, array, owner):
        self.__array_interface__, self.owner = array.__array_interface__, owner


def arrays(a):
    """data (None: all ones), indices and indptr of `a`, read-only."""
    data, *others = stored_arrays(a)
    return _widened(data, a._half), *others


def stored_arrays(a):
    """The same; values of 16 bits as their bits."""
    return tuple(None if one is None else numpy.asarray(_Memory(numpy.frombuffer(*one), a)) for one in a._arrays())


def _widened(data, half):
    """Values that are kept in 16 bits, as float32."""
    if data is None or half is None:
        return data
    return (data.view("float16").astype("float32") if half == "float16"
            else (data.astype("uint32") << 16).view("float32"))


def _bits(values, half):
    """The bits of values for a matrix that keeps `half`."""
    values = numpy.asarray(values)
    if values.dtype.name != half or not values.dtype.isnative:
        raise TypeError(f"values are {values.dtype} and the matrix keeps {half}: values.astype({half!r}) rounds them")
    return numpy.require(values, None, ["C", "ALIGNED"]).view("uint16")


def _dot(a, transposed, x, out, alpha, beta):
    if a.dtype.kind == "c":
        alpha, beta = complex(alpha), complex(beta)
    if on_device(x) or on_device(out):
        return kept_plan(a, transposed, x if on_device(x) else out).dot(x, out, alpha, beta)
    if out is None:
        if beta != 0:
            raise ValueError("beta is for out = alpha * A @ x + beta * out, and there is no out")
        if alpha == 1:
            return a._multiply_new(x, transposed)
        x, dtype = promoted(x, a.dtype)
        x = in_order(x, dtype, a.shape[0 if transposed else 1])
        out = numpy.empty((a.shape[1 if transposed else 0], *x.shape[1:]), dtype)
    done = a._multiply(x, out, transposed, alpha, beta)
    if done is not NotImplemented:
        return done
    # x cannot be used as it lies, at least not beside out.
    x, dtype = promoted(x, a.dtype)
    out_dtype = numpy.asarray(out).dtype
    if dtype.itemsize > out_dtype.itemsize:
        raise TypeError(f"out is {out_dtype} and the product {dtype}, because x is {x.dtype}: make out {dtype}, or "
                        f"x.astype({str(out_dtype)!r}) rounds x")
    own = in_order(x, out_dtype, a.shape[0 if transposed else 1], _order(numpy.asarray(out)))
    if isinstance(x, numpy.ndarray) and numpy.may_share_memory(x, out):
        raise ValueError("x and out share memory")
    return a._multiply(own, out, transposed, alpha, beta)


def _order(out):
    by_columns = out.ndim == 2 and out.shape[1] > 1 and out.strides[1] != out.itemsize
    return "F" if by_columns else "C"


BOTH, CONJUGATE = 2, 3  # TULLE_BOTH, TULLE_CONJUGATE


LOSSY = {False: 0, True: 1, "float32": 1, "float16": 2, "bfloat16": 3}  # tulle_lossy


def _plan(a, transposed, multiplies, both, stores, measure, reproducible, format, lossy, wisdom, vectors, online, dtype):
    if reproducible not in (0, 1, 2):
        raise ValueError(f"reproducible = {reproducible!r} is none of 0, 1, 2")
    if multiplies is not None and not isinstance(multiplies, (numbers.Real, numpy.number)):
        raise TypeError(f"multiplies = {multiplies!r} is not a number; expected how often you will multiply")
    if multiplies is not None and not multiplies > 0:
        raise ValueError(f"multiplies = {multiplies!r} is not a positive number")
    if stores not in (None, 1, 2):
        raise ValueError(f"stores = {stores!r} is none of None, 1, 2")
    if stores is not None and not both:
        raise ValueError("stores is for a plan with both=True")
    if online and both:
        raise ValueError("online is for one direction: plan A and A.T, each with online=True")
    if vectors is not None:
        vectors = operator.index(vectors)
        if vectors < 1:
            raise ValueError(f"vectors = {vectors!r} is not a positive number")
    if lossy not in LOSSY:
        raise ValueError(f"lossy = {lossy!r} is none of {', '.join(map(repr, LOSSY))}")
    dtype = a.dtype if dtype is None else numpy.dtype(dtype)
    if dtype != a.dtype and dtype != numpy.dtype("float64"):
        raise TypeError(f"dtype = {dtype} is that of no product with a matrix of {a.dtype}; expected float64, or None")
    a._plan(BOTH if both else transposed, multiplies or 0, measure, int(reproducible), format, LOSSY[lossy], wisdom,
            stores or 0, vectors or 0, online, dtype != a.dtype)


def aslinearoperator(A):
    """A scipy.sparse.linalg.LinearOperator that multiplies by A, with products of several vectors.

    SciPy's solvers take a `Matrix` as it is; this is for those that want a LinearOperator, or ``A.H``.
    """
    from scipy.sparse.linalg import LinearOperator

    return LinearOperator(A.shape, matvec=A.matvec, rmatvec=A.rmatvec, matmat=A.matmat,
                          rmatmat=A.rmatmat, dtype=A.dtype)
