#!/usr/bin/env python3
"""Fit the prices of the planner's cost model to measurements.

    build/release/bench/tulle-compare --suite papers,real --contenders none \\
        --formats csr,sell,csr5,csr2,bsell,sym,hot,auto --threads 2 --json RUN.json --work RUN.work
    build/release/bench/tulle-compare --suite papers,real --contenders none --threads 2 --formats \\
        transposed:csr:transpose=scatter,transposed:csr:transpose=build,transposed:auto --json T.json --work T.work
    bench/fit.py RUN [RUN...]                what the prices would be, and how well they predict
    bench/fit.py RUN [RUN...] --write TREE   put them into the files *_prices.def of src/
    bench/fit.py RUN [RUN...] --check TREE   how well the prices in these files predict, nothing fitted

RUN stands for the pair RUN.json, RUN.work. Seconds are modelled as the sum over kinds of work of
amount * unit * price (src/analysis/cost.h); RUN.work has amount * unit for each matrix, format and
kind, RUN.json the seconds. Prices are positive and make the logarithms of predicted over measured seconds small. One
half of the matrices is fitted, the other shows what the fit is worth; --all fits to all of them. Figures that were
disturbed are left out.
Wants numpy and scipy.
"""

import argparse
import json
import math
import re
import sys
from pathlib import Path

import numpy
from scipy.optimize import least_squares

from results import half_of

KINDS = ["bytes", "l3", "far", "gathers", "misses", "steps", "loads", "rows", "calls"]
WHAT = ["multiply", "convert"]

# What each kind costs in most formats, how firmly a fit holds to that, and the error from which on it counts
# less than its square.
HOLD = .3
SCALE = .2
FAR = 20
USUAL = {"multiply": [.6, .6, .6, .3, .8, .15, .06, .6, 1], "convert": [2, 2, 2, 1, 5, 1.2, 1.2, 12, 10]}


# Contenders whose times belong to prices of another name: of the multiplication, of the conversion.
PRICED = {"transposed:csr:transpose=scatter": ("csr_scatter", "csr_scatter"),
          "transposed:csr:transpose=build": (None, "transpose")}


def read_work(path):
    """{(matrix, format, what): amounts}; the last line of each counts."""
    work, matrix = {}, None
    for line in path.read_text().splitlines():
        words = line.split()
        if words[0] == "matrix":
            matrix = " ".join(words[1:])
        elif words[0] == "work":
            work[matrix, words[1], words[2]] = [float(w) for w in words[3:]]
    return work


def read_run(name):
    """Yield (isa, matrix, format, what, amounts, seconds)."""
    run = json.loads(Path(name + ".json").read_text())
    work = read_work(Path(name + ".work"))
    isa = run["run"]["isa"]
    disturbed = {(row["matrix"], row["contender"]) for row in run["run"]["disturbed"]}
    for row in run["results"]:
        if (row["matrix"], row["contender"]) in disturbed:
            continue
        format = row["contender"].removeprefix("tulle:")
        names = dict(zip(WHAT, PRICED.get(format, (format, format))))
        plain = row["seconds_best"] * row["plain_ratio"]
        seconds = {"multiply": row["seconds_best"], "convert": row["convert_plain"] * plain}
        for what in WHAT:
            amounts = work.get((row["matrix"], names[what], what), [])
            if any(amounts):
                yield isa, row["matrix"], names[what], what, amounts, seconds[what]


def fit(rows, usual):
    """Prices for [(amounts, seconds)]. Errors by the same factor have the same weight, whether too high or too low and
    whatever the size; large errors weigh less than their squares. A price that differs from the usual one by a factor
    of e weighs as much as HOLD matrices with such an error, so the price of a kind of work that matters for few
    matrices stays near the usual one. There are several local minima: the least of those that are found from the usual
    prices with one of them FAR times higher counts."""
    usual, amounts = numpy.array(usual), numpy.array([a for a, _ in rows])
    measured = numpy.log([seconds for _, seconds in rows])

    def off(logs):
        predicted = numpy.log(amounts @ numpy.exp(logs) + 1e-12)
        return numpy.concatenate([(predicted - measured) / SCALE,
                                  HOLD**.5 / SCALE * (logs - numpy.log(usual))])

    begins = [usual, *usual * (1 + (FAR - 1) * numpy.eye(len(usual)))]
    return numpy.exp(min((least_squares(off, numpy.log(begin), loss="soft_l1") for begin in begins), key=lambda found: found.cost).x)


