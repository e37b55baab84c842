"""Arguments that are vectors are of the shape that is documented: no other shape with enough numbers will do."""

import numpy as np
import pytest
import scipy.sparse as sp

import tulle

N = 6
S = sp.csr_array(np.arange(1.0, 1 + N * N).reshape(N, N) * (np.arange(N * N).reshape(N, N) % 4 == 0))
VALUES = S.data


def updated(A, values):
    A.update(values)


def core_ranks(teleport=None, ranks=None):
    tulle.matrix(S)._pagerank(0.85, 1e-8, 0, teleport, False, None, np.empty(N) if ranks is None else ranks)


# By name: the call with the argument, the vector that it takes, and other shapes that it takes too.
ARGUMENTS = {
    "A @ x": (lambda x: tulle.matrix(S) @ x, np.ones(N), [(N, 1), (N, 4), (N, 0)]),
    "A.T @ x": (lambda x: tulle.matrix(S).T @ x, np.ones(N), [(N, 1), (N, 4), (N, 0)]),
    "x @ A": (lambda x: x @ tulle.matrix(S), np.ones(N), [(1, N), (4, N), (0, N)]),
    "x @ A.T": (lambda x: x @ tulle.matrix(S).T, np.ones(N), [(1, N), (4, N), (0, N)]),
    "out": (lambda out: tulle.matrix(S).dot(np.ones(N), out=out), np.ones(N), []),
    "update": (lambda v: updated(tulle.matrix(S), v), VALUES, []),
    "data": (lambda v: tulle.matrix((v, S.indices, S.indptr)), VALUES, []),
    "indices": (lambda i: tulle.matrix((VALUES, i, S.indptr), shape=S.shape), S.indices, []),
    "indptr": (lambda p: tulle.matrix((VALUES, S.indices, p), shape=S.shape), S.indptr, []),
    "personalization": (lambda v: tulle.pagerank(S, personalization=v), np.ones(N), []),
    "_core: teleport": (lambda v: core_ranks(teleport=v), np.ones(N), []),
    "_core: ranks": (lambda v: core_ranks(ranks=v), np.ones(N), []),
    "batch @ x": (lambda x: tulle.batch([S, S]) @ x, np.ones(2 * N), [(2, N)]),
    "batch @ [x]": (lambda x: tulle.batch([S, S]) @ [x, np.ones(N)], np.ones(N), []),
    "batch.dot(out=)": (lambda y: tulle.batch([S, S]).dot(np.ones(2 * N), out=y), np.ones(2 * N), [(2, N)]),
    "batch.update": (lambda v: updated(tulle.batch([S, S]), v), np.tile(VALUES, 2), [(2, S.nnz)]),
    "batch.update([])": (lambda v: updated(tulle.batch([S, S]), [v, VALUES]), VALUES, []),
    "scale": (lambda v: tulle.batch([S] * N, scale=v), np.ones(N), []),
    "_core: batch x": (lambda x: tulle.batch([S])._multiply(x, np.ones(N), 1.0, 0.0), np.ones(N), []),
    "_core: batch out": (lambda y: tulle.batch([S])._multiply(np.ones(N), y, 1.0, 0.0), np.ones(N), []),
}


def reshaped(v):
    n = len(v)
    for shape in [(), (0,), (n - 1,), (n + 1,), (1, n), (n, 1), (4, n), (n, 4), (n, 0), (0, n), (2, n // 2),
                  (n // 2, 2), (n, 1, 1), (1, 1, n), (n, 2, 2), (0,) * 3]:
        yield np.resize(v, shape)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_shapes(name):
    call, right, others = ARGUMENTS[name]
    call(right.copy())
    for given in reshaped(right):
        if given.shape == right.shape or given.shape in others:
            call(given)
            continue
        with pytest.raises((TypeError, ValueError)):
            call(given)
            pytest.fail(f"shape {given.shape} was taken")


def test_lists_of_values_are_one_for_each_matrix():
    wide, high = sp.csr_array(np.ones((1, 3))), sp.csr_array(np.ones((2, 1)))
    B, x = tulle.batch([wide, high]), [np.ones(3), np.ones(1)]
    B.update([[1, 2, 3], [4, 5]])
    assert [y.tolist() for y in B @ x] == [[6], [4, 5]]
    B.update([1, 2, 3, 4, 5])  # numbers: all values in order
    assert [y.tolist() for y in B @ x] == [[6], [4, 5]]
    for wrong in ([[1, 2], [3, 4, 5]], [[1, 2, 3, 4, 5]], [[1, 2, 3], [4, 5], []]):
        with pytest.raises(ValueError, match=r"values\[0\] has shape|arrays of values for 2 matrices"):
            B.update(wrong)
    assert [y.tolist() for y in B @ x] == [[6], [4, 5]]


@pytest.mark.parametrize("make, words", [
    (lambda: tulle.batch([S, sp.coo_array(np.ones(3))]), r"matrices\[1\] has 1 dimension"),
    (lambda: tulle.batch(np.ones((2, 3)), pattern=sp.coo_array(np.ones(3))), "pattern has 1 dimension"),
    (lambda: tulle.batch([S, np.eye(3)]), r"matrices\[1\] is of type ndarray"),
    (lambda: tulle.matrix((VALUES, S.indices, S.indptr), shape=(2 ** 63 - 1, N)), "indptr has 7 elements"),
])
def test_matrices(make, words):
    with pytest.raises((TypeError, ValueError), match=words):
        make()
