"""Pictures of matrices and plans, drawn with matplotlib: ``pip install '.[plot]'``.

Every function draws into `ax`, or into a new figure, and returns the axes.
"""

import time
from dataclasses import dataclass

import numpy

from ._matrix import Matrix, Transposed, arrays
from ._sources import matrix

ROUNDS = 9  # times that a product is timed; the median counts
NUMBER = "{x:,.10g}"


def _axes(ax):
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained")[1]


def _plain(axis):
    """Numbers as people write them, on every axis: 0.5, 20, 1,000,000. Also between powers of ten, if there are few."""
    from matplotlib.ticker import FuncFormatter, LogFormatter, StrMethodFormatter

    axis.set_major_formatter(StrMethodFormatter(NUMBER))
    if axis.get_scale() != "log":
        return
    few = LogFormatter(minor_thresholds=(1.5, 0.5))  # decides which of them have room
    few.set_axis(axis)

    def text(x, pos):
        few.set_locs()
        return NUMBER.format(x=x) if few(x, pos) else ""

    axis.set_minor_formatter(FuncFormatter(text))


def _title(A):
    return f"{A.shape[0]:,} x {A.shape[1]:,}, {A.nnz:,} entries"


# ---- matrices ----

def density(A, cells=400):
    """Entries of A counted on the finest grid of at most cells x cells: (counts, row step, column step).

    Steps are whole numbers of rows and columns, or regular matrices would show stripes that they do not
    have. They are equal unless one side is more than six times the other.

    >>> import tulle.plot
    >>> A = tulle.matrix((None, [0, 1, 3, 3], [0, 2, 3, 3, 4]), shape=(4, 4))
    >>> tulle.plot.density(A, cells=2)
    (array([[2, 1],
           [0, 1]]), 2, 2)
    """
    A = A if isinstance(A, Matrix) else matrix(A)
    _, indices, indptr = arrays(A)
    rows, cols = A.shape
    down, across = (max(1, -(-side // cells)) for side in (rows, cols))
    if rows <= 6 * cols and cols <= 6 * rows:
        down = across = max(down, across)
    width = -(-cols // across)
    counts = numpy.zeros((-(-rows // down), width), "int64")
    # A line of cells at a time: numbers of rows are never needed, nor memory for more than a line.
    for line, first in zip(counts, range(0, rows, down)):
        mine = indices[indptr[first]:indptr[min(first + down, rows)]]
        line[:] = numpy.bincount(mine // across, minlength=width)
    return counts, down, across


def spy(A, cells=400, ax=None, cmap="Blues"):
    """Where the entries of A are, darker where there are more of them; cells without one are white."""
    from matplotlib.colors import LogNorm

    A = A if isinstance(A, Matrix) else matrix(A)
    ax = _axes(ax)
    counts, down, across = density(A, cells)
    most = int(counts.max(initial=1))
    # From half of 1 up: a lone entry must still be seen.
    image = ax.imshow(numpy.ma.masked_equal(counts, 0), cmap=cmap, norm=LogNorm(0.5, max(most, 2)),
                      extent=(0, max(1, counts.shape[1] * across), max(1, counts.shape[0] * down), 0),
                      aspect="equal" if down == across else "auto", interpolation="nearest")
    if most > 1:
        bar = ax.figure.colorbar(image, ax=ax, label=f"entries in {down:,} x {across:,}")
        _plain(bar.ax.yaxis)
    ax.set_title(_title(A))
    ax.xaxis.tick_top()
    for axis in (ax.xaxis, ax.yaxis):
        _plain(axis)
    return ax


def row_histogram(A, ax=None):
    """How many rows of A have how many entries: by number, or by powers of two where they differ widely."""
    A = A if isinstance(A, Matrix) else matrix(A)
    lengths = numpy.diff(arrays(A)[2])
    edges = _edges(lengths)
    counts, _ = numpy.histogram(lengths, edges)
    ax = _axes(ax)
    places = numpy.arange(len(counts))
    ax.bar(places, counts, width=0.9)
    names = [_bin_name(a, b) for a, b in zip(edges[:-1], edges[1:])]
    step = max(1, len(counts) // 16)
    ax.set_xticks(places[::step], names[::step], rotation=45, ha="right", rotation_mode="anchor")
    ax.set_yscale("log" if lengths.size else "linear")
    _plain(ax.yaxis)
    ax.set_xlabel("entries in a row")
    ax.set_ylabel("rows")
    ax.set_title(f"{lengths.size:,} rows" + (f" of {lengths.min():,} to {lengths.max():,} entries, {lengths.mean():.3g} in "
                                             "the mean" if lengths.size else ""))
    return ax


def _edges(lengths):
    """Edges of bins of whole numbers."""
    few = 32
    low, high = (int(lengths.min()), int(lengths.max())) if lengths.size else (0, 0)
    if high - low < few:
        return numpy.arange(low, high + 2)
    return numpy.array([0, *(2 ** k for k in range(high.bit_length() + 1))])


def _bin_name(first, end):
    return f"{first:,}" if end - first == 1 else f"{first:,}\N{EN DASH}{end - 1:,}"


# ---- plans ----

@dataclass
class _Way:
    """A way to multiply: what it reads and what it costs."""

    name: str
    flops: float
    bytes: float  # of matrix and vectors
    convert: float  # seconds
    product: float
    measured: bool
    chosen: bool

    @property
    def label(self):
        return self.name + (", predicted" if not self.measured else "") + (", chosen" if self.chosen else "")

    @property
    def intensity(self):
        return self.flops / self.bytes

    @property
    def speed(self):
        return self.flops / self.product


def _way(A, name, size, convert, product, measured, chosen=False):
    return _Way(name, 2 * A.nnz, size + A.dtype.itemsize * sum(A.shape), convert, product, measured, chosen)


def _candidates(A):
    plan = A.describe()
    if not plan["candidates"]:
        raise ValueError(f"only {plan['format']} was considered ({plan['why']}): plan without format= and for more "
                         "multiplications, or pass several matrices with different plans")
    name = lambda one: one["format"] + (" scatter" if one["way"] == "scatter" else "")
    return [_way(A, name(one), one["bytes"], one["measured_convert"] or one["convert_seconds"],
                 one["measured_multiply"] or one["multiply_seconds"], one["measured_multiply"] > 0, one["chosen"])
            for one in plan["candidates"] if not one["out"]]


def _timed(plans):
    """Products of every matrix in turns, so that a noisy moment spoils none of them alone."""
    seconds = {name: [] for name in plans}
    x = {name: numpy.ones(A.shape[1], A.dtype) for name, A in plans.items()}
    y = {name: A @ x[name] for name, A in plans.items()}
    for _ in range(ROUNDS):
        for name, A in plans.items():
            begin = time.perf_counter()
            A.dot(x[name], out=y[name])
            seconds[name].append(time.perf_counter() - begin)
    told = {name: A.describe() for name, A in plans.items()}
    return [_way(A, name, told[name]["bytes"], told[name]["convert_seconds"],
                 float(numpy.median(seconds[name])), True) for name, A in plans.items()]


def _ways(plans):
    """One plan: the formats that were compared, as predicted or measured then. Several: timed now.

    (ways, one of the matrices, a title)
    """
    if isinstance(plans, (Matrix, Transposed)):
        return _candidates(plans), plans, _title(plans)
    if not isinstance(plans, dict):
        plans = {A.describe()["format"]: A for A in plans}
    if not plans:
        raise ValueError("there is no plan to draw")
    titles = {_title(A) for A in plans.values()}
    return _timed(plans), next(iter(plans.values())), titles.pop() if len(titles) == 1 else f"{len(plans)} matrices"


def _logarithmic(ax):
    ax.set_xscale("log")
    ax.set_yscale("log")
    for axis in (ax.xaxis, ax.yaxis):
        _plain(axis)


def roofline(plans, ax=None):
    """Operations in a second over operations for each byte read, below the bandwidth of this machine.

    plans
        A planned matrix: the formats that were compared for it, a star for the chosen one. Or several, as a list or as
        a dict of names: each is timed now, in turns.
    """
    ways, one, title = _ways(plans)
    ax = _axes(ax)
    for n, way in enumerate(ways):
        ax.plot(way.intensity, way.speed * 1e-9, "*" if way.chosen else "o", color=f"C{n}", label=way.label,
                markersize=14 if way.chosen else 6, markerfacecolor=f"C{n}" if way.measured else "none")
    plan = one.describe()
    low, high = min(w.intensity for w in ways) / 2, max(w.intensity for w in ways) * 2
    roof = plan["read_bandwidth"] * 1e-9
    if roof > 0:
        known = "timed" if plan["machine_measured"] else "assumed"
        ax.plot([low, high], [low * roof, high * roof], color="gray", zorder=0,
                label=f"{roof:.3g} GB/s, {known}")
    _logarithmic(ax)
    ax.set_xlabel("operations for each byte read")
    ax.set_ylabel("billion operations per second")
    ax.set_title(f"{title}: speed and bandwidth")
    ax.legend()
    return ax


def iterations(plans, most=10_000, ax=None):
    """What a product costs with its share of the conversion, over the number of products.

    `plans` as in `roofline`, a thick line for the chosen format. Lines cross where one way begins to pay for itself.
    """
    ways, one, title = _ways(plans)
    ax = _axes(ax)
    number = numpy.geomspace(1, most, 200)
    for n, way in enumerate(ways):
        ax.plot(number, 1e3 * (way.convert / number + way.product), color=f"C{n}",
                linestyle="-" if way.measured else "--", linewidth=3 if way.chosen else 1.5, label=way.label)
    planned = one.describe()["multiplies"]
    if 1 <= planned <= most:
        ax.axvline(planned, color="gray", linewidth=0.8, zorder=0, label="planned for")
    _logarithmic(ax)
    ax.set_xlabel("products")
    ax.set_ylabel("milliseconds each, conversion shared")
    ax.set_title(f"{title}: cost of a product")
    ax.legend()
    return ax
