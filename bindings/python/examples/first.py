"""From a SciPy matrix to y, and why it is multiplied as it is."""
import numpy as np
import scipy.sparse as sp

import tulle

S = sp.csr_array([[4.0, 0, 1], [0, 3, 0], [2, 0, 5]])
A = tulle.matrix(S)  # uses the arrays of S as they are
print("y =", A @ np.array([1.0, 2, 3]))
print(A.plan(multiplies=500).explain().splitlines()[0])
