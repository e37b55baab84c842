"""tulle.accelerate: products of SciPy's own csr and csc matrices by tulle. ADR 31 has the reasons.

While a block is active, the two methods of SciPy that multiply compressed matrices by dense vectors count the products
of each matrix, and give those of matrices that are multiplied often to tulle. Everything else is left to SciPy.
"""

import functools
import itertools
import operator
import os
import sys
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
# csc arrays are those of the transposed matrix in csr: a product scatters into private copies of y. With several threads that is
# faster than SciPy's loop if there are so many entries, and so many per element of y (ADR 31).
SCATTER_ENTRIES = 200_000
SCATTER_PER_ROW = 20
CONVERT_AFTER = 10  # a conversion is considered after this many times as many, and again whenever their number grows tenfold
# One vector, several vectors: since SciPy 1.12, and before.
NAMES = [("_matmul_vector", "_matmul_multivector"), ("_mul_vector", "_mul_multivector")]

# Guards what follows, except that entries of _seen are removed without it when their matrix is freed, and that countdowns need
# none. Reentrant: a destructor that runs while a thread holds it may multiply.
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


class _Countdown:
    """Products that are SciPy's. `steps` yields True for each: one step of the interpreter, which needs no lock."""

    __slots__ = ("length", "steps")

    def __init__(self, length):
        self.length, self.steps = length, itertools.repeat(True, length)

    def taken(self):
        return self.length - operator.length_hint(self.steps)


_not_listed = _Countdown(sys.maxsize)  # products of matrices without an entry in _seen


class accelerate:
    """``with tulle.accelerate():`` multiplies SciPy's csr and csc matrices by tulle, where ``S @ x`` is written.

    after
        Products of a matrix by SciPy before tulle takes over. None: 5, and more for small matrices, for which planning pays
        off later: 100 for a matrix of 20,000 entries.
    frozen
        True: you promise that no values, indices or offsets of a matrix change in place while the block is active. Then csr
        and csc matrices are converted if that pays off, as by `Matrix.plan`. False: only matrices whose three arrays are
        read-only are converted. Other csr matrices are multiplied where they are, so that every change is seen, and so are
        other csc matrices of 200,000 entries or more, if they have 20 or more per row and tulle has several threads. The
        rest is multiplied by SciPy.

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
        global _counts, _not_listed
        with _lock:
            if not _blocks:
                _replace_methods()
                _counts, _not_listed = _Counts(), _Countdown(sys.maxsize)
            _blocks.append(self)
        return self

    def __exit__(self, *error):
        with _lock:
            last = len(_blocks) - 1 - _blocks[::-1].index(self)
            del _blocks[last]
            if not _blocks:
                _restore_methods()
                _counts.bytes = _held_bytes()
                _counts.products_by_scipy = _products_by_scipy()
                _not_listed = _Countdown(0)
                _seen.clear()


def statistics():
    """What `accelerate` has done since its outermost block was entered, as a dict.

    matrices
        different matrices that were multiplied, without csc matrices that are left to SciPy
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
        counts = asdict(_counts)
        if _blocks:
            counts |= {"bytes": _held_bytes(), "products_by_scipy": _products_by_scipy()}
        return counts


def _held_bytes():
    held = [seen.made for seen in list(_seen.values())]
    return sum(made.bytes for made in held if made is not None)


def _products_by_scipy():
    waiting = [seen.waiting for seen in list(_seen.values())]
    return _counts.products_by_scipy + sum(one.taken() for one in [_not_listed, *waiting])


# ---- SciPy's methods ----

def _find_methods():
    """The class of SciPy's compressed matrices, and the names of its methods."""
    from scipy.sparse._compressed import _cs_matrix

    names = next((pair for pair in NAMES if all(hasattr(_cs_matrix, name) for name in pair)), None)
    if names is None:
        raise RuntimeError("tulle.accelerate does not know the methods of this version of SciPy")
    return _cs_matrix, names


_methods = functools.cache(_find_methods)  # each block needs them


