#!/usr/bin/env python3
"""A model of PageRank on a web graph that is larger than one machine: docs/scale.md.

    bench/scale_model.py measure >bench/scale_measured.json         constants of this machine (minutes)
    bench/scale_model.py write                                      the tables of docs/scale.md, from bench/scale_measured.json
    bench/scale_model.py check                                      fail if the page has other tables

The first command needs numpy and $TULLE_MATRICES."""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from page_tables import short, table, write_or_check

MEASURED = Path(__file__).resolve().parent / "scale_measured.json"
PAGE = Path(__file__).resolve().parent.parent / "docs" / "scale.md"

# ---- what is assumed --------------------------------------------------------------------------------

PAGES, LINKS = 3.5e9, 128e9
NODE_BANDWIDTH = 200e9     # bytes per second that one node reads from memory
NETWORK = 12.5e9           # bytes per second in each direction of a node (100 Gbit/s)
LATENCY = 2e-6             # seconds per message that a node begins
RANK_BYTES = 8             # f64
NODE_ARRAYS = 4            # elements of f64 per page that an iteration reads or writes beside the product
LINE = 64                  # bytes that a sender reads for each rank that it sends
NODES = (64, 128, 256, 512, 1024, 2048, 4096)
ONE_MACHINE = 400e9        # bytes per second of a machine with two sockets

# ---- measure ----------------------------------------------------------------------------------------

WEB = ("cnr-2000", "uk-2007-05_100000", "NotreDame_www")
FORMATS = ("csr", "sell", "csr5", "hot")
PARTS = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
SCALES = (16, 18, 20, 22)
EDGES = 16
COPIES = 128
LEAST_PAGES = 200          # a part with fewer says nothing about larger ones


def command(*args):
    return subprocess.run(args, check=True, capture_output=True, text=True).stdout


def arrays_of(path):
    """row_ptr and col of a tuned file (docs/files.md)."""
    import numpy as np
    with open(path, "rb") as f:
        head = f.read(192)
        rows, _, nnz = (int.from_bytes(head[24 + 8 * n:32 + 8 * n], "little") for n in range(3))
        offset_bytes, column_bytes = (int.from_bytes(head[n:n + 4], "little") for n in (52, 56))
        begins = [int.from_bytes(head[64 + 24 * n + 8:64 + 24 * n + 16], "little") for n in range(5)]
        f.seek(begins[2])
        row_ptr = np.fromfile(f, f"i{offset_bytes}", rows + 1).astype(np.int64)
        f.seek(begins[3])
        return row_ptr, np.fromfile(f, f"i{column_bytes}", nnz)


