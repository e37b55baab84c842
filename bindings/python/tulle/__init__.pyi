"""Types of what users see."""

import os
from collections.abc import Sequence
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _core
from ._core import __version__ as __version__
from ._core import formats as formats
from ._core import get_threads as get_threads
from ._core import set_threads as set_threads

__all__ = ["Batch", "Matrix", "PageRank", "Transposed", "__version__", "aslinearoperator", "batch", "formats",
           "get_threads", "matrix", "pagerank", "set_threads"]

_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]

class _Sparse(Protocol):
    @property
    def shape(self) -> tuple[int, ...]: ...
    def tocsr(self) -> Any: ...

class _Products:
    ndim: int
    __array_ufunc__: None
    def dot(self, x: ArrayLike, out: np.ndarray | None = None, alpha: float = 1.0,
            beta: float = 0.0) -> np.ndarray: ...
    def matvec(self, x: ArrayLike) -> np.ndarray: ...
    def rmatvec(self, x: ArrayLike) -> np.ndarray: ...
    def matmat(self, x: ArrayLike) -> np.ndarray: ...
    def rmatmat(self, x: ArrayLike) -> np.ndarray: ...
    def plan(self, multiplies: float | None = None, *, measure: bool = False, reproducible: int = 0,
             format: str | None = None, lossy: bool = False,
             wisdom: _Path | None = None) -> Self: ...
    def explain(self) -> str: ...
    def describe(self) -> dict[str, Any]: ...
    def _repr_html_(self) -> str: ...

class Matrix(_Products, _core.Matrix):
    @property
    def T(self) -> Transposed: ...
    @property
    def shares_memory(self) -> bool: ...
    def update(self, values: ArrayLike) -> None: ...
    def to_scipy(self) -> Any: ...

class Transposed(_Products):
    T: Matrix
    def __init__(self, of: Matrix) -> None: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def nnz(self) -> int: ...
    def __matmul__(self, x: ArrayLike) -> np.ndarray: ...
    def __rmatmul__(self, x: ArrayLike) -> np.ndarray: ...

class PageRank:
    ranks: np.ndarray
    nodes: int
    links: int
    dangling: int
    iterations: int
    residual: float
    residuals: list[float]
    error_bound: float
    converged: bool
    alpha: float
    tol: float
    planning_seconds: float
    seconds_per_iteration: float
    format: str
    why: str
    formula: str
    link_rule: str
    dangling_rule: str
    teleport_rule: str
    start: str
    norm: str
    stop_test: str
    def __init__(self, ranks: np.ndarray, facts: dict[str, Any]) -> None: ...
    def top(self, count: int = 10) -> list[tuple[int, float]]: ...
    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray: ...

class Batch(_core.Batch):
    __array_ufunc__: None
    dtype: np.dtype[Any]
    shapes: list[tuple[int, int]]
    def __len__(self) -> int: ...
    def __matmul__(self, x: ArrayLike) -> Any: ...
    def dot(self, x: ArrayLike, out: np.ndarray | None = None, alpha: float = 1.0, beta: float = 0.0) -> Any: ...
    def update(self, values: ArrayLike) -> None: ...

def batch(matrices: Sequence[_Sparse] | np.ndarray, pattern: _Sparse | tuple[ArrayLike, ArrayLike] | None = None,
          *, scale: ArrayLike | None = None, multiplies: float | None = None, kernel: str | None = None,
          dtype: DTypeLike | None = None) -> Batch: ...

_Source = _Sparse | tuple[ArrayLike | None, ArrayLike, ArrayLike] | _Path

def pagerank(S: _Source | Matrix, alpha: float = 0.85, tol: float = 1e-8, *, max_iter: int | None = None,
             personalization: ArrayLike | None = None, measure: bool = False,
             format: str | None = None) -> PageRank: ...
def matrix(S: _Source,
           copy: bool = False, shape: tuple[int, int] | None = None,
           dtype: DTypeLike | None = None) -> Matrix: ...
def aslinearoperator(A: Matrix | Transposed) -> Any: ...