def _replace_methods():
    compressed, names = _methods()
    for name in names:
        theirs = getattr(compressed, name)
        _replaced[name] = theirs, _wrapper_of(theirs)
        setattr(compressed, name, _replaced[name][1])


def _restore_methods():
    compressed, _ = _methods()
    for name, (theirs, ours) in _replaced.items():
        # If another library has wrapped ours meanwhile, its wrapper stays: without a block, ours passes everything on.
        if compressed.__dict__[name] is ours:
            setattr(compressed, name, theirs)
    _replaced.clear()


def _wrapped(theirs):
    @functools.wraps(theirs)
    def product(S, x):
        seen = _seen.get(id(S))
        if seen is not None and next(seen.waiting.steps, False):  # most products of small matrices
            return theirs(S, x)
        made = _plan_for(seen, S, x)
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

    __slots__ = ("busy", "made", "plan_at", "products", "reference", "refused", "waiting")

    def __init__(self, S, due):
        self.reference = weakref.ref(S, functools.partial(_forget, id(S)))
        self.busy = False
        self.waiting = _Countdown(0)
        self.restart(due)

    def restart(self, due):
        """Leave as many products to SciPy."""
        self.made = None
        self.refused = None  # arrays that tulle does not take, and whether they were trusted
        self.products = self.plan_at = due  # products when the countdown has ended, and before something is planned
        with _lock:
            _counts.products_by_scipy += self.waiting.taken()
            self.waiting = _Countdown(due)


def _forget(key, _):
    """The matrix has been freed."""
    seen = _seen.pop(key, None)
    if seen is not None:
        with _lock:
            _counts.products_by_scipy += seen.waiting.taken()


class _Made:
    """A matrix of tulle, and the arrays it was made from, which are held so that no other array gets their identity."""

    __slots__ = ("arrays", "bytes", "dtype", "matrix", "most_dimensions", "offsets", "shape", "trusted")

    def __init__(self, S, trusted, A):
        self.arrays, self.shape, self.dtype, self.trusted, self.matrix = _arrays(S), S.shape, S.data.dtype, trusted, A
        # A plan cuts the work at offsets. Columns and values are read anew by every product. A plan that scatters cuts it at
        # rows, and reads offsets anew.
        scatters = S.format == "csc" and not trusted
        self.offsets = None if trusted or scatters else S.indptr.copy()
        self.bytes = 0 if self.offsets is None else self.offsets.nbytes
        self.most_dimensions = 1 if scatters else 2  # of an x; several vectors would be scattered one after the other

    def fits(self, S, trusted):
        return (_same(_arrays(S), self.arrays) and S.shape == self.shape and S.data.dtype == self.dtype
                and trusted is self.trusted and (self.offsets is None or _core._same_bytes(S.indptr, self.offsets)))


def _arrays(S):
    return S.data, S.indices, S.indptr


def _same(some, others):
    return some[0] is others[0] and some[1] is others[1] and some[2] is others[2]


def _is_trusted(S, block):
    """Whether the arrays of S will not change."""
    return block.frozen or not (S.data.flags.writeable or S.indices.flags.writeable or S.indptr.flags.writeable)


def _is_scattered(S):
    """Whether a csc matrix that may change is multiplied by tulle."""
    entries = len(S.indices)
    return entries >= SCATTER_ENTRIES and entries >= SCATTER_PER_ROW * S.shape[0] and _core.get_threads() > 1


def _suits(S, x):
    """Whether the product is one that tulle computes as SciPy does."""
    return (type(x) is numpy.ndarray and x.dtype in FLOATS and x.dtype == S.data.dtype and len(S.shape) == 2
            and x.ndim in (1, 2) and x.shape[0] == S.shape[1])


