"""Pictures: what is counted is exact, what is drawn is what was counted, every function draws."""

import re
import time

import numpy as np
import pytest
import scipy.sparse as sp

import tulle
from tulle import _html

matplotlib = pytest.importorskip("matplotlib")
pyplot = pytest.importorskip("matplotlib.pyplot")
matplotlib.use("agg")

import tulle.plot  # noqa: E402


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def drawn(ax):
    ax.figure.canvas.draw()
    return ax


@pytest.mark.parametrize("shape", [(100, 100), (37, 91), (1000, 7), (7, 1000), (1, 1), (0, 5), (5, 0)])
@pytest.mark.parametrize("cells", [1, 10, 64, 5000])
def test_density_counts_every_entry(rng, shape, cells):
    S = sp.random_array(shape, density=0.3, rng=rng, format="csr")
    counts, down, across = tulle.plot.density(S, cells)
    assert max(counts.shape) <= cells and counts.sum() == S.nnz
    expected = np.zeros_like(counts)
    where = S.tocoo()
    np.add.at(expected, (where.row // down, where.col // across), 1)
    np.testing.assert_array_equal(counts, expected)


def test_density_of_a_hundred_million():
    """Row i has an entry in each of 100 stripes of columns, so every cell of the grid has 10 000."""
    n, step = 1_000_000, 10_000
    indices = np.empty((n, 100), "int32")
    np.add(np.arange(n, dtype="int32")[:, None] % step, np.arange(0, n, step, dtype="int32"), out=indices)
    A = tulle.matrix((None, indices.ravel(), np.arange(0, 100 * n + 1, 100, dtype="int32")), shape=(n, n))
    begin = time.perf_counter()
    counts, down, across = tulle.plot.density(A, 100)
    assert A.nnz == 10 ** 8 and (down, across) == (step, step)
    assert counts.shape == (100, 100) and (counts == 10_000).all()
    assert time.perf_counter() - begin < 60


def test_spy_shows_lone_entries_and_places(dense):
    ax = drawn(tulle.plot.spy(sp.csr_array(([1.0], ([3], [990])), shape=(1000, 1000)), cells=100))
    shown = ax.images[0].get_array()
    assert shown.count() == 1 and not shown.mask[0, 99]
    assert ax.images[0].get_extent() == [0, 1000, 1000, 0]
    assert drawn(tulle.plot.spy(sp.csr_array(dense))).images
    assert drawn(tulle.plot.spy(sp.csr_array((0, 0))))


def test_row_histogram_counts_rows(rng):
    ax = drawn(tulle.plot.row_histogram(sp.csr_array(np.tril(np.ones((5, 5))))))
    assert [bar.get_height() for bar in ax.patches] == [1] * 5
    lengths = np.array([0, 0, 1, 2, 3, 64, 127, 128])
    indices = np.concatenate([np.arange(n) for n in lengths])
    A = tulle.matrix((None, indices, np.concatenate([[0], np.cumsum(lengths)])))
    ax = drawn(tulle.plot.row_histogram(A))
    # 0, 1, 2-3, 4-7, 8-15, 16-31, 32-63, 64-127, 128-255
    assert [bar.get_height() for bar in ax.patches] == [2, 1, 2, 0, 0, 0, 0, 2, 1]
    assert drawn(tulle.plot.row_histogram(sp.csr_array((0, 3))))


@pytest.fixture(scope="module")
def large():
    n = 100_000
    return sp.diags_array([1.0, -2.0, 1.0, 3.0], offsets=[-1, 0, 1, 300], shape=(n, n)).tocsr()


def labels(ax):
    return [text.get_text() for text in drawn(ax).get_legend().get_texts()]


def test_plans_of_one_matrix_show_what_was_weighed(large):
    A = tulle.matrix(large).plan(1000)
    weighed = [one for one in A.describe()["candidates"] if not one["out"]]
    assert len(weighed) > 1 and sum(one["chosen"] for one in weighed) == 1
    for draw in (tulle.plot.roofline, tulle.plot.iterations):
        ax = draw(A)
        assert labels(ax)[:len(weighed)] == [f"{one['format']}, predicted" + ", chosen" * one["chosen"] for one in weighed]
        assert ax.get_title().startswith("100,000 x 100,000, 399,698 entries: ")
        look = [(line.get_marker(), line.get_linewidth()) for line in ax.lines[:len(weighed)]]
        chosen = [one["chosen"] for one in weighed].index(True)
        assert look.count(look[chosen]) == 1 and len(set(look)) == 2  # and all others look alike
    assert "assumed" in labels(tulle.plot.roofline(A))[-1]


def numbers(axis):
    """Texts at the ticks, major and minor."""
    return [text.get_text() for text in axis.get_ticklabels(which="both") if text.get_text()]


def test_ticks_are_plain_numbers_everywhere(large):
    """No axis has powers, exponents or another sign between the digits."""
    A = tulle.matrix(large).plan(1000)
    for draw in (tulle.plot.roofline, tulle.plot.iterations, tulle.plot.spy, tulle.plot.row_histogram):
        ax = drawn(draw(A))
        assert ax.get_title()
        for other in ax.figure.axes:
            for axis in (other.xaxis, other.yaxis):
                for text in numbers(axis):
                    assert re.fullmatch(r"\d{1,3}(,\d{3})*(\.\d+)?(\N{EN DASH}[\d,]+)?", text), (draw.__name__, text)
        assert numbers(ax.yaxis)
    assert "100,000" in numbers(drawn(tulle.plot.spy(A)).xaxis)


def rows_of(page):
    """The cells of the table, without tags."""
    return [[re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)]
            for row in re.findall("<tr>(.*?)</tr>", page)]


@pytest.mark.parametrize("turned", [False, True])
def test_the_table_is_sorted(large, turned):
    A = tulle.matrix(large)
    A = (A.T if turned else A).plan(1000)
    head, *lines = rows_of(A._repr_html_())
    assert head == ["format", "bytes", "conversion", "product", "total of 1,000", "breaks even at", "reason"]
    weighed = A.describe()["candidates"]
    out = [line for line in lines if line[-1].startswith("ruled out: ")]
    assert len(lines) == len(weighed) and len(out) == sum(one["out"] for one in weighed) > 0
    assert lines[-len(out):] == out and all(line[1:-1] == [""] * 5 for line in out)
    totals = sorted(one["total_seconds"] for one in weighed if not one["out"])
    assert [line[4] for line in lines[:-len(out)]] == [_html.seconds(one) for one in totals]
    assert [line[0].endswith(", chosen") for line in lines] == [True] + [False] * (len(lines) - 1)


def test_several_plans_are_timed(large):
    ways = [tulle.matrix(large).plan(format=name) for name in ("csr", "sell")]
    for draw in (tulle.plot.roofline, tulle.plot.iterations):
        assert labels(draw(ways))[:2] == ["csr", "sell"]
        assert labels(draw({"mine": ways[0]}))[0] == "mine"
    line = tulle.plot.iterations(ways).lines[1].get_ydata()
    assert line[0] > line[-1] > 0  # a conversion is shared by more and more products


def test_a_named_format_has_nothing_to_compare(large):
    with pytest.raises(ValueError, match="only csr was considered"):
        tulle.plot.roofline(tulle.matrix(large).plan(format="csr"))
    with pytest.raises(ValueError, match="no plan"):
        tulle.plot.iterations([])
