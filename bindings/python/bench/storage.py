"""Products with float64 vectors by values stored as float64, float32 and in 16 bits, in the same format and in turns.

Usage: storage.py [--rows 3000000] [--rounds 7] [--threads 2]

The matrices are generated, larger than most caches: `near` has 24 entries per row within 20,000 of the diagonal (16-bit columns
in sell), `grid` those of 27 points of a cube (no columns in sell). Values are random. csr reads a float32 matrix as it is; sell
stores rounded values (lossy=). Each product is within the error that its plan states.
"""

import argparse

import interleaved
import numpy as np
import scipy.sparse as sp
import tulle

LOSSY = {"f32": "float32", "f16": "float16", "bf16": "bfloat16"}


def near(rows, rng):
    offsets = np.sort(rng.integers(-20000, 20000, (rows, 24), dtype=np.int32), axis=1)
    columns = np.abs(offsets + np.arange(rows, dtype=np.int32)[:, None])
    return csr(np.minimum(columns, 2 * (rows - 1) - columns), rng)


def grid(rows, rng):
    side = round(rows ** (1 / 3))
    steps = [x + side * (y + side * z) for z in (-1, 0, 1) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    columns = np.arange(side**3, dtype=np.int32)[:, None] + np.array(steps, np.int32)
    return csr(np.clip(columns, 0, side**3 - 1), rng)


def csr(columns, rng):
    rows, each = columns.shape
    values = rng.uniform(0.5, 1.5, columns.size)
    return sp.csr_array((values, columns.ravel(), np.arange(rows + 1, dtype=np.int32) * each), shape=(rows, rows))


def stored(S):
    """{(format, storage): (matrix, relative error of its values)}"""
    narrow = (S.data.astype("float32"), S.indices, S.indptr)  # S.astype would add up duplicates in float32
    made = {("csr", "f64"): (tulle.matrix(S).plan(format="csr"), 0),
            ("csr", "f32"): (tulle.matrix(narrow, shape=S.shape).plan(format="csr", dtype="float64"), 2**-24),
            ("sell", "f64"): (tulle.matrix(S).plan(format="sell"), 0)}
    for name, lossy in LOSSY.items():
        A = tulle.matrix(S).plan(format="sell", lossy=lossy)
        made["sell", name] = A, A.describe()["value_error"]
    return made


def check(made, S, x):
    """All terms are positive, so the result bounds them; 1e-14 is more than 28 roundings."""
    exact = S @ x
    for name, (A, error) in made.items():
        worst = np.max(np.abs(A @ x - exact) / exact)
        if worst > error + 1e-14:
            raise SystemExit(f"{name}: off by {worst}, stated {error}")


def measure(name, S, rounds):
    rng = np.random.default_rng(2)
    x, y = rng.uniform(0.5, 1.5, S.shape[1]), np.empty(S.shape[0])
    made = stored(S)
    check(made, S, x)
    taken = interleaved.medians(interleaved.in_turns(
        {key: lambda A=A: A.dot(x, out=y) for key, (A, _) in made.items()}, rounds, calls=3))
    print(f"{name}: {S.shape[0]} rows, {S.nnz} entries")
    for (form, kind), (A, _) in made.items():
        moved = A.describe()["bytes"] + x.nbytes + y.nbytes
        seconds = taken[form, kind]
        print(f"  {form:4} {kind:4} {1e-6 * moved:7.0f} MB {1e3 * seconds:8.2f} ms {1e-9 * moved / seconds:6.1f} GB/s,"
              f" speed {taken[form, 'f64'] / seconds:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=None)
    options = parser.parse_args()
    if options.threads:
        tulle.set_threads(options.threads)
    for make in (near, grid):
        measure(make.__name__, make(options.rows, np.random.default_rng(1)), options.rounds)


if __name__ == "__main__":
    main()
