"""Sparse matrix times vector, fast: ``A = tulle.matrix(S)``, then ``y = A @ x`` as often as you like.

>>> import numpy, scipy.sparse, tulle
>>> S = scipy.sparse.csr_array([[4.0, 0, 1], [0, 3, 0], [2, 0, 5]])
>>> A = tulle.matrix(S)
>>> A @ numpy.array([1.0, 2, 3])
array([ 7.,  6., 17.])
"""

from ._core import __version__, devices, formats, get_threads, set_threads
from ._accelerate import accelerate, statistics
from ._batch import Batch, batch
from ._device import Device, DeviceMatrix, DeviceVector, device
from ._matrix import Adjoint, Matrix, Transposed, aslinearoperator
from ._pagerank import PageRank, pagerank
from ._sources import load, matrix, save

__all__ = ["Adjoint", "Batch", "Device", "DeviceMatrix", "DeviceVector", "Matrix", "PageRank", "Transposed", "__version__",
           "accelerate", "aslinearoperator", "batch", "device", "devices", "formats", "get_threads", "load", "matrix",
           "pagerank", "save", "set_threads", "statistics"]
