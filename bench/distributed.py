#!/usr/bin/env python3
"""What an iteration on several ranks is made of, and what the ranks send: tables of docs/scale.md.

    ./dev bench distributed             times on 1 and 2 ranks, messages and bytes on 2, 4 and 8 (some minutes, an idle machine)
    ./dev bench distributed counts      only messages and bytes; times stay as they are
    bench/distributed.py write          the tables, from bench/distributed.json
    bench/distributed.py check          fail if the page has other tables

The first two write bench/distributed.json and the page; --print prints the tables instead. tulle-pagerank iterates on graphs,
tulle-petsc-bench solves by cg with jacobi. Both are run in the order of the file and by PT-Scotch's partition. Times are -log_view's."""

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import mean, median

from page_tables import short, table, write_or_check
from scale_model import PAGE

TREE = Path(__file__).resolve().parent.parent
MEASURED = TREE / "bench/distributed.json"
ORDERS = ("natural", "ptscotch")
TIMED, COUNTED = (1, 2), (2, 4, 8)
ROUNDS = 3
CUBE = 64
GRAPHS = ("cnr-2000", "R-MAT, scale 16")
MATRICES = ("fem_cylplate", f"27 points, {CUBE}^3")
# Ranks that share cores must not spin, and are not bound to cores that other ranks have.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
SHARED_CORES = {"OMPI_MCA_mpi_yield_when_idle": "1"}

# ---- -log_view --------------------------------------------------------------------------------------

VALUES = {"Count": "count", "Time": "seconds", "Num Messages": "messages", "Message Length": "bytes"}


def read_log(text):
    """{stage: {event: [of each rank {count, seconds, messages, bytes}]}} from -log_view :FILE:ascii_csv."""
    lines = csv.reader(text.splitlines())
    head = [name.strip() for name in next(lines)]
    at = {name: head.index(name) for name in ("Stage Name", "Event Name", "Rank", *VALUES)}
    found = defaultdict(dict)
    for line in lines:
        if len(line) <= max(at.values()):
            raise ValueError(f"-log_view: line of {len(line)} fields: {line}")
        stage, event = (line[at[name]].strip() for name in ("Stage Name", "Event Name"))
        ranks = found[stage].setdefault(event, [])
        if int(line[at["Rank"]]) != len(ranks):
            raise ValueError(f"-log_view: {stage}, {event}: rank {line[at['Rank']]} after {len(ranks)} ranks")
        ranks.append({key: float(line[at[name]]) for name, key in VALUES.items()})
    return dict(found)


def total(events, names, what):
    """Of these events together, the mean of all ranks; an event that never happened may be missing."""
    return sum(mean(rank[what] for rank in events[name]) for name in names if name in events)


def split_of(events, iterations, vectors, sums):
    """Seconds of an iteration, the mean of all ranks. The product is MatMult without the exchange inside of it."""
    begin, wait = (total(events, [f"VecScatter{name}"], "seconds") for name in ("Begin", "End"))
    parts = {"product": total(events, ["MatMult"], "seconds") - begin - wait, "begin": begin, "wait": wait,
             "vectors": total(events, vectors, "seconds"), "sums": total(events, sums, "seconds")}
    parts["all"] = total(events, ["summary"], "seconds")
    return {name: seconds / iterations for name, seconds in parts.items()}


def traffic_of(events):
    """Messages and bytes of one product. PETSc counts each message where it is sent and where it is received."""
    exchange = events.get("VecScatterBegin", [])
    products = max((rank["count"] for rank in exchange), default=0)
    if products == 0:
        return {"messages": 0, "bytes": 0, "most": 0}
    return {"messages": sum(rank["messages"] for rank in exchange) / 2 / products,
            "bytes": sum(rank["bytes"] for rank in exchange) / 2 / products,
            "most": max(rank["bytes"] for rank in exchange) / products}


# ---- runs -------------------------------------------------------------------------------------------

