"""Contenders timed in turns: rounds, medians, geometric means, tables and JSON. Import this before anything that loads OpenMP.

A contender is a function without arguments that does its work once. Each round gives every contender one turn: a rest, in which
threads of the others stop spinning, one call that is not timed, and calls that are. Rounds begin with another contender each time.
"""

import gc
import json
import math
import os
import re
import statistics
import time
from pathlib import Path

# libgomp's threads would spin for milliseconds on the cores that the next contender needs. Read when it is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("KMP_BLOCKTIME", "5")  # MKL's threads spin for 5 ms after a call: longer than between two calls of a solver

import tulle  # noqa: E402

REST = 0.02


def in_turns(contenders, rounds, calls=1, rest=REST, warm=True):
    """{name: the seconds of one call in each round}"""
    taken = {name: [] for name in contenders}
    names = list(contenders)
    for turn in range(rounds):
        start = turn % len(names)
        for name in names[start:] + names[:start]:
            if rest:
                gc.collect()  # or garbage of the others is collected in this turn
                time.sleep(rest)
            if warm:
                contenders[name]()
            begin = time.perf_counter()
            for _ in range(calls):
                contenders[name]()
            taken[name].append((time.perf_counter() - begin) / calls)
    return taken


def medians(taken):
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def calls_for(contender, seconds):
    """How many calls take about this long."""
    contender()
    begin = time.perf_counter()
    contender()
    return max(1, min(10_000, round(seconds / (time.perf_counter() - begin))))


def geomean(numbers):
    return math.exp(statistics.fmean(map(math.log, numbers)))


def cpu_model():
    try:
        found = dict(re.findall(r"^(model name|cpu family|model|stepping)\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M))
    except OSError:
        return "unknown CPU"
    numbers = ", ".join(f"{key} {found[key]}" for key in ("cpu family", "model", "stepping") if key in found)
    return f"{found.get('model name', 'unknown CPU')} ({numbers})" if numbers else found.get("model name", "unknown CPU")


def machine():
    """What a reader must know to compare figures: processor, instruction set, how x is gathered, threads."""
    described = tulle.matrix(([1.0], [0], [0, 1])).plan(format="csr").describe()
    isa = described["isa"]
    gathers = "no gathers" if isa == "scalar" else "loads" if isa.endswith("_loads") else "gather instructions"
    return {"cpu": cpu_model(), "isa": isa, "gathers": gathers, "threads": tulle.get_threads(), "cpus": os.cpu_count(),
            "openblas_threads": os.environ.get("OPENBLAS_NUM_THREADS", "not set")}


def print_machine(of):
    print(f"{of['cpu']}, {of['cpus']} CPUs; tulle: {of['isa']}, x read by {of['gathers']}, {of['threads']} threads; "
          f"OPENBLAS_NUM_THREADS {of['openblas_threads']}", flush=True)


def meets(value, sign, bound):
    return value >= bound if sign == ">=" else value <= bound


class Table:
    """Rows of a section, printed as they come, with geometric means of the columns that are ratios."""

    def __init__(self, title, columns, ratios, asked=None, each=None):
        """columns: {name: format}; ratios: those with a mean; asked: {name: (">=" or "<=", bound of the mean)}; each: likewise,
        of every row"""
        self.columns, self.ratios, self.asked, self.each, self.rows, self.means = columns, ratios, asked or {}, each or {}, {}, {}
        self.width = [max(len(name), 9) for name in columns]
        print(f"\n{title}\n{'':24}" + "".join(f" {name:>{wide}}" for name, wide in zip(columns, self.width)), flush=True)

    def _print(self, name, values):
        cells = (f"{values[key]:{form}}" if values.get(key) is not None else "-" for key, form in self.columns.items())
        print(f"{name[:24]:24}" + "".join(f" {cell:>{wide}}" for cell, wide in zip(cells, self.width)), flush=True)

    def add(self, name, values):
        self.rows[name] = values
        self._print(name, values)

    def finish(self):
        """Print the means and what is asked; returns everything for JSON."""
        for key in self.ratios:
            known = [row[key] for row in self.rows.values() if row.get(key) is not None]
            if known:
                self.means[key] = geomean(known)
        self._print(f"geomean of {len(self.rows)}", self.means)
        for key, (sign, bound) in self.asked.items():
            if key in self.means:
                met = meets(self.means[key], sign, bound)
                print(f"  {key}: {self.means[key]:.2f}, asked {sign} {bound:g}: {'met' if met else 'MISSED'}")
        for key, (sign, bound) in self.each.items():
            missed = [name for name, row in self.rows.items() if key in row and not meets(row[key], sign, bound)]
            print(f"  {key}: asked {sign} {bound:g} of each: {'MISSED by ' + ', '.join(missed) if missed else 'met'}")
        return {"rows": self.rows, "geomeans": self.means}


def write_json(path, results):
    if path:
        Path(path).write_text(json.dumps({"machine": machine(), **results}, indent=1) + "\n")
