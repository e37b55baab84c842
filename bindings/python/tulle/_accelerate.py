"""tulle.accelerate: products of SciPy's own csr and csc matrices by tulle. ADR 31 has the reasons.

While a block is active, the two methods of SciPy that multiply compressed matrices by dense vectors count the products
of each matrix, and give those of matrices that are multiplied often to tulle. Everything else is left to SciPy.
"""

import functools
import os
import threading
import time
import weakref
from dataclasses import asdict, dataclass
from typing import Any

import numpy

from . import _core
from ._matrix import Matrix, arrays
from ._sources import FLOATS, made_of, matrix

AFTER = 5  # products by SciPy before tulle takes over
# And so many entries multiplied: a borrowed plan of a small matrix takes some 50 us, SciPy some 2 ms for these.
ENTRIES = 2_000_000
CONVERT_AFTER = 10  # a conversion is considered after this many times as many, and again whenever their number grows tenfold
# One vector, several vectors: since SciPy 1.12, and before.
NAMES = [("_matmul_vector", "_matmul_multivector"), ("_mul_vector", "_mul_multivector")]

# Guards what follows, except that entries of _seen are removed without it when their matrix is freed. Reentrant: a destructor
# that runs while a thread holds it may multiply.
_lock = threading.RLock()
_blocks: list["accelerate"] = []  # active ones, the innermost last
_seen: dict[int, "_Seen"] = {}  # by the id of a matrix
_replaced: dict[str, tuple[Any, Any]] = {}  # name of a method: (SciPy's, ours)


def _after_fork():
    """In the child: threads that held the lock or were planning do not exist."""
    global _lock
    _lock = threading.RLock()
    _seen.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@dataclass
class _Counts:
    matrices: int = 0
    products_by_scipy: int = 0
    products_by_tulle: int = 0
    borrowed: int = 0
    conversions: int = 0
    changed: int = 0
    bytes: int = 0
    seconds_planning: float = 0.0
    seconds_checking: float = 0.0


_counts = _Counts()


class accelerate:
    """``with tulle.accelerate():`` multiplies SciPy's csr and csc matrices by tulle, where ``S @ x`` is written.

    after
        Products of a matrix by SciPy before tulle takes over. None: 5, and more for small matrices, for which planning is
        not worth its time sooner: 100 with 20,000 entries.
    frozen
        True: you promise that no values, indices or offsets of a matrix change in place while the block is active. Then csr
        and csc matrices are converted if that pays off, as by `Matrix.plan`. False: only matrices whose three arrays are
        read-only are converted. Other csr matrices are multiplied where they are, so that every change is seen, and
        other csc matrices are multiplied by SciPy.

    It holds for all threads of the process. Blocks may be nested: the one entered last decides. `tulle.statistics` reports
    what was done. Results differ from SciPy's by rounding: sums are added in another order.

    >>> import numpy, scipy.sparse, tulle
    >>> S = scipy.sparse.csr_array(numpy.eye(3))
    >>> with tulle.accelerate(after=5):
    ...     for _ in range(20):
    ...         y = S @ numpy.ones(3)
    >>> counts = tulle.statistics()
    >>> counts["products_by_scipy"], counts["products_by_tulle"]
    (5, 15)
    """

    __slots__ = ("after", "frozen")

    def __init__(self, *, after=None, frozen=False):
        if after is not None and not after >= 0:
            raise ValueError(f"after = {after!r} is not a number of products")
        self.after, self.frozen = after, bool(frozen)

    def __enter__(self):
        global _counts
        with _lock:
            if not _blocks:
                _replace_methods()
                _counts = _Counts()
            _blocks.append(self)
        return self

    def __exit__(self, *error):
        with _lock:
            last = len(_blocks) - 1 - _blocks[::-1].index(self)
            del _blocks[last]
            if not _blocks:
                _restore_methods()
                _counts.bytes = _held_bytes()
                _seen.clear()


