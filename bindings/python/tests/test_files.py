"""Matrices with their plans go to tuned files and come back."""

import numpy as np
import pytest
import scipy.sparse as sp

import tulle


def random_matrix(dtype="float64", rows=300, cols=200):
    return sp.random_array((rows, cols), density=0.05, format="csr", dtype=dtype, rng=np.random.default_rng(3))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("format", ["csr", "sell", "csr5", "hyb"])
def test_products_have_the_same_bits(tmp_path, dtype, format):
    S = random_matrix(dtype)
    A = tulle.matrix(S).plan(multiplies=700, format=format)
    tulle.save(tmp_path / "A.tulle", A)
    B = tulle.load(tmp_path / "A.tulle")
    x = np.linspace(-1, 1, 200).astype(dtype)
    assert B.dtype == dtype and B.shape == A.shape and not B.shares_memory
    assert (B @ x).tobytes() == (A @ x).tobytes()
    plan = B.describe()
    assert plan["format"] == format and plan["multiplies"] == 700 and plan["why"].startswith("as saved: ")
    assert (B.tocsr() != S).nnz == 0


@pytest.mark.parametrize("format", ["csr", "sell", "csr5"])
def test_mapped_files(tmp_path, format):
    S = random_matrix()
    tulle.save(tmp_path / "A.tulle", tulle.matrix(S).plan(format=format))
    A, B = tulle.load(tmp_path / "A.tulle"), tulle.load(tmp_path / "A.tulle", mmap=True)
    x = np.linspace(-1, 1, 200)
    y = A @ x
    assert B.describe()["format"] == format and (B @ x).tobytes() == y.tobytes()
    assert ("the mapped file" in B.explain()) == (format == "csr")
    tulle.save(tmp_path / "A.tulle", tulle.matrix(2 * S))  # another file of this name
    assert (B.tocsr() != S).nnz == 0 and (B @ x).tobytes() == y.tobytes()
    B.update(-S.data)
    assert (B @ x).tobytes() == (-y).tobytes()
    (tmp_path / "cut.tulle").write_bytes((tmp_path / "A.tulle").read_bytes()[:-1])
    with pytest.raises(ValueError, match="cut.tulle: header: .*copy it again"):
        tulle.load(tmp_path / "cut.tulle", mmap=True)
    with pytest.raises(FileNotFoundError):
        tulle.load(tmp_path / "absent.tulle", mmap=True)


def test_latest_values_are_saved(tmp_path):
    S = random_matrix()
    A = tulle.matrix(S).plan(format="sell")
    A.update(-S.data)
    tulle.save(tmp_path / "A.tulle", A)
    assert (tulle.load(tmp_path / "A.tulle").tocsr() != -S).nnz == 0


def test_transposed(tmp_path):
    S = random_matrix()
    A = tulle.matrix(S)
    A.T.plan(format="sell")
    tulle.save(tmp_path / "T.tulle", A.T)
    T = tulle.load(tmp_path / "T.tulle")
    x = np.linspace(0, 1, 300)
    assert isinstance(T, tulle.Transposed) and T.describe()["format"] == "sell"
    assert (T @ x).tobytes() == (A.T @ x).tobytes()
    assert np.allclose(T.T @ np.ones(200), S.sum(axis=1))


def test_matrix_reads_tuned_files(tmp_path):
    S = random_matrix()
    tulle.save(tmp_path / "any name", tulle.matrix(S))
    A = tulle.matrix(tmp_path / "any name")
    assert A.dtype == "float64" and (A.tocsr() != S).nnz == 0
    assert tulle.matrix(tmp_path / "any name", dtype="float32").dtype == "float32"


def test_what_is_refused(tmp_path):
    A = tulle.matrix(random_matrix())
    with pytest.raises(TypeError, match="tulle.matrix"):
        tulle.save(tmp_path / "S.tulle", random_matrix())
    with pytest.raises(FileNotFoundError):
        tulle.load(tmp_path / "absent.tulle")
    with pytest.raises(OSError, match="absent"):
        tulle.save(tmp_path / "absent" / "A.tulle", A)
    tulle.save(tmp_path / "A.tulle", A)
    data = (tmp_path / "A.tulle").read_bytes()
    (tmp_path / "cut.tulle").write_bytes(data[:-1])
    with pytest.raises(ValueError, match="cut.tulle: header: .*copy it again"):
        tulle.load(tmp_path / "cut.tulle")
