"""The tables of one run of tulle-batch: each batch, in microseconds per problem and over the loops."""

from results import counted, markdown, read

OVER = ("mkl-omp", "mkl-opt-loop", "avx512-omp")


def add_best_omp(rows):
    """"mkl-omp" is the faster of MKL's handles, raw or optimized, with OpenMP over the problems."""
    both = [rows[name] for name in ("mkl-omp-raw", "mkl-omp-opt") if name in rows]
    return {**rows, "mkl-omp": min(both, key=lambda row: row["seconds_best"])} if len(both) == 2 else rows


def line(row, rows):
    seconds = row["seconds_best"]
    over = [f"{rows[name]['seconds_best'] / seconds:.2f}" if name in rows else "-" for name in OVER]
    return [row["contender"], f"{1e6 * seconds / row['problems']:.3f}{'?' if row['disturbed'] else ''}", *over,
            f"{row['gflops']:.2f}", f"{row['stored_share']:.2f}", f"{row['moved_share']:.2f}",
            "" if row["right"] else "WRONG"]


def report(path):
    batches, text = {}, "How many times as fast; y += A x\n"
    for row in read(path)["results"]:
        batches.setdefault((row["matrix"], row["type"], row["threads"]), {})[row["contender"]] = row
    for (name, kind, threads), rows in batches.items():
        any_row, known = next(iter(rows.values())), add_best_omp(rows)
        each = [any_row[key] / any_row["problems"] for key in ("rows", "nnz")]
        text += (f"\n{name}, {kind}, {counted(threads, 'thread')}: {counted(any_row['problems'], 'problem')}, "
                 f"{each[0]:.0f} rows and {each[1]:.0f} nonzeros in the mean\n\n")
        text += markdown(["", "us/problem", *(f"over {name}" for name in OVER), "GFlop/s", "share", "+ x, y", ""],
                         [line(row, known) for row in rows.values()])
    return text