def statistics():
    """What `accelerate` has done since its outermost block was entered, as a dict.

    matrices
        different matrices that were multiplied, without csc matrices that may change
    products_by_scipy, products_by_tulle
        calls; one with several vectors counts once
    borrowed, conversions
        plans that read SciPy's arrays, and plans that hold a copy
    changed
        times that a plan was given up because arrays had been replaced, or offsets had changed in place
    bytes
        extra memory that is held, or was when the outermost block ended
    seconds_planning, seconds_checking
        time spent, besides the products
    """
    with _lock:
        if _blocks:
            _counts.bytes = _held_bytes()
        return asdict(_counts)


def _held_bytes():
    held = [seen.made for seen in list(_seen.values())]
    return sum(made.bytes for made in held if made is not None)


# ---- SciPy's methods ----

def _replace_methods():
    from scipy.sparse._compressed import _cs_matrix

    names = next((pair for pair in NAMES if all(hasattr(_cs_matrix, name) for name in pair)), None)
    if names is None:
        raise RuntimeError("tulle.accelerate does not know the methods of this version of SciPy")
    for name in names:
        theirs = getattr(_cs_matrix, name)
        _replaced[name] = theirs, _wrapper_of(theirs)
        setattr(_cs_matrix, name, _replaced[name][1])


def _restore_methods():
    from scipy.sparse._compressed import _cs_matrix

    for name, (theirs, ours) in _replaced.items():
        # If another library has wrapped ours meanwhile, its wrapper stays: without a block, ours passes everything on.
        if _cs_matrix.__dict__[name] is ours:
            setattr(_cs_matrix, name, theirs)
    _replaced.clear()


def _wrapped(theirs):
    @functools.wraps(theirs)
    def product(S, x):
        made = _plan_for(S, x)
        if made is None:
            return theirs(S, x)
        if x.ndim == 1:
            return made.matrix @ x
        y = numpy.empty((S.shape[0], x.shape[1]), x.dtype)  # by rows, as SciPy's
        return made.matrix.dot(numpy.ascontiguousarray(x), out=y)

    return product


_wrapper_of = functools.lru_cache(maxsize=8)(_wrapped)  # made once: blocks around short calls must cost little


# ---- matrices that were seen ----

class _Seen:
    """A matrix of SciPy and its number of products. Removed from _seen when the matrix is freed."""

    __slots__ = ("busy", "made", "plan_at", "products", "reference", "refused")

    def __init__(self, S):
        key = id(S)
        self.reference = weakref.ref(S, lambda _: _seen.pop(key, None))
        self.busy = False
        self.restart()

    def restart(self):
        self.made = None
        self.products = 0
        self.plan_at = 0  # products before something is planned; 0: not decided
        self.refused = None  # arrays that tulle does not take


class _Made:
    """A matrix of tulle, and the arrays it was made from, which are held so that no other array gets their identity."""

    __slots__ = ("arrays", "bytes", "dtype", "matrix", "offsets", "shape", "trusted")

    def __init__(self, S, trusted, A):
        self.arrays, self.shape, self.dtype, self.trusted, self.matrix = _arrays(S), S.shape, S.data.dtype, trusted, A
        # A plan cuts the work at offsets. Columns and values are read anew by every product.
        self.offsets = None if trusted else S.indptr.copy()
        self.bytes = 0 if trusted else self.offsets.nbytes

    def fits(self, S, trusted):
        return (_same(_arrays(S), self.arrays) and S.shape == self.shape and S.data.dtype == self.dtype
                and trusted is self.trusted and (trusted or _core._same_bytes(S.indptr, self.offsets)))


def _arrays(S):
    return S.data, S.indices, S.indptr


def _same(some, others):
    return some[0] is others[0] and some[1] is others[1] and some[2] is others[2]


def _is_trusted(S, block):
    """Whether the arrays of S will not change."""
    return block.frozen or not (S.data.flags.writeable or S.indices.flags.writeable or S.indptr.flags.writeable)


def _suits(S, x):
    """Whether the product is one that tulle computes as SciPy does."""
    return (type(x) is numpy.ndarray and x.dtype in FLOATS and x.dtype == S.data.dtype and len(S.shape) == 2
            and x.ndim in (1, 2) and x.shape[0] == S.shape[1])


