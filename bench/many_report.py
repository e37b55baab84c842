"""The tables of one run of tulle-many: several vectors at once, as speedup over a simple loop."""

from report import matrix_table
from results import contenders_of, counted, geomean, is_ours, markdown, read, usable

# A single product that reads its arrays at this share of the speed of reading alone is bound by bandwidth.
BOUND_SHARE = 0.75
ONE, ROWS, COLUMNS, SINGLES = "one", ":rows", ":columns", ":singles"


def ratios(run, name, other):
    return [rows[name]["plain_ratio"] / rows[other]["plain_ratio"]
            for rows in run.values() if name in rows and other in rows]


def line(run, name, other):
    values = ratios(run, name, other)
    return [[f"{name} over {other}", len(values), f"{geomean(values):.3f}"]] if values else []


def means(run, what):
    names = [name for name in contenders_of([run]) if name != ONE]
    lines = [cells for name in names for cells in line(run, name, "plain")]
    peers = [name for name in names if not is_ours(name)]
    for name in filter(lambda name: is_ours(name) and name.endswith((ROWS, COLUMNS)), names):
        by_columns = name.endswith(COLUMNS)
        others = [name.removesuffix(COLUMNS if by_columns else ROWS) + SINGLES,
                  *(peer for peer in peers if peer.endswith(COLUMNS) == by_columns)]
        lines += [cells for other in others for cells in line(run, name, other)]
    return f"\n{what}, {counted(len(run), 'matrix')}\n\n" + markdown(["", "matrices", "geometric mean"], lines)


def is_bound(rows):
    return ONE in rows and rows[ONE]["bandwidth_share"] >= BOUND_SHARE


def report(path):
    written = read(path)
    text = matrix_table(written, ONE)
    for run in usable(written["results"]).values():
        text += means(run, "All")
        bound = {matrix: rows for matrix, rows in run.items() if is_bound(rows)}
        if bound:
            text += means(bound, "Bound by bandwidth")
    return text
