"""S @ x by SciPy and A @ x by tulle, in turns, on real and generated matrices.

Usage: products.py [--suite real,quick] [--threads 2] [--seconds 1] [--json FILE]

For each matrix: the median of a product of each, and what 100 products take with making the matrix and
planning for 100 counted. Every product is compared with SciPy's within the bound of its rounding errors.
Build first: ./dev build, ./dev test python. `./dev bench python` runs this.
"""

import argparse
import json
import sys
import time

import numpy as np

import tulle
from matrices import load, names

FEW = 100


def clock(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def compare(y, S, x):
    """Both sums of a row are within (n + 1) u sum |a||x| of the true one, n its length."""
    bound = 2 * (np.diff(S.indptr) + 1) * np.finfo("f8").eps / 2 * (abs(S) @ abs(x))
    worst = np.max(abs(y - S @ x) - bound, initial=-1.0)
    if worst > 0:
        sys.exit(f"a row is {worst} beyond its bound")


def measure(S, seconds):
    x = np.random.default_rng(1).standard_normal(S.shape[1])
    planning = min(clock(lambda: tulle.matrix(S).plan(FEW)) for _ in range(3))
    few, long = tulle.matrix(S).plan(FEW), tulle.matrix(S).plan(1000)
    compare(few @ x, S, x)
    compare(long @ x, S, x)
    calls = {"scipy": lambda: S @ x, "few": lambda: few @ x, "long": lambda: long @ x}
    times = {name: [] for name in calls}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times["long"]) < 5:
        for name, call in calls.items():
            times[name].append(clock(call))
    middle = {name: float(np.median(t)) for name, t in times.items()}
    return {"format": long.describe()["format"], "scipy": middle["scipy"], "tulle": middle["long"],
            "product": middle["scipy"] / middle["long"],
            "hundred": FEW * middle["scipy"] / (planning + FEW * middle["few"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", default="real,quick")
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--json")
    options = parser.parse_args()
    tulle.set_threads(options.threads)
    results = {}
    print(f"{'matrix':40} {'nonzeros':>10} {'format':>6} {'scipy us':>9} {'tulle us':>9} {'product':>8} "
          f"{'in 100':>8}")
    for name in names(options.suite):
        try:
            short, S = load(name)
        except NotImplementedError as error:  # complex values
            print(f"left out: {error}")
            continue
        one = results[short] = measure(S, options.seconds)
        print(f"{short[:40]:40} {S.nnz:10} {one['format']:>6} {1e6 * one['scipy']:9.1f} "
              f"{1e6 * one['tulle']:9.1f} {one['product']:8.2f} {one['hundred']:8.2f}", flush=True)
    for what, words in (("product", "multiplication only"), ("hundred", "100 products, planning included")):
        ratio = np.exp(np.mean([np.log(one[what]) for one in results.values()]))
        print(f"{ratio:.2f} times SciPy, {words}: geometric mean of {len(results)}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
