#!/usr/bin/env python3
"""Read several runs of tulle-compare together: what holds in all of them?

Usage: runs.py [--best] [--over NAME] [--floor R] RUN...

A RUN is a JSON file, or several joined by + that are one run (other contenders, other matrices). A
single ratio moves by 10 % between runs. For each contender and number of threads, over the matrices
with at least 84000 nonzeros on which it was right and undisturbed in every run that has it:

  over plain, over NAME   geometric means of each run, one after the other (NAME: mkl-opt)
  convert                 median and maximum over the matrices, each the median of its runs, in
                          multiplications of plain and of its own
  bytes, memory           medians: bytes per nonzero; memory held over that of the CSR arrays

Then the matrices on which one of our formats stayed below R (0.95) of plain in every run.

With --best: the best of our formats on each matrix and in each class, over MKL optimized and over the
best peer, with what was asked. A floor is missed when every run misses it.
"""

import argparse
import statistics

import verdicts
from results import contenders_of, counted, geomean, is_ours, load, markdown, unsure


class Contender:
    """One contender on the matrices that every run with it has."""

    def __init__(self, name, runs):
        self.name = name
        self.runs = [run for run in runs if any(name in row for row in run.values())]
        common = set.intersection(*({m for m, row in run.items() if name in row}
                                    for run in self.runs))
        self.matrices = sorted(common)

    def over_plain(self):
        return [geomean([run[m][self.name]["plain_ratio"] for m in self.matrices])
                for run in self.runs]

    def over(self, other):
        """On the matrices of this contender and `other`; a run without `other` has no figure."""
        means = []
        for run in self.runs:
            ratios = [run[m][self.name]["plain_ratio"] / run[m][other]["plain_ratio"]
                      for m in self.matrices if other in run[m]]
            if ratios:
                means.append(geomean(ratios))
        return means

    def spread(self, key):
        """Median and maximum over the matrices of what is the median of the runs."""
        values = [statistics.median(run[m][self.name][key] for run in self.runs)
                  for m in self.matrices]
        return statistics.median(values), max(values)

    def below(self, floor):
        """[(matrix, its ratios)] that stayed below in every run."""
        found = [(m, [run[m][self.name]["plain_ratio"] for run in self.runs])
                 for m in self.matrices]
        return [(m, ratios) for m, ratios in found if max(ratios) < floor]


def figures(values):
    return " ".join(f"{value:.2f}" for value in values) or "-"


def report(threads, runs, other, floor):
    """The text about one number of threads."""
    found = [c for c in (Contender(name, runs) for name in contenders_of(runs)) if c.matrices]
    heads = ["contender", "matrices", "over plain", f"over {other}", "convert, plain: median, max",
             "convert, own: median, max", "bytes/nnz", "memory over CSR"]
    rows = []
    for c in found:
        rows.append([c.name, len(c.matrices), figures(c.over_plain()),
                     "-" if c.name == other else figures(c.over(other)),
                     figures(c.spread("convert_plain")), figures(c.spread("convert_own")),
                     f"{c.spread('bytes_per_nnz')[0]:.2f}",
                     f"{100 * c.spread('memory_over_csr')[0]:.1f} %"])
    text = f"{counted(threads, 'thread')}, {counted(len(runs), 'run')}\n\n" + markdown(heads, rows)
    for c in found:
        low = c.below(floor) if is_ours(c.name) else []
        if low:
            text += (f"\n{c.name} below {floor} of plain in every run: "
                     + ", ".join(f"{m} ({figures(ratios)})" for m, ratios in low) + "\n")
    return text


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--best", action="store_true")
    options.add_argument("--over", default="mkl-opt", metavar="NAME")
    options.add_argument("--floor", default=0.95, type=float, metavar="R")
    options.add_argument("runs", nargs="+", metavar="RUN")
    given = options.parse_args()
    files = [run.split("+") for run in given.runs]
    runs = [load(paths) for paths in files]
    disturbed = [unsure(paths) for paths in files]
    for threads in sorted({t for run in runs for t in run}):
        chosen = [n for n, run in enumerate(runs) if threads in run]
        own = [runs[n][threads] for n in chosen]
        if given.best:
            print(verdicts.report(threads, own, [disturbed[n].get(threads, set()) for n in chosen]), end="")
        else:
            print(report(threads, own, given.over, given.floor))


if __name__ == "__main__":
    main()
