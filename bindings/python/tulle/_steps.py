"""Steps of iterative methods: a product and the dot products that follow it, in one pass over the result."""

import numpy

from . import _core
from ._interop import on_device
from ._vectors import one_vector, promoted


class Steps:
    """The methods of `Matrix` and `Transposed` that compute a product and dot products together."""

    __slots__ = ()

    def mul_dot(self, x, out=None):
        """``y = A @ x`` with its dot products: ``(y, x @ y, y @ y)``.

        One pass over y does what three calls would, with the same bits of y. ``x @ y`` is None unless A is square.
        y is `out` if that is given: an array of A's dtype that shares no memory with `x`. Dot products are summed in
        float64, and the number of threads changes no bit of them.

        >>> import numpy, tulle
        >>> A = tulle.matrix(([2.0, 3.0], [0, 1], [0, 1, 2]))
        >>> y, xy, yy = A.mul_dot(numpy.array([1.0, 2.0]))
        >>> y, xy, yy
        (array([2., 6.]), 14.0, 40.0)
        """
        return self.step(x, out=out)

    def residual(self, x, b, out=None):
        """``r = b - A @ x`` and ``r @ r``, as ``(r, r @ r)``. `out` may be `b` itself.

        >>> import numpy, tulle
        >>> A = tulle.matrix(([2.0, 3.0], [0, 1], [0, 1, 2]))
        >>> A.residual(numpy.array([1.0, 2.0]), numpy.array([3.0, 3.0]))
        (array([ 1., -3.]), 10.0)
        """
        r, _, rr = _step(self, -1.0, x, 0.0, 1.0, b, "b", out)
        return r, rr

    def step(self, x, w=None, *, alpha=1.0, beta=0.0, gamma=0.0, out=None):
        """``z = alpha * A @ x + beta * x + gamma * w`` with its dot products: ``(z, x @ z, z @ z)``.

        For the three-term recurrences of Lanczos and Chebyshev. `out` may be `w` itself. A beta that is not 0 needs a square
        A. Everything else is as in `mul_dot`.

        >>> import numpy, tulle
        >>> A = tulle.matrix(([2.0, 3.0], [0, 1], [0, 1, 2]))
        >>> x, w = numpy.array([1.0, 2.0]), numpy.array([1.0, 1.0])
        >>> A.step(x, w, alpha=2, beta=-1, gamma=-1)
        (array([2., 9.]), 20.0, 85.0)
        """
        return _step(self, alpha, x, beta, gamma, w, "w", out)


def _step(of, alpha, x, beta, gamma, w, name, out):
    a, transposed = (of, 0) if isinstance(of, _core.Matrix) else (of.T, 1)
    rows, cols = of.shape
    if on_device(x) or on_device(w) or on_device(out):
        raise TypeError("steps are computed on the CPU; A.on(device) multiplies vectors on a device")
    dtype = promoted(x, a.dtype)[1]
    if w is None and gamma != 0:
        raise ValueError(f"gamma = {gamma!r} but there is no w")
    if w is not None:
        dtype = promoted(w, dtype, name)[1]
        w = one_vector(w, dtype, rows, name)
    own = one_vector(x, dtype, cols)
    if out is None:
        out = numpy.empty(rows, dtype)
    elif own is not x and isinstance(x, numpy.ndarray) and numpy.may_share_memory(x, out):
        raise ValueError("x and out share memory")
    return out, *a._step(transposed, alpha, own, beta, gamma, w, out, dtype != a.dtype)
