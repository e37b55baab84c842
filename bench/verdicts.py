"""The best of our formats in several runs together: what was asked of each class and matrix, and what
came out. A floor is missed when every run misses it: one run alone may have met a busy neighbour."""

import statistics

from results import geomean, is_planned, markdown


class Best:
    """The best of ours on one matrix in one run, beside MKL optimized and the best of all others."""

    def __init__(self, row):
        ours = [r for name, r in row.items() if name.startswith("tulle:")]
        # a plan that chose by itself multiplies as the format it chose: where that is named, it counts
        ours = [r for r in ours if not is_planned(r["contender"])] or ours
        peers = [r for name, r in row.items() if not name.startswith("tulle:")]
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


def class_table(found, asked):
    heads = ["class", "matrices", "over mkl-opt", "asked", "verdict", "over the best peer", "over plain"]
    rows = []
    for name, floor in asked["classes"].items():
        matrices = of_class(found, name)
        if matrices:
            values = means(found, matrices, "mkl")
            rows.append([name, len(matrices), figures(values), floor, verdict(values, floor),
                         figures(means(found, matrices, "peer")),
                         figures(means(found, matrices, "plain"))])
    return markdown(heads, rows) if rows else ""


def total_table(found, asked):
    rows = [[f"over {name}", len(found), figures(values), asked.get(key, "-"),
             verdict(values, asked.get(key))]
            for name, who, key in (("mkl-opt", "mkl", "over_mkl"), ("the best peer", "peer", "over_peer"),
                                   ("plain", "plain", "over_plain"))
            for values in [means(found, list(found), who)]]
    return markdown(["all", "matrices", "geometric mean", "asked of papers,real", "verdict"], rows)


def matrix_table(found, asked):
    floor = asked["each"]
    rows = []
    for m, bests in found.items():
        peers = [b.over("peer") for b in bests]
        formats = sorted({b.ours["contender"].removeprefix("tulle:") for b in bests})
        low = all(value < floor for value in peers)
        names = sorted({b.peer["contender"] for b in bests})
        rows.append([m, bests[0].ours.get("class", ""), " ".join(formats),
                     figures([b.over("mkl") for b in bests]), figures(peers), " ".join(names),
                     f"below {floor}" if low else ""])
    return markdown(["matrix", "class", "best of ours", "over mkl-opt", "over the best peer",
                     "best peer", ""], rows)


def shares_text(found, asked):
    """Shares of read bandwidth by the bytes stored, where these exceed twice those of x and y."""
    shares = {}
    for m, bests in found.items():
        rows = [b.ours for b in bests]
        if all(r.get("stored_share") and 16 * (r["rows"] + r["cols"]) < r["bytes_per_nnz"] * r["nnz"]
               for r in rows):
            shares[m] = [r["stored_share"] for r in rows]
    if not shares:
        return ""
    values = [geomean(run) for run in zip(*shares.values())]
    return (f"\nShare of read bandwidth by the bytes stored, {len(shares)} matrices: {figures(values)}"
            f" (asked {asked['stored']}: {verdict(values, asked['stored'])}); "
            + ", ".join(f"{m} {figures(s)}" for m, s in shares.items()) + "\n")


def cost_text(found):
    """What the conversion to the best of ours cost: the median of the runs on each matrix."""
    cost = {m: statistics.median(b.ours["convert_plain"] for b in bests) for m, bests in found.items()}
    most = max(cost, key=cost.get)
    return (f"\nConversion to the best of ours, in multiplications of plain: median "
            f"{statistics.median(cost.values()):.1f}, most {cost[most]:.1f} ({most})\n")


def report(threads, runs, unsure, asked):
    """The text about one number of threads."""
    found = find(runs, unsure)
    if not found:
        return f"\n{threads} threads: no matrix has one of ours in every run\n"
    out = sorted(set().union(*unsure))
    low = [m for m, bests in found.items() if all(b.over("peer") < asked["each"] for b in bests)]
    text = f"\nThe best of our formats, {threads} threads, {len(runs)} runs\n\n"
    text += class_table(found, asked) + "\n" + total_table(found, asked) + "\n"
    text += matrix_table(found, asked) + shares_text(found, asked) + cost_text(found)
    text += f"\nBelow {asked['each']} of the best peer in every run: {', '.join(low) or 'none'}\n"
    return text + (f"Left out, disturbed in a run: {', '.join(out)}\n" if out else "")
