"""Sections of gpu_papers about the FastLoad paper."""

from gpu_papers_runs import figure, mean, percent, section
from paper_tables import FASTLOAD_FIG_1, FASTLOAD_OVER, FASTLOAD_TABLE_1, published
from results import markdown

OPTIMIZED = "tulle:fastload:add=sums,height=1"
BOUND = "tulle:fastload:add=rearranged"
CSC, CSR5 = "tulle:csc", "tulle:csr5:rule=nvidia"
BINS = ((0, 0.5), (0.5, 1), (1, 2), (2, float("inf")))  # of sd/mean of the row lengths
NO_TILES = "TileSpMV: the bench does not have it."


def of_height(height):
    return f"tulle:fastload:add=atomics,height={height}"


def others(runs):
    """{name in the paper: contenders}"""
    return {"CSC": [CSC], "cuSPARSE": runs.cusparse("fastload"), "CSR5": [CSR5], "TileSpMV": []}


def ratios(runs, new, old):
    return [ratio for _, ratio in runs.over("fastload", new, old)]


def faster(values):
    return sum(value > 1 for value in values)


def groups(runs):
    """The collection's groups are not known here: means over all matrices are shown next to those of the groups."""
    def body():
        def microseconds(old):
            rows = [runs.timed(matrix) for matrix in runs.matrices("fastload")]
            return figure(mean(1e6 * min(row[name]["seconds_best"] for name in old if name in row)
                               for row in rows if any(name in row for name in old)))
        known = others(runs)
        here = ["here, all matrices", len(runs.matrices("fastload")), microseconds([OPTIMIZED]),
                *(microseconds(known[name]) for name in ("cuSPARSE", "TileSpMV", "CSR5", "CSC"))]
        lines = [[f"published: {name}", int(values[0]), *map(figure, values[1:])]
                 for name, values in published(FASTLOAD_FIG_1).items()]
        return markdown(["geometric mean, µs", "matrices", "FastLoad", "cuSPARSE", "TileSpMV", "CSR5", "CSC"],
                     [here, *lines])
    return section(runs, "FastLoad, Fig. 1: groups of the collection", ["fastload"], body,
                   ["Files name no groups, so there is one row for all of them.", NO_TILES,
                    *runs.cusparse_mark("fastload")])


def two_phases(runs):
    def body():
        return markdown(["add=rearranged over", "matrices", "geometric mean", "faster on"], [
            [name, len(values), figure(mean(values)), faster(values) if values else "-"]
            for name, old in others(runs).items() if name != "CSC" for values in [ratios(runs, BOUND, old)]])
    return section(runs, "FastLoad, Fig. 5: two phases", ["fastload"], body,
                   ["Published: above cuSPARSE, TileSpMV and CSR5 on more than 200 matrices, re-arranging not timed. The "
                    "times here include it.", NO_TILES, *runs.cusparse_mark("fastload")])


def speedups(runs):
    def body():
        lines = []
        for name, old in others(runs).items():
            values, (average, won) = ratios(runs, OPTIMIZED, old), FASTLOAD_OVER[name]
            lines.append([name, figure(mean(values)), f"{faster(values)} of {len(values)}" if values else "-",
                          figure(average), f"{won} of 2757"])
        return markdown(["FastLoad over", "geometric mean", "faster on", "published mean", "published: faster on"], lines)
    return section(runs, "FastLoad, Fig. 7: speedups", ["fastload"], body, [NO_TILES, *runs.cusparse_mark("fastload")])


def irregularity(runs):
    def body():
        names = ["CSC", "cuSPARSE", "CSR5"]
        lines = []
        for low, high in BINS:
            inside = [m["matrix"] for m in runs.matrices("fastload") if low <= (m["length_variation"] or 0) < high]
            cells = [mean(ratio for matrix, ratio in runs.over("fastload", OPTIMIZED, others(runs)[name])
                          if matrix["matrix"] in inside) for name in names]
            lines.append([f"{low} and more" if high == float("inf") else f"{low} to {high}", len(inside),
                          *map(figure, cells)])
        return markdown(["sd/mean of row lengths", "matrices", *(f"FastLoad over {name}" for name in names)], lines)
    return section(runs, "FastLoad, Fig. 8: irregular matrices", ["fastload"], body,
                   ["Published: the gain is largest at small sd/mean.", NO_TILES, *runs.cusparse_mark("fastload")])


