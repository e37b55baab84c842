#!/usr/bin/env python3
"""Reading Matrix Market files to CSR: tulle against scipy's mmread(FILE).tocsr(), in turns.

Usage: read_speed.py [--tool tulle-read-time] [--folder DIR] [--mb 400] [--threads 2] [--rounds 5]

Makes three files of about --mb MB of text once: general and symmetric (17 digits, by column, as the
SuiteSparse collection has them) and the general one in gzip. In every round each file is read by
both, one after the other, each in a fresh process; the least of the rounds counts. Both must find
the same number of entries and the same bits. Needs numpy and scipy >= 1.17.
"""

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tempfile

SCIPY = """
import sys, time
import numpy, scipy.io
import scipy.io._fast_matrix_market as reader
reader.PARALLELISM = int(sys.argv[2])
wall, cpu = time.perf_counter(), time.process_time()
a = scipy.io.mmread(sys.argv[1]).tocsr()
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
print(wall, cpu, a.shape[0], a.nnz, int(a.data.view(numpy.uint64).sum(dtype=numpy.uint64)))
"""


def write(path, matrix, symmetry):
    """mmwrite would search for symmetry, which is known here."""
    import scipy.io
    part = path + ".part.mtx"
    scipy.io.mmwrite(part, matrix, symmetry="general")
    with open(part, "rb") as source, open(path, "wb") as to:
        to.write(source.readline().replace(b"general", symmetry.encode()))
        shutil.copyfileobj(source, to, 1 << 24)
    os.remove(part)


def make_files(folder, megabytes):
    import numpy
    import scipy.sparse
    random = numpy.random.default_rng(1)
    entries = megabytes * 1000000 // 35
    n = entries // 12

    def square(count):
        row = numpy.arange(count, dtype=numpy.int64) % n
        col = (row + random.integers(-5000, 5000, count)) % n
        values = random.standard_normal(count)
        return scipy.sparse.coo_matrix((values, (row, col)), shape=(n, n)).tocsc()

    paths = {name: os.path.join(folder, f"read_{megabytes}_{name}")
             for name in ("general.mtx", "symmetric.mtx", "general.mtx.gz")}
    if not os.path.exists(paths["general.mtx"]):
        write(paths["general.mtx"], square(entries).tocoo(), "general")
    if not os.path.exists(paths["symmetric.mtx"]):
        lower = scipy.sparse.tril(square(2 * entries)).tocsc().tocoo()
        write(paths["symmetric.mtx"], lower, "symmetric")
    if not os.path.exists(paths["general.mtx.gz"]):
        with open(paths["general.mtx"], "rb") as source, \
                gzip.open(paths["general.mtx.gz"], "wb", compresslevel=6) as to:
            shutil.copyfileobj(source, to, 1 << 24)
    return paths


def run(command):
    words = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(words[0]), float(words[1]), tuple(words[2:])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/release/bench/tulle-read-time")
    parser.add_argument("--folder", default=os.path.join(tempfile.gettempdir(), "tulle-read-speed"))
    parser.add_argument("--mb", type=int, default=400)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    import scipy
    os.makedirs(args.folder, exist_ok=True)
    paths = make_files(args.folder, args.mb)
    text = {name: os.path.getsize(paths[name.removesuffix(".gz")]) / 1e6 for name in paths}
    readers = {"scipy": [sys.executable, "-c", SCIPY], "tulle": [args.tool]}
    best = {}
    for _ in range(args.rounds):
        for name, path in paths.items():
            seen = set()
            for reader, command in readers.items():
                wall, cpu, what = run(command + [path, str(args.threads)])
                seen.add(what)
                old = best.get((name, reader), (wall, cpu))
                best[name, reader] = (min(old[0], wall), min(old[1], cpu))
            if len(seen) != 1:
                sys.exit(f"{path}: the readers disagree: {seen}")
    print(f"scipy {scipy.__version__}, {args.threads} threads, least of {args.rounds} rounds, same bits")
    print(f"{'file':16} {'MB text':>8} {'scipy s':>8} {'tulle s':>8} {'MB/s':>6} {'ratio':>6}"
          f" {'CPU s':>12} {'ratio':>6}")
    for name in paths:
        (ours, our_cpu), (theirs, their_cpu) = best[name, "tulle"], best[name, "scipy"]
        print(f"{name:16} {text[name]:8.0f} {theirs:8.3f} {ours:8.3f} {text[name] / ours:6.0f}"
              f" {theirs / ours:6.2f} {their_cpu:6.2f}{our_cpu:6.2f} {their_cpu / our_cpu:6.2f}")


if __name__ == "__main__":
    main()
