#!/usr/bin/env python3
"""Real plans on many threads and several memory nodes: a simulated schedule, for docs/planner.md. Nothing here was measured.

    bench/schedule_model.py plans >bench/schedule_plans.json        parts and bytes of real plans ($TULLE_MATRICES; seconds)
    bench/schedule_model.py write                                   the tables of docs/planner.md, from bench/schedule_plans.json
    bench/schedule_model.py check                                   fail if the page has other tables

Parts are dealt to lanes and claimed as in src/core/team.c. A conversion runs first: a page lies on the node of the thread that
claimed its part. Then a multiplication runs."""

import argparse
import heapq
import json
import os
import random
import subprocess
import sys
from pathlib import Path

from page_tables import table, write_or_check

PLANS = Path(__file__).resolve().parent / "schedule_plans.json"
PAGE = Path(__file__).resolve().parent.parent / "docs" / "planner.md"

# ---- what is assumed --------------------------------------------------------------------------------

NODE_BANDWIDTH = 50e9   # bytes per second that the threads of one node read together
THREAD_BANDWIDTH = 12e9  # bytes per second that one thread reads at most
REMOTE = 2.0            # a byte of another node takes as long as this many of the own node
WAKE = .5e-6            # seconds per level of the tree by which helpers start
CLAIM = .1e-6           # seconds to claim a part
JITTER = .05            # a part takes up to this share more or less time
LANES = 64              # of src/core/team.c
RUNS = 3                # schedules per figure

THREADS = (64, 128, 256)
NODES = (1, 2, 4, 8)
MATRICES = ("NotreDame_www", "cage11", "cnr-2000", "fem_cylplate", "xenon1", "qp_BOYD1_A")


def plans(tulle):
    """Parts and bytes of the plan for each matrix."""
    found = {}
    for name in MATRICES:
        path = Path(os.environ["TULLE_MATRICES"]) / f"{name}.mtx.gz"
        out = subprocess.run([tulle, "plan", path, "--json"], check=True, capture_output=True, text=True).stdout
        plan = json.loads(out)["plan"]
        found[name] = {key: plan[key] for key in ("format", "nnz", "parts", "bytes")}
    return found


# ---- the schedule -----------------------------------------------------------------------------------

def node_of(thread, threads, nodes):
    """Threads fill one node after the other (OMP_PROC_BIND=close)."""
    return thread * nodes // threads


def by_number(thread, lanes, _):
    """The rule of src/core/team.c: thread t begins with lane t, beyond 64 threads with t modulo 64."""
    return thread % lanes


def by_neighbours(thread, lanes, threads):
    """A rule that is not in the library: threads that share a lane are neighbours."""
    return thread * lanes // threads


def schedule(parts, part_bytes, threads, nodes, begin, homes, rng):
    """Seconds until all parts are done, and the thread of each. homes: node of each part's pages, or None before the first touch."""
    lanes = min(threads, LANES)
    ends = [parts * (lane + 1) // lanes for lane in range(lanes)]
    following = [parts * lane // lanes for lane in range(lanes)]
    rate = min(THREAD_BANDWIDTH, NODE_BANDWIDTH * nodes / min(threads, parts))  # also when some threads are done
    ready = [(WAKE * (t + 1).bit_length(), t, 0) for t in range(threads)]
    heapq.heapify(ready)
    taken, last = [0] * parts, 0.0
    while ready:
        now, thread, passed = heapq.heappop(ready)
        lane = (begin(thread, lanes, threads) + passed) % lanes
        if following[lane] == ends[lane]:
            if passed + 1 < lanes:
                heapq.heappush(ready, (now, thread, passed + 1))
            continue
        part = following[lane]
        following[lane] += 1
        taken[part] = thread
        far = homes is not None and homes[part] != node_of(thread, threads, nodes)
        spent = part_bytes / rate * (REMOTE if far else 1) * (1 + JITTER * rng.uniform(-1, 1))
        now += CLAIM + spent
        last = max(last, now)
        heapq.heappush(ready, (now, thread, passed))
    return last, taken


def simulate(plan, threads, nodes, begin=by_number):
    """Share of the bandwidth of all nodes that a multiplication reaches, and of bytes read from the own node."""
    parts, size = plan["parts"], plan["bytes"] / plan["parts"]
    reached, local = 0.0, 0.0
    for seed in range(RUNS):
        rng = random.Random(seed)
        _, touched = schedule(parts, size, threads, nodes, begin, None, rng)
        homes = [node_of(t, threads, nodes) for t in touched]
        seconds, taken = schedule(parts, size, threads, nodes, begin, homes, rng)
        best = plan["bytes"] / min(NODE_BANDWIDTH * nodes, THREAD_BANDWIDTH * threads)
        reached += best / seconds / RUNS
        local += sum(node_of(t, threads, nodes) == home for t, home in zip(taken, homes)) / parts / RUNS
    return reached, local


# ---- tables -----------------------------------------------------------------------------------------

def percent(share):
    return f"{100 * share:.0f} %"


def large(parts):
    """A plan with 1 GB."""
    return {"parts": parts, "bytes": 1e9}


def schedule_of_plans(found):
    heads = ["plan", "parts", "MB", *(f"{t} threads, {n} nodes" for t in THREADS for n in (2, 8))]
    rows = [[f"{name}, {plan['format']}", str(plan["parts"]), f"{plan['bytes'] / 1e6:.1f}",
             *(percent(simulate(plan, t, n)[0]) for t in THREADS for n in (2, 8))]
            for name, plan in sorted(found.items(), key=lambda item: item[1]["parts"])]
    rows.append(["1 GB, any format", "1024", "1000.0", *(percent(simulate(large(1024), t, n)[0]) for t in THREADS for n in (2, 8))])
    return table(heads, rows)


def schedule_of_nodes(_):
    rows = []
    for name, begin in (("as it is", by_number), ("neighbours share a lane", by_neighbours)):
        for threads in THREADS:
            results = [simulate(large(1024), threads, nodes, begin) for nodes in NODES]
            rows.append([name, str(threads), *(f"{percent(local)}, {percent(reached)}" for reached, local in results)])
    return table(["lanes", "threads", *(f"{n} node{'s' * (n > 1)}" for n in NODES)], rows)


TABLES = (schedule_of_plans, schedule_of_nodes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("plans", "write", "check"))
    parser.add_argument("--tulle", default="build/release/tulle")
    options = parser.parse_args()
    if options.what == "plans":
        json.dump(plans(options.tulle), sys.stdout, indent=1)
        print()
        return 0
    return write_or_check(PAGE, json.loads(PLANS.read_text()), TABLES, options.what, "schedule_model.py")


if __name__ == "__main__":
    sys.exit(main())
