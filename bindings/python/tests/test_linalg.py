"""scipy.sparse.linalg takes a tulle matrix as it takes one of its own."""

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sla

import tulle


@pytest.fixture(scope="module")
def laplacian():
    n = 30
    line = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    eye = sp.eye_array(n)
    return (sp.kron(eye, line) + sp.kron(line, eye)).tocsr()


AS = {"itself": lambda A: A, "operator": tulle.aslinearoperator}


@pytest.mark.parametrize("given", AS)
@pytest.mark.parametrize("solver", ["cg", "gmres", "bicgstab"])
def test_solvers(laplacian, solver, given):
    b = np.ones(laplacian.shape[0])
    x, info = getattr(sla, solver)(AS[given](tulle.matrix(laplacian)), b, rtol=1e-10)
    assert info == 0
    # ||A^-1|| < 100 here, so a residual of 1e-8 is an answer of 1e-6.
    assert np.linalg.norm(laplacian @ x - b) < 1e-8 * np.linalg.norm(b)


@pytest.mark.parametrize("given", AS)
def test_eigsh(laplacian, rng, given):
    options = {"k": 3, "which": "LA", "return_eigenvectors": False, "v0": rng.random(900)}
    values = sla.eigsh(AS[given](tulle.matrix(laplacian)), **options)
    # Of this matrix they are known: 4 - 2 cos(i pi / 31) - 2 cos(j pi / 31).
    one = 2 - 2 * np.cos(np.arange(1, 31) * np.pi / 31)
    known = np.sort((one[:, None] + one).ravel())[-1]
    assert abs(values.max() - known) < 1e-10 * known


@pytest.mark.parametrize("given", AS)
def test_svds(rng, given):
    d = rng.random((40, 25)) * (rng.random((40, 25)) < 0.4)
    values = sla.svds(AS[given](tulle.matrix(sp.csr_array(d))), k=3, return_singular_vectors=False,
                      v0=rng.random(25))
    np.testing.assert_allclose(np.sort(values), np.linalg.svd(d, compute_uv=False)[2::-1], rtol=1e-9)


def test_operator_of_the_transposed(dense):
    A = tulle.matrix(sp.csr_array(dense))
    op, X = tulle.aslinearoperator(A.T), np.ones((30, 4))
    np.testing.assert_array_equal(op @ X, dense.T @ X)
    np.testing.assert_array_equal(op.T @ np.ones(20), dense @ np.ones(20))
    np.testing.assert_array_equal(tulle.aslinearoperator(A).H @ X, dense.T @ X)


@pytest.mark.parametrize("solver", ["cg", "gmres", "bicgstab"])
def test_pyamg(laplacian, solver):
    pyamg = pytest.importorskip("pyamg")
    A, b = tulle.matrix(laplacian), np.ones(laplacian.shape[0])
    multigrid = pyamg.smoothed_aggregation_solver(laplacian).aspreconditioner()
    x, info = getattr(pyamg.krylov, solver)(A, b, tol=1e-10, M=multigrid)
    assert info == 0 and np.linalg.norm(laplacian @ x - b) < 1e-8 * np.linalg.norm(b)
    x, info = sla.cg(A, b, rtol=1e-10, M=multigrid)
    assert info == 0 and np.linalg.norm(laplacian @ x - b) < 1e-8 * np.linalg.norm(b)