def errors(prices, rows):
    """|log(predicted / measured)| of each row."""
    return [abs(math.log(max(float(numpy.dot(prices, amounts)), 1e-12) / seconds))
            for amounts, seconds in rows]


def within(errors):
    """The share of predictions that are off by less than a factor of 1.35."""
    return numpy.mean([e <= math.log(1.35) for e in errors])


def table(isa, prices):
    numbers = lambda p: ", ".join(f"{x:.3g}" for x in p)
    return (f"PRICES({isa.upper()}, {{ {numbers(prices['multiply'])} }},\n"
            f"\t{{ {numbers(prices['convert'])} }})\n")


def write(tree, format, isa, prices):
    """Replace the entry of one instruction set, or add it."""
    path, = (tree / "src").rglob(f"{format}_prices.def")
    text = path.read_text()
    entry = re.compile(r"PRICES\(%s, .*?\}\)\n" % isa.upper(), re.S)
    new, found = entry.subn(lambda _: table(isa, prices), text)
    new = re.sub(r"^/\*.*?\*/", f"/* Fitted by bench/fit.py: multiply, convert; {' '.join(KINDS)}. */", new)
    path.write_text(new if found else new + table(isa, prices))


def read_prices(tree, format, isa):
    """{what: prices} as the sources have them."""
    path, = (tree / "src").rglob(f"{format}_prices.def")
    entry, = re.findall(r"PRICES\(%s,(.*?)\)\n" % isa.upper(), path.read_text(), re.S)
    return {what: [float(number) for number in numbers.split(",")]
            for what, numbers in zip(WHAT, re.findall(r"\{(.*?)\}", entry))}


def check(tree, groups):
    """Print the error factors of the multiplications that the sources predict, and the three worst."""
    print(f"{'':25}matrices  median  90 %  within 1.35: fitted half, other half, all")
    for (isa, format), measured in sorted(groups.items()):
        rows = measured["multiply"]
        if not rows:
            continue
        off = errors(read_prices(tree, format, isa)["multiply"], [(a, s) for _, a, s in rows])
        halves = [[e for e, (m, _, _) in zip(off, rows) if half_of(m) == h] for h in (0, 1)]
        shares = ", ".join(f"{100 * within(h):.0f} %" if h else "-" for h in (*halves, off))
        worst = sorted(zip(off, (m for m, _, _ in rows)), reverse=True)[:3]
        print(f"{isa:13}{format:12}{len(rows):8}{math.exp(numpy.median(off)):8.2f}{math.exp(numpy.quantile(off, .9)):6.2f}"
              f"  {shares:18}" + ", ".join(f"{m} {math.exp(e):.2f}" for e, m in worst))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--all", action="store_true", help="fit to all matrices, not to one half")
    parser.add_argument("--write", metavar="TREE", type=Path)
    parser.add_argument("--check", metavar="TREE", type=Path)
    options = parser.parse_args()
    groups = {}
    for name in options.runs:
        for isa, matrix, format, what, amounts, seconds in read_run(name):
            if math.isfinite(seconds) and seconds > 0:
                groups.setdefault((isa, format), {w: [] for w in WHAT})[what].append(
                    (matrix, amounts, seconds))
    if options.check:
        check(options.check, groups)
        return 0
    print(f"{'':25}{'':9}" + "".join(f"{k:>9}" for k in KINDS) + "   error (within 1.35): fitted half, other half")
    for (isa, format), measured in sorted(groups.items()):
        prices = {}
        for what in WHAT:
            if not measured[what]:  # building A^T has no multiplication
                prices[what] = USUAL[what]
                continue
            halves = [[(a, s) for m, a, s in measured[what] if half_of(m) == h] for h in (0, 1)]
            if not halves[0]:  # too few matrices: fit to those that there are
                halves.reverse()
            prices[what] = fit(halves[0] + (halves[1] if options.all else []), USUAL[what])
            error = [errors(prices[what], h) for h in halves if h]
            print(f"{isa:13}{format:12}{what:9}" + "".join(f"{p:9.3g}" for p in prices[what]) +
                  "   " + ", ".join(f"{math.exp(numpy.median(e)):.2f} ({100 * within(e):.0f} %)"
                                    for e in error))
        if options.write:
            write(options.write, format, isa, prices)
    return 0


if __name__ == "__main__":
    sys.exit(main())