def _plan_for(seen, S, x):
    """What multiplies S by x; None: SciPy."""
    try:
        block = _blocks[-1]
    except IndexError:  # another thread has just left its block
        return None
    if seen is None:
        # Left alone without an entry: S.T @ x makes a new matrix each time.
        if S.format == "csc" and not _is_scattered(S) and not _is_trusted(S, block):
            next(_not_listed.steps, None)
            return None
        seen = _add(S, block)
        if next(seen.waiting.steps, False):
            return None
    made = None
    if suits := _suits(S, x):
        if seen.made is not None and (made := _checked(seen, S, block)) is None and next(seen.waiting.steps, False):
            return None
        if seen.products >= seen.plan_at:
            made = _planned(seen, S, block)
        if made is not None and x.ndim > made.most_dimensions:
            made = None
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
        seen.restart(_first_due(block, S))
    with _lock:
        _counts.changed += not fits
        _counts.seconds_checking += time.perf_counter() - begin
    return made if fits else None


def _add(S, block):
    due = _first_due(block, S)
    with _lock:
        seen = _seen.get(id(S))
        if seen is None:
            seen = _seen[id(S)] = _Seen(S, due)
            _counts.matrices += 1
        return seen


# ---- plans ----

def _planned(seen, S, block):
    """Make a plan if one is due; returns what multiplies now."""
    trusted = _is_trusted(S, block)
    if seen.refused is not None and _same(seen.refused, _arrays(S)) and seen.refused[3] is trusted:
        return None
    with _lock:
        made = seen.made
        if seen.busy or seen.products < seen.plan_at:  # another thread plans, or has planned
            return made
        seen.busy = True
    begin = time.perf_counter()
    try:
        if made is None:
            made = _made_for(S, trusted, seen.products)
        else:
            made.matrix.plan(max(1, seen.products))
        _note(seen, made, block, time.perf_counter() - begin)
    except (TypeError, ValueError, NotImplementedError, MemoryError):
        seen.restart(0)
        seen.refused = *_arrays(S), trusted
        return None
    finally:
        seen.busy = False
    return made


def _first_due(block, S):
    """Products of S before tulle takes over: before it converts a csc matrix that will not change."""
    after = max(AFTER, ENTRIES // max(1, len(S.indices))) if block.after is None else block.after
    return after * (CONVERT_AFTER if S.format == "csc" and _is_trusted(S, block) else 1)


def _next_due(block, products):
    """Products before a conversion is considered, or considered again."""
    due = max(20, CONVERT_AFTER * (AFTER if block.after is None else block.after))
    while due <= products:
        due *= CONVERT_AFTER
    return due


def _made_for(S, trusted, products):
    if S.format == "csr":
        return _Made(S, trusted, _borrowed(S, S.shape).plan(format="csr"))
    if trusted:
        return _Made(S, trusted, matrix(S).plan(max(1, products)))
    if not _is_scattered(S):
        raise ValueError("SciPy is faster")
    A = _borrowed(S, S.shape[::-1]).T
    A.plan(format="csr:transpose=scatter")
    return _Made(S, trusted, A)


def _borrowed(S, shape):
    """A matrix on the arrays of S as csr, which must be such that tulle reads them where they are."""
    A = made_of(Matrix._from_csr(*shape, S.indptr, S.indices, S.data, False, 8), True)
    if not all(map(_is_at, arrays(A), _arrays(S))):
        raise TypeError("tulle has copied an array")
    return A


def _is_at(mine, yours):
    return mine is not None and mine.__array_interface__["data"][0] == yours.__array_interface__["data"][0]


def _note(seen, made, block, seconds):
    """A plan has been made: when to plan again, and what to report."""
    plan = made.matrix.describe()
    converted = not made.matrix.shares_memory or plan["format"] != "csr"
    if made.offsets is None:
        made.bytes = plan["extra_bytes"] + (0 if made.matrix.shares_memory else _csr_bytes(made.matrix))
    with _lock:
        seen.made = made
        seen.plan_at = _next_due(block, seen.products) if made.trusted else float("inf")
        _counts.conversions += converted
        _counts.borrowed += not converted
        _counts.seconds_planning += seconds


def _csr_bytes(A):
    return sum(one.nbytes for one in arrays(A) if one is not None)