def _plan_for(S, x):
    """What multiplies S by x; None: SciPy."""
    seen = _seen.get(id(S))
    if seen is not None and seen.made is None and seen.products < seen.plan_at:  # most products of small matrices
        with _lock:
            seen.products += 1
            _counts.products_by_scipy += 1
        return None
    try:
        block = _blocks[-1]
    except IndexError:  # another thread has just left its block
        return None
    if seen is None:
        if S.format == "csc" and not _is_trusted(S, block):  # S.T @ x makes a new one each time
            with _lock:
                _counts.products_by_scipy += 1
            return None
        seen = _add(S)
    made = None
    if suits := _suits(S, x):
        if seen.made is not None:
            made = _checked(seen, S, block)
        if seen.products >= seen.plan_at:
            made = _planned(seen, S, block)
    with _lock:
        seen.products += suits
        if made is None:
            _counts.products_by_scipy += 1
        else:
            _counts.products_by_tulle += 1
    return made


def _checked(seen, S, block):
    """The matrix of tulle for S, unless S has changed since it was made."""
    begin = time.perf_counter()
    made = seen.made
    fits = made is not None and made.fits(S, _is_trusted(S, block))
    if not fits:
        seen.restart()
    with _lock:
        _counts.changed += not fits
        _counts.seconds_checking += time.perf_counter() - begin
    return made if fits else None


def _add(S):
    with _lock:
        seen = _seen.get(id(S))
        if seen is None:
            seen = _seen[id(S)] = _Seen(S)
            _counts.matrices += 1
        return seen


# ---- plans ----

def _planned(seen, S, block):
    """Make a plan if one is due; returns what multiplies now."""
    trusted, made = _is_trusted(S, block), seen.made
    if S.format == "csc" and not trusted or seen.refused is not None and _same(seen.refused, _arrays(S)):
        return None
    due = seen.plan_at or _first_due(block, S) * (1 if S.format == "csr" else CONVERT_AFTER)
    with _lock:
        if seen.busy or seen.products < due:  # busy: another thread plans
            seen.plan_at = due
            return made
        seen.busy = True
    begin = time.perf_counter()
    try:
        if made is None:
            made = _borrowed(S, trusted) if S.format == "csr" else _converted(S, seen.products)
        else:
            made.matrix.plan(max(1, seen.products))
        _note(seen, made, block, time.perf_counter() - begin)
    except (TypeError, ValueError, NotImplementedError, MemoryError):
        seen.restart()
        seen.refused = _arrays(S)
        return None
    finally:
        seen.busy = False
    return made


def _first_due(block, S):
    """Products of S before tulle takes over."""
    return max(AFTER, ENTRIES // max(1, len(S.indices))) if block.after is None else block.after


def _next_due(block, products):
    """Products before a conversion is considered, or considered again."""
    due = max(20, CONVERT_AFTER * (AFTER if block.after is None else block.after))
    while due <= products:
        due *= CONVERT_AFTER
    return due


def _borrowed(S, trusted):
    """A matrix on the arrays of S, which must be such that tulle reads them where they are."""
    A = made_of(Matrix._from_csr(*S.shape, S.indptr, S.indices, S.data, False, 8), True)
    if not all(map(_is_at, arrays(A), _arrays(S))):
        raise TypeError("tulle has copied an array")
    return _Made(S, trusted, A.plan(format="csr"))


def _is_at(mine, yours):
    return mine is not None and mine.__array_interface__["data"][0] == yours.__array_interface__["data"][0]


def _converted(S, products):
    return _Made(S, True, matrix(S).plan(max(1, products)))


def _note(seen, made, block, seconds):
    """A plan has been made: when to plan again, and what to report."""
    plan = made.matrix.describe()
    converted = not made.matrix.shares_memory or plan["format"] != "csr"
    if made.trusted:
        made.bytes = plan["extra_bytes"] + (0 if made.matrix.shares_memory else _csr_bytes(made.matrix))
    with _lock:
        seen.made = made
        seen.plan_at = _next_due(block, seen.products) if made.trusted else float("inf")
        _counts.conversions += converted
        _counts.borrowed += not converted
        _counts.seconds_planning += seconds


def _csr_bytes(A):
    return sum(one.nbytes for one in arrays(A) if one is not None)
