"""PageRank: ranks of graphs whose ranks are known, others' ranks, and what the result says."""

import os
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import tulle


def exact(d, alpha=0.85, v=None):
    """The solution of the linear system that ranks obey."""
    n = len(d)
    v = np.full(n, 1 / n) if v is None else np.asarray(v) / np.sum(v)
    out = d.sum(1)
    P = np.where(out[:, None] > 0, d / np.where(out > 0, out, 1)[:, None], v)
    return np.linalg.solve(np.eye(n) - alpha * P.T, (1 - alpha) * v)


@pytest.fixture
def graph(rng):
    """60 nodes, some of them dangling, weights 1 to 4."""
    d = (rng.random((60, 60)) < 0.08) * rng.integers(1, 5, (60, 60)).astype(float)
    d[[3, 17, 40]] = 0
    return d


@pytest.mark.parametrize("alpha", [0.1, 0.85, 0.99])
@pytest.mark.parametrize("weighted", [False, True])
def test_ranks(graph, alpha, weighted):
    d = graph if weighted else (graph > 0).astype(float)
    for S in (sp.csr_array(d), sp.coo_array(d), sp.csr_array(d.astype("float32")), tulle.matrix(sp.csr_array(d))):
        result = tulle.pagerank(S, alpha, tol=1e-13)
        # The bound of the iteration, and rounding of some 100 operations per rank.
        assert result.converged and result.error_bound <= alpha / (1 - alpha) * 1e-13
        assert abs(result.ranks - exact(d, alpha)).sum() <= result.error_bound + 1e-13 / (1 - alpha)
        assert abs(result.ranks.sum() - 1) < 1e-13


def test_teleport(graph, rng):
    v = rng.random(60)
    result = tulle.pagerank(sp.csr_array(graph), tol=1e-13, personalization=v)
    assert abs(result.ranks - exact(graph, v=v)).sum() < 1e-12
    whole = tulle.pagerank(sp.csr_array(graph), tol=1e-13, personalization=[1] * 60)
    assert abs(whole.ranks - exact(graph)).sum() < 1e-12


def test_the_latest_values_count(graph):
    S = sp.csr_array(graph)
    A = tulle.matrix(S)
    A @ np.ones(60)
    A.update(S.data ** 2)
    assert abs(tulle.pagerank(A, tol=1e-13).ranks - exact(graph ** 2)).sum() < 1e-12


def test_what_the_result_says(graph):
    result = tulle.pagerank(sp.csr_array(graph))
    assert len(result.residuals) == result.iterations and result.residuals[-1] == result.residual < 1e-8
    assert (result.nodes, result.links, result.dangling) == (60, np.count_nonzero(graph), (graph.sum(1) == 0).sum())
    for word in (result.formula, result.dangling_rule, result.stop_test, "d = 0.85", "reached after"):
        assert word in str(result)
    assert "L1" in result.norm
    assert result.top(3)[0] == (int(result.ranks.argmax()), result.ranks.max())
    assert np.asarray(result) is result.ranks and np.array(result, "float32").dtype == "float32"
    few = tulle.pagerank(sp.csr_array(graph), tol=1e-13, max_iter=3)
    assert few.iterations == 3 and not few.converged and "NOT reached" in str(few)


def test_threads_do_not_change_bits(rng):
    n = 100_000
    S = sp.csr_array((np.ones(5 * n), rng.integers(0, n, 5 * n), np.arange(0, 5 * n + 1, 5)), (n, n))
    ranks = []
    try:
        for threads in (1, 2, 3):
            tulle.set_threads(threads)
            ranks.append(tulle.pagerank(S, format="csr5").ranks)
    finally:
        tulle.set_threads(None)
    assert all((one == ranks[0]).all() for one in ranks)


@pytest.mark.parametrize("call, error, words", [
    (lambda S: tulle.pagerank(S, 1.0), ValueError, "alpha = 1.0"),
    (lambda S: tulle.pagerank(S, tol=0), ValueError, "tol = 0"),
    (lambda S: tulle.pagerank(S, tol=float("nan")), ValueError, "tol = nan"),
    (lambda S: tulle.pagerank(S, max_iter=0), ValueError, "max_iter = 0"),
    (lambda S: tulle.pagerank(S[:5]), ValueError, "square"),
    (lambda S: tulle.pagerank(-S), ValueError, "from node 0 to node [0-9]+ has weight -"),
    (lambda S: tulle.pagerank(S, personalization=np.ones(59)), ValueError, "personalization has shape"),
    (lambda S: tulle.pagerank(S, personalization=-np.ones(60)), ValueError, "-1"),
    (lambda S: tulle.pagerank(S * 1j), NotImplementedError, "complex"),
])
def test_refusals(graph, call, error, words):
    with pytest.raises(error, match=words):
        call(sp.csr_array(graph))


REAL = pytest.mark.parametrize("name", ["cnr-2000", "uk-2007-05_100000"])


def real(name):
    if "TULLE_MATRICES" not in os.environ:
        pytest.skip("TULLE_MATRICES names no folder")
    return tulle.matrix(Path(os.environ["TULLE_MATRICES"], f"{name}.mtx.gz")).to_scipy()


@REAL
def test_real_graphs_as_networkx_ranks_them(name, monkeypatch):
    algorithm = pytest.importorskip("networkx.algorithms.link_analysis.pagerank_alg")
    S = real(name)
    # Its own function, without the Graph that takes minutes and gigabytes to make.
    monkeypatch.setattr(algorithm.nx, "to_scipy_sparse_array", lambda *_, **__: S.copy())
    theirs = algorithm._pagerank_scipy(range(S.shape[0]), tol=1e-12 / S.shape[0], max_iter=500)
    ours = tulle.pagerank(S, tol=1e-12)
    assert abs(np.fromiter(theirs.values(), float) - ours.ranks).sum() < 1e-9


@REAL
def test_real_graphs_as_igraph_ranks_them(name):
    igraph = pytest.importorskip("igraph")
    S = real(name).tocoo()
    graph = igraph.Graph(S.shape[0], np.stack([S.row, S.col], 1), directed=True)
    ours = tulle.pagerank(S, tol=1e-12)
    assert abs(np.array(graph.pagerank(damping=0.85)) - ours.ranks).sum() < 1e-9
