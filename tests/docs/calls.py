# Around Python lines of a page: S, x and b exist.
import numpy as np
import scipy.sparse.linalg

import tulle

S = scipy.sparse.csr_array([[4.0, 0, 1], [0, 3, 0], [1, 0, 5]])
x = np.array([1.0, 2, 3])
b = S @ x
# BLOCK
assert np.allclose(x, [1, 2, 3])
