"""The best of our formats in one run, or in several together: the targets of each class and matrix, and the
results. A target is missed if every run misses it: a single run may have been disturbed."""

import statistics

from results import counted, geomean, is_ours, is_planned, markdown

# Target for the best of our formats over mkl-opt, geometric mean over the matrices of a class (classes.c).
CLASS_FLOORS = {"sym-blocks": 2.5, "blocks": 1.4, "const-stencils": 3.0, "stencils": 1.05, "near": 1.15,
                "graphs": 1.4, "power-ones": 2.2, "power-values": 1.5, "lp": 1.1, "circuits": 1.1,
                "random": 1.0}

# Target over all matrices of papers,real, geometric mean: over mkl-opt and over the best peer of each.
FLOORS = {"mkl": 1.6, "peer": 1.25, "plain": None}

# Target on each matrix, over its best peer.
FLOOR_EACH = 0.95

# Target for the share of read bandwidth where bandwidth is the limit, geometric mean.
FLOOR_SHARE = 0.75


class Best:
    """The best of ours on one matrix in one run, beside MKL optimized and the best of all others."""

    def __init__(self, row):
        ours = [r for name, r in row.items() if is_ours(name)]
        # A plan that chose its format multiplies like the contender that names it: it counts only if none is
        # named.
        ours = [r for r in ours if not is_planned(r["contender"])] or ours
        peers = [r for name, r in row.items() if not is_ours(name)]
        self.ours = max(ours, key=lambda r: r["plain_ratio"], default=None)
        self.peer = max(peers, key=lambda r: r["plain_ratio"], default=None)
        self.mkl = row.get("mkl-opt")

    def over(self, who):
        """How many times as fast as "plain", "mkl" or "peer"; None where there is none."""
        other = 1.0 if who == "plain" else getattr(self, who) and getattr(self, who)["plain_ratio"]
        return self.ours["plain_ratio"] / other if other else None


def find(runs, unsure):
    """{matrix: [Best of each run]} of the matrices whose figures were quiet in every run."""
    common = set.intersection(*(set(run) for run in runs)) - set().union(*unsure)
    found = {m: [Best(run[m]) for run in runs] for m in sorted(common)}
    return {m: bests for m, bests in found.items() if all(b.ours for b in bests)}


def means(found, matrices, who):
    """The geometric mean of each run; empty where a figure is lacking everywhere."""
    runs = zip(*(found[m] for m in matrices))
    figures = [[b.over(who) for b in run if b.over(who)] for run in runs]
    return [geomean(values) for values in figures if values]


def verdict(values, floor):
    if not values or floor is None:
        return "-"
    reached = sum(value >= floor for value in values)
    if reached == len(values):
        return "reached"
    return f"reached in {reached} of {len(values)} runs" if reached else "missed"


def figures(values):
    return " ".join("-" if value is None else f"{value:.2f}" for value in values) or "-"


def of_class(found, name):
    return [m for m, bests in found.items() if bests[0].ours.get("class", "") == name]


def class_table(found):
    rows = []
    for name, floor in CLASS_FLOORS.items():
        matrices = of_class(found, name)
        if matrices:
            values = means(found, matrices, "mkl")
            rows.append([name, len(matrices), figures(values), floor, verdict(values, floor),
                         figures(means(found, matrices, "peer")),
                         figures(means(found, matrices, "plain"))])
    heads = ["class", "matrices", "over mkl-opt", "asked", "verdict", "over the best peer", "over plain"]
    return markdown(heads, rows) + "\n" if rows else ""


def total_table(found):
    rows = []
    for name, who in (("mkl-opt", "mkl"), ("the best peer", "peer"), ("plain", "plain")):
        values, floor = means(found, list(found), who), FLOORS[who]
        rows.append([f"over {name}", len(found), figures(values), floor or "-", verdict(values, floor)])
    return markdown(["all", "matrices", "geometric mean", "asked of papers,real", "verdict"], rows)


def is_low(bests):
    return all(b.over("peer") < FLOOR_EACH for b in bests)


def matrix_table(found):
    rows = []
    for m, bests in found.items():
        formats = sorted({b.ours["contender"].removeprefix("tulle:") for b in bests})
        names = sorted({b.peer["contender"] for b in bests})
        rows.append([m, bests[0].ours.get("class", ""), " ".join(formats),
                     *(figures([b.over(who) for b in bests]) for who in ("plain", "mkl", "peer")),
                     " ".join(names), f"{cost(bests):.1f}", f"below {FLOOR_EACH}" if is_low(bests) else ""])
    return markdown(["matrix", "class", "best of ours", "over plain", "over mkl-opt", "over the best peer",
                     "best peer", "conversion", ""], rows)


def streams(row):
    """Does it store more than twice the bytes of x and y? Otherwise x and y also matter."""
    return row["bytes_per_nnz"] * row["nnz"] > 16 * (row["rows"] + row["cols"])


def shares_text(found):
    """Shares of read bandwidth where it is the limit; 0: the reading was disturbed, the matrix is left out.
    The mean that counts is of those that stream."""
    shares = {m: [b.ours for b in bests] for m, bests in found.items()
              if all(b.ours.get("stored_share") and b.ours.get("moved_share") for b in bests)}
    streaming = {m: rows for m, rows in shares.items() if all(map(streams, rows))}
    if not shares:
        return ""
    table = [[m, rows[0]["contender"], figures([r["bytes_per_nnz"] for r in rows]),
              figures([r["stored_share"] for r in rows]), figures([r["moved_share"] for r in rows]),
              "" if m in streaming else "x and y are a third or more"] for m, rows in shares.items()]
    text = ("\nShare of the speed of reading alone, by the bytes that the format stores, and with those of x "
            "and y\n\n" + markdown(["matrix", "format", "bytes/nnz", "stored", "+ x, y", ""], table))
    for name, chosen, key, floor in (("stored", shares, "stored_share", None),
                                     ("+ x, y", shares, "moved_share", None),
                                     ("stored, where that is twice what x and y have", streaming,
                                      "stored_share", FLOOR_SHARE)):
        values = [geomean([r[key] for r in run]) for run in zip(*chosen.values())]
        if values:
            text += (f"geometric mean of {counted(len(chosen), 'matrix')}, {name}: {figures(values)}"
                     + (f" (asked {floor}: {verdict(values, floor)})" if floor else "") + "\n")
    return text


def cost(bests):
    """Of the conversion to the best of ours, in multiplications of plain: the median of the runs."""
    return statistics.median(b.ours["convert_plain"] for b in bests)


def cost_text(found):
    costs = {m: cost(bests) for m, bests in found.items()}
    most = max(costs, key=costs.get)
    return (f"\nConversion to the best of ours, in multiplications of plain: median "
            f"{statistics.median(costs.values()):.1f}, most {costs[most]:.1f} ({most})\n")


def report(threads, runs, unsure):
    """The text about one number of threads."""
    found = find(runs, unsure)
    if not found:
        return f"\n{counted(threads, 'thread')}: no matrix has one of ours in every run\n"
    out = sorted(set().union(*unsure))
    low = [m for m, bests in found.items() if is_low(bests)]
    text = f"\nThe best of our formats, {counted(threads, 'thread')}, {counted(len(runs), 'run')}\n\n"
    text += class_table(found) + total_table(found) + "\n"
    text += matrix_table(found) + shares_text(found) + cost_text(found)
    text += f"\nBelow {FLOOR_EACH} of the best peer in every run: {', '.join(low) or 'none'}\n"
    return text + (f"Left out, disturbed in a run: {', '.join(out)}\n" if out else "")
