"""Products of matrices and vectors of every pair of dtypes: the dtype that SciPy gives, or an error that says what to do."""

import itertools
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg
import tulle
from conftest import whole

MATRICES = ["float32", "float64"]
REAL = ["?", "b", "B", "h", "H", "i", "I", "l", "L", "e", "f", "d"]
REFUSED = ["g", "G", "O"]


@pytest.mark.parametrize("made, given", list(itertools.product(MATRICES, REAL)))
def test_dtype_of_a_product_is_that_of_scipy(dense, rng, made, given):
    S = sp.csr_array(dense.astype(made))
    A = tulle.matrix(S)
    for vectors in ((), (1,), (3,)):
        x, z = (np.abs(whole(rng, n, *vectors)).astype(given) for n in (20, 30))
        products = [(A @ x, S @ x), (A.dot(x), S @ x), (A.T @ z, S.T @ z), (z.T @ A, z.T @ S), (A.matvec(x), S @ x),
                    (A.rmatvec(z), S.T @ z), (A.dot(x, alpha=2), 2 * (S @ x))]
        for ours, theirs in products:
            assert ours.dtype == np.result_type(made, given) == theirs.dtype
            np.testing.assert_array_equal(ours, theirs)
    assert A.shares_memory


@pytest.mark.parametrize("made, given", list(itertools.product(MATRICES, REFUSED)))
def test_other_dtypes_are_refused_with_advice(dense, made, given):
    A = tulle.matrix(sp.csr_array(dense.astype(made)))
    words = {"g": r"astype\('float64'\)", "G": r"astype\('complex128'\)", "O": "not numbers"}[given]
    with pytest.raises(TypeError, match=words):
        A @ np.ones(20, given)


def test_float32_matrix_is_not_copied_for_float64_vectors(rng):
    n = 20000
    S = sp.random_array((n, n), density=20 / n, rng=1, format="csr", dtype="float32")
    A = tulle.matrix(S).plan(format="csr", dtype="float64")
    told = A.describe()
    assert told["borrows_values"] and told["extra_bytes"] < S.nnz and told["value_error"] == 0
    assert told["vector_dtype"] == "float64" and told["stored_values"] == "f32"
    assert "f32 values, f64 vectors and sums" in A.explain()
    x = rng.random(n)
    wide = sp.csr_array(S, dtype="float64")
    np.testing.assert_allclose(A @ x, wide @ x, rtol=1e-13)  # 20 terms of one sign: 20 * 2**-53 is 2e-15


def test_out_decides_the_dtype(dense, rng):
    d = dense.astype("float32")
    A = tulle.matrix(sp.csr_array(d))
    x, y = whole(rng, 20, dtype="float32"), np.zeros(30)
    assert A.dot(x, out=y) is y
    np.testing.assert_array_equal(y, d.astype(float) @ x)
    A.dot(whole(rng, 20), out=y, alpha=0, beta=1)
    np.testing.assert_array_equal(y, d.astype(float) @ x)


@pytest.mark.parametrize("transposed", [False, True])
def test_update_reaches_the_plans_of_both_dtypes(dense, rng, transposed):
    S = sp.csr_array(dense.astype("float32"))
    A, B = tulle.matrix(S), S.copy()
    A, B = (A.T, B.T) if transposed else (A, B)
    x = whole(rng, A.shape[1])
    for dtype in ("float64", "float32"):
        np.testing.assert_array_equal(A @ x.astype(dtype), B @ x)
    A.update(2 * S.data)
    for dtype in ("float64", "float32"):
        np.testing.assert_array_equal(A @ x.astype(dtype), 2 * (B @ x))
    np.testing.assert_array_equal(A.toarray(), 2 * B.toarray())


def test_both_directions_and_formats(dense, rng):
    S = sp.csr_array(dense.astype("float32"))
    x, z = whole(rng, 20), whole(rng, 30)
    for options in [{"both": True}, *({"format": form} for form in tulle.formats())]:
        try:
            A = tulle.matrix(S).plan(1000, dtype="float64", **options)
        except NotImplementedError as refusal:  # a matrix that is not symmetric
            assert options["format"] == "sym", refusal
            continue
        np.testing.assert_array_equal(A @ x, S @ x)
        np.testing.assert_array_equal(A.T @ z, S.T @ z)


