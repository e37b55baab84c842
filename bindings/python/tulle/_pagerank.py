"""tulle.pagerank: the ranks of a graph's nodes, and what exactly was computed."""

import math

import numpy

from ._matrix import Matrix
from ._sources import matrix
from ._vectors import one_vector


class PageRank:
    """What `pagerank` returns. `ranks` is the array; print the object to read the rules and how it went.

    Attributes: ranks, nodes, links, dangling (nodes without links), iterations, residual, residuals (of
    every iteration), error_bound, converged, alpha, tol, planning_seconds, seconds_per_iteration, format
    and why (of the plan); and in words formula, link_rule, dangling_rule, teleport_rule, start, norm,
    stop_test.
    """

    def __init__(self, ranks, facts):
        self.ranks = ranks
        self.__dict__.update(facts)

    def top(self, count=10):
        """The nodes of the highest ranks, [(node, rank), ...]; of equal ones the first."""
        order = numpy.argsort(-self.ranks, kind="stable")[:count]
        return [(int(node), float(self.ranks[node])) for node in order]

    def __array__(self, dtype=None, copy=None):
        if copy is False and dtype not in (None, self.ranks.dtype):
            raise ValueError(f"ranks are float64; {dtype} needs a copy")
        return numpy.array(self.ranks, dtype, copy=bool(copy))

    def __repr__(self):
        return f"<tulle.PageRank of {self.nodes} nodes, {self.iterations} iterations, residual {self.residual:.3g}>"

    def __str__(self):
        end = "reached" if self.converged else "NOT reached"
        return "\n".join([
            f"PageRank   {self.nodes:,} nodes, {self.links:,} links, {self.dangling:,} nodes without any",
            f"formula    {self.formula}, d = {self.alpha:g}",
            f"where      {self.link_rule}",
            f"dangling   {self.dangling_rule}",
            f"teleport   {self.teleport_rule}",
            f"start      {self.start}",
            f"stop test  {self.stop_test}, tolerance {self.tol:g}: {end} after {self.iterations} iterations",
            f"error      at most {self.error_bound:.3g} in the L1 norm, rounding aside",
            f"time       {1e3 * self.planning_seconds:.3g} ms to plan, "
            f"{1e3 * self.seconds_per_iteration:.3g} ms per iteration",
            f"format     {self.format}: {self.why}",
        ])


def pagerank(S, alpha=0.85, tol=1e-8, *, max_iter=None, personalization=None, measure=False, format=None):
    """The PageRank of every node of a graph, as a `PageRank`.

    S
        The links: S[i, j] is the weight of a link from i to j; anything that `tulle.matrix` takes, or a
        `Matrix`. Weights are not negative; ``(None, indices, indptr)`` has links of weight one.
    alpha
        The damping d, above 0 and below 1.
    tol
        Stop when the L1 norm of the change is below this. networkx stops at the number of nodes times its tol.
    max_iter
        None: as many as are proven to suffice.
    personalization
        The teleport vector v, one number for each node, not negative. It is divided by its sum. None: 1/N.
    measure, format
        As in `Matrix.plan`.

    >>> import tulle
    >>> links = tulle.matrix((None, [1, 2, 0, 2], [0, 2, 3, 4]), shape=(3, 3))
    >>> result = tulle.pagerank(links, tol=1e-12)
    >>> result.ranks.round(4)
    array([0.1448, 0.1115, 0.7436])
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha = {alpha!r} is not above 0 and below 1")
    if not 0 < tol < math.inf:
        raise ValueError(f"tol = {tol!r} is not a positive number")
    if max_iter is not None and max_iter < 1:
        raise ValueError(f"max_iter = {max_iter!r} is not a positive number")
    A = S if isinstance(S, Matrix) else matrix(S)
    if personalization is not None:
        personalization = one_vector(personalization, numpy.dtype("float64"), A.shape[0], "personalization")
    ranks = numpy.empty(A.shape[0])
    facts = A._latest()._pagerank(alpha, tol, max_iter or 0, personalization, measure, format, ranks)
    return PageRank(ranks, facts)