def write_tuned(path, row_ptr, col):
    """A square pattern in f64, as docs/files.md describes."""
    import numpy as np
    rows, nnz = len(row_ptr) - 1, len(col)
    row_ptr = row_ptr.astype(np.int32 if nnz < 2**31 else np.int64)
    sizes = (0, 0, row_ptr.nbytes, 4 * nnz, 0)
    begins, at = [], 192
    for size in sizes:
        begins.append((at + 63) // 64 * 64)
        at = begins[-1] + size
    head = b"\x89tulle\r\n" + np.array([0x01020304, 1], "u4").tobytes()
    head += np.array([at, rows, rows, nnz], "u8").tobytes()
    head += np.array([2, row_ptr.itemsize, 4, 5], "u4").tobytes()
    for n in range(5):
        head += np.array([n + 1, 0], "u4").tobytes() + np.array([begins[n], sizes[n]], "u8").tobytes()
    with open(path, "wb") as f:
        f.write(head + bytes(8))
        for begin, array in ((begins[2], row_ptr), (begins[3], col.astype(np.int32, copy=False))):
            f.write(bytes(begin - f.tell()))
            array.tofile(f)
        f.write(bytes(begins[4] - f.tell()))


def ghosts(row_ptr, col):
    """For each number of parts with about as many links each: mean links, pages and distinct columns outside."""
    import numpy as np
    rows, nnz = len(row_ptr) - 1, len(col)
    points = []
    for parts in PARTS:
        if rows // parts < LEAST_PAGES:
            break
        cuts = np.searchsorted(row_ptr, np.arange(parts + 1) * nnz // parts)
        cuts[-1] = rows
        outside = []
        for p in range(parts):
            seen = np.zeros(rows, bool)
            seen[col[row_ptr[cuts[p]]:row_ptr[cuts[p + 1]]]] = True
            seen[cuts[p]:cuts[p + 1]] = False
            outside.append(int(np.count_nonzero(seen)))
        points.append({"parts": parts, "links": nnz / parts, "pages": rows / parts,
                       "ghosts": sum(outside) / parts, "most_ghosts": max(outside)})
    return points


def transposed(row_ptr, col):
    """In-links by rows: what an iteration multiplies by."""
    import numpy as np
    rows = len(row_ptr) - 1
    source = np.repeat(np.arange(rows, dtype=np.int32), np.diff(row_ptr))
    order = np.argsort(col, kind="stable")
    return np.concatenate(([0], np.cumsum(np.bincount(col, minlength=rows)))), source[order]


def products(tulle, path, formats):
    """Bytes per link that a product reads, and nanoseconds per link, in each format that takes the matrix."""
    found = {}
    for name in formats:
        done = subprocess.run([tulle, "mul", "--json", "--transposed", "-f", name, "--seconds", "2", path],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            continue
        result = json.loads(done.stdout)
        found[name] = {"bytes": result["plan"]["bytes"] / result["nnz"],
                       "ns": 1e9 * result["time"]["best_seconds"] / result["nnz"]}
    return found


def copies_of(row_ptr, col, copies):
    """A block diagonal of copies: as local as the graph, larger than the caches."""
    import numpy as np
    rows, nnz = len(row_ptr) - 1, len(col)
    big = np.empty(nnz * copies, np.int32)
    for c in range(copies):
        np.add(col, c * rows, out=big[c * nnz:(c + 1) * nnz], casting="unsafe")
    offsets = (row_ptr[:-1] + (np.arange(copies) * nnz)[:, None]).ravel()
    return np.append(offsets, nnz * copies), big


def measure(tulle):
    matrices = Path(os.environ["TULLE_MATRICES"])
    result = {"web": {}, "rmat": {}, "beyond_cache": {}}
    machine = json.loads(command(tulle, "machine", "--json", "--no-wisdom"))
    memory = machine["levels"][-1]
    result["machine"] = {"processor": machine["processor"], "threads": machine["threads"],
                         "isa": machine["isa"], "read_bandwidth": memory["read_bandwidth"]}
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "a.tulle")
        for name in WEB:
            if not (matrices / f"{name}.mtx.gz").exists():
                continue
            command(tulle, "convert", "-f", "csr", str(matrices / f"{name}.mtx.gz"), path)
            row_ptr, col = arrays_of(path)
            result["web"][name] = {"pages": len(row_ptr) - 1, "links": len(col),
                                   "formats": products(tulle, path, FORMATS),
                                   "ghosts": ghosts(*transposed(row_ptr, col))}
            if name == WEB[0]:
                write_tuned(path, *copies_of(row_ptr, col, COPIES))
                result["beyond_cache"][f"{COPIES} copies of {name}"] = products(tulle, path, ("csr", "sell"))
        for scale in SCALES:
            command(tulle, "generate", f"rmat:scale={scale},edges={EDGES},values=ones", "-o", path)
            row_ptr, col = arrays_of(path)
            result["rmat"][str(scale)] = {"pages": len(row_ptr) - 1, "links": len(col),
                                          "ghosts": ghosts(row_ptr, col)}
            if scale == SCALES[-1]:
                result["beyond_cache"][f"R-MAT, scale {scale}"] = products(tulle, path, ("csr", "sell", "hot"))
    return result


# ---- the model --------------------------------------------------------------------------------------

def least_squares(rows, wanted):
    """The coefficients c with the least sum of (row . c - wanted)^2, by the normal equations."""
    n = len(rows[0])
    m = [[sum(r[i] * r[j] for r in rows) for j in range(n)] + [sum(r[i] * w for r, w in zip(rows, wanted))]
         for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k, i=i: abs(m[k][i]))
        m[i], m[pivot] = m[pivot], m[i]
        for k in range(n):
            if k != i:
                m[k] = [u - m[k][i] / m[i][i] * v for u, v in zip(m[k], m[i])]
    return [m[i][n] / m[i][i] for i in range(n)]


class Law:
    """Ghosts per page of a part, as exp(terms . coefficients), fitted to points; `worst`: the largest factor off."""

    def __init__(self, points, terms):
        self.terms = terms
        self.coefficients = least_squares([terms(q) for q in points],
                                          [math.log(q["ghosts"] / q["pages"]) for q in points])
        self.worst = max(max(f, 1 / f) for f in (self.of(q) * q["pages"] / q["ghosts"] for q in points))

    def of(self, point):
        return math.exp(sum(c * t for c, t in zip(self.coefficients, self.terms(point))))


def surface(q):
    """A part of many links has few ghosts for its size, however large the graph is."""
    return 1, math.log(q["links"])


def self_similar(q):
    """A graph of any size, cut into so many parts, has as many ghosts per page."""
    return 1, math.log(q["parts"]), math.log(q["parts"]) ** 2


def self_similar_by_size(q):
    return (*self_similar(q), math.log(q["pages"] * q["parts"]))


def web_points(measured):
    return [q for graph in measured["web"].values() for q in graph["ghosts"]]


def rmat_points(measured, scales=None):
    return [q for scale, graph in measured["rmat"].items() if scales is None or int(scale) in scales
            for q in graph["ghosts"]]


def laws_of(measured):
    return {"surface": Law(web_points(measured), surface),
            "self-similar": Law(web_points(measured), self_similar),
            "R-MAT": Law(rmat_points(measured), self_similar_by_size)}


class Model:
    """Seconds of an iteration on `nodes` nodes, and where they go."""

    def __init__(self, measured, **changes):
        here = measured["machine"]["read_bandwidth"]
        copies = next(found for name, found in measured["beyond_cache"].items() if "copies" in name)
        rmat = next(found for name, found in measured["beyond_cache"].items() if "R-MAT" in name)
        self.law = laws_of(measured)[changes.get("law", "self-similar")]
        found = min((rmat if changes.get("law") == "R-MAT" else copies).values(), key=lambda found: found["ns"])
        # What a link costs in bytes of bandwidth: columns, offsets, and reads of x that miss the caches.
        self.link_bytes = changes.get("link_bytes", 1) * found["ns"] * 1e-9 * here
        self.stored = found["bytes"]
        self.bandwidth = changes.get("bandwidth", 1) * NODE_BANDWIDTH
        self.network = changes.get("network", 1) * NETWORK
        self.latency = changes.get("latency", 1) * LATENCY
        self.more_ghosts = changes.get("ghosts", 1)
        self.pages, self.links = changes.get("pages", PAGES), changes.get("links", LINKS)

    def ghosts(self, nodes):
        part = {"parts": nodes, "links": self.links / nodes, "pages": self.pages / nodes}
        return 0 if nodes == 1 else min(self.more_ghosts * self.law.of(part) * part["pages"],
                                        self.pages * (1 - 1 / nodes), part["links"])

    def compute(self, nodes):
        bytes_ = self.links / nodes * self.link_bytes + self.pages / nodes * NODE_ARRAYS * RANK_BYTES
        return bytes_ / self.bandwidth

    def pack(self, nodes):
        return self.ghosts(nodes) * (LINE + RANK_BYTES) / self.bandwidth

    def exchange(self, nodes):
        if nodes == 1:
            return 0
        messages = min(nodes - 1, self.ghosts(nodes))
        return self.ghosts(nodes) * RANK_BYTES / self.network + \
            (messages + 2 * math.log2(nodes)) * self.latency

    def total(self, nodes):
        return self.compute(nodes) + self.pack(nodes) + self.exchange(nodes)

    def memory(self, nodes, copies=1):
        """Links in the format, and once more as CSR if copies is 2; vectors, ghosts and their numbers at both ends."""
        csr = self.links / nodes * 4 + self.pages / nodes * 8
        return self.links / nodes * self.stored + (copies - 1) * csr + \
            self.pages / nodes * NODE_ARRAYS * RANK_BYTES + self.ghosts(nodes) * (2 * RANK_BYTES + 2 * 4)


# ---- tables -----------------------------------------------------------------------------------------

def links(measured):
    names = [name for name in FORMATS if any(name in graph["formats"] for graph in measured["web"].values())]
    return table(["bytes per link", "pages", "links"] + names,
                 [[name, short(g["pages"]), short(g["links"])] +
                  [f"{g['formats'][f]['bytes']:.2f}" if f in g["formats"] else "" for f in names]
                  for name, g in measured["web"].items()])


def beyond_cache(measured):
    here = measured["machine"]["read_bandwidth"]
    return table(["graph", "format", "bytes per link stored", "ns per link", "bytes per link paid"],
                 [[name, f, f"{v['bytes']:.2f}", f"{v['ns']:.3f}", f"{v['ns'] * 1e-9 * here:.2f}"]
                  for name, found in measured["beyond_cache"].items() for f, v in found.items()])


def graphs_of(measured):
    graphs = dict(measured["web"].items())
    graphs.update({f"R-MAT, scale {scale}": g for scale, g in measured["rmat"].items()})
    return graphs


def ghosts_measured(measured):
    graphs = graphs_of(measured)
    parts = [p for p in PARTS if any(q["parts"] == p for g in graphs.values() for q in g["ghosts"])]
    return table(["ghosts per page of a part"] + [f"{p} parts" for p in parts],
                 [[name] + [next((f"{q['ghosts'] / q['pages']:.2f}" for q in g["ghosts"] if q["parts"] == p), "")
                            for p in parts] for name, g in graphs.items()])


def laws(measured):
    most = [max(q["most_ghosts"] / q["ghosts"] for q in g["ghosts"]) for g in measured["web"].values()]
    largest = max(int(scale) for scale in measured["rmat"])
    law = Law(rmat_points(measured, [int(n) for n in measured["rmat"] if int(n) < largest]), self_similar_by_size)
    factors = [q["ghosts"] / q["pages"] / law.of(q) for q in measured["rmat"][str(largest)]["ghosts"]]
    names = {"surface": "c0 + c1 log(links of a part)", "self-similar": "c0 + c1 log(parts) + c2 log(parts)^2",
             "R-MAT": "c0 + c1 log(parts) + c2 log(parts)^2 + c3 log(pages of the graph)"}
    return table(["law", "log(ghosts per page)", "coefficients", "worst factor"],
                 [[name, names[name], ", ".join(f"{c:.3g}" for c in law.coefficients), f"{law.worst:.2f}"]
                  for name, law in laws_of(measured).items()]) + \
        f"\nThe law of the smaller R-MAT graphs, applied to scale {largest}: there are {min(factors):.2f} to " \
        f"{max(factors):.2f} times as many ghosts as it predicts. The part of a web graph with most ghosts has up to " \
        f"{max(most):.0f} times the mean.\n"


def iterations(model):
    first = model.total(NODES[0]) * NODES[0]
    return table(["nodes", "memory per node, GB", "with CSR kept, GB", "ghosts per node", "compute, ms", "pack, ms",
                  "exchange, ms", "iteration, ms", "overlapped, ms", "sent by all, GB", "efficiency"],
                 [[str(n), short(1e-9 * model.memory(n)), short(1e-9 * model.memory(n, 2)), short(model.ghosts(n)),
                   short(1e3 * model.compute(n)), short(1e3 * model.pack(n)), short(1e3 * model.exchange(n)),
                   short(1e3 * model.total(n)),
                   short(1e3 * max(model.compute(n) + model.pack(n), model.exchange(n))),
                   short(1e-9 * n * model.ghosts(n) * RANK_BYTES), f"{first / n / model.total(n):.2f}"]
                  for n in NODES])


def self_similar_law(measured):
    return iterations(Model(measured))


def surface_law(measured):
    return iterations(Model(measured, law="surface"))


def rmat_law(measured):
    return iterations(Model(measured, law="R-MAT"))


def sensitivity(measured):
    nodes = (64, 512, 4096)
    changes = (("memory bandwidth", "bandwidth"), ("network bandwidth", "network"), ("latency", "latency"),
               ("ghosts", "ghosts"), ("bytes per link paid", "link_bytes"))
    base = Model(measured)
    return table(["constant"] + [f"x {f:g}, {n} nodes" for n in nodes for f in (0.5, 2)],
                 [[name] + [f"{Model(measured, **{key: f}).total(n) / base.total(n):.2f}"
                            for n in nodes for f in (0.5, 2)] for name, key in changes])


def one_machine(measured):
    rows = []
    for count in (1e6, 1e7, 1e8, 1e9, 3.7e9, 1e10, 128e9):
        model = Model(measured, pages=count * PAGES / LINKS, links=count)
        alone = Model(measured, pages=count * PAGES / LINKS, links=count, bandwidth=ONE_MACHINE / NODE_BANDWIDTH)
        faster = next((n for n in range(2, 4097) if model.total(n) < alone.total(1)), None)
        rows.append([short(count), short(1e-9 * model.memory(1, 2)), short(1e3 * alone.total(1)),
                     str(faster) if faster else "none"] +
                    [short(1e3 * model.total(n)) for n in (4, 16, 64)])
    return table(["links", "memory, GB", "one machine, ms", "nodes until faster"] +
                 [f"{n} nodes, ms" for n in (4, 16, 64)], rows)


TABLES = (links, beyond_cache, ghosts_measured, laws, self_similar_law, surface_law, rmat_law, sensitivity, one_machine)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("measure", "write", "check"))
    parser.add_argument("--tulle", default="build/release/tulle")
    options = parser.parse_args()
    if options.what == "measure":
        json.dump(measure(options.tulle), sys.stdout, indent=1)
        return 0
    return write_or_check(PAGE, json.loads(MEASURED.read_text()), TABLES, options.what, "scale_model.py")


if __name__ == "__main__":
    sys.exit(main())