def test_steps_promote(rng):
    d = whole(rng, 20, 20).astype("float32")
    A = tulle.matrix(sp.csr_array(d))
    x, w = whole(rng, 20), whole(rng, 20, dtype="float32")
    for a, b in ((x, w), (w, x), (x, x)):
        z, xz, zz = A.step(a, b, alpha=2, gamma=3)
        want = 2 * (d.astype(float) @ a) + 3 * b
        assert z.dtype == "float64" and (xz, zz) == (a @ want, want @ want)
        np.testing.assert_array_equal(z, want)
    assert A.mul_dot(w)[0].dtype == "float32"
    assert A.residual(x, w)[0].dtype == "float64"


def test_solvers_take_a_float32_matrix_and_a_float64_vector(rng):
    n = 200
    S = (sp.random_array((n, n), density=0.05, rng=2, dtype="float32") + 10 * sp.eye_array(n, dtype="float32")).tocsr()
    A, b = tulle.matrix(S), rng.random(n)
    x, failed = scipy.sparse.linalg.gmres(A, b, rtol=1e-12)
    assert failed == 0 and x.dtype == "float64"
    assert np.linalg.norm(b - S.astype("float64") @ x) <= 2e-12 * np.linalg.norm(b)  # float32 sums stop at 1e-7
    assert A.describe()["vector_dtype"] == "float64"


@pytest.mark.parametrize("lossy, error", [(True, 2**-24), ("float32", 2**-24), ("float16", 2**-11),
                                          ("bfloat16", 2**-8)])
def test_rounded_values(rng, lossy, error):
    S = sp.random_array((500, 400), density=0.05, rng=3, format="csr")
    A = tulle.matrix(S).plan(lossy=lossy)
    assert A.describe()["value_error"] == error
    x = rng.random(400)
    assert (np.abs(A @ x - S @ x) <= (error + 1e-13) * (abs(S) @ x)).all()
    assert "relative error of at most" in A.explain()


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("lossy", ["float32", "float16", "bfloat16"])
def test_values_of_an_update_are_kept_exactly(rng, lossy, both):
    """Only products round: what A gives away has the values of the update."""
    S = sp.random_array((50, 40), density=0.1, rng=3, format="csr")
    A = tulle.matrix(S).plan(lossy=lossy, both=both)
    values = rng.random(S.nnz)
    A.update(values)
    want = sp.csr_array((values, S.indices, S.indptr), shape=S.shape).toarray()
    i, j = np.argwhere(want)[7]
    for given in (A.toarray(), A.T.toarray().T, A.tocsr().toarray(), A.copy().toarray(), (2 * A).toarray() / 2, A[:].toarray(),
                  pickle.loads(pickle.dumps(A)).toarray(), A.copy() @ np.eye(40)):
        np.testing.assert_array_equal(given, want)
    assert A[i, j] == want[i, j] and A.describe()["value_error"] > 0
    assert (A @ np.eye(40) != want).any()


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
def test_values_of_an_update_of_a_file_are_kept_exactly(tmp_path, rng, symmetry):
    path = tmp_path / "A.mtx"
    D = np.tril(rng.random((20, 20)) < 0.3, 0 if symmetry == "symmetric" else 20).astype(float)
    path.write_text(f"%%MatrixMarket matrix coordinate real {symmetry}\n20 20 {np.count_nonzero(D)}\n" +
                    "".join(f"{i + 1} {j + 1} 1\n" for i, j in np.argwhere(D)))
    A = tulle.matrix(path).plan(lossy="float16")
    D[D != 0] = rng.random(np.count_nonzero(D))
    A.update(D[D != 0])
    np.testing.assert_array_equal(A.toarray(), D if symmetry == "general" else D + np.tril(D, -1).T)


@pytest.mark.parametrize("transposed", [False, True])
def test_values_of_an_update_are_saved_exactly(tmp_path, rng, transposed):
    S = sp.random_array((50, 40), density=0.1, rng=3, format="csr")
    A = tulle.matrix(S)
    A = A.T if transposed else A
    A.plan(700, lossy="bfloat16")
    S.data = rng.random(S.nnz)
    A.update(S.data)
    tulle.save(tmp_path / "A.tulle", A)
    B = tulle.load(tmp_path / "A.tulle")
    np.testing.assert_array_equal(B.toarray(), S.toarray().T if transposed else S.toarray())
    x = rng.random(B.shape[1])
    np.testing.assert_array_equal(B @ x, A @ x)
    for fact in ("format", "multiplies", "value_error", "stored_values"):
        assert B.describe()[fact] == A.describe()[fact]


def test_lossy_and_dtype_of_a_plan_are_checked(dense):
    A = tulle.matrix(sp.csr_array(dense))
    with pytest.raises(ValueError, match="lossy = 'int8' is none of"):
        A.plan(lossy="int8")
    with pytest.raises(TypeError, match="dtype = float32 is that of no product with a matrix of float64"):
        A.plan(dtype="float32")