def heights(runs):
    def body():
        lines = []
        for height, values in published(FASTLOAD_TABLE_1).items():
            cells = []
            for name in ("CSR5", "cuSPARSE"):
                found = ratios(runs, of_height(height), others(runs)[name])
                cells += [percent(faster(found) / len(found) if found else None), figure(mean(found))]
            lines.append([height if height != "0" else "none", *cells, *(
                f"{value:.0f} %" if n % 2 == 0 else figure(value) for n, value in enumerate(values[2:]))])
        two = ["faster", "speedup"]
        return markdown(["height limit", *(f"{name}: {word}" for name in ("CSR5", "cuSPARSE") for word in two),
                      *(f"published, {name}: {word}" for name in ("CSR5", "cuSPARSE") for word in two)], lines)
    return section(runs, "FastLoad, Table I: height of blocks", ["fastload"], body,
                   [NO_TILES, *runs.cusparse_mark("fastload")])


def largest(runs):
    """Four matrices of the run: the paper names its four only in a figure."""
    return sorted(runs.matrices("fastload"), key=lambda matrix: -matrix["nnz"])[:4]


def versions(runs):
    def body():
        contenders = [*map(of_height, published(FASTLOAD_TABLE_1)), OPTIMIZED]
        lines = []
        for matrix in largest(runs):
            speeds = [runs.speeds("fastload", c).get(matrix["matrix"]) for c in contenders]
            lines.append([matrix["matrix"], *map(figure, speeds)])
        return markdown(["GFlop/s in f64", *(f"height {h}" if h != "0" else "no limit" for h in published(FASTLOAD_TABLE_1)),
                      "optimized"], lines)
    return section(runs, "FastLoad, Fig. 9: eight versions", ["fastload"], body,
                   ["The four largest matrices of the run. Published: the optimized version is the fastest of the eight."])


def preprocessing(runs):
    def body():
        lines = []
        for title, low, high in (("below 10^4 nonzeros", 0, 1e4), ("from 10^4 on", 1e4, float("inf"))):
            rows = [runs.timed(m) for m in runs.matrices("fastload") if low <= m["nnz"] < high]
            found = [row[OPTIMIZED]["seconds_convert"] / row[CSR5]["seconds_convert"]
                     for row in rows if OPTIMIZED in row and CSR5 in row]
            lines.append([title, len(rows), figure(mean(found)), "near 1" if low == 0 else "above 1"])
        return markdown(["conversion of FastLoad over that of CSR5", "matrices", "geometric mean", "published"], lines)
    return section(runs, "FastLoad, Fig. 10: preprocessing", ["fastload"], body, [NO_TILES])


def memory(runs):
    """Bytes are known on every device."""
    def body():
        lines = []
        for matrix in largest(runs):
            peaks = {row["contender"]: row.get("peak_bytes") for row in matrix["results"]}
            lines.append([matrix["matrix"], *(figure(peaks[c] / matrix["nnz"] if peaks.get(c) and matrix["nnz"] else None, 1)
                                              for c in (OPTIMIZED, CSR5, CSC))])
        return markdown(["peak bytes per nonzero", "FastLoad", "CSR5", "CSC"], lines)
    return section(runs, "FastLoad, Fig. 11: peak memory", ["fastload"], body,
                   ["The four largest matrices of the run. Published: FastLoad needs most. What cuSPARSE needs is not "
                    "known.", NO_TILES], has_times=False)


def sections(runs):
    return (groups(runs) + two_phases(runs) + speedups(runs) + irregularity(runs) + heights(runs) + versions(runs)
            + preprocessing(runs) + memory(runs))
