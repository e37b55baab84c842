"""The program of docs/migration/scipy.md, with tulle's matrices in SciPy's solvers."""
import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla

import tulle

n = 400
S = sp.diags_array([-1.0, np.linspace(3, 9, n), -1.0], offsets=[-1, 0, 1], shape=(n, n)).tocsr()
D = sp.diags_array([-1.0, 1.0], offsets=[0, 1], shape=(n - 1, n)).tocsr()  # differences
x, u = np.ones(n), np.linspace(0, 1, n)

A = tulle.matrix(S).plan(multiplies=1000)
B = tulle.matrix(D)

y = A @ x
z = B.T @ (B @ u)
Y = A @ np.column_stack([x, u])
solution, failed = sla.cg(A, y, rtol=1e-12)
largest = sla.eigsh(A, k=3, return_eigenvectors=False)
singular = sla.svds(B, k=3, return_singular_vectors=False)
shifted = sla.LinearOperator((n, n), matvec=lambda v: A @ v + u * (u @ v), dtype=A.dtype)
moved, also_failed = sla.cg(shifted, y, rtol=1e-12)

A.update(2 * S.data)  # A keeps its plan
doubled = A @ x
print(f"residual {np.linalg.norm(S @ solution - y):.1e}, largest {largest.max():.6f}, {singular.max():.6f}")