PAGERANK = {"vectors": ["PageRankNodes"], "sums": ["PageRankSum"]}
SOLVE = {"vectors": ["VecAXPY", "VecAYPX", "VecPointwiseMult"], "sums": ["VecTDot", "VecNorm"]}


class Bench:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.programs = build / "bindings/petsc"
        self.files = {}

    def call(self, command, ranks=1):
        more = ENVIRONMENT | (SHARED_CORES if ranks > (os.cpu_count() or 1) else {})
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                              env={**os.environ, **more})
        if done.returncode:
            sys.exit(f"{command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def subject(self, name):
        """Options for a matrix: the cube is generated by the program, the others become files of PETSc."""
        if "points" in name:
            return ["-n", CUBE]
        if name not in self.files:
            source = self.folder / "rmat.mtx"
            if name.startswith("R-MAT"):
                self.call([self.build / "tulle", "generate", f"rmat:scale={name.split()[-1]},edges=16,values=ones", "-o", source])
            else:
                source = Path(os.environ["TULLE_MATRICES"]) / f"{name}.mtx.gz"
            self.files[name] = self.folder / f"{name}.petsc"
            self.call([self.programs / "tulle-petsc-convert", source, self.files[name]])
        return ["-file", self.files[name]]

    def logged(self, program, ranks, words):
        log = self.folder / "log.csv"
        text = self.call(["mpiexec", "-n", ranks, self.programs / program, *words, "-warm_up", 1,
                          "-mat_tulle_multiplies", 1000, "-log_view", f":{log}:ascii_csv"], ranks)
        return text, read_log(log.read_text())

    def graph(self, name, ranks, order, iterations):
        text, log = self.logged("tulle-pagerank", ranks, [self.subject(name)[1], "-top", 0, "-order", order,
                                                          "-max_iterations", iterations])
        nodes, links = (int(n) for n in re.search(r"^graph +(\d+) nodes, (\d+) links", text, re.M).groups())
        return {"rows": nodes, "matrix_bytes": 4 * links}, log["iterations"]

    def matrix(self, name, ranks, order, iterations, kind):
        _, log = self.logged("tulle-petsc-bench", ranks, [
            *self.subject(name), "-dll_append", self.build / "libtulle_petsc.so", "-types", kind, "-rounds", 1, "-order", order,
            "-ksp_type", "cg", "-pc_type", "jacobi", "-ksp_rtol", 1e-30, "-ksp_max_it", iterations])
        return log[kind]

    def overlap(self, name, order):
        text = self.call(["mpiexec", "-n", 2, self.programs / "tulle-petsc-overlap", *self.subject(name),
                          *(["-transpose"] if name in GRAPHS else []), "-dll_append", self.build / "libtulle_petsc.so",
                          "-order", order, "-mat_tulle_multiplies", 1000])
        rounds = re.findall(r"^overlapped (\S+) in_turn (\S+) exchange (\S+)$", text, re.M)
        return dict(zip(("overlapped", "in_turn", "exchange"), (median(map(float, column)) for column in zip(*rounds))))


def median_split(splits):
    return {name: median(split[name] for split in splits) for name in splits[0]}


def times(bench):
    found = []
    for name in GRAPHS + MATRICES:
        for kind in (["tulle-pagerank"] if name in GRAPHS else ["aij", "aijtulle"]):
            for ranks in TIMED:
                for order in ORDERS if ranks > 1 else ORDERS[:1]:
                    splits = []
                    for _ in range(ROUNDS):
                        events, rules = (bench.graph(name, ranks, order, 50)[1], PAGERANK) if name in GRAPHS else \
                            (bench.matrix(name, ranks, order, 50, kind), SOLVE)
                        splits.append(split_of(events, events["MatMult"][0]["count"], **rules))
                    found.append({"matrix": name, "program": kind, "ranks": ranks, "order": order, **median_split(splits)})
    overlaps = [{"matrix": name, "order": order, **bench.overlap(name, order)} for name in GRAPHS + MATRICES for order in ORDERS]
    return {"times": found, "overlap": overlaps}


def counts(bench):
    found = []
    for name in GRAPHS + MATRICES:
        for ranks in COUNTED:
            for order in ORDERS:
                sizes, events = bench.graph(name, ranks, order, 5) if name in GRAPHS else \
                    (None, bench.matrix(name, ranks, order, 5, "aijtulle"))
                found.append({"matrix": name, "ranks": ranks, "order": order, **traffic_of(events),
                              **(sizes or bench_sizes(bench, name))})
    return {"counts": found}


def bench_sizes(bench, name):
    """Rows and bytes of a matrix in CSR with f64 values."""
    if "points" in name:
        return {"rows": CUBE ** 3, "matrix_bytes": 12 * (3 * CUBE - 2) ** 3}
    text = bench.call([bench.build / "tulle", "info", "--json", Path(os.environ["TULLE_MATRICES"]) / f"{name}.mtx.gz"])
    info = json.loads(text)
    return {"rows": info["rows"], "matrix_bytes": 12 * info["nnz"]}


def machine():
    text = Path("/proc/cpuinfo").read_text()
    name, model = (re.search(rf"^{key}\s*: (.+)$", text, re.M) for key in ("model name", "model"))
    return f"{name[1]}, model {model[1]}, {os.cpu_count()} CPUs" if name and model else "unknown"


# ---- tables -----------------------------------------------------------------------------------------

def us(seconds):
    return short(1e6 * seconds)


def distributed_times(measured):
    if not measured.get("times"):
        return "Not measured yet: `./dev bench distributed` on an idle machine.\n"
    rows = [[t["matrix"], t["program"], str(t["ranks"]), t["order"] if t["ranks"] > 1 else "",
             *(us(t[part]) for part in ("all", "product", "begin", "wait", "vectors", "sums"))] for t in measured["times"]]
    return table(["us per iteration", "program", "ranks", "order", "all", "local product", "exchange: send", "exchange: wait",
                              "vectors", "reductions"], rows) + f"\n{measured['machine']}.\n"


def distributed_overlap(measured):
    if not measured.get("overlap"):
        return "Not measured yet: `./dev bench distributed` on an idle machine.\n"
    return table(["us per product, 2 ranks", "order", "overlapped", "in turn", "exchange alone", "in turn / overlapped"],
                             [[t["matrix"], t["order"], us(t["overlapped"]), us(t["in_turn"]), us(t["exchange"]),
                               f"{t['in_turn'] / t['overlapped']:.2f}"] for t in measured["overlap"]])


def distributed_counts(measured):
    rows = []
    for c in measured["counts"]:
        rows.append([c["matrix"], str(c["ranks"]), c["order"], f"{c['messages']:.0f}", f"{c['bytes'] / 8:,.0f}",
                     *(f"{c['bytes'] / part:,.0f}" for part in (1, 2, 4)), f"{c['most']:,.0f}", f"{c['bytes'] / c['matrix_bytes']:.2%}"])
    return table(["per product", "ranks", "order", "messages", "ghosts", "bytes, f64", "f32", "16 bits",
                              "most of one rank", "of the matrix"], rows)


TABLES = (distributed_times, distributed_overlap, distributed_counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="all", choices=("all", "counts", "write", "check"))
    parser.add_argument("--build", type=Path, default=TREE / "build/release")
    parser.add_argument("--print", action="store_true", help="print the tables, write nothing")
    options = parser.parse_args()
    measured = json.loads(MEASURED.read_text()) if MEASURED.exists() else {}
    if options.what in ("all", "counts"):
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(options.build.resolve(), Path(folder))
            if options.what == "all":
                measured.update(times(bench), machine=machine())
            measured.update(counts(bench))
    if options.print:
        for make in TABLES:
            print(make(measured))
        return 0
    if options.what in ("all", "counts"):
        MEASURED.write_text(json.dumps(measured, indent=1) + "\n")
    return write_or_check(PAGE, measured, TABLES, "check" if options.what == "check" else "write", "distributed.py")


if __name__ == "__main__":
    sys.exit(main())
